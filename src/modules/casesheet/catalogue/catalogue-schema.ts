// The contract of a type of the catalogue, as JSON Schema: what `add` checks is what the OpenAPI document and
// `GET readings/types` show. Only what cannot be is refused, so unknown fields are kept.
import { type TProperties, type TSchema, Type } from 'typebox'
import { EpochTime } from '../epoch-time.ts'
import type { CatalogueType, Note, Quantity } from './catalogue.ts'
import { limitsText, type Range, rangesOf } from './limits.ts'

/** The schema of a reading of this type. `common` are the fields of every reading. */
export function catalogueSchema(readingType: string, type: CatalogueType, common: TProperties): TSchema {
  const { quantities, notes = {}, units, example } = type
  return Type.Object(
    {
      ...common,
      readingType: Type.Literal(readingType),
      ...eachOf(quantities, (quantity) => quantitySchema(quantity, rangesOf(quantity, type))),
      unit: unitSchema(units),
      ...eachOf(notes, (note) => Type.Optional(noteSchema(note))),
    },
    {
      $id: componentOf(readingType),
      additionalProperties: true,
      examples: [{ patientUid: 'patient-1', readingType, ...example, timestamp: 1_762_000_000_000 }],
      ...rangesByUnit(type),
    },
  )
}

/** The name of a type's schema in the OpenAPI document, such as HeartRateReading. */
export function componentOf(readingType: string): string {
  return `${readingType.charAt(0).toUpperCase()}${readingType.slice(1)}Reading`
}

/** Where a type has several units, a number without one could mean either: 45 is a severe hypoglycaemia in mg/dL only. */
function unitSchema(units: CatalogueType['units']): TSchema {
  const [only, ...others] = units
  const schema = Type.Enum([...units], {
    type: 'string',
    description: others.length === 0 ? `In UCUM. Where it is left out, ${only} is meant.` : 'In UCUM.',
    'x-mustBe': `one of ${units.join(', ')}`,
  })
  return others.length === 0 ? Type.Optional(schema) : schema
}

function quantitySchema(quantity: Quantity, ranges: Range[]): TSchema {
  const { isWhole, isOptional, below } = quantity
  const [only, ...others] = ranges
  const options = {
    description: described(quantity, ranges),
    'x-mustBe': isWhole ? 'a whole number' : 'a number',
    ...(below === undefined ? {} : { 'x-below': below }),
    ...(only && others.length === 0 ? limitsSchema(only) : {}),
  }
  const schema = isWhole ? Type.Integer(options) : Type.Number(options)
  return isOptional ? Type.Optional(schema) : schema
}

function limitsSchema({ unit, possible: [minimum, maximum] }: Range) {
  return { minimum, maximum, 'x-unit': unit }
}

/**
 * Where a type has several units: which limits hold in which. That other fields may stand there is said again, for tools that
 * would otherwise think not.
 */
function rangesByUnit(type: CatalogueType): object {
  if (type.units.length === 1) return {}
  const inTypeUnit = Object.entries(type.quantities).filter(([, { unit }]) => unit === undefined)
  let schema = {}
  for (const [index, unit] of [...type.units.entries()].toReversed()) {
    const limits = inTypeUnit.map(([field, quantity]) => {
      const range = rangesOf(quantity, type)[index]
      return [field, range ? limitsSchema(range) : {}]
    })
    schema = {
      if: { properties: { unit: { const: unit } }, required: ['unit'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { properties: Object.fromEntries(limits), additionalProperties: true },
      ...(index === type.units.length - 1 ? {} : { else: schema }),
    }
  }
  return schema
}

function noteSchema(note: Note): TSchema {
  if (note === 'time') return EpochTime(1_761_955_200)
  if (note === 'note') {
    return Type.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      description: 'As the device has it.',
      'x-mustBe': 'a text, a number, true or false',
    })
  }
  return Type.Enum([...note], { type: 'string', 'x-mustBe': `one of ${note.join(', ')}` })
}

function described({ below }: Quantity, ranges: Range[]): string {
  const possible = ranges.map((range) => limitsText(range.possible, range.unit)).join(', or ')
  return [`Possible: ${possible}.`, ...(below ? [`It is below ${below}.`] : [])].join(' ')
}

function eachOf<Value>(values: Readonly<Record<string, Value>>, schemaOf: (value: Value) => TSchema) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, schemaOf(value)]))
}
