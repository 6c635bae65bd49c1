import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openDb } from '../../../../test/support/copying-follower.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { makeSummaries } from './make-summaries.ts'

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / DAY) * DAY + DAY / 2
const { ownerUrl, serveUrl } = await createDatabase()
const db = openDb(serveUrl)

async function newPatient() {
  const patientUid = `patient-${randomUUID()}`
  await runSql(ownerUrl, 'insert into care.patients (patient_uid) values ($1)', [patientUid])
  let judged = 0
  return {
    patientUid,
    async shareWith(doctorId: string, permission = 'manage') {
      await runSql(
        ownerUrl,
        `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
         values ($1, $2, $3, 'somebody invented', 'somebody invented', 'test')`,
        [patientUid, doctorId, permission],
      )
    },
    async add(readingType: string, details: object, measuredAt: number, receivedAt = measuredAt) {
      const readingId = randomUUID()
      await runSql(
        ownerUrl,
        `insert into casesheet.readings (patient_uid, reading_id, reading_type, measured_at, sent_timestamp, received_at, details)
         values ($1, $2, $3, to_timestamp($4), $4, to_timestamp($5), $6)`,
        [patientUid, readingId, readingType, measuredAt / 1_000, receivedAt / 1_000, JSON.stringify(details)],
      )
      return readingId
    },
    async make(readingType: string, from = '-infinity', to = 'infinity') {
      const task = {
        patientUid,
        readingType,
        measuredFrom: from,
        measuredTo: to,
        markVersion: '0',
        judged: String(judged),
      }
      const { isMade } = await makeSummaries(db, task, NOW)
      assert.ok(isMade)
      judged++
    },
    days: () =>
      runSql(
        ownerUrl,
        'select target_id, day::text, readings, sum, above, highest from care.days where patient_uid = $1 order by day, target_id',
        [patientUid],
      ),
    evidence: () =>
      runSql(
        ownerUrl,
        'select kind, field, value, severity, position::integer from care.evidence where patient_uid = $1 order by position, received_at, field',
        [patientUid],
      ),
    newest: () =>
      runSql(
        ownerUrl,
        'select reading_type, reading_id, values, unit, data_days::text from care.newest where patient_uid = $1',
        [patientUid],
      ),
  }
}

/** For blood pressure. */
async function setTarget(doctorId: string, patientUid: string | null, fields: object) {
  const [row] = await runSql<{ target_id: string }>(
    ownerUrl,
    `insert into casesheet.targets (author_kind, author_id, patient_uid, reading_type, unit, fields, set_by)
     values ('doctor', $1, $2, $3, $4, $5, 'test') returning target_id`,
    [doctorId, patientUid, 'bloodPressure', 'mm[Hg]', JSON.stringify(fields)],
  )
  return row?.target_id
}

const PRESSURE = { systolic: { high: 135, actAbove: 180 }, diastolic: { high: 85, actAbove: 110 } }

test('the days of a patient are made for each target that judges in a list of some doctor, and for no other', async () => {
  const patient = await newPatient()
  const [mine, viewing, stranger] = [randomUUID(), randomUUID(), randomUUID()]
  await patient.shareWith(mine)
  await patient.shareWith(viewing, 'view')
  const forPatient = await setTarget(mine, patient.patientUid, PRESSURE)
  const forAll = await setTarget(mine, null, { systolic: { high: 150 } })
  await setTarget(viewing, null, PRESSURE)
  await setTarget(stranger, patient.patientUid, PRESSURE)
  await patient.add('bloodPressure', { systolic: 224, diastolic: 80 }, NOW - 2 * DAY)
  await patient.add('bloodPressure', { systolic: 140, diastolic: 90, pulse: 70 }, NOW)
  await patient.add('bloodPressure', { systolic: 140, diastolic: 90 }, NOW - 40 * DAY)
  await patient.make('bloodPressure')
  const days = await patient.days()
  assert.deepEqual(days.length, 4)
  const today = days.filter(({ day }) => day === new Date(NOW).toISOString().slice(0, 10))
  assert.deepEqual(
    today
      .map(({ target_id, readings, sum, above }) => ({ target_id, readings, sum, above }))
      .toSorted((a) => (a.target_id === forPatient ? -1 : 1)),
    [
      { target_id: forPatient, readings: [1, 1], sum: [140, 90], above: [1, 1] },
      { target_id: forAll, readings: [1], sum: [140], above: [0] },
    ],
  )
  assert.deepEqual(await patient.evidence(), [
    { kind: 'value', field: 'systolic', value: 224, severity: null, position: 1 },
  ])
  const [newest] = await patient.newest()
  assert.deepEqual(
    [newest?.['values'], newest?.['data_days']],
    [{ systolic: 140, diastolic: 90, pulse: 70 }, `${'0'.repeat(27)}101`],
  )
})

