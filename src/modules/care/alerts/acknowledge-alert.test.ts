// alerts/acknowledge: once however often it is sent, and whatever else happens to the alert meanwhile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { newDoctor } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { stopEvaluation, storeAlert, storeRule } from '../../../../test/support/stored-alerts.ts'
import { until } from '../../../../test/support/until.ts'
import { type RefusalCode, STATUS_OF } from '../../../refusal.ts'
import type { Alert } from './alert.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care', ALERTS: 'on' })
const { ownerUrl } = rounds
await stopEvaluation(ownerUrl)

const mustRefuse = (answer: Parameters<typeof assertRefused>[0], code: RefusalCode) =>
  assertRefused(answer, STATUS_OF[code], code)

type Body = Record<string, unknown>

/** An open alert of a patient, and doctors who may acknowledge it. */
async function newAlert(fields: Body = {}, doctors = 1) {
  const all = await Promise.all(Array.from({ length: doctors }, () => newDoctor(rounds)))
  const [doctor] = all
  assert.ok(doctor)
  const patient = await doctor.patient()
  for (const { doctorId } of all.slice(1)) {
    const { status, text } = await rounds.call('/casesheet/grants/add', {
      token: patient.token,
      body: { patientUid: patient.patientUid, doctorId, permission: 'manage' },
    })
    assert.equal(status, 200, text)
  }
  const rule = await storeRule(ownerUrl, patient.patientUid)
  const alertId = await storeAlert(ownerUrl, rule, fields)
  const { patientUid } = patient
  const acknowledge = (body: Body = {}, token = doctor.token) =>
    rounds.call('/care/alerts/acknowledge', { token, body: { patientUid, alertId, ...body } })
  const events = () =>
    runSql<Body>(
      ownerUrl,
      `select event, note, by, doctor_id as doctor, is_announced as "isAnnounced", point
       from casesheet.alert_events where patient_uid = $1 order by at`,
      [patientUid],
    )
  const row = async () => {
    const [found] = await runSql<Body>(ownerUrl, 'select * from casesheet.alerts where patient_uid = $1', [
      patientUid,
    ])
    assert.ok(found)
    return found
  }
  return { doctor, others: all, patient, patientUid, rule, alertId, acknowledge, events, row }
}

const dataOf = ({ json }: { json: object }) => (json as { data: Alert }).data
const messageOf = ({ json }: { json: object }) => (json as { message: string }).message

test('the first acknowledgement stays, whoever sends another one', async () => {
  const { acknowledge, events, doctor, others, patient, row } = await newAlert({}, 2)
  const first = await acknowledge({ note: 'Called: resting.' })
  assert.equal(first.status, 200, first.text)
  const { state, acknowledged } = dataOf(first)
  assert.equal(state, 'acknowledged')
  assert.deepEqual(
    { ...acknowledged, at: '' },
    { at: '', by: `sub-of-${doctor.doctorId}`, doctorId: doctor.doctorId, note: 'Called: resting.' },
  )
  for (const token of others.map((other) => other.token)) {
    const again = await acknowledge({ note: 'Another note' }, token)
    assert.equal(messageOf(again), 'The alert was acknowledged before. Nothing has changed.')
    assert.deepEqual(dataOf(again), dataOf(first))
  }
  assert.deepEqual(
    (await events()).map(({ event, note, isAnnounced }) => [event, note, isAnnounced]),
    [['acknowledged', 'Called: resting.', true]],
  )
  const { acknowledged_at } = await row()
  assert.equal(Number(acknowledged_at), Date.parse(acknowledged?.at ?? ''))
  const seen = await rounds.call('/care/alerts/list', { token: patient.token })
  assert.deepEqual(seen.json.data, [dataOf(first)])
})

test('an alert that was not announced is not announced as acknowledged', async () => {
  const { acknowledge, events } = await newAlert({ announced_at: null, quiet: 'late' })
  await acknowledge()
  assert.deepEqual(
    (await events()).map(({ isAnnounced }) => isAnnounced),
    [false],
  )
})

test('what is not open is not acknowledged, and the answer says how it is', async () => {
  const over = { until: '2026-11-17T09:00:00Z', resolved_at: '2026-11-17T09:00:00Z' }
  for (const condition of ['pending', 'resolved', 'retracted'] as const) {
    const { acknowledge, events } = await newAlert({ condition, ...(condition === 'resolved' && over) })
    const answer = await acknowledge()
    assert.equal(answer.status, 200, answer.text)
    assert.match(messageOf(answer), /Nothing has changed\.$/)
    assert.equal(dataOf(answer).state, condition)
    assert.deepEqual(await events(), [])
  }
})

const reading = (minutesAgo: number) => ({
  readingType: 'heartRate',
  value: 142,
  timestamp: Date.now() - minutesAgo * 60_000,
})

/** The follower has come as far as the readings that the patient has. */
const followReadings = (patientUid: string) =>
  until(async () => {
    await runSql(
      ownerUrl,
      "update casesheet.followers set xid = pg_snapshot_xmin(pg_current_snapshot()) where name = 'alerts:rules'",
    )
    const [row] = await runSql<{ is: boolean }>(
      ownerUrl,
      "select bool_and(changed_xid < xid) as is from casesheet.readings, casesheet.followers where patient_uid = $1 and name = 'alerts:rules'",
      [patientUid],
    )
    return row?.is === true
  })

