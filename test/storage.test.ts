import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from './harness.ts'

const { ownerUrl, serveUrl } = await createDatabase()

test('readings and access log are each divided by patient into 32', async () => {
  const rows = await runSql(
    ownerUrl,
    `select parent.relname as name, pg_get_partkeydef(parent.oid) as key, count(*)::int as partitions
     from pg_inherits
     join pg_class parent on parent.oid = inhparent
     where parent.relkind = 'p'
     group by parent.oid
     order by parent.relname`,
  )
  assert.deepEqual(rows, [
    { name: 'access_log', key: 'HASH (patient_uid)', partitions: 32 },
    { name: 'readings', key: 'HASH (patient_uid)', partitions: 32 },
  ])
})

test('one index of one partition answers a range, whatever the history', async () => {
  await runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n % 500, to_timestamp(n), gen_random_uuid(), 'x', n, '{}', 'test'
     from generate_series(1, 50000) n`,
  )
  await runSql(ownerUrl, 'analyze casesheet.readings')
  const plan = await runSql<{ 'QUERY PLAN': string }>(
    serveUrl,
    `explain select reading_id from casesheet.readings
     where patient_uid = 'p7' and (measured_at, reading_id) > ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
     order by measured_at, reading_id
     limit 20`,
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index (Only )?Scan using readings_\d+_pkey/)
  assert.doesNotMatch(text, /Seq Scan|Sort|Append/)
})
