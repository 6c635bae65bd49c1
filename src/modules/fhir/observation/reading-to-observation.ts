// A reading as an Observation: what the catalogue says of its type decides the form, and every field that has no place of its
// own is kept as other-fields.ts does. What a release before the catalogue stored under one of its names, and does not fit
// it, is written like a type that is not known.
import { CATALOGUE, type CatalogueType } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { END_OF_9999, microsecondsOf } from '../../casesheet/epoch-time.ts'
import type { Component, Effective, Observation, Quantity } from '../resources.ts'
import { FIELD, LOINC, OBSERVATION_CATEGORY, READING_TYPE, UCUM } from '../systems.ts'
import { dateOf, isOffset, isWritableAt, type Written } from '../time/effective-time.ts'
import { codeIn } from './codings.ts'
import { isFhirText, writeOtherFields } from './other-fields.ts'
import { patientReference } from './patient-reference.ts'
import { writeSource } from './source-mapping.ts'
import { writeSymptoms } from './symptoms.ts'
import { PERIOD_TYPES, TYPE_MAPPINGS, type TypeMapping } from './type-mapping.ts'
import { bothMethods, takeKept } from './write-kept-elements.ts'

export type Reading = Readonly<Record<string, unknown>> & {
  patientUid: string
  readingType: string
  timestamp: number
}

/** A longer one is written as a date and a field: a search for dates need not look further back than this. */
export const MAX_PERIOD_MICROSECONDS = 31n * 86_400_000_000n

/** The reading as its sender would write it in FHIR: without what the service adds. */
export function readingToObservation({
  patientUid,
  readingType,
  timestamp,
  ...fields
}: Reading): Observation {
  const left = new Map<string, unknown>(Object.entries(fields))
  const effective = takeEffective(readingType, timestamp, left)
  const { mapping, unit, value, components } = takeMeasured(readingType, left)
  const kept = takeKept(left)
  const { contained, extension: gateway = [], method: kind, device } = takeSource(left) ?? {}
  const others = writeOtherFields(left)
  const extension = [...(kept.extension ?? []), ...others.extension, ...gateway]
  const component = [...components, ...others.components]
  const own = mapping ? [{ coding: [{ system: OBSERVATION_CATEGORY, code: mapping.category }] }] : []
  const category = [...own, ...(kept.category ?? [])]
  // The profiles want the category once: a sender may have said it beside a code of its own.
  const isSaidOnce = !kept.category?.some(
    (concept) => codeIn(concept, OBSERVATION_CATEGORY) === mapping?.category,
  )
  const profiles = mapping && isSaidOnce ? mapping.profiles : []
  const codings = mapping ? mapping.codingsIn(unit) : [{ system: READING_TYPE, code: readingType }]
  const method = bothMethods(kept.method, kind)
  return {
    resourceType: 'Observation',
    ...(profiles.length > 0 ? { meta: { profile: [...profiles] } } : {}),
    ...(contained ? { contained } : {}),
    ...(extension.length > 0 ? { extension } : {}),
    ...(kept.identifier ? { identifier: kept.identifier } : {}),
    ...(kept.basedOn ? { basedOn: kept.basedOn } : {}),
    status: 'final',
    ...(category.length > 0 ? { category } : {}),
    code: { coding: kept.code ? [...codings, ...kept.code] : codings },
    subject: patientReference(patientUid),
    ...(kept.encounter ? { encounter: kept.encounter } : {}),
    ...effective,
    ...(kept.issued === undefined ? {} : { issued: kept.issued }),
    ...(kept.performer ? { performer: kept.performer } : {}),
    ...value,
    ...(kept.note ? { note: kept.note } : {}),
    ...(method ? { method } : {}),
    ...(device || kept.device ? { device: device ?? kept.device } : {}),
    ...(component.length > 0 ? { component } : {}),
  }
}

function takeSource(left: Map<string, unknown>): ReturnType<typeof writeSource> {
  const written = left.has('source') ? writeSource(left.get('source')) : undefined
  if (written) left.delete('source')
  return written
}

