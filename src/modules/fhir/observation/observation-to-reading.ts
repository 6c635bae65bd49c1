// An Observation as the reading that readings/add would have been given. What it cannot hold is refused with the place where
// it stands: the reading is written as an Observation again, and nothing that was sent may be missing there (unkept.ts).
import { relativeTo } from '../../../http/base-address.ts'
import { countKeys } from '../../../http/json/scan-json.ts'
import { MAX_FIELDS, tooManyFields } from '../../../http/json/strict-json.ts'
import type { Check } from '../../../http/json/validation.ts'
import { type FieldError, refuseFields } from '../../../refusal.ts'
import { CATALOGUE, type CatalogueType } from '../../casesheet/catalogue/catalogue.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { refuseAt } from '../refuse-at.ts'
import type { CodeableConcept, Reference } from '../resources.ts'
import { FIELD, LOINC, READING_TYPE } from '../systems.ts'
import { readEffective } from '../time/read-effective.ts'
import { codeIn, codingsIn } from './codings.ts'
import { createFieldsRead, type FieldsRead } from './fields-read.ts'
import { patientOf } from './patient-reference.ts'
import { fieldNameOf, mustBeQuantity, readComponents } from './read-components.ts'
import { divideKept, pathInSent, withKept } from './read-kept-elements.ts'
import { type Budget, readOtherFields } from './read-other-fields.ts'
import { type Reading, readingToObservation } from './reading-to-observation.ts'
import { readSource, withImplied, withOurIds } from './source-mapping.ts'
import { SEVERITY_FIELD } from './symptoms.ts'
import { BLOOD_OXYGEN_LOINC, SEVERITY_LOINC, TYPE_OF_LOINC } from './type-mapping.ts'
import { unkeptIn } from './unkept.ts'

type Json = Readonly<Record<string, unknown>>

/** How much it may hold, how a reading is checked, how many of its faults are named, and the base address of this server. */
export type Checking = { budget: Budget; check: Check; maxErrors: number; base: string }

const SYMPTOM_REQUIRED = 'is required: the symptom as the text of valueCodeableConcept'

/** Throws a refusal that points at what is wrong: with the reading by its own check, or with what it would not keep. */
export function observationToReading(
  resource: unknown,
  { budget, check, maxErrors, base }: Checking,
): Reading {
  const whole = inOurForm(mustBeObservation(resource), base)
  const readingType = mustHaveType(whole['code'])
  const divided = divideKept(whole, readingType)
  const sent = divided.rest
  const type = Object.hasOwn(CATALOGUE, readingType) ? CATALOGUE[readingType] : undefined
  const isSymptom = readingType === 'symptom'
  const read = createFieldsRead()
  const fieldNames = readComponents(sent['component'], { type, isSymptom, read, budget })
  if (sent['valueQuantity'] !== undefined) readQuantity(sent['valueQuantity'], type, read)
  if (isSymptom && sent['valueCodeableConcept'] !== undefined) {
    readSymptom(sent['valueCodeableConcept'], read)
  } else if (isSymptom && fieldNames.includes(SEVERITY_FIELD)) {
    throw refuseAt('Observation.value', SYMPTOM_REQUIRED)
  }
  if (readingType === 'note' && sent['valueString'] !== undefined)
    read.set('text', sent['valueString'], 'Observation.value')
  readOtherFields(sent['extension'], { path: 'Observation', budget }, (name, value) =>
    read.set(name, value, 'Observation.extension'),
  )
  readSource(sent, read)
  const { timestamp, ...times } = readEffective(sent, readingType)
  for (const [name, value] of Object.entries(times)) read.set(name, value, 'Observation.effective')
  const plain: Reading = {
    patientUid: mustHavePatient(sent['subject']),
    readingType,
    ...Object.fromEntries(read.fields),
    timestamp,
  }
  const { reading, rest } = withKept(plain, divided)
  if (countKeys(reading) > MAX_FIELDS) throw tooManyFields()
  const pathOf = new Map([...read.pathOf, ...divided.pathOf])
  const errors = check(reading).map((error) => placed(error, { pathOf, type }))
  if (errors.length > 0) throw refuseFields(errors)
  const written = readingToObservation(plain)
  const kept = {
    written: withImplied(written),
    readingId: () => readingIdOf(reading),
    fieldNames,
    fieldNameOf: (code: unknown) => fieldNameOf(code, type, isSymptom),
  }
  const unkept = unkeptIn(withOurIds(rest), kept, maxErrors)
  if (unkept.length === 0) return reading
  throw refuseFields(unkept.map((error) => ({ ...error, pointer: pathInSent(error.pointer, divided) })))
}

