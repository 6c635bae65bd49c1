// Who may set and see targets: the patient, carers, and doctors as far as a grant goes, at any process and at any moment.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'

const MODULES = 'casesheet,care'
const rounds = await startRounds({ MODULES })
/** A second process of the same service, with a cache of its own. */
const beside = await startRounds({ MODULES, DATABASE_URL: rounds.serveUrl, AUTH_ISSUER: rounds.issuer.url })

type Body = Record<string, unknown>
type Process = typeof rounds

const readingType = 'oxygenSaturation'
const TYPE = { readingType }
const target = (low: number, ofType = readingType) => ({
  readingType: ofType,
  expectEvery: null,
  fields: { value: { low } },
})

/** A patient, a doctor, and what each of them does at a process. */
async function newPair(claims: Body = {}) {
  const [patientUid, doctorId] = [`patient-${randomUUID()}`, `doctor-${randomUUID()}`]
  const patient = await rounds.token({ patientUid, sub: patientUid })
  const doctor = await rounds.token({ doctorId, sub: `sub-of-${doctorId}`, ...claims })
  const grants = async (at: Process, action: string, body: Body) => {
    const { status, text } = await at.call(`/casesheet/grants/${action}`, {
      token: patient,
      body: { patientUid, doctorId, ...body },
    })
    assert.equal(status, 200, text)
  }
  return {
    patientUid,
    doctorId,
    patient,
    give: (body: Body = {}, at = rounds) => grants(at, 'add', { permission: 'manage', ...body }),
    revoke: (at = rounds) => grants(at, 'revoke', {}),
    set: (body: Body, at = rounds, token = doctor) =>
      at.call('/care/targets/set', { token, body: { patientUid, ...body } }),
    remove: (body: Body, at = rounds, token = doctor) =>
      at.call('/care/targets/remove', { token, body: { patientUid, ...body } }),
    list: (token = doctor) => rounds.call(`/care/targets/list?patientUid=${patientUid}`, { token }),
  }
}

test('a grant to view reads targets and sets none, until the patient lets the doctor manage', async () => {
  const { give, set, remove, list } = await newPair()
  await give({ permission: 'view' })
  for (const at of [rounds, beside]) {
    assertRefused(await set(target(91), at), 403, 'ManageRequired')
    assertRefused(await remove(TYPE, at), 403, 'ManageRequired')
  }
  assert.deepEqual((await list()).json.data, [])
  await give()
  for (const at of [rounds, beside]) assert.equal((await set(target(91), at)).status, 200)
  await give({ permission: 'view' })
  for (const at of [rounds, beside]) assertRefused(await set(target(80), at), 403, 'ManageRequired')
  assert.equal((await list()).json.data.length, 1)
})

test('a grant of some types sets and shows targets of those alone, and says so', async () => {
  const { give, set, remove, list, patient } = await newPair()
  await give({ readingTypes: [readingType] })
  const own = { readingType: 'heartRate', fields: { value: { high: 100 } } }
  assert.equal((await set(own, rounds, patient)).status, 200)
  assert.equal((await set(target(92))).status, 200)
  assertRefused(await set(target(50, 'heartRate')), 403, 'NotShared')
  assertRefused(await remove({ readingType: 'heartRate' }), 403, 'NotShared')
  const { json, headers } = await list()
  assert.deepEqual([json.data.length, json.data[0]?.['readingType']], [1, readingType])
  assert.deepEqual([Object(json).limitedTo, headers.get('x-limited-to')], [[readingType], readingType])
  assert.equal((await list(patient)).json.data.length, 2)
  // What was cached is looked up again before it refuses.
  await give({ readingTypes: ['heartRate', readingType] }, beside)
  assert.equal((await set(target(50, 'heartRate'))).status, 200)
})

