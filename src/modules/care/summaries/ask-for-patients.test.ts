// How many zones a doctor and a patient may have, and what is dropped.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { openDb } from '../../../../test/support/copying-follower.ts'
import { newDoctor, pressure } from '../../../../test/support/doctor-with-patients.ts'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { dropUnasked } from './ask-for-patients.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })
const { ownerUrl } = rounds
const db = openDb(rounds.serveUrl)
after(db.end)
const DAY_MS = 86_400_000

const zonesOf = async (patientUid: string) => {
  const rows = await runSql<{ time_zone: string }>(
    ownerUrl,
    'select time_zone from care.patient_zones where patient_uid = $1 order by 1',
    [patientUid],
  )
  return rows.map(({ time_zone }) => time_zone)
}

/** Sets when the zones of a patient were asked for, so many days ago. */
const setAsked = (patientUid: string, daysAgo: Record<string, number>) =>
  runSql(
    ownerUrl,
    `insert into care.patient_zones (patient_uid, time_zone, asked_on, state)
     select $1, key, now()::date - value::integer, 'made' from json_each_text($2)
     on conflict (patient_uid, time_zone) do update set asked_on = excluded.asked_on`,
    [patientUid, JSON.stringify(daysAgo)],
  )

test('a doctor asks in three zones a day, however they are written, and also at once', async () => {
  const doctor = await newDoctor(rounds)
  const { patientUid } = await doctor.patient()
  const zones = ['UTC', 'Europe/Berlin', 'europe/berlin', 'Europe/BERLIN', 'Asia/Tokyo', 'Asia/Kolkata']
  const answers = await Promise.all(zones.map((zone) => doctor.ask(`?timeZone=${zone}`)))
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 3)
  for (const answer of refused) assertRefused(answer, 400, 'ValidationFailed')
  assert.equal((await zonesOf(patientUid)).length, 3)
  await runSql(ownerUrl, 'update care.doctor_zones set asked_on = asked_on - 1 where doctor_id = $1', [
    doctor.doctorId,
  ])
  await doctor.list('?timeZone=America/Lima')
  assert.equal((await zonesOf(patientUid)).length, 4)
})

test('a zone that PostgreSQL does not know is refused and not kept, also where nobody is shown', async () => {
  const doctor = await newDoctor(rounds)
  const { patientUid } = await doctor.patient()
  for (const query of ['?timeZone=US/Pacific-New', '?timeZone=US/Pacific-New&status=worse'])
    assertRefused(await doctor.ask(query), 400, 'ValidationFailed')
  assert.deepEqual(await zonesOf(patientUid), [])
})

test('six zones of a patient are kept, those asked for last, and with the last zone goes the patient', async () => {
  const doctor = await newDoctor(rounds)
  const patient = await doctor.patient()
  const { patientUid } = patient
  await patient.add(pressure(120, 80, 5))
  await doctor.list()
  await doctor.untilListed(({ counts }) => counts.preparing === 0)
  const asked = {
    UTC: 0,
    'Asia/Tokyo': 1,
    'Asia/Dubai': 2,
    'Asia/Seoul': 3,
    'Asia/Dhaka': 4,
    'Asia/Tehran': 5,
    'Asia/Kabul': 6,
  }
  await setAsked(patientUid, asked)
  await dropUnasked(db, Date.now())
  assert.deepEqual(await zonesOf(patientUid), Object.keys(asked).slice(0, 6).toSorted())
  await dropUnasked(db, Date.now() + 40 * DAY_MS)
  for (const table of ['patients', 'patient_zones', 'stale', 'summaries', 'summary_days'])
    assert.deepEqual(
      await runSql(ownerUrl, `select patient_uid from care.${table} where patient_uid = $1`, [patientUid]),
      [],
      table,
    )
})

test('a patient who is being made keeps the zone until the next hour', async () => {
  const doctor = await newDoctor(rounds)
  const { patientUid } = await doctor.patient()
  await doctor.untilListed(({ counts }) => counts.preparing === 0)
  await setAsked(patientUid, { 'Asia/Tokyo': 31 })
  const maker = new Client({ connectionString: ownerUrl })
  await maker.connect()
  await maker.query('begin')
  await maker.query('select from care.patients where patient_uid = $1 for update', [patientUid])
  await dropUnasked(db, Date.now())
  await maker.query('commit')
  await maker.end()
  assert.deepEqual(await zonesOf(patientUid), ['Asia/Tokyo', 'UTC'])
  await dropUnasked(db, Date.now())
  assert.deepEqual(await zonesOf(patientUid), ['UTC'])
})

test('a list does not wait for a patient who is being made', async () => {
  const doctor = await newDoctor(rounds)
  const [{ patientUid }] = [await doctor.patient(), await doctor.patient()]
  await doctor.untilListed(({ counts }) => counts.preparing === 0)
  await runSql(ownerUrl, 'update care.patient_zones set asked_on = asked_on - 1')
  const maker = new Client({ connectionString: ownerUrl })
  await maker.connect()
  await maker.query('begin')
  await maker.query('select from care.patients where patient_uid = $1 for update', [patientUid])
  const { data } = await doctor.list()
  await maker.end()
  assert.equal(data.length, 2)
  const asked = () =>
    runSql(
      ownerUrl,
      'select patient_uid from care.patient_zones where asked_on = now()::date and patient_uid = $1',
      [patientUid],
    )
  assert.deepEqual(await asked(), [])
  await doctor.list()
  assert.deepEqual(await asked(), [{ patient_uid: patientUid }])
})