/** What FHIR lets a sender write in two ways, as Rounds writes it. */
function inOurForm({ effectiveInstant, ...sent }: Json, base: string): Json {
  const others: Record<string, unknown> = { ...sent }
  const { reference }: Reference = Object(sent['subject'])
  if (typeof reference === 'string')
    others['subject'] = { ...Object(sent['subject']), reference: relativeTo(base, reference) }
  if (effectiveInstant === undefined) return others
  const isOnlyTime = sent['effectiveDateTime'] === undefined && sent['effectivePeriod'] === undefined
  return { ...others, [isOnlyTime ? 'effectiveDateTime' : 'effectiveInstant']: effectiveInstant }
}

type Placing = { pathOf: ReadonlyMap<string, string>; type: CatalogueType | undefined }

/** What a check of the reading found, with the place in the Observation. */
function placed(error: FieldError, { pathOf, type }: Placing): FieldError {
  const { pointer } = error
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const path = pathOf.get(at)
    if (path === undefined) continue
    const isKept = at.startsWith('/fhir/')
    return { ...error, pointer: isKept ? `${path}${pathBelow(pointer.slice(at.length))}` : path }
  }
  const name = pointer.slice(1)
  if (name === 'value') return { pointer: 'Observation.value', message: 'is required: valueQuantity' }
  if (name === 'text') return { pointer: 'Observation.value', message: 'is required: valueString' }
  if (name === 'symptoms') return { pointer: 'Observation.value', message: SYMPTOM_REQUIRED }
  if (!type || !Object.hasOwn(type.quantities, name)) return { ...error, pointer: 'Observation' }
  const { loinc } = type.quantities[name] ?? {}
  const code = loinc ? `the code ${loinc} of ${LOINC}` : `the code ${name} of ${FIELD}`
  return { pointer: 'Observation.component', message: `is required: ${name}, with ${code}` }
}

/** `/coding/0/code` → `.coding[0].code` */
function pathBelow(pointer: string): string {
  const [, ...parts] = pointer.split('/')
  return parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
}

function mustBeObservation(resource: unknown): Json {
  const sent: Json = Object(resource)
  if (sent['resourceType'] !== 'Observation') throw refuseAt('resourceType', 'must be Observation')
  if (sent['status'] !== 'final') throw refuseAt('Observation.status', 'must be final')
  return sent
}

/** The type that the codes stand for; all that are known here must agree, which the comparison at the end sees to. */
function mustHaveType(code: unknown): string {
  const own = codeIn(code, READING_TYPE)
  if (typeof own === 'string') return own
  const known = codingsIn(code).flatMap(({ system, code: loinc }) =>
    system === LOINC ? (TYPE_OF_LOINC.get(String(loinc)) ?? []) : [],
  )
  const [first] = known
  if (first === undefined) {
    const isSaturation = codeIn(code, LOINC) === BLOOD_OXYGEN_LOINC
    if (isSaturation) throw refuseAt('Observation.code', NOT_SAID_TO_BE_OXIMETRY)
    throw refuseAt(
      'Observation.code',
      `must have a code of ${LOINC} that the catalogue knows, or one of ${READING_TYPE}`,
    )
  }
  return first
}

const NOT_SAID_TO_BE_OXIMETRY = `must not be ${BLOOD_OXYGEN_LOINC} alone, which may be a blood gas: for pulse oximetry send 59408-5 too`

function mustHavePatient(subject: unknown): string {
  const reference: Reference = Object(subject)
  const isPatient = reference.type === undefined || reference.type === 'Patient'
  const patientUid = isPatient ? patientOf(reference) : undefined
  if (patientUid === undefined)
    throw refuseAt('Observation.subject', 'must be a reference such as Patient/patient-1')
  return patientUid
}

function readQuantity(quantity: unknown, type: CatalogueType | undefined, read: FieldsRead) {
  const path = 'Observation.value'
  const { value, code } = mustBeQuantity(quantity, { path, units: type?.units ?? [] })
  read.set('value', value, path)
  // Of a type with one unit it may be left out, and is.
  if (type && type.units.length > 1) read.set('unit', code, path)
}

/** A single symptom: the value names it, and the component has its severity. */
function readSymptom(concept: unknown, { fields, pathOf }: FieldsRead) {
  const { text }: CodeableConcept = Object(concept)
  const symptoms: unknown = fields.get('symptoms')
  const [symptom, ...others]: unknown[] = Array.isArray(symptoms) ? symptoms : []
  if (symptom === undefined || others.length > 0) {
    throw refuseAt(
      'Observation.component',
      `must have one severity, with the code ${SEVERITY_LOINC} of LOINC`,
    )
  }
  fields.set('symptoms', [{ ...Object(symptom), symptom: text }])
  pathOf.set('/symptoms', 'Observation.value')
}