function takeEffective(readingType: string, timestamp: number, left: Map<string, unknown>): Effective {
  const startedAt = left.get('startedAt')
  const hasPeriod = PERIOD_TYPES.includes(readingType) && isStartOf(timestamp, startedAt)
  const times = hasPeriod ? [startedAt, timestamp] : [timestamp]
  const utcOffset = left.get('utcOffset')
  const offset =
    isOffset(utcOffset) && times.every((time) => isWritableAt(time, utcOffset)) ? utcOffset : undefined
  if (offset !== undefined) left.delete('utcOffset')
  const end = dateOf(timestamp, offset)
  if (!hasPeriod) return { effectiveDateTime: end.text, ...extensionOf('_effectiveDateTime', end) }
  left.delete('startedAt')
  const start = dateOf(startedAt, offset)
  return {
    effectivePeriod: {
      start: start.text,
      ...extensionOf('_start', start),
      end: end.text,
      ...extensionOf('_end', end),
    },
  }
}

/** Whether a value is the beginning of a period that ends at `timestamp`. */
export function isStartOf(timestamp: number, startedAt: unknown): startedAt is number {
  if (typeof startedAt !== 'number' || !(startedAt >= 0 && startedAt <= END_OF_9999)) return false
  const length = microsecondsOf(timestamp) - microsecondsOf(startedAt)
  return length >= 0n && length <= MAX_PERIOD_MICROSECONDS
}

function extensionOf<Name extends string>(name: Name, { extension }: Written) {
  return (extension ? { [name]: { extension } } : {}) as { [name in Name]?: { extension: [] } }
}

type Measured = {
  mapping: TypeMapping | undefined
  unit: Unit | undefined
  value: Pick<Observation, 'valueQuantity' | 'valueCodeableConcept' | 'valueString'>
  components: Component[]
}

const UNKNOWN: Measured = { mapping: undefined, unit: undefined, value: {}, components: [] }

function takeMeasured(readingType: string, left: Map<string, unknown>): Measured {
  if (readingType === 'symptom') return takeSymptoms(left)
  if (readingType === 'note') return takeNote(left)
  const type = Object.hasOwn(CATALOGUE, readingType) ? CATALOGUE[readingType] : undefined
  return type && fits(type, left) ? takeQuantities(readingType, type, left) : UNKNOWN
}

function takeSymptoms(left: Map<string, unknown>): Measured {
  const written = writeSymptoms(left.get('symptoms'))
  // They stay among the other fields; that these are symptoms is true all the same.
  const { component, ...value } = written ?? { component: [] }
  if (written) left.delete('symptoms')
  return { mapping: TYPE_MAPPINGS.get('symptom'), unit: undefined, value, components: component }
}

/** A text that FHIR does not allow stays among the other fields. */
function takeNote(left: Map<string, unknown>): Measured {
  const text = left.get('text')
  const isWritten = isFhirText(text)
  if (isWritten) left.delete('text')
  return {
    mapping: TYPE_MAPPINGS.get('note'),
    unit: undefined,
    value: isWritten ? { valueString: text } : {},
    components: [],
  }
}

/** Whether each number of the type is one, and the unit one of the type's. */
function fits({ units, quantities }: CatalogueType, fields: ReadonlyMap<string, unknown>): boolean {
  const unit = fields.get('unit')
  if (unit !== undefined && !units.some((known) => known === unit)) return false
  return Object.entries(quantities).every(([name, { isOptional }]) => {
    const value = fields.get(name)
    return typeof value === 'number' || (isOptional && value === undefined)
  })
}

function takeQuantities(readingType: string, type: CatalogueType, left: Map<string, unknown>): Measured {
  const [first, ...others] = type.units
  const unit = (left.get('unit') as Unit | undefined) ?? first
  // Of a type with one unit, a reading that names it is another than the same without: then it stays among the fields.
  if (others.length > 0) left.delete('unit')
  const value: { valueQuantity?: Quantity } = {}
  const components: Component[] = []
  for (const [name, { loinc, unit: ownUnit }] of Object.entries(type.quantities)) {
    const number = left.get(name)
    if (typeof number !== 'number') continue
    left.delete(name)
    const quantity = { value: number, unit: ownUnit ?? unit, system: UCUM, code: ownUnit ?? unit }
    if (name === 'value') value.valueQuantity = quantity
    else components.push({ code: codeOf(name, loinc), valueQuantity: quantity })
  }
  return { mapping: TYPE_MAPPINGS.get(readingType), unit, value, components }
}

/** One code: the profile of blood pressure knows its components by it. */
function codeOf(name: string, loinc: string | undefined) {
  return { coding: [loinc ? { system: LOINC, code: loinc } : { system: FIELD, code: name }] }
}
