// Values that fit a JSON Schema of the OpenAPI document, or nearly. Whether one fits is for Ajv to say: where two rules of a
// schema meet (a limit that depends on a unit), this does not look at both.
import fc, { type Arbitrary } from 'fast-check'

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  not?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  additionalProperties?: boolean | Schema
}

/** Texts that have broken programs before. */
export const NASTY_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'null',
  '*',
  '%',
  '%00',
  '\0',
  '\n',
  '\u202e',
  '\ufeff',
  '\ud800',
  '😀',
  "' or 1=1 --",
  '${7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '{"a":1}',
  '=cmd()',
  'x'.repeat(300),
]

export const nastyValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...NASTY_TEXTS, null, true, false, 0, -0, -1, 1e21, 5e-324, 1.5, [], {}, [[]], {
    a: {},
  }),
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

type Schemas = Record<string, Schema>
const known = new WeakMap<Schema, Arbitrary<unknown>>()

export function valuesOf(schema: Schema, schemas: Schemas): Arbitrary<unknown> {
  const found = known.get(schema) ?? makeValues(schema, schemas)
  known.set(schema, found)
  return found
}

function makeValues(schema: Schema, schemas: Schemas): Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, schemas)))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => makeValues({ ...schema, type }, schemas)))
  }
  const { minimum = -1e6, maximum = 1e15, minItems = 0, maxItems = 3, items = {} } = schema
  switch (schema.type) {
    case 'string':
      return textsOf(schema)
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31 - 1) })
    case 'number':
      return fc.oneof(
        fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31 - 1) }),
        fc.double({ min: minimum, max: maximum, noNaN: true }),
        fc.constantFrom(minimum, maximum),
      )
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesOf(items, schemas), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      })
    case 'object':
      return objectsOf(schema, schemas)
    default:
      return nastyValue
  }
}

function textsOf({ pattern, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  const anything = fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' })
  if (pattern === undefined) return anything
  const fits = new RegExp(pattern, 'u')
  // fast-check makes texts for simple patterns only.
  return /^[\^$\w[\](){},.\\:+|?= -]+$/.test(pattern) && !/\\[pS]|\(\?[^:]/.test(pattern)
    ? fc.stringMatching(fits)
    : anything.filter((text) => fits.test(text) && text.length >= Math.max(1, minLength))
}

function objectsOf({ properties = {}, required = [], additionalProperties }: Schema, schemas: Schemas) {
  // `not: {}` fits nothing.
  const possible = Object.entries(properties).filter(
    ([, property]) => property.not === undefined || property.type,
  )
  const named = fc.record(
    Object.fromEntries(possible.map(([name, property]) => [name, valuesOf(property, schemas)])),
    {
      requiredKeys: required.filter((name) => possible.some(([other]) => other === name)),
    },
  )
  if (additionalProperties !== true) return named
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 3,
  })
  return fc.tuple(others, named).map(([more, value]) => ({ ...more, ...value }))
}
