// `rounds care rebuild`: whatever has become of what is derived for the lists, it is made again from the readings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDoctor, pressure } from '../support/doctor-with-patients.ts'
import { createDatabase, runSql, startRounds } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

const rounds = await startRounds({ MODULES: 'casesheet,care' })
const rebuild = (databaseUrl: string, ...args: string[]) =>
  runCommand(['care', 'rebuild', ...args], { DATABASE_URL: databaseUrl }).ended
const DAY = 24 * 60

test('a list that is wrong is made again from the readings, for every patient and zone', async () => {
  const doctor = await newDoctor(rounds)
  for (const name of ['Ada Example', 'Bo Sample']) {
    const patient = await doctor.patient({ sharedAs: name })
    await patient.setTarget({ preset: 'home-blood-pressure-esh' })
    await patient.add(pressure(178, 112, 5), pressure(120, 80, 3 * DAY))
  }
  const zones = ['Europe/Berlin', 'Asia/Kolkata'].map((zone) => `?timeZone=${zone}`)
  const lists = () =>
    Promise.all(zones.map((query) => doctor.untilListed(({ counts }) => counts.preparing === 0, query)))
  const right = (await lists()).map(({ data }) => data)
  const rowsOf = (table: string) =>
    runSql(rounds.ownerUrl, `select to_jsonb(t) - 'due_at' as row from care.${table} t order by 1`)
  const rows = [await rowsOf('summaries'), await rowsOf('summary_days')]

  // Sums that are wrong, days that are missing, and a type that no release knows any more.
  await runSql(
    rounds.ownerUrl,
    `delete from care.summary_days;
     update care.summaries set newest_is_outside = false, outside_received = null, in_target = judged`,
  )
  assert.deepEqual(
    (await lists()).map(({ counts }) => counts.inTarget),
    [2, 2],
  )
  await runSql(
    rounds.ownerUrl,
    `insert into care.summaries
     select (jsonb_populate_record(summaries, '{"reading_type": "acme.gone"}')).*
     from care.summaries`,
  )
  assert.deepEqual(await rebuild(rounds.ownerUrl), {
    code: 0,
    output:
      'The summaries of 2 patients are deleted. The servers make them again now; until then lists say "preparing".\n',
  })
  assert.deepEqual(
    (await lists()).map(({ data }) => data),
    right,
  )
  assert.deepEqual([await rowsOf('summaries'), await rowsOf('summary_days')], rows)
})

test('without lists there is nothing to do, and the serving role may not', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  assert.deepEqual(await rebuild(ownerUrl), {
    code: 0,
    output: 'There is nothing to make again: no doctor has looked at a list in the last 30 days.\n',
  })
  const { code, output } = await rebuild(serveUrl)
  assert.equal(code, 1)
  assert.match(output, /^The role "\w+" may not do this .* Use the role that ran "rounds migrate"\.\n$/)
  assert.deepEqual(await rebuild(ownerUrl, 'now'), { code: 1, output: 'Say "rounds care rebuild".\n' })
})
