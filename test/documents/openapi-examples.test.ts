// The examples of the reference pages: there is one for everything, each fits its schema, and each is true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_DOCTOR } from '../../src/modules/appointments/doctor.ts'
import { EXAMPLE_ALERT } from '../../src/modules/care/alerts/alert.ts'
import { EXAMPLE_ENDPOINT } from '../../src/modules/webhooks/endpoints/endpoint.ts'
import { STATUS_OF } from '../../src/refusal.ts'
import {
  answerExamples,
  bodyExamples,
  type Example,
  exampleAddress,
  type Operation,
  parameterExamples,
  pointerOf,
  readDocument,
} from '../support/api-document.ts'
import { runSql, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { storeAlert, storeRule } from '../support/stored-alerts.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { operations, components, faultsOf } = await readDocument(rounds)
const token = await rounds.token({ patientUid: 'patient-1' })

const serviceToken = await rounds.token({ scope: 'readings:changes' })
const doctorToken = await rounds.token({ doctorId: EXAMPLE_DOCTOR.doctorId })
await runSql(
  rounds.ownerUrl,
  "insert into appointments.doctors (doctor_id, name, name_key) values ($1, 'Dr. Invented', 'dr. invented')",
  [EXAMPLE_DOCTOR.doctorId],
)
const { ruleId: rule_id, patientUid } = EXAMPLE_ALERT
const rule = await storeRule(rounds.ownerUrl, patientUid, { rule_id, author_id: EXAMPLE_DOCTOR.doctorId })
await storeAlert(rounds.ownerUrl, rule, { alert_id: EXAMPLE_ALERT.alertId })
await runSql(
  rounds.ownerUrl,
  "insert into care.patients (patient_uid, judged) values ('patient-1', 17) on conflict (patient_uid) do update set judged = 17",
)
const managerToken = await rounds.token({ scope: 'webhooks:manage' })
const tokenFor = ({ operationId, path }: Operation) => {
  if (path.startsWith('/webhooks/')) return managerToken
  if (operationId === 'followChanges') return serviceToken
  return OF_DOCTORS.has(operationId) ? doctorToken : token
}
const MANAGED = new Set([
  'addReview',
  'undoReview',
  'acknowledgeAlert',
  'setTarget',
  'removeTarget',
  'setRule',
  'removeRule',
  'previewRule',
])
const OF_DOCTORS = new Set(['listPatients', 'listMyPatients', ...MANAGED])

/** Those of the examples, which one of them revokes. */
const SHARED_WITH_DOCTOR = `
  insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
  values ('patient-1', '${EXAMPLE_DOCTOR.doctorId}', 'manage', 'patient-1', 'test')
  on conflict (patient_uid, doctor_id) do update
  set state = 'given', permission = 'manage', changed_by = 'test'`

const bodyOf = (operation: Operation) => bodyExamples(operation)[0]?.value
const operationNamed = (id: string) =>
  operations.find(({ operationId }) => operationId === id) ?? assert.fail(`no ${id}`)
const codesIn = (examples: Example[]) =>
  examples.map(({ value }) => Object(value).code as keyof typeof STATUS_OF)

test('every parameter, body and status of every operation has an example', () => {
  for (const operation of operations) {
    for (const { name, value } of parameterExamples(operation)) assert.notEqual(value, undefined, name)
    if (operation.requestBody) assert.ok(bodyExamples(operation).length > 0, `${operation.name} body`)
    for (const status of Object.keys(operation.responses)) {
      // 304 has no body to show.
      const isShown = status === '304' || answerExamples(operation, status).length > 0
      assert.ok(isShown, `${operation.name} ${status} has no example`)
    }
  }
})

test('every example fits its schema', () => {
  const ofSchemas = Object.entries(components.schemas).flatMap(([name, { examples = [] }]) =>
    examples.map((value) => ({ name, value, schema: pointerOf('components', 'schemas', name) })),
  )
  const ofOperations = operations.flatMap((operation) => [
    ...parameterExamples(operation),
    ...bodyExamples(operation),
    ...Object.keys(operation.responses).flatMap((status) => answerExamples(operation, status)),
  ])
  const examples = [...ofSchemas, ...ofOperations]
  assert.ok(examples.length > 60, `only ${examples.length} examples`)
  for (const { name, value, schema } of examples) assert.equal(faultsOf(value, schema), '', name)
})

test('each error example stands under the status of its code, once, and under its name', () => {
  for (const operation of operations) {
    for (const status of Object.keys(operation.responses).filter((code) => Number(code) >= 400)) {
      const examples = answerExamples(operation, status)
      const codes = codesIn(examples)
      assert.equal(new Set(codes).size, codes.length, `${operation.name} ${status}`)
      codes.forEach((code, index) => {
        assert.equal(STATUS_OF[code], Number(status), `${operation.name} ${code}`)
        assert.ok(examples[index]?.name.endsWith(` ${code}`), `${operation.name} ${code}`)
      })
    }
  }
})

test('every code there is has an example', () => {
  const ofOperations = operations.flatMap((operation) =>
    Object.keys(operation.responses).flatMap((status) => answerExamples(operation, status)),
  )
  const shown = new Set<unknown>([
    ...codesIn(ofOperations),
    ...(components.schemas['Error']?.examples ?? []).map((value) => Object(value).code),
  ])
  assert.deepEqual(
    Object.keys(STATUS_OF).filter((code) => !shown.has(code)),
    [],
  )
})

/** The endpoint of the examples, which one of them removes. Nothing listens there. */
const EXAMPLE_ENDPOINT_THERE = `
  insert into webhooks.endpoints (endpoint_id, url, events, secret, key_id, added_by)
  values ('${EXAMPLE_ENDPOINT.endpointId}', 'https://127.0.0.1:1/', '{patient.erased}', '', '', 'test')
  on conflict do nothing`

test('the example request of every operation is answered with 200, in the shape that the document promises', async () => {
  for (const operation of operations) {
    // It goes on without end (its own tests read it), and is no JSON.
    if (operation.operationId === 'streamReadings') continue
    const isForServices = operation.operationId === 'followChanges'
    await runSql(rounds.ownerUrl, EXAMPLE_ENDPOINT_THERE)
    if (MANAGED.has(operation.operationId)) await runSql(rounds.ownerUrl, SHARED_WITH_DOCTOR)
    // The cursor of the example is one of another database, and nothing would come in its wait.
    const { status, json, text } = await rounds.call(
      exampleAddress(operation, isForServices ? ['cursor', 'wait'] : []),
      { token: tokenFor(operation), body: bodyOf(operation) },
    )
    assert.equal(status, 200, `${operation.name}: ${text}`)
    const [{ schema } = assert.fail(operation.name)] = answerExamples(operation, '200')
    assert.equal(faultsOf(json, schema), '', operation.name)
  }
})

test('what the examples add is what the examples get', async () => {
  const add = operationNamed('addReadings')
  for (const { name, value } of bodyExamples(add)) {
    const { json } = await rounds.call(add.path, { token, body: value })
    const expected = answerExamples(add, '200').find((answer) =>
      answer.name.endsWith(name.endsWith('list') ? 'list' : 'one'),
    )
    assert.deepEqual(json, expected?.value, name)
  }
  const get = operationNamed('getReadings')
  const [range, page] = answerExamples(get, '200')
  const withoutTimes = (answer: unknown) => JSON.stringify(answer).replace(/"receivedAt":"[^"]+"/g, '')
  const whole = await rounds.call(exampleAddress(get, ['limit', 'cursor']), { token })
  assert.equal(withoutTimes(whole.json), withoutTimes(range?.value))
  const first = await rounds.call(`${exampleAddress(get, ['limit', 'cursor'])}&limit=1`, { token })
  assert.equal(withoutTimes(first.json), withoutTimes(page?.value))
})
