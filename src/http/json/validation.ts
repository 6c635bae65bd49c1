// Compiles contracts (TypeBox schemas) into checks whose messages people can act on. Nothing is coerced,
// defaulted or removed: a `null` never becomes 0. A schema says in `x-mustBe` what Ajv's own words would not, and in
// `x-unit` what the unit of its limits is.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { type TSchema, Type } from 'typebox'
import { type FieldError, MAX_ERRORS, pointerPart, refuseFields } from '../../refusal.ts'

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  coerceTypes: false,
  removeAdditional: false,
})

// JSON Schema has no word for a number that must be below another field of the same object.
ajv.addKeyword({
  keyword: 'x-below',
  type: 'number',
  schemaType: 'string',
  validate: (field: string, value: number, _schema?: unknown, context?: DataValidationCxt) => {
    const limit: unknown = Object(context?.parentData)[field]
    return typeof limit !== 'number' || value < limit
  },
})

/** The contract of an operation that takes no parameters. */
export const NoQuery = Type.Object({}, { additionalProperties: false })

/** For an operation whose contract is about its body: a query string would be silently ignored. */
export function mustHaveNoQuery({ query }: { query: unknown }) {
  const errors = checkNoQuery(query)
  if (errors.length > 0) throw refuseFields(errors)
}

export type Check = (value: unknown) => FieldError[]

/**
 * No errors, or a pointer and a sentence for each wrong field. Compiled when it is first asked: that takes milliseconds, and for all of
 * them it would be felt at every start.
 */
export function checkFor(schema: TSchema): Check {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    return validate(value) ? [] : sentencesOf(validate.errors ?? [])
  }
}

const checkNoQuery = checkFor(NoQuery)

/** Fastify's validator for query strings. Body contracts bring their own (see the add operation). */
export function compileQueryValidator({ schema, httpPart }: { schema: TSchema; httpPart?: string }) {
  // Headers are described in a contract and read by the operation.
  if (httpPart === 'headers') return (headers: Record<string, unknown>) => ({ value: headers })
  if (httpPart !== 'querystring') throw new Error(`No validator is meant for ${httpPart}.`)
  const check = checkFor(schema)
  const properties: Record<string, { type?: string }> =
    'properties' in schema ? Object(schema.properties) : {}
  return (query: Record<string, unknown>) => {
    const value = Object.fromEntries(
      Object.entries(query).map(([name, text]) => [name, readQueryValue(text, properties[name]?.type)]),
    )
    const errors = check(value)
    return errors.length > 0 ? { error: refuseFields(errors) } : { value }
  }
}

/** Only plain decimal numbers are numbers: 0x10, 1e3 and blanks stay text and are refused as such. */
function readQueryValue(text: unknown, type: string | undefined): unknown {
  if (
    (type === 'number' || type === 'integer') &&
    typeof text === 'string' &&
    /^\d{1,20}(\.\d{1,9})?$/.test(text)
  ) {
    return Number(text)
  }
  return type === 'array' && typeof text === 'string' ? [text] : text
}

function sentencesOf(errors: ErrorObject[]): FieldError[] {
  const found: FieldError[] = []
  for (const error of errors) {
    // `if` only says that something below it is wrong, which has an error of its own.
    if (error.keyword === 'if') continue
    const { pointer, message } = sentenceOf(error)
    // Two words of a schema may fail for one reason.
    const isSaid = found.some((other) => other.pointer === pointer && other.message === message)
    if (!isSaid) found.push({ pointer, message })
    if (found.length === MAX_ERRORS) break
  }
  return found
}

function sentenceOf(error: ErrorObject): FieldError {
  if (error.keyword === 'required') {
    return { pointer: `${error.instancePath}/${error.params['missingProperty']}`, message: 'is required' }
  }
  if (error.keyword === 'additionalProperties') {
    const name = pointerPart(String(error.params['additionalProperty']))
    return { pointer: `${error.instancePath}${name}`, message: 'is not known here' }
  }
  return { pointer: error.instancePath, message: messageOf(error).replace('must NOT', 'must not') }
}

function messageOf({ keyword, schema, parentSchema = {}, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'x-below') return `must be below ${String(schema)}`
  if ('x-unit' in parentSchema && (keyword === 'minimum' || keyword === 'maximum')) {
    return `must be from ${parentSchema['minimum']} to ${parentSchema['maximum']} ${parentSchema['x-unit']}`
  }
  const mustBe: unknown = parentSchema['x-mustBe']
  return typeof mustBe === 'string' ? `must be ${mustBe}` : message
}
