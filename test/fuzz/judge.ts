// What must be so of every answer, whatever was asked: no fault of ours, nothing that the document does not promise, and
// every failure in the one shape.
import { isRetryable, type RefusalCode, STATUS_OF } from '../../src/refusal.ts'
import { type ApiDocument, type Operation, pointerOf } from '../support/api-document.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzAnswer } from './send.ts'

export function createJudge({ operations, faultsOf }: ApiDocument) {
  const operationOf = ({ method, path }: FuzzRequest) =>
    operations.find((one) => one.path === path && one.method.toUpperCase() === method)

  /** What is wrong with an answer; nothing where all is well. */
  function judge(request: FuzzRequest, answer: FuzzAnswer, ownPatients: string[]): string[] {
    const { status, headers } = answer
    const operation = operationOf(request)
    return [
      ...(status >= 500 ? [`it answered ${status}`] : []),
      ...(headers['x-request-id'] ? [] : ['it has no x-request-id']),
      ...(status >= 400 ? judgeRefusal(request, answer) : []),
      ...(operation ? judgeByDocument(operation, answer) : []),
      ...(operation?.requestBody ? judgeVerdict(operation, { ...request, ownPatients }, answer) : []),
      ...(operation && status === 200 ? judgeQuery(operation, request) : []),
    ]
  }

  function judgeRefusal({ method }: FuzzRequest, { status, headers, body }: FuzzAnswer): string[] {
    if (method === 'HEAD') return body.length > 0 ? ['the answer to HEAD has a body'] : []
    const refusal = parsed(body) as { code: RefusalCode; requestId: string; retryable: boolean }
    const faults = faultsOf(refusal, pointerOf('components', 'schemas', 'Error'))
    if (faults !== '') return [`its error is not in the one shape: ${faults}`]
    return [
      ...(STATUS_OF[refusal.code] === status ? [] : [`${refusal.code} under the status ${status}`]),
      ...(refusal.requestId === headers['x-request-id'] ? [] : ['two request ids']),
      ...(refusal.retryable === isRetryable(refusal.code) ? [] : [`retryable of ${refusal.code}`]),
      ...(status === 401 && !headers['www-authenticate'] ? ['401 without WWW-Authenticate'] : []),
      ...(status === 405 && !headers.allow ? ['405 without Allow'] : []),
    ]
  }

  function judgeByDocument({ path, method, responses }: Operation, answer: FuzzAnswer): string[] {
    const { status, headers, body } = answer
    const described = responses[String(status)]
    if (!described) return [`the status ${status} is not described`]
    if (!described.content) return body.length > 0 ? [`${status} has a body`] : []
    const [type = ''] = (headers['content-type'] ?? '').split(';')
    if (!described.content[type]) return [`the type ${type} is not described for ${status}`]
    const schema = pointerOf(
      'paths',
      path,
      method,
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    )
    if (type === 'application/json') return faultsIn(parsed(body), schema)
    const text = body.toString()
    if (type === 'text/event-stream')
      return /^retry: \d+\n(id: [\d.a-f-]+\n)?event: (open|end)\n/.test(text) ? [] : ['no first event']
    if (type === 'text/csv') return text.startsWith('\ufeffpatientUid,') ? [] : ['CSV without its head']
    return text
      .split('\n')
      .slice(0, -1)
      .flatMap((line) =>
        faultsIn(parsed(Buffer.from(line)), pointerOf('components', 'schemas', 'StoredReading')),
      )
  }

  const faultsIn = (value: unknown, schema: string) => {
    const faults = faultsOf(value, schema)
    return faults === '' ? [] : [`it does not fit the document: ${faults}`]
  }

  /** A body that does not fit the document is never accepted, and one that does, of a patient in the token, always. */
  function judgeVerdict(
    { path, method }: Operation,
    request: FuzzRequest & { ownPatients: string[] },
    { status }: FuzzAnswer,
  ): string[] {
    const { body, headers, ownPatients } = request
    const value = parsed(body ?? Buffer.alloc(0))
    const schema = pointerOf('paths', path, method, 'requestBody', 'content', 'application/json', 'schema')
    const fits = value !== undefined && faultsOf(value, schema) === ''
    const isJudgedEach = /representation/.test(headers['prefer'] ?? '')
    if (status === 200 && !fits && !isJudgedEach)
      return ['a body that does not fit the document was accepted']
    const isWithin = [value].flat().every(isWithinLimits(Array.isArray(value) ? 15 : 16))
    if (status === 200 && !isWithin && !isJudgedEach) return ['a body beyond the limits was accepted']
    const isOwn = [value].flat().every((reading) => ownPatients.includes(Object(reading).patientUid))
    // What JSON.stringify would write otherwise may hold a number or a text that is refused.
    const isPlain =
      body?.equals(Buffer.from(JSON.stringify(value) ?? '')) &&
      !/\\u0000|\\ud[89a-f]|__proto__|prototype/i.test(body.toString())
    const isCalledJson = headers['content-type'] === 'application/json' && !headers['content-encoding']
    // A grant ends at an instant that is to come, which no pattern says.
    const { validUntil } = Object(value)
    const isInTime = validUntil === undefined || Date.parse(validUntil) > Date.now()
    if (status === 200 && !isInTime) return ['a grant that has ended was accepted']
    // Which fields, units and bounds a target or a rule may have depends on its type, which no schema says.
    const isOfType = /\/(targets|rules)\//.test(path)
    // Elements of an Observation are checked by hand.
    const hasElements = [value].flat().some((reading) => Object(reading).fhir !== undefined)
    const isRight = fits && isOwn && isWithin && isPlain && isInTime && !isOfType && !hasElements
    if (status === 400 && isRight && isCalledJson && request.query === '') {
      return ['a body that fits the document was refused']
    }
    return []
  }

  /** Of a query that was accepted, each parameter is described and fits. */
  function judgeQuery({ path, method, parameters = [] }: Operation, { query }: FuzzRequest): string[] {
    return [...new URLSearchParams(query)].flatMap(([name, text]) => {
      const index = parameters.findIndex((one) => one.in === 'query' && one.name === name)
      const type = Object(parameters[index]?.schema).type as unknown
      if (index === -1) return query === '' ? [] : [`it accepted the parameter ${name}`]
      const schema = pointerOf('paths', path, method, 'parameters', index, 'schema')
      const value = type === 'number' || type === 'integer' ? Number(text) : type === 'array' ? [text] : text
      return faultsOf(value, schema) === '' ? [] : [`it accepted a ${name} that does not fit`]
    })
  }

  return judge
}

/** Whether a reading nests no deeper than this, has 1,000 fields at most, and no name of more than 1,024 bytes. */
const isWithinLimits = (maxDepth: number) => (reading: unknown) => {
  let left = 1_000
  return isWithin(reading, maxDepth)

  function isWithin(value: unknown, depth: number): boolean {
    if (typeof value !== 'object' || value === null) return true
    if (!Array.isArray(value)) left -= Object.keys(value).length
    if (left < 0) return false
    const isShort = (key: string) => Array.isArray(value) || Buffer.byteLength(JSON.stringify(key)) <= 1_026
    return (
      depth > 0 && Object.entries(value).every(([key, field]) => isShort(key) && isWithin(field, depth - 1))
    )
  }
}

/** Undefined where it is no JSON. */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
