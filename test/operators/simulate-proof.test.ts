// A proof is worth something only if it can fail: `rounds simulate` on a database that somebody tampers with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIn, startStage } from '../support/simulate-stage.ts'
import { until } from '../support/until.ts'

const stage = await startStage()

/** The key of one reading of a patient. */
const ONE = `(patient_uid, measured_at, reading_id) = (
  select patient_uid, measured_at, reading_id
  from casesheet.readings
  where patient_uid = $1
  order by measured_at
  limit 1)`

function assertFound(output: string, found: { missing: number; doubled: number; unexpected: number }) {
  for (const [name, count] of Object.entries(found)) assert.equal(countIn(output, name), count, output)
  assert.match(output, /^Not proven: what is stored is not what was sent\.$/m)
}

test('a reading deleted behind its back is missing, and named', async () => {
  const simulation = stage.simulate('--patients 1 --days 4 --seed 81 --rate 100')
  await until(async () => (await stage.countStored()) > 60)
  const [deleted] = await stage.sql<{ reading_type: string; sent_timestamp: number }>(
    `delete from casesheet.readings where ${ONE} returning reading_type, sent_timestamp`,
    ['simulated-81-0001'],
  )
  const { code, output } = await simulation.ended
  assert.equal(code, 1)
  assertFound(output, { missing: 1, doubled: 0, unexpected: 0 })
  const name = `${deleted?.reading_type} of simulated-81-0001 at ${deleted?.sent_timestamp}`
  assert.ok(output.includes(`  missing: ${name}\n`), output)
})

test('a reading that the copy has and the database lost is found', async () => {
  const simulation = stage.simulate('--patients 1 --days 4 --seed 89 --rate 100 --follow')
  const delivered = `select from casesheet.access_log where patient_uid = $1 and operation = 'readings/changes'`
  await until(async () => (await stage.sql(delivered, ['simulated-89-0001'])).length > 0)
  // The first of the sequence of changes, which is on the first page.
  await stage.sql(
    `delete from casesheet.readings
     where patient_uid = $1
       and (changed_xid, reading_id) = (
         select changed_xid, reading_id
         from casesheet.readings
         where patient_uid = $1
         order by changed_xid, reading_id
         limit 1)`,
    ['simulated-89-0001'],
  )
  const { code, output } = await simulation.ended
  assert.equal(code, 1)
  assert.equal(countIn(output, 'wrong in the copy'), 1, output)
})

/** What is done to the database between two runs, and what the second one finds. */
const tamperings = {
  'a reading stored twice is doubled': {
    statement: `
      insert into casesheet.readings
        (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
      select patient_uid, measured_at, gen_random_uuid(), reading_type, sent_timestamp, details, added_by
      from casesheet.readings
      where ${ONE}`,
    found: { missing: 0, doubled: 1, unexpected: 0 },
  },
  'a reading that nobody sent is unexpected': {
    statement: `
      insert into casesheet.readings
        (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
      values ($1, to_timestamp(1), gen_random_uuid(), 'heartRate', 1, '{"value":70}', 'nobody')`,
    found: { missing: 0, doubled: 0, unexpected: 1 },
  },
  'a reading whose content was changed is unexpected, and the one that was sent is missing': {
    statement: `
      update casesheet.readings
      set details = (details::jsonb || '{"value":1}')::json
      where ${ONE}`,
    found: { missing: 1, doubled: 0, unexpected: 1 },
  },
  'a reading moved to another time is unexpected there': {
    statement: `
      update casesheet.readings
      set measured_at = measured_at - interval '10 years', reading_id = gen_random_uuid()
      where ${ONE}`,
    // Sent again, it is stored again: what is wrong then is the one that was moved.
    found: { missing: 0, doubled: 0, unexpected: 1 },
  },
}

for (const [index, [title, { statement, found }]] of Object.entries(tamperings).entries()) {
  test(title, async () => {
    const seed = 82 + index
    const options = `--patients 2 --days 1 --seed ${seed}`
    const untouched = await stage.simulate(options).ended
    assert.equal(untouched.code, 0, untouched.output)
    await stage.sql(statement, [`simulated-${seed}-0002`])
    const { code, output } = await stage.simulate(options).ended
    assert.equal(code, 1)
    assertFound(output, found)
  })
}
