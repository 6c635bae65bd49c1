// A proof is worth something only if it can fail: `rounds simulate` on a database that somebody tampers with. What else it finds is in
// tools/simulate/prove.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIn, startStage } from '../support/simulate-stage.ts'
import { until } from '../support/until.ts'

const stage = await startStage()

test('a reading deleted behind its back is missing, and named', async () => {
  const simulation = stage.simulate('--patients 1 --days 4 --seed 81 --rate 100')
  await until(async () => (await stage.countStored()) > 60)
  const [deleted] = await stage.sql<{ reading_type: string; sent_timestamp: number }>(
    `delete from casesheet.readings
     where (patient_uid, measured_at, reading_id) = (
       select patient_uid, measured_at, reading_id
       from casesheet.readings
       where patient_uid = $1
       order by measured_at
       limit 1)
     returning reading_type, sent_timestamp`,
    ['simulated-81-0001'],
  )
  const { code, output } = await simulation.ended
  assert.equal(code, 1)
  for (const [name, count] of Object.entries({ missing: 1, doubled: 0, unexpected: 0 }))
    assert.equal(countIn(output, name), count, output)
  assert.match(output, /^Not proven: what is stored is not what was sent\.$/m)
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
