// Checks the answers of the tests against the OpenAPI document: the status and the media type must be among those of the
// operation, and JSON must fit its schema.
//
// JSON Schema allows fields that no schema names. A client that is generated from the document would not know them, so here an
// object whose schema lists properties, and does not say whether there may be others, has no others. Where a contract is open on
// purpose (`additionalProperties: true`), it stays open: readings keep the fields that their sender has given them. Conditions
// (`if`, `then`, `else`, `not`, `allOf`) describe a part of an object, and stay as they are.
//
// Outside it are: FHIR and MCP, which have contracts of their own; what no operation of the document answers, but for the shape of
// errors; the contents of event streams, CSV and NDJSON; requests that tests send through sockets or a fetch of their own.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { printApi } from '../../tools/dev/print-api.ts'

export const FORMATS = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^https?:\/\/\S+$/,
  'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/,
}

type Schema = Record<string, unknown>
type Content = Record<string, { schema?: Schema }>
export type Contracts = {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>
  components: { schemas: Record<string, Schema> }
}
type Request = { method: string; path: string }
type Checked = { status: number; headers: Headers; text: string; json: unknown }

/** The base addresses of a server by module; those of the document are the names of the modules. */
export type BasePaths = Record<string, string>

export function createAnswerCheck(basePaths: BasePaths = {}) {
  return async (request: Request, answer: Checked): Promise<void> => {
    const path = pathInDocument(request.path, basePaths)
    if (/^\/(fhir|mcp)(\/|$)/.test(path)) return
    contracts ??= readContracts().then(createFaultsOf)
    const faults = (await contracts)({ ...request, path }, answer)
    assert.ok(faults === '', `The answer is not as the OpenAPI document says:\n${faults}`)
  }
}

let contracts: Promise<ReturnType<typeof createFaultsOf>> | undefined

/** What is wrong with an answer, without its data; nothing if it is as the document says. */
export function createFaultsOf({ paths, components }: Contracts) {
  // Without its passes over the code that it writes: they take longer than they save in a file of tests.
  const code = { optimize: false }
  const ajv = new Ajv({ strict: false, validateSchema: false, inlineRefs: false, code, formats: FORMATS })
  const added = new Set<string>()
  const validators = new Map<string, ValidateFunction>()
  const compile = (key: string, schema: Schema) => {
    const validate = validators.get(key) ?? ajv.compile(closed(schema, addComponent))
    validators.set(key, validate)
    return validate
  }
  const addComponent = (name: string) => {
    if (added.has(name)) return
    added.add(name)
    ajv.addSchema(closed(components.schemas[name] ?? {}, addComponent), name)
  }
  return ({ method, path }: Request, { status, headers, text, json }: Checked): string => {
    const name = `${method.toLowerCase()} ${path}`
    const type = headers.get('content-type')?.split(';')[0]
    const operation = paths[path]?.[method.toLowerCase()]
    // What is refused before any operation is found.
    const isElsewhere = status === 404 && Object(json).code === 'NotFound'
    if (!operation || isElsewhere) {
      const isRefused = status >= 400 && type === 'application/json' && text !== ''
      return isRefused
        ? faultsIn(compile('Error', { $ref: '#/components/schemas/Error' }), json, `${name} ${status}`)
        : ''
    }
    const response = operation.responses[status]
    if (!response) return `${name} ${status}: is no status of the operation`
    if (!response.content) return text === '' ? '' : `${name} ${status}: has content`
    const media = response.content[type ?? '']
    if (!media) return `${name} ${status}: ${type ?? 'nothing'} is no content of the answer`
    if (type !== 'application/json' || !media.schema) return ''
    // The lines of an export may be none.
    if (text === '') return `${name} ${status}: has no content`
    const { $ref } = media.schema
    const key = typeof $ref === 'string' ? nameIn($ref) : `${name} ${status}`
    return faultsIn(compile(key, media.schema), json, `${name} ${status}`)
  }
}

function faultsIn(validate: ValidateFunction, json: unknown, name: string): string {
  if (validate(json)) return ''
  const faults = (validate.errors ?? []).map(({ instancePath, keyword, params, message }) =>
    keyword === 'additionalProperties'
      ? `${name} ${instancePath}/${params['additionalProperty']}: is not named by the contract`
      : `${name} ${instancePath || '/'}: ${message}`,
  )
  return faults.join('\n')
}

const PARTS = new Set(['if', 'then', 'else', 'not', 'allOf'])

/** The schema with no fields but those that it names, unless it says otherwise. */
function closed(schema: Schema, refersTo: (component: string) => void): Schema {
  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each)
    return typeof value === 'object' && value !== null ? closed({ ...value }, refersTo) : value
  }
  const { examples: _examples, ...rest } = schema
  const entries = Object.entries(rest).map(([key, value]) => {
    if (key === '$ref' && typeof value === 'string') {
      refersTo(nameIn(value))
      return [key, nameIn(value)]
    }
    if (key === 'properties')
      return [
        key,
        Object.fromEntries(Object.entries(Object(value)).map(([field, one]) => [field, each(one)])),
      ]
    return [key, PARTS.has(key) ? value : each(value)]
  })
  const isSilent = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(entries), ...(isSilent && { additionalProperties: false }) }
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

function pathInDocument(path: string, basePaths: BasePaths): string {
  const [plain = ''] = path.split('?')
  const found = Object.entries(basePaths).find(([, base]) => plain === base || plain.startsWith(`${base}/`))
  return found ? `/${found[0]}${plain.slice(found[1].length)}` : plain
}

/** It is made by the first process of a run that needs it: that takes as much CPU as the checks of twenty files. */
async function readContracts(): Promise<Contracts> {
  const file = process.env['TEST_API_DOCUMENT']
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const text = await printApi()
  if (file) {
    const beside = `${file}-${process.pid}`
    writeFileSync(beside, text)
    renameSync(beside, file)
  }
  return JSON.parse(text)
}
