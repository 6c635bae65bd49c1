// The OpenAPI document as tests read it: its operations, their examples, and a check of a value against a schema in it.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { FORMATS } from './check-answer.ts'
import type { Rounds } from './harness.ts'

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Content = { content?: { 'application/json': Media } & Record<string, Media> }
type Parameter = {
  name: string
  in: string
  required?: boolean
  schema: object
  example?: unknown
  examples?: { example: { value: unknown } }
}
type Described = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}
export type ApiDocument = Awaited<ReturnType<typeof readDocument>>

type Document = {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}

export type Operation = Described & { method: string; path: string; name: string }

/** An example, what it is called in messages, and the JSON Pointer of its schema in the document. */
export type Example = { name: string; value: unknown; schema: string }

export async function readDocument(rounds: Rounds) {
  const document = JSON.parse((await rounds.call('/openapi.json')).text) as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      return { ...operation, method, path, name: `${method} ${path}` }
    }),
  )
  const ajv = new Ajv2020({
    strict: false,
    formats: FORMATS,
  })
  // The one word of ours: a number that is below another field of its object.
  ajv.addKeyword({
    keyword: 'x-below',
    validate: (field: string, value: unknown, _schema?: unknown, context?: { parentData: unknown }) => {
      const limit: unknown = Object(context?.parentData)[field]
      return typeof value !== 'number' || typeof limit !== 'number' || value < limit
    },
  })
  ajv.addSchema({ $id: 'document', ...document })
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  /** What is wrong with a value, in words; nothing where it fits. */
  function faultsOf(value: unknown, schema: string): string {
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `document#${schema}` })
    compiled.set(schema, validate)
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
  return { ...document, operations, faultsOf }
}

export function pointerOf(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

// Exports come beside JSON; a stream has no other.
const MEDIA_TYPES = new Set(['application/json', 'text/event-stream'])

/** The examples of a body or of an answer. */
export function examplesIn({ content }: Content, name: string, pointer: string): Example[] {
  const [type = '', media] = Object.entries(content ?? {}).find(([one]) => MEDIA_TYPES.has(one)) ?? []
  if (!media) return []
  const values = Object.entries(media.examples ?? {}).map(([key, { value }]) => [key, value] as const)
  if (media.example !== undefined) values.push(['example', media.example])
  const schema = `${pointer}${pointerOf('content', type, 'schema')}`
  return values.map(([key, value]) => ({ name: `${name} ${key}`, value, schema }))
}

export function answerExamples({ name, path, method, responses }: Operation, status: string): Example[] {
  const answer = responses[status] ?? {}
  return examplesIn(answer, `${name} ${status}`, pointerOf('paths', path, method, 'responses', status))
}

export function bodyExamples({ name, path, method, requestBody = {} }: Operation): Example[] {
  return examplesIn(requestBody, `${name} body`, pointerOf('paths', path, method, 'requestBody'))
}

export function parameterExamples({ name, path, method, parameters = [] }: Operation): Example[] {
  return parameters.map((parameter, index) => ({
    name: `${name} ?${parameter.name}`,
    value: exampleFor(parameter),
    schema: pointerOf('paths', path, method, 'parameters', index, 'schema'),
  }))
}

/** The address with its example parameters, but for those left out. */
export function exampleAddress({ path, parameters = [] }: Operation, without: string[] = []): string {
  const search = new URLSearchParams()
  for (const parameter of parameters.filter((one) => one.in === 'query' && !without.includes(one.name))) {
    for (const value of [exampleFor(parameter)].flat()) search.append(parameter.name, String(value))
  }
  return `${path}?${search.toString()}`
}

function exampleFor({ example, examples }: Parameter): unknown {
  return example ?? examples?.example.value
}
