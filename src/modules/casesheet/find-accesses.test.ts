import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../../test/harness.ts'
import { FIND_ACCESSES } from './find-accesses.ts'

const { ownerUrl, serveUrl } = await createDatabase()

test('a page is read by the index and no further than it shows, whatever the history', async () => {
  await runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     select 'watched', timestamptz '2025-01-01' + n * interval '1 second', 'request-' || n, 0, 'reader',
       'staff', 'readings/get', '-infinity', 'infinity', n
     from generate_series(1, 50000) n`,
  )
  await runSql(ownerUrl, 'analyze casesheet.access_log')
  const plan = await runSql<{ 'QUERY PLAN': string }>(
    serveUrl,
    `explain (analyze, costs off) ${FIND_ACCESSES}`,
    ['watched', 'infinity', '', 0, 101, 'explained', 'test', 'staff'],
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.doesNotMatch(text, /Seq Scan/, text)
  const mostRows = Math.max(...[...text.matchAll(/rows=(\d+)/g)].map(([, rows]) => Number(rows)))
  assert.ok(mostRows < 500, text)
})
