import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/harness.ts'
import { patientWithReadings } from '../../../../test/patient.ts'

const rounds = await startRounds()
const clinician = await rounds.token({ sub: 'dr-invented', scope: 'readings:read readings:withdraw' })
const reader = await rounds.token({ sub: 'dr-reader', scope: 'readings:read' })

type Named = { patientUid: string; readingId: string; timestamp: number }

async function patientWith(timestamps: number[]) {
  const patient = await patientWithReadings(rounds, timestamps)
  const readings = (await patient.get()).json.data as unknown as Named[]
  const named = readings.map(({ patientUid, readingId, timestamp }) => ({ patientUid, readingId, timestamp }))
  const post = (verb: 'withdraw' | 'restore', body: object, token = patient.token) =>
    rounds.call(`/casesheet/readings/${verb}`, { token, body })
  return { ...patient, readings, named, post }
}

test('a withdrawn reading is left out until it is restored, and is then exactly as before', async () => {
  const { named, readings, post, get } = await patientWith([1_000, 2_000])
  const [first, second] = named
  assert.ok(first && second)
  const { status, json } = await post('withdraw', { ...first, reason: 'Typed in pounds' })
  assert.deepEqual([status, json], [200, { code: 'Ok', message: 'The reading was withdrawn successfully.' }])
  assert.deepEqual((await get()).json.data, [readings[1]])
  const restored = await post('restore', first)
  assert.deepEqual(restored.json, { code: 'Ok', message: 'The reading was restored successfully.' })
  assert.deepEqual((await get()).json.data, readings)
})

test('both may be repeated, and the first withdrawal keeps its time, person and reason', async () => {
  const { named, post, patientUid } = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  const rows = () =>
    runSql(
      rounds.ownerUrl,
      `select withdrawn_at, withdrawn_by, withdrawn_reason, changed_xid from casesheet.readings where patient_uid = '${patientUid}'`,
    )
  await post('withdraw', { ...reading, reason: 'first' })
  const before = await rows()
  assert.equal((await post('withdraw', { ...reading, reason: 'second' }, clinician)).status, 200)
  assert.deepEqual(await rows(), before)
  await post('restore', reading)
  const after = await rows()
  assert.equal((await post('restore', reading)).status, 200)
  assert.deepEqual(await rows(), after)
})

test('adding the same content again answers Ok and does not bring it back', async () => {
  const { named, post, get, readings, token } = await patientWith([1_000])
  const [reading] = named
  const {
    readingId: _,
    measuredAt: __,
    receivedAt: ___,
    ...sent
  } = readings[0] as Named & Record<string, unknown>
  assert.ok(reading)
  await post('withdraw', reading)
  const again = await rounds.call('/casesheet/readings/add', { token, body: sent })
  assert.equal(again.json.code, 'Ok')
  assert.deepEqual((await get()).json.data, [])
})

test('the patient and staff with the scope may withdraw; others are refused, whether or not the reading exists', async () => {
  const { named, post } = await patientWith([1_000])
  const stranger = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  assertRefused(await post('withdraw', reading, stranger.token), 403, 'PatientMismatch')
  assertRefused(await post('withdraw', reading, reader), 403, 'ScopeMissing')
  assertRefused(await post('withdraw', { ...reading, timestamp: 5 }, stranger.token), 403, 'PatientMismatch')
  assert.equal((await post('withdraw', reading, clinician)).status, 200)
})

test('a reading that is not there is 404 to those who may act for the patient', async () => {
  const { named, post } = await patientWith([1_000])
  const [reading] = named
  assert.ok(reading)
  assertRefused(await post('withdraw', { ...reading, timestamp: 5 }), 404, 'ReadingNotFound')
  assertRefused(await post('restore', { ...reading, timestamp: 5 }, clinician), 404, 'ReadingNotFound')
})

test('the serving role can change neither the time of a withdrawal nor its place among the changes', async () => {
  for (const column of ['changed_xid', 'withdrawn_at', 'details', 'received_at', 'patient_uid']) {
    await assert.rejects(
      runSql(rounds.serveUrl, `update casesheet.readings set ${column} = ${column}`),
      /permission denied/,
    )
  }
})
