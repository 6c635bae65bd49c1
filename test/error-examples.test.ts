// The error examples of the reference pages say what callers really get: each is provoked, on every operation that
// names it as far as that can be done from outside, and compared field by field.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { JWTPayload } from 'jose'
import { createPatientDigests } from '../src/modules/casesheet/patient-digest.ts'
import { type RefusalCode, STATUS_OF } from '../src/refusal.ts'
import { answerExamples, bodyExamples, exampleAddress, type Operation, readDocument } from './api-document.ts'
import { runSql, startRounds } from './harness.ts'
import { slowInserts } from './lock-readings.ts'
import { ERASURE_KEY } from './patient-with-history.ts'

const LIMIT = 600
const rounds = await startRounds({
  RATE_LIMIT_PER_MINUTE: String(LIMIT),
  DATABASE_POOL_SIZE: '4',
  MAX_WAITING_REQUESTS: '1',
  ERASURE_KEY,
})
const { operations, components } = await readDocument(rounds)
const OWN = { patientUid: 'patient-1' }
const own = await rounds.token(OWN)
const { keyId, digestOf } = createPatientDigests(Buffer.from(ERASURE_KEY, 'hex'))
await runSql(
  rounds.ownerUrl,
  "insert into casesheet.refused_patients values ($1, $2, now() + interval '1 day')",
  [keyId, digestOf('erased')],
)

type Call = Parameters<typeof rounds.call>[1]
const byId = (id: string) => operations.find(({ operationId }) => operationId === id) ?? assert.fail(id)
const [ADD, GET] = [byId('addReadings'), byId('getReadings')]
const bodyOf = (operation: Operation) => bodyExamples(operation)[0]?.value

/** Sends the example request of an operation, changed as told, and returns what came back. */
async function send(operation: Operation, change: Call = {}, query = '', without: string[] = []) {
  const address = `${exampleAddress(operation, without)}${query}`
  return (await rounds.call(address, { token: own, body: bodyOf(operation), ...change })).json
}
const sendWith = async (operation: Operation, claims: JWTPayload) =>
  send(operation, { token: await rounds.token(claims) })

const SERVICE = await rounds.token({ scope: 'readings:changes' })
/** What makes the body of an operation invalid, as its example has it. */
const INVALID_BODIES: Record<string, object> = {
  addReadings: { symptoms: [{ symptom: 'headache', severity: 'moderate' }] },
  withdrawReading: { reason: '' },
  restoreReading: { readingId: 'none' },
}
const INVALID_QUERIES: Record<string, string> = {
  listSpecialities: '&limit=20',
  streamReadings: '&patientUid=',
}
const isForServices = ({ operationId }: Operation) => operationId === 'followChanges'

/** How a caller comes to meet a code. */
const PROVOKED: Partial<Record<RefusalCode, (operation: Operation) => Promise<object>>> = {
  ValidationFailed: (operation) => {
    const { operationId } = operation
    const wrong = INVALID_BODIES[operationId]
    if (wrong) return send(operation, { body: { ...Object(bodyOf(operation)), ...wrong } })
    const without = operationId === 'streamReadings' ? ['patientUid'] : ['limit', 'cursor']
    return send(operation, {}, INVALID_QUERIES[operationId] ?? '&limit=0', without)
  },
  MalformedJson: (operation) => send(operation, { raw: '{"patientUid":' }),
  InvalidRange: (operation) => send(operation, {}, '&from=2&to=1', ['from', 'to', 'cursor']),
  InvalidCursor: (operation) =>
    send(operation, isForServices(operation) ? { token: SERVICE } : {}, '&cursor=invented', [
      'cursor',
      'start',
    ]),
  CursorExpired: (operation) => send(operation, { token: SERVICE }, '', ['start']),
  ReadingNotFound: (operation) => send(operation),
  TokenMissing: async (operation) =>
    (await rounds.call(exampleAddress(operation), { body: bodyOf(operation) })).json,
  TokenInvalid: (operation) => send(operation, { token: 'a.b.c' }),
  TokenExpired: (operation) => sendWith(operation, { ...OWN, exp: 1_762_000_000 }),
  PatientMismatch: (operation) => sendWith(operation, { patientUid: 'patient-2' }),
  PatientNotInToken: (operation) => sendWith(operation, {}),
  ScopeMissing: (operation) => sendWith(operation, { scope: 'openid' }),
  PatientErased: async (operation) =>
    send(operation, {
      token: await rounds.token({ patientUid: 'erased' }),
      body: { ...Object(bodyOf(ADD)), patientUid: 'erased' },
    }),
  BodyTooLarge: (operation) =>
    send(operation, { body: { ...Object(bodyOf(ADD)), note: 'x'.repeat(65_536) } }),
  UnsupportedMediaType: (operation) => send(operation, { headers: { 'content-type': 'text/plain' } }),
  HeadersTooLarge: (operation) => send(operation, { headers: { 'x-large': 'x'.repeat(9_000) } }),
  WrongCell: (operation) => whileSlotsAre('{}', () => send(operation)),
  PatientMoving: (operation) =>
    whileSlotsAre('{[0,4096)}', () =>
      isForServices(operation) ? send(operation, { token: SERVICE }, '', ['start']) : send(operation),
    ),
  RateLimited: (operation) => sendWith(operation, { ...OWN, sub: 'busy' }),
  IssuerUnavailable: async (operation) =>
    send(operation, { token: await rounds.token(OWN, { header: { kid: 'unknown' } }) }),
}

