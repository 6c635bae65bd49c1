// A patient whose partitions are attached in another database cluster: every operation that reads or writes the patient's data is
// answered 421, and patients of other partitions are served.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detachPartitions, partitionsOf } from '../support/detach-partitions.ts'
import { assertOutcome } from '../support/fhir.ts'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care,fhir', ALERTS: 'on' })
const { ownerUrl } = rounds
const there = await newPatient(rounds)
const here = await patientOfAnotherPartition()
await there.addAt([1])
for (const { patientUid, token } of [here, there])
  await rounds.call('/casesheet/grants/add', {
    token,
    body: { patientUid, doctorId: 'doctor-1', permission: 'manage' },
  })
const attach = await detachPartitions(ownerUrl, await partitionsOf(ownerUrl, there.patientUid))

async function patientOfAnotherPartition() {
  const namesFor = async (patientUid: string) =>
    (await partitionsOf(ownerUrl, patientUid)).map(({ name }) => name).join()
  for (;;) {
    const patient = await newPatient(rounds)
    if ((await namesFor(patient.patientUid)) !== (await namesFor(there.patientUid))) return patient
  }
}

const heartRate = (patientUid: string, timestamp: number) => ({
  patientUid,
  readingType: 'heartRate',
  value: 70,
  timestamp,
})
const assertMisdirected = (answer: Awaited<ReturnType<typeof rounds.call>>) =>
  assertRefused(answer, 421, 'MisdirectedRequest')

test('adds and reads of the patient are refused, and those of others succeed', async () => {
  const READS = ['get', 'latest', 'access-log', 'statistics?readingType=heartRate&from=0&to=9']
  for (const [patient, isHere] of [
    [here, true],
    [there, false],
  ] as const) {
    const { patientUid, token } = patient
    const body = heartRate(patientUid, 2)
    const preferred = { prefer: 'return=representation' }
    const answers = [
      await rounds.call('/casesheet/readings/add', { token, body }),
      await rounds.call('/casesheet/readings/add', { token, body, headers: preferred }),
    ]
    for (const read of READS) answers.push(await rounds.call(`/casesheet/readings/${read}`, { token }))
    answers.push(await rounds.call('/care/targets/list', { token }))
    for (const answer of answers)
      if (isHere) assert.equal(answer.status, 200, answer.text)
      else assertMisdirected(answer)
  }
  const correction = { patientUid: there.patientUid, timestamp: 1, readingId: NO_ID }
  for (const path of ['withdraw', 'restore'])
    assertMisdirected(
      await rounds.call(`/casesheet/readings/${path}`, { token: there.token, body: correction }),
    )
})

// A doctor's grant is hidden as well, and a patient shares with nobody where others serve them.
test('every change of what concerns the patient is refused, also where there is nothing to change', async () => {
  const { patientUid, token } = there
  const target = { patientUid, readingType: 'heartRate' }
  const rule = {
    patientUid,
    readingType: 'heartRate',
    severity: 'warning',
    missing: { for: 'P2D' },
  }
  const doctor = await rounds.token({ doctorId: 'doctor-1' })
  const limits = { ...target, unit: '/min', fields: { value: { high: 90 } } }
  for (const [path, sentBy, body] of [
    ['/casesheet/grants/add', token, { patientUid, doctorId: 'doctor-2', permission: 'view' }],
    ['/casesheet/grants/revoke', token, { patientUid, doctorId: 'doctor-1' }],
    ['/casesheet/grants/revoke', token, { patientUid, doctorId: 'never-shared' }],
    ['/care/targets/set', token, limits],
    ['/care/targets/set', doctor, limits],
    ['/care/targets/remove', token, target],
    ['/care/targets/remove', doctor, target],
    ['/care/rules/set', doctor, rule],
    ['/care/rules/preview', doctor, rule],
    ['/care/alerts/acknowledge', doctor, { patientUid, alertId: NO_ID }],
    ['/care/reviews/add', doctor, { patientUid, reviewId: NO_ID, seenUpTo: '0', saw: [] }],
    ['/care/reviews/undo', doctor, { patientUid, reviewId: NO_ID }],
  ] as const)
    assertRefused(await rounds.call(path, { token: sentBy, body }), 421, 'MisdirectedRequest')
  const [grant] = await runSql(ownerUrl, 'select state from casesheet.grants where patient_uid = $1', [
    patientUid,
  ])
  assert.deepEqual(grant, { state: 'given' })
})

const NO_ID = '00000000-0000-8000-8000-000000000000'

test('a list with one reading of the patient is refused, and none of it is stored', async () => {
  const token = await rounds.token({ patientUid: [here.patientUid, there.patientUid] })
  const body = [heartRate(here.patientUid, 100), heartRate(there.patientUid, 100)]
  assertMisdirected(await rounds.call('/casesheet/readings/add', { token, body }))
  const { json } = await here.get({ from: 100, to: 100 })
  assert.deepEqual(json.data, [])
})

test('requests that share statements are each answered for their own patient', async () => {
  const nth = Array.from({ length: 60 }, (_, index) => index)
  const sent = nth.map(async (index) => {
    const [patient, status] = index % 5 === 0 ? [there, 421] : [here, 200]
    const { patientUid, token } = patient
    const body = heartRate(patientUid, 200 + index)
    const answers = await Promise.all([
      rounds.call('/casesheet/readings/add', { token, body }),
      patient.get(),
    ])
    return answers.every((answer) => answer.status === status)
  })
  assert.deepEqual(
    await Promise.all(sent),
    nth.map(() => true),
  )
})

test('FHIR answers with the same status', async () => {
  const read = (patientUid: string, token: string) =>
    rounds.call(`/fhir/Observation?patient=${patientUid}`, { token })
  assert.equal((await read(here.patientUid, here.token)).status, 200)
  const refused = await read(there.patientUid, there.token)
  assertOutcome({ ...refused, resource: JSON.parse(refused.text) }, 421, 'MisdirectedRequest')
})

test('a row that violates a constraint is a fault of ours', async () => {
  await runSql(ownerUrl, 'alter table casesheet.readings add constraint impossible check (false) not valid')
  const body = heartRate(here.patientUid, 300)
  assertRefused(
    await rounds.call('/casesheet/readings/add', { token: here.token, body }),
    500,
    'InternalError',
  )
  await runSql(ownerUrl, 'alter table casesheet.readings drop constraint impossible')
})

test('once the partitions are attached, the patient is served with what was stored before', async () => {
  await attach()
  const token = there.token
  const body = { patientUid: there.patientUid, doctorId: 'doctor-1' }
  assert.equal((await rounds.call('/casesheet/grants/revoke', { token, body })).status, 200)
  assert.equal((await there.add(heartRate(there.patientUid, 400))).status, 200)
  assert.deepEqual(
    (await there.stored()).map(({ timestamp }) => timestamp),
    [1, 400],
  )
})