test('an acknowledgement lies at the newest reading that was evaluated, and not at one that nobody has seen', async () => {
  const { acknowledge, events, patient, patientUid } = await newAlert({ since: '2026-11-17T08:00:00Z' })
  const [seen, marked, unseen] = [reading(30), reading(20), reading(10)]
  await patient.add(seen, marked)
  // One of both readings waits to be evaluated.
  await followReadings(patientUid)
  await runSql(
    ownerUrl,
    `insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to) values ($1, 'heartRate', to_timestamp($2), 'infinity')`,
    [patientUid, marked.timestamp / 1_000],
  )
  await patient.add(unseen)
  await acknowledge()
  assert.deepEqual(
    (await events()).map(({ point }) => Number(point)),
    [seen.timestamp],
  )
})

test('nor does it lie at a reading that the follower has not come to', async () => {
  const { acknowledge, events, patient, patientUid } = await newAlert({ since: '2026-11-17T08:00:00Z' })
  const [seen, unseen] = [reading(30), reading(10)]
  await patient.add(seen)
  await followReadings(patientUid)
  await patient.add(unseen)
  await acknowledge()
  assert.deepEqual(
    (await events()).map(({ point }) => Number(point)),
    [seen.timestamp],
  )
})

test('an acknowledgement of an alert without readings lies at its beginning', async () => {
  const { acknowledge, events } = await newAlert({ since: '2026-11-17T08:00:00Z' })
  await acknowledge()
  assert.deepEqual(
    (await events()).map(({ point }) => Number(point)),
    [Date.parse('2026-11-17T08:00:00Z')],
  )
})

test('of ten doctors at once one acknowledges, and all are told who', async () => {
  const { acknowledge, events, others } = await newAlert({}, 10)
  const answers = await Promise.all(others.map(({ token }) => acknowledge({}, token)))
  const by = new Set(answers.map((answer) => JSON.stringify(dataOf(answer).acknowledged)))
  assert.equal(by.size, 1, [...by].join())
  assert.equal(answers.filter((answer) => messageOf(answer) === 'The alert is acknowledged.').length, 1)
  assert.equal((await events()).length, 1)
})

/** A transaction of another process, which the work meets. */
async function during(change: string, values: unknown[], work: () => Promise<{ json: object }>) {
  const other = new Client({ connectionString: ownerUrl })
  await other.connect()
  try {
    await other.query('begin')
    await other.query(change, values)
    const answer = work()
    await until(async () => {
      const waiting = await runSql(ownerUrl, 'select from pg_locks where not granted')
      return waiting.length > 0
    })
    await other.query('commit')
    return await answer
  } finally {
    await other.end()
  }
}

test('an alert that the evaluation resolves meanwhile is not acknowledged', async () => {
  const { acknowledge, events, patientUid } = await newAlert()
  const answer = await during(
    "update casesheet.alerts set condition = 'resolved', until = now(), resolved_at = now() where patient_uid = $1",
    [patientUid],
    () => acknowledge(),
  )
  assert.equal(messageOf(answer), 'The alert is resolved. Nothing has changed.')
  assert.deepEqual(await events(), [])
})

test('what the evaluation writes meanwhile stays, and so does the acknowledgement', async () => {
  const { acknowledge, row, patientUid } = await newAlert()
  await during(
    "update casesheet.alerts set since = '2026-11-17T07:00:00Z', why = 'Another' where patient_uid = $1",
    [patientUid],
    () => acknowledge(),
  )
  const { why, acknowledged_by, acknowledged_point } = await row()
  assert.equal(why, 'Another')
  assert.ok(acknowledged_by)
  assert.equal(Number(acknowledged_point), Date.parse('2026-11-17T07:00:00Z'))
})

test('under a grant that is revoked meanwhile nothing is acknowledged', async () => {
  const { acknowledge, events, patientUid } = await newAlert()
  const answer = await during(
    "update casesheet.grants set state = 'revoked', changed_by = 'test' where patient_uid = $1",
    [patientUid],
    () => acknowledge(),
  )
  assert.equal((answer.json as { code: string }).code, 'NotShared')
  assert.deepEqual(await events(), [])
})

test('notes are texts of up to 1,000 characters, and only doctors acknowledge', async () => {
  const { acknowledge, patient, events } = await newAlert()
  for (const note of ['', ' ', 'x'.repeat(1_001), 7])
    mustRefuse(await acknowledge({ note }), 'ValidationFailed')
  mustRefuse(await acknowledge({ alertId: 'none' }), 'ValidationFailed')
  mustRefuse(await acknowledge({}, patient.token), 'NotADoctor')
  const staff = await rounds.token({ scope: 'readings:read readings:withdraw' })
  mustRefuse(await acknowledge({}, staff), 'NotADoctor')
  const stranger = await newDoctor(rounds, `doctor-${randomUUID()}`)
  mustRefuse(await acknowledge({}, stranger.token), 'NotShared')
  assert.deepEqual(await events(), [])
  assert.equal((await acknowledge({ note: '😀'.repeat(500) })).status, 200)
})