/** No slot is open, and these are closing. */
async function whileSlotsAre<T>(closing: string, work: () => Promise<T>): Promise<T> {
  await runSql(rounds.ownerUrl, "update casesheet.cell set open_slots = '{}', closing_slots = $1", [closing])
  const answer = await work()
  await runSql(rounds.ownerUrl, "update casesheet.cell set open_slots = '{[0,4096)}', closing_slots = '{}'")
  return answer
}

const withoutId = (body: unknown) => ({ ...Object(body), requestId: '' })
const exampleOf = (operation: Operation, code: RefusalCode) =>
  answerExamples(operation, String(STATUS_OF[code])).find(({ value }) => Object(value).code === code)

for (const [name, provoke] of Object.entries(PROVOKED)) {
  const code = name as RefusalCode
  test(`${code} is answered in the words of its example, wherever it is named`, async () => {
    if (code === 'RateLimited') await useUpTheMinute()
    if (code === 'IssuerUnavailable') failIssuer()
    const naming = operations.filter((operation) => exampleOf(operation, code))
    assert.ok(naming.length > 0)
    for (const operation of naming) {
      const answer = withoutId(await provoke(operation))
      assert.deepEqual(answer, withoutId(exampleOf(operation, code)?.value), operation.name)
    }
    rounds.issuer.failWith()
  })
}

async function useUpTheMinute() {
  rounds.skip(60_000 - (Date.now() % 60_000))
  const token = await rounds.token({ ...OWN, sub: 'busy' })
  for (let sent = 0; sent < LIMIT; sent++) await rounds.call(byId('listSpecialities').path, { token })
}

function failIssuer() {
  rounds.skip(6_000)
  rounds.issuer.failWith((_, response) => response.writeHead(500).end())
}

/** Compares with the example of the operation, or of the error schema for what meets no operation. */
function assertAsShown(code: RefusalCode, answer: object, operation?: Operation) {
  const elsewhere = components.schemas['Error']?.examples?.find((value) => Object(value).code === code)
  const shown = operation ? exampleOf(operation, code)?.value : elsewhere
  assert.deepEqual(withoutId(answer), withoutId(shown), code)
}

test('what meets no operation is answered in the words of the error schema', async () => {
  assertAsShown('NotFound', (await rounds.call('/nothing')).json)
  assertAsShown('MethodNotAllowed', (await rounds.call(ADD.path)).json)
})

test('faults of ours are answered in the words of their examples', async () => {
  await runSql(rounds.ownerUrl, 'alter table casesheet.readings rename column details to hidden')
  const fault = await send(GET)
  await runSql(rounds.ownerUrl, 'alter table casesheet.readings rename column hidden to details')
  assertAsShown('InternalError', fault, GET)
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  const unavailable = await send(GET)
  await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  assertAsShown('DatabaseUnavailable', unavailable, GET)
})

test('past the limit of the queue, callers get the example of Overloaded', async () => {
  const letGo = await slowInserts(rounds.ownerUrl)
  const answers = Array.from({ length: 6 }, () => send(ADD))
  const first = await Promise.race(answers)
  await letGo()
  await Promise.all(answers)
  assertAsShown('Overloaded', first, ADD)
})

test('a connection that sends nothing gets the example of RequestTimeout', async () => {
  const { hostname, port } = new URL(rounds.url)
  const answer = await text(connect(Number(port), hostname))
  assertAsShown('RequestTimeout', JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), GET)
})

test('no code is left out here', () => {
  const others = [
    'NotFound',
    'MethodNotAllowed',
    'InternalError',
    'DatabaseUnavailable',
    'Overloaded',
    'RequestTimeout',
  ]
  assert.deepEqual([...Object.keys(PROVOKED), ...others].toSorted(), Object.keys(STATUS_OF).toSorted())
})
