// The components of an Observation → fields of a reading. A component is known by its code: that of the field, or the one of
// LOINC that the catalogue gives to it.
import type { CatalogueType } from '../../casesheet/catalogue/catalogue.ts'
import { refuseAt } from '../refuse-at.ts'
import { FIELD, LOINC, UCUM } from '../systems.ts'
import { codeIn } from './codings.ts'
import type { FieldsRead } from './fields-read.ts'
import { type Budget, readOtherFields } from './read-other-fields.ts'
import { SEVERITY_FIELD, severityFrom, symptomName } from './symptoms.ts'
import { SEVERITY_LOINC, SYMPTOM_LOINC } from './type-mapping.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_COMPONENTS = 200

type From = { type: CatalogueType | undefined; isSymptom: boolean; read: FieldsRead; budget: Budget }

/** Reads all of them; returns the name of the field that each became. */
export function readComponents(components: unknown, { type, isSymptom, read, budget }: From): string[] {
  if (components === undefined) return []
  if (!Array.isArray(components) || components.length > MAX_COMPONENTS) {
    throw refuseAt('Observation.component', `must be a list of at most ${MAX_COMPONENTS}`)
  }
  const symptoms: object[] = []
  const names = components.map((component: unknown, index) => {
    const path = `Observation.component[${index}]`
    const sent: Json = Object(component)
    const name = mustHaveName(sent['code'], path)
    if (isSymptom && (name === SEVERITY_FIELD || name === 'symptom')) {
      symptoms.push(symptomIn(sent, name, path))
      return name === 'symptom' ? symptomName(symptoms.length - 1) : name
    }
    read.set(name, valueOf(sent, { path, units: unitsOf(name, type) }), path)
    return name
  })
  if (symptoms.length > 0) read.set('symptoms', symptoms, 'Observation.component')
  return names

  function mustHaveName(code: unknown, path: string): string {
    const name = fieldNameOf(code, type, isSymptom)
    if (name === undefined) throw refuseAt(`${path}.code`, 'is not one that is kept with this type')
    return name
  }

  /** A severity alone has no symptom yet: the value of the Observation names it, and never the label of the severity. */
  function symptomIn(sent: Json, name: string, path: string): object {
    const severity = severityFrom(sent['valueCodeableConcept'])
    if (severity === undefined) throw refuseAt(`${path}.value`, 'must be a severity that is known here')
    const symptom = new Map<string, unknown>([
      ['symptom', name === 'symptom' ? Object(sent['code']).text : undefined],
      ['severity', severity],
    ])
    readOtherFields(sent['extension'], { path, budget }, (other, value) => {
      if (symptom.has(other)) throw refuseAt(path, 'must not give a field again')
      symptom.set(other, value)
    })
    return Object.fromEntries(symptom)
  }
}

/** The name of the field that a component with this code is. */
export function fieldNameOf(
  concept: unknown,
  type: CatalogueType | undefined,
  isSymptom: boolean,
): string | undefined {
  const own = codeIn(concept, FIELD)
  if (typeof own === 'string') return own
  const code = codeIn(concept, LOINC)
  if (isSymptom && code === SEVERITY_LOINC) return SEVERITY_FIELD
  if (isSymptom && code === SYMPTOM_LOINC) return 'symptom'
  const [name] = Object.entries(type?.quantities ?? {}).find(([, { loinc }]) => loinc && loinc === code) ?? []
  return name
}

/** The units in which a field may be measured; none where it is no number of the type. */
function unitsOf(name: string, type: CatalogueType | undefined): readonly string[] {
  if (!type || !Object.hasOwn(type.quantities, name)) return []
  const ownUnit = type.quantities[name]?.unit
  return ownUnit ? [ownUnit] : type.units
}

type Expected = { path: string; units: readonly string[] }

function valueOf({ valueString, valueBoolean, valueQuantity }: Json, { path, units }: Expected): unknown {
  if (valueQuantity !== undefined)
    return mustBeQuantity(valueQuantity, { path: `${path}.value`, units }).value
  if (typeof valueString === 'string') return valueString
  if (typeof valueBoolean === 'boolean') return valueBoolean
  throw refuseAt(`${path}.value`, 'must be a valueQuantity, a valueString or a valueBoolean')
}

/** A number; its unit, if it has one, in UCUM. It must have one where `units` names any: a number alone says too little. */
export function mustBeQuantity(
  quantity: unknown,
  { path, units }: Expected,
): { value: number; code: string | undefined } {
  const { value, code, system }: Json = Object(quantity)
  if (typeof value !== 'number') throw refuseAt(`${path}.value`, 'must be a number')
  if (code === undefined) {
    if (units.length > 0) throw refuseAt(path, `must have a unit as its code: ${units.join(' or ')}`)
    return { value, code: undefined }
  }
  if (system !== UCUM || typeof code !== 'string') {
    throw refuseAt(path, `must have a unit of the system ${UCUM}, as its code`)
  }
  return { value, code }
}
