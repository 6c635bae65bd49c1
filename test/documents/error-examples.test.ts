// The error examples of the reference pages say what callers really get: each is provoked, on every operation that
// names it as far as that can be done from outside, and compared field by field.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { JWTPayload } from 'jose'
import { EXAMPLE_DOCTOR } from '../../src/modules/appointments/doctor.ts'
import { EXAMPLE_RULE } from '../../src/modules/care/rules/rule.ts'
import { createPatientDigests } from '../../src/modules/casesheet/patient-digest.ts'
import { type RefusalCode, STATUS_OF } from '../../src/refusal.ts'
import {
  answerExamples,
  bodyExamples,
  exampleAddress,
  type Operation,
  readDocument,
} from '../support/api-document.ts'
import { breakTables } from '../support/broken-tables.ts'
import { detachPartitions, partitionsOf } from '../support/detach-partitions.ts'
import { runSql, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { ERASURE_KEY } from '../support/patient-with-history.ts'

const LIMIT = 600
const rounds = await startRounds({
  ...WITH_WEBHOOKS,
  STAFF_REASON: 'required',
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
  return (await rounds.call(address, { token: tokenFor(operation), body: bodyOf(operation), ...change })).json
}
const sendWith = async (operation: Operation, claims: JWTPayload) =>
  send(operation, { token: await rounds.token(claims) })

const SERVICE = await rounds.token({ scope: 'readings:changes' })
/** What makes the body of an operation invalid, as its example has it. */
const INVALID_BODIES: Record<string, object> = {
  addReadings: { symptoms: [{ symptom: 'headache', severity: 'moderate' }] },
  withdrawReading: { reason: '' },
  restoreReading: { readingId: 'none' },
  addGrant: { permission: 'edit' },
  revokeGrant: { doctorId: '' },
  setTarget: { unit: 7 },
  removeTarget: { readingType: '' },
  addReview: { note: '' },
  undoReview: { reviewId: '' },
  setRule: { severity: 'high' },
  removeRule: { ruleId: '' },
  previewRule: { severity: 'high' },
  acknowledgeAlert: { note: '' },
  addEndpoint: { events: ['readings'] },
  removeEndpoint: { endpointId: '1' },
  pauseEndpoint: { endpointId: '1' },
  resumeEndpoint: { endpointId: '1' },
  skipPage: { messageId: '1' },
  testEndpoint: { endpointId: '1' },
  replayEndpoint: { since: 'yesterday' },
  rotateEndpointSecret: { overlapHours: 169 },
}
const INVALID_QUERIES: Record<string, string> = {
  listSpecialities: '&limit=20',
  streamReadings: '&patientUid=',
}
const isOfWebhooks = ({ path }: Operation) => path.startsWith('/webhooks/')
const MANAGER = await rounds.token({ scope: 'webhooks:manage' })
const isForServices = ({ operationId }: Operation) => operationId === 'followChanges'
const DOCTOR = await rounds.token({ doctorId: EXAMPLE_DOCTOR.doctorId })
await runSql(
  rounds.ownerUrl,
  "insert into appointments.doctors (doctor_id, name, name_key) values ($1, 'Dr. Invented', 'dr. invented')",
  [EXAMPLE_DOCTOR.doctorId],
)
await runSql(
  rounds.ownerUrl,
  `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
   select 'sharing', 'doctor-' || number, 'view', '', 'sharing'
   from generate_series(1, 100) as number
   union all
   select 'patient-1', 'viewing', 'view', '', 'patient-1'
   union all
   select patient_uid, 'managing', 'manage', '', patient_uid from unnest(array['patient-1', 'erased']) as patient_uid`,
)
await runSql(rounds.ownerUrl, "insert into care.patients (patient_uid, judged) values ('patient-1', 17)")
const MANAGING = await rounds.token({ doctorId: 'managing' })
/** The token with which an operation gets beyond the question of who calls. */
const tokenFor = (operation: Operation) => {
  if (isForServices(operation)) return SERVICE
  if (isOfWebhooks(operation)) return MANAGER
  if (
    /^(addReview|undoReview|acknowledgeAlert|(set|remove|preview)(Rule|Target))$/.test(operation.operationId)
  )
    return MANAGING
  return /list(My)?Patients/.test(operation.operationId) ? DOCTOR : own
}

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
    send(operation, { token: tokenFor(operation) }, '&cursor=invented', ['cursor', 'start']),
  CursorExpired: (operation) => send(operation, { token: SERVICE }, '', ['start']),
  ReadingNotFound: (operation) => send(operation),
  EndpointNotFound: (operation) => send(operation),
  AlertUnknown: (operation) => send(operation),
  TargetUnknown: (operation) =>
    send(operation, { body: { ...Object(bodyOf(operation)), readingType: 'painScore' } }),
  RuleUnknown: (operation) =>
    send(operation, { body: { ...Object(bodyOf(operation)), ruleId: EXAMPLE_RULE.ruleId } }),
  RuleExists: async (operation) => {
    await send(operation)
    return send(operation, { body: { ...Object(bodyOf(operation)), label: 'Another' } })
  },
  TooManyRules: async (operation) => {
    const change = (sql: string) => runSql(rounds.ownerUrl, sql)
    await change('delete from casesheet.rules')
    await change(`
      insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, severity, terms, set_by)
      select gen_random_uuid(), 'doctor', 'managing', 'patient-1', 'heartRate', 'warning',
        jsonb_build_object('missing', jsonb_build_object('for', 'P' || number || 'D')), 'test'
      from generate_series(1, 50) as number`)
    const answer = await send(operation)
    await change('delete from casesheet.rules')
    return answer
  },
  EndpointExists: async (operation) => {
    await send(operation)
    return send(operation)
  },
  ReviewExists: async (operation) => {
    await send(operation)
    return send(operation, { body: { ...Object(bodyOf(operation)), note: 'Another' } })
  },
  ReviewUnknown: (operation) =>
    send(operation, { body: { ...Object(bodyOf(operation)), reviewId: EXAMPLE_RULE.ruleId } }),
  TooLate: async (operation) => {
    await runSql(
      rounds.ownerUrl,
      `insert into casesheet.looks
         (patient_uid, review_id, doctor_id, looked_by, seen_up_to, saw, acknowledged, date_says)
       values ('patient-1', $1, 'managing', 'test', 0, '{}', '{}', 'keep')
       on conflict do nothing`,
      [Object(bodyOf(operation)).reviewId],
    )
    await runSql(
      rounds.ownerUrl,
      "set session_replication_role = replica; update casesheet.looks set at = at - interval '2 minutes'",
    )
    return send(operation)
  },
  TooManyEndpoints: async (operation) => {
    const change = (sql: string) => runSql(rounds.ownerUrl, sql)
    await change('delete from webhooks.endpoints')
    await change(`
      insert into webhooks.endpoints (url, events, secret, key_id, added_by)
      select 'https://many.example/' || number, '{patient.erased}', '', '', 'test'
      from generate_series(1, 1000) as number`)
    const answer = await send(operation)
    await change('delete from webhooks.endpoints')
    return answer
  },
  TokenMissing: async (operation) =>
    (await rounds.call(exampleAddress(operation), { body: bodyOf(operation) })).json,
  TokenInvalid: (operation) => send(operation, { token: 'a.b.c' }),
  TokenExpired: (operation) => sendWith(operation, { ...OWN, exp: 1_762_000_000 }),
  PatientMismatch: (operation) => sendWith(operation, { patientUid: 'patient-2' }),
  PatientNotInToken: (operation) => sendWith(operation, {}),
  NotShared: (operation) => sendWith(operation, { doctorId: 'doctor-1' }),
  ReasonRequired: (operation) => sendWith(operation, { scope: 'readings:read' }),
  ScopeMissing: (operation) =>
    /Grants?$|grantHistory|list(My)?Patients|(add|undo)Review|(Alert|Rule)$|(set|remove)Target$/.test(
      operation.operationId,
    )
      ? sendWith(operation, { ...OWN, doctorId: 'doctor', scope: 'patient/Condition.r' })
      : sendWith(operation, { scope: 'openid' }),
  NotADoctor: async (operation) => {
    // Without a patient, a target is for all who share with a doctor.
    const { patientUid: _, ...forAll } = Object(bodyOf(operation))
    const body = operation.path.includes('/targets/') ? forAll : bodyOf(operation)
    return send(operation, { token: own, body })
  },
  ManageRequired: (operation) => sendWith(operation, { doctorId: 'viewing' }),
  UnknownDoctor: (operation) =>
    send(operation, { body: { ...Object(bodyOf(operation)), doctorId: 'nobody' } }),
  TooManyGrants: async (operation) =>
    send(operation, {
      token: await rounds.token({ patientUid: 'sharing' }),
      body: { ...Object(bodyOf(operation)), patientUid: 'sharing' },
    }),
  PatientErased: async (operation) =>
    send(operation, {
      // Who is the patient sets the patient's own target, of which the example says more than one has.
      token: operation.path.includes('/targets/')
        ? MANAGING
        : await rounds.token({ patientUid: 'erased', doctorId: 'managing' }),
      body: { ...Object(bodyOf(operation)), patientUid: 'erased' },
    }),
  BodyTooLarge: (operation) =>
    send(operation, { body: { ...Object(bodyOf(ADD)), note: 'x'.repeat(65_536) } }),
  UnsupportedMediaType: (operation) => send(operation, { headers: { 'content-type': 'text/plain' } }),
  HeadersTooLarge: (operation) => send(operation, { headers: { 'x-large': 'x'.repeat(9_000) } }),
  MisdirectedRequest: (operation) => send(operation),
  RateLimited: (operation) => sendWith(operation, { ...OWN, sub: 'busy' }),
  IssuerUnavailable: async (operation) =>
    send(operation, { token: await rounds.token(OWN, { header: { kid: 'unknown' } }) }),
}

const withoutId = (body: unknown) => ({ ...Object(body), requestId: '' })
const exampleOf = (operation: Operation, code: RefusalCode) =>
  answerExamples(operation, String(STATUS_OF[code])).find(({ value }) => Object(value).code === code)

/** That each operation answers so is in test/tokens; each example of theirs is provoked once. */
const BEFORE_ANY_OPERATION = new Set<RefusalCode>([
  'TokenMissing',
  'TokenInvalid',
  'TokenExpired',
  'HeadersTooLarge',
  'RateLimited',
  'IssuerUnavailable',
])
const detach = async () =>
  detachPartitions(rounds.ownerUrl, await partitionsOf(rounds.ownerUrl, OWN.patientUid))

for (const [name, provoke] of Object.entries(PROVOKED)) {
  const code = name as RefusalCode
  test(`${code} is answered in the words of its example, wherever it is named`, async () => {
    if (code === 'RateLimited') await useUpTheMinute()
    if (code === 'IssuerUnavailable') failIssuer()
    const attach = code === 'MisdirectedRequest' ? await detach() : () => undefined
    const naming = operations.filter((operation) => exampleOf(operation, code))
    assert.ok(naming.length > 0)
    const shown = new Set<string>()
    for (const operation of naming) {
      const example = withoutId(exampleOf(operation, code)?.value)
      const printed = JSON.stringify(example)
      if (BEFORE_ANY_OPERATION.has(code) && shown.has(printed)) continue
      shown.add(printed)
      assert.deepEqual(withoutId(await provoke(operation)), example, operation.name)
    }
    await attach()
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
  const fix = await breakTables(rounds.ownerUrl)
  const fault = await send(GET)
  await fix()
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

test('where alerts are off, a rule is refused in the words of its example', async () => {
  const off = await startRounds({
    MODULES: 'casesheet,care',
    DATABASE_URL: rounds.serveUrl,
    AUTH_ISSUER: rounds.issuer.url,
  })
  const set = byId('setRule')
  const { json } = await off.call(set.path, { token: MANAGING, body: Object(bodyOf(set)) })
  assertAsShown('AlertsAreOff', json, set)
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
    'AlertsAreOff',
  ]
  assert.deepEqual([...Object.keys(PROVOKED), ...others].toSorted(), Object.keys(STATUS_OF).toSorted())
})