test('a day that is made again keeps the evidence that is there, with its position; new evidence has the new one', async () => {
  const patient = await newPatient()
  const doctorId = randomUUID()
  await patient.shareWith(doctorId)
  await setTarget(doctorId, patient.patientUid, PRESSURE)
  await patient.add('bloodPressure', { systolic: 190, diastolic: 80 }, NOW)
  await patient.make('bloodPressure')
  const late = await patient.add('bloodPressure', { systolic: 224, diastolic: 126 }, NOW - 3_600_000, NOW)
  const mark = new Date(NOW).toISOString()
  await patient.make('bloodPressure', mark, mark)
  const value = (field: string, of: number, position: number) => ({
    kind: 'value',
    field,
    value: of,
    severity: null,
    position,
  })
  assert.deepEqual(await patient.evidence(), [
    value('systolic', 190, 1),
    value('diastolic', 126, 2),
    value('systolic', 224, 2),
  ])
  await runSql(
    ownerUrl,
    `update casesheet.readings set withdrawn_by = 'test', withdrawn_as = 'patient' where reading_id = $1`,
    [late],
  )
  await patient.make('bloodPressure', mark, mark)
  assert.deepEqual(await patient.evidence(), [value('systolic', 190, 1)])
})

test('of a reading no more is kept as evidence than people are shown', async () => {
  const patient = await newPatient()
  const doctorId = randomUUID()
  await patient.shareWith(doctorId)
  await setTarget(doctorId, patient.patientUid, PRESSURE)
  const shown = { systolic: 224, diastolic: 126, unit: 'mm[Hg]' }
  await patient.add('bloodPressure', { ...shown, remark: 'x'.repeat(60_000), device: { parts: [1] } }, NOW)
  await patient.make('bloodPressure')
  const rows = await runSql(ownerUrl, 'select shown from care.evidence where patient_uid = $1', [
    patient.patientUid,
  ])
  assert.deepEqual(rows, [{ shown }, { shown }])
})

test('nothing is made where something else was made since the task was read', async () => {
  const patient = await newPatient()
  await patient.add('symptom', { symptoms: [{ symptom: 'chest pain', severity: 'SEVERE' }] }, NOW)
  await patient.make('symptom')
  const task = {
    patientUid: patient.patientUid,
    readingType: 'symptom',
    measuredFrom: '-infinity',
    measuredTo: 'infinity',
    markVersion: '0',
    judged: '0',
  }
  assert.deepEqual(await makeSummaries(db, task, NOW), { readings: 1, isMade: false })
  assert.deepEqual(await patient.evidence(), [
    { kind: 'symptom', field: null, value: null, severity: 'SEVERE', position: 1 },
  ])
})

test('a reading with an impossible time is evidence of the day on which it arrived', async () => {
  const patient = await newPatient()
  await patient.add('heartRate', { value: 70 }, NOW + 300 * DAY, NOW)
  await patient.make('heartRate')
  assert.deepEqual(
    (await patient.evidence()).map(({ kind }) => kind),
    ['clock'],
  )
})
