// `rounds care rebuild`: whatever has become of what is made for the lists, it is made again from the readings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDoctor, pressure } from '../support/doctor-with-patients.ts'
import { createDatabase, runSql, startRounds } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })
const rebuild = (databaseUrl: string, ...args: string[]) =>
  runCommand(['care', 'rebuild', ...args], { DATABASE_URL: databaseUrl }).ended
const DAY = 24 * 60

const rowsOf = async (table: string) =>
  (await runSql(rounds.ownerUrl, `select to_jsonb(t) as row from care.${table} t order by 1`)).map(
    ({ row }) => row,
  )
const made = async () => [await rowsOf('days'), await rowsOf('evidence'), await rowsOf('newest')]

test('what is wrong is made again from the readings, and what was seen keeps its position', async () => {
  const doctor = await newDoctor(rounds)
  for (const name of ['Ada Example', 'Bo Sample']) {
    const patient = await doctor.patient({ sharedAs: name })
    await runSql(
      rounds.ownerUrl,
      `insert into casesheet.targets (author_kind, author_id, patient_uid, reading_type, unit, fields, set_by)
       values ('doctor', $1, $2, 'bloodPressure', 'mm[Hg]', '{"systolic": {"high": 135, "actAbove": 170}}', 'test')`,
      [doctor.doctorId, patient.patientUid],
    )
    await patient.add(pressure(178, 112, 5), pressure(120, 80, 3 * DAY))
  }
  const isMade = async () => {
    const [days, evidence] = await made()
    return days?.length === 4 && evidence?.length === 2
  }
  await until(isMade)
  const right = await made()

  // Sums that are wrong, days that are missing, evidence of nothing, and a type that no release knows any more.
  await runSql(
    rounds.ownerUrl,
    `delete from care.days where day = (select max(day) from care.days);
     update care.days set sum = '{1}';
     update care.evidence set value = 300;
     insert into care.evidence
     select (jsonb_populate_record(evidence, '{"reading_id": "00000000-0000-0000-0000-000000000001"}')).* from care.evidence;
     insert into care.newest
     select (jsonb_populate_record(newest, '{"reading_type": "acme.gone"}')).* from care.newest`,
  )
  assert.deepEqual(await rebuild(rounds.ownerUrl), {
    code: 0,
    output:
      'What lists are made of is deleted for 2 patients. The servers make it again now; until then lists are behind.\n',
  })
  await until(async () => (await rowsOf('marks')).length === 0)
  assert.deepEqual(await made(), right)

  // A page that is still open sends a number that the row had before. One that is made anew does not come to it.
  const judged = async () =>
    (
      await runSql<{ first: number; last: number }>(
        rounds.ownerUrl,
        'select min(judged)::float8 as first, max(judged)::float8 as last from care.patients',
      )
    )[0]
  const before = await judged()
  await runSql(rounds.ownerUrl, 'delete from care.patients')
  await rebuild(rounds.ownerUrl)
  const after = await judged()
  assert.ok(before && after && after.first > before.last, JSON.stringify([before, after]))
})

test('where nobody shares there is nothing to do, and the serving role may not', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  assert.deepEqual(await rebuild(ownerUrl), {
    code: 0,
    output: 'There is nothing to make again: no patient shares with a doctor.\n',
  })
  const { code, output } = await rebuild(serveUrl)
  assert.equal(code, 1)
  assert.match(output, /^The role "\w+" may not do this .* Use the role that ran "rounds migrate"\.\n$/)
  assert.deepEqual(await rebuild(ownerUrl, 'now'), { code: 1, output: 'Say "rounds care rebuild".\n' })
})
