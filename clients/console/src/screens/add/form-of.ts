// The form of a type, made from its JSON Schema in the catalogue: which fields there are, which are required, and the limits of each
// number in each unit. What a schema does not say in standard words (which unit a number has) is beside it in the catalogue.
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'

export type Limits = { least: number; most: number }

export type NumberField = {
  kind: 'number'
  name: string
  isRequired: boolean
  isWhole: boolean
  /** The field that it must be below. */
  below: string | undefined
  /** By unit of the reading; a number with a unit of its own has the same under each. Empty where none is chosen. */
  unitOf: (unit: string) => string
  limitsIn: (unit: string) => Limits | undefined
  /** Outside, a person is asked whether it is right. Never shown: it is no reference range. */
  plausibleIn: (unit: string) => Limits | undefined
}
type ChoiceField = { kind: 'choice'; name: string; isRequired: boolean; choices: string[] }
type TextField = { kind: 'text'; name: string; isRequired: boolean }
type TimeField = { kind: 'time'; name: string; isRequired: boolean }
type SymptomsField = { kind: 'symptoms'; name: string; isRequired: boolean }

export type FormField = NumberField | ChoiceField | TextField | TimeField | SymptomsField
export type ReadingForm = {
  readingType: string
  units: string[]
  isUnitRequired: boolean
  fields: FormField[]
}

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  not?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  if?: Schema
  then?: Schema
  else?: Schema
}

/** Fields of every reading, which the form fills in itself; `fhir` is what other systems write. */
const COMMON = new Set(['patientUid', 'readingType', 'timestamp', 'unit', 'source', 'fhir'])

export function formOf(entry: ReadingTypeEntry): ReadingForm {
  const schema = entry.schema as Schema
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, property]): FormField[] => {
    // `not: {}` is a field that nobody may send.
    if (COMMON.has(name) || property.not !== undefined || property.const !== undefined) return []
    return [fieldOf({ name, isRequired: required.has(name) }, property, entry)]
  })
  return {
    readingType: entry.readingType,
    units: entry.units,
    isUnitRequired: required.has('unit'),
    fields,
  }
}

type Common = { name: string; isRequired: boolean }

function fieldOf(common: Common, property: Schema, entry: ReadingTypeEntry): FormField {
  const { type } = property
  if (type === 'array') return { kind: 'symptoms', ...common }
  if (property.enum) return { kind: 'choice', ...common, choices: property.enum.map(String) }
  if (type === 'number' || type === 'integer') {
    const measured = entry.numbers.find(({ field }) => field === common.name)
    // A number that is no measured one is a time.
    if (!measured) return { kind: 'time', ...common }
    const schema = entry.schema as Schema
    const [only, ...more] = measured.ranges
    const rangeIn = (unit: string) =>
      measured.ranges.find((range) => range.unit === unit) ?? (more.length === 0 ? only : undefined)
    return {
      kind: 'number',
      ...common,
      isWhole: type === 'integer',
      below: measured.below ?? undefined,
      unitOf: (unit) => rangeIn(unit)?.unit ?? '',
      limitsIn: (unit) => limitsOf(property) ?? limitsByUnit(schema, common.name, unit),
      plausibleIn: (unit) => rangeIn(unit)?.plausible ?? undefined,
    }
  }
  return { kind: 'text', ...common }
}

function limitsOf({ minimum, maximum }: Schema): Limits | undefined {
  return minimum === undefined || maximum === undefined ? undefined : { least: minimum, most: maximum }
}

/** Where the limits depend on the unit, the schema says so by if, then and else. */
function limitsByUnit(schema: Schema, field: string, unit: string): Limits | undefined {
  for (let part: Schema | undefined = schema; part?.if; part = part.else) {
    if (part.if.properties?.['unit']?.const !== unit) continue
    const property = part.then?.properties?.[field]
    return property && limitsOf(property)
  }
  return undefined
}
