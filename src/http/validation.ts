// Contracts are TypeBox schemas; this turns them into checks whose answers people can act on. Nothing is coerced,
// defaulted or removed: a `null` never becomes 0. A schema says in `x-mustBe` what Ajv's own words would not.
import { Ajv, type ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'
import { type FieldError, MAX_ERRORS, pointerPart, refuseFields } from '../refusal.ts'

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  coerceTypes: false,
  removeAdditional: false,
})

export type Check = (value: unknown) => FieldError[]

/** A compiled check: no errors, or a pointer and a sentence for each wrong field. */
export function checkFor(schema: TSchema): Check {
  const validate = ajv.compile(schema)
  return (value) => (validate(value) ? [] : sentencesOf(validate.errors ?? []))
}

/** Fastify's validator for query strings. Body contracts bring their own (see the add operation). */
export function compileQueryValidator({ schema, httpPart }: { schema: TSchema; httpPart?: string }) {
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
  return errors.slice(0, MAX_ERRORS).map((error) => {
    if (error.keyword === 'required') {
      return { pointer: `${error.instancePath}/${error.params['missingProperty']}`, message: 'is required' }
    }
    if (error.keyword === 'additionalProperties') {
      const name = pointerPart(String(error.params['additionalProperty']))
      return { pointer: `${error.instancePath}${name}`, message: 'is not known here' }
    }
    const mustBe: unknown = error.parentSchema?.['x-mustBe']
    const message = typeof mustBe === 'string' ? `must be ${mustBe}` : (error.message ?? 'is not valid')
    return { pointer: error.instancePath, message: message.replace('must NOT', 'must not') }
  })
}