test('who may neither set nor read is refused, the same whether or not the patient exists', async () => {
  const { patientUid, doctorId, set, remove, list } = await newPair()
  const forAll = (action: string, token: string, body: Body) =>
    rounds.call(`/care/targets/${action}`, { token, body })
  const cases: [claims: Body, code: string, listCode: string, forAllCode: string][] = [
    [{ patientUid: 'another' }, 'PatientMismatch', 'PatientMismatch', 'NotADoctor'],
    [{}, 'PatientNotInToken', 'PatientNotInToken', 'NotADoctor'],
    [{ doctorId }, 'NotShared', 'NotShared', ''],
    [{ scope: 'openid' }, 'PatientNotInToken', 'ScopeMissing', 'NotADoctor'],
    [{ scope: 'readings:read readings:withdraw' }, 'PatientNotInToken', '', 'NotADoctor'],
    [{ doctorId, scope: 'readings:read' }, 'NotShared', '', ''],
    [{ patientUid, scope: 'patient/Observation.rs' }, 'ScopeMissing', '', 'NotADoctor'],
    [{ doctorId, scope: 'user/Observation.rs' }, 'ScopeMissing', 'NotShared', 'ScopeMissing'],
    [{ doctorId, scope: 'user/Observation.rus' }, 'NotShared', 'NotShared', ''],
  ]
  for (const [claims, code, listCode, forAllCode] of cases) {
    const token = await rounds.token(claims)
    const answers: [string, Awaited<ReturnType<typeof set>>][] = [
      [code, await set(target(92), rounds, token)],
      [code, await remove(TYPE, rounds, token)],
      [listCode, await list(token)],
      [forAllCode, await forAll('set', token, target(92))],
      [forAllCode, await forAll('remove', token, TYPE)],
    ]
    for (const [expected, { status, json }] of answers)
      assert.deepEqual([status, json.code, claims], expected ? [403, expected, claims] : [200, 'Ok', claims])
  }
})

test('after a revocation, and while one is in progress, no process sets or removes anything', async () => {
  const { patientUid, patient, give, revoke, set, remove, list } = await newPair()
  await give()
  for (const at of [rounds, beside]) assert.equal((await set(target(92), at)).status, 200)
  await revoke()
  for (const at of [beside, rounds]) {
    assertRefused(await set(target(50), at), 403, 'NotShared')
    assertRefused(await remove(TYPE, at), 403, 'NotShared')
    assertRefused(await list(), 403, 'NotShared')
  }
  for (const change of [() => set(target(50), beside), () => remove(TYPE, beside)]) {
    await give()
    assert.equal((await set(target(92), beside)).status, 200)
    const revoking = new Client({ connectionString: rounds.serveUrl })
    await revoking.connect()
    await revoking.query('begin')
    await revoking.query("update casesheet.grants set state = 'revoked' where patient_uid = $1", [patientUid])
    const changed = change()
    await untilWaiting(1)
    await revoking.query('commit')
    await revoking.end()
    assertRefused(await changed, 403, 'NotShared')
  }
  assert.deepEqual((await list(patient)).json.data[0]?.['fields'], { value: { low: 92 } })
})

const untilWaiting = (count: number) =>
  until(async () => {
    const waiting = await runSql(
      rounds.ownerUrl,
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return waiting.length === count
  })

test('every list of a patient is in the access log, with the doctor and the types; a refused one is not', async () => {
  const { patientUid, doctorId, patient, give, revoke, list } = await newPair()
  await give({ readingTypes: ['heartRate'] })
  await list()
  await revoke()
  assertRefused(await list(), 403, 'NotShared')
  const staff = await rounds.token({ sub: 'ward-1', scope: 'readings:read' })
  const options = { token: staff, headers: { 'x-access-reason': 'Asked%20by%20phone' } }
  assert.equal((await rounds.call(`/care/targets/list?patientUid=${patientUid}`, options)).status, 200)
  const { json } = await rounds.call('/casesheet/readings/access-log', { token: patient })
  assert.deepEqual(
    json.data.map((row) => [
      row['operation'],
      row['allowedAs'],
      row['doctorId'],
      row['readingTypes'],
      row['reason'],
    ]),
    [
      ['targets/list', 'staff', undefined, null, 'Asked by phone'],
      ['targets/list', 'grant', doctorId, ['heartRate'], undefined],
    ],
  )
})
