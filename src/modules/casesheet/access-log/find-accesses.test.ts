// What a page of the access log costs, in the very session that serves it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { escapeLiteral } from 'pg'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { connectDb } from '../../../db/db.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { WITHOUT_GRANT } from '../reader.ts'
import { type AccessPosition, findAccesses, findAccessesStatement, NEWEST } from './find-accesses.ts'

const { ownerUrl, serveUrl } = await createDatabase()
const limits = { poolSize: 4, maxWaiting: 10, maxWhenBusy: 10, deadlineMs: 10_000 }
const db = connectDb({ ...limits, url: serveUrl, warn: assert.fail, metrics: createMetrics() })
after(() => db.end())
const reader = { requestId: 'explained', readBy: 'test', allowedAs: 'staff' as const, ...WITHOUT_GRANT }

/** A log of answers, each of as many rows as a stream of `pages` leaves. */
async function logOf(patientUid: string, answers: number, pages: number) {
  await runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     select $1, timestamptz '2025-01-01' + n * interval '1 second', 'request-' || n, page, 'reader',
       'staff', 'readings/get', '-infinity', 'infinity', 1
     from generate_series(1, $2::int) n
     cross join generate_series(1, $3::int) page`,
    [patientUid, answers, pages],
  )
  await runSql(ownerUrl, 'analyze casesheet.access_log')
}

/** The plan that the serving session keeps for all values. It has one connection for these statements, hence prepares once. */
async function planOf(patientUid: string, position: AccessPosition, limit: number): Promise<string> {
  const { text, values } = findAccessesStatement({ patientUid, after: position, limit, reader })
  const run = (sql: string) => db.query<{ 'QUERY PLAN': string }>({ name: '', text: sql, values: [] })
  const literals = values.map((value) => escapeLiteral(String(value))).join(', ')
  await run(`prepare explained as ${text}`)
  const rows = await run(`explain (analyze, costs off, timing off) execute explained(${literals})`)
  await run('deallocate explained')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const mostRowsOf = (plan: string) =>
  Math.max(...[...plan.matchAll(/rows=(\d+)/g)].map(([, rows]) => Number(rows)))

test('a page is read by the index and no further than it shows, whatever the history and the cursor', async () => {
  await logOf('watched', 50_000, 1)
  const digest = 'f'.repeat(32)
  for (const position of [
    NEWEST,
    { at: '2025-01-01T05:00:00.000Z', requestId: 'request-1', digest },
    { at: '2025-01-01T05:00:00.000Z', requestId: 'request-18000', digest },
    { at: '9999-12-31T23:59:59.999Z', requestId: 'z', digest },
  ]) {
    const plan = await planOf('watched', position, 100)
    assert.match(plan, /patient_uid = \$1/, 'the plan is not the one for all values')
    assert.doesNotMatch(plan, /Seq Scan/, plan)
    assert.ok(mostRowsOf(plan) < 500, plan)
  }
})

test('a page of long streams reads a bounded number of rows, and pages hold each of them once and whole', async () => {
  await logOf('streamed', 100, 900)
  const plan = await planOf('streamed', NEWEST, 1_000)
  assert.ok(mostRowsOf(plan) < 22_000, plan)
  const seen: unknown[] = []
  for (let position: AccessPosition | null = NEWEST; position; ) {
    const search = { patientUid: 'streamed', after: position, limit: 1_000, reader }
    const page = await findAccesses(db, search)
    seen.push(...page.entries.filter(({ readBy }) => readBy === 'reader'))
    position = page.next
  }
  assert.deepEqual(
    seen.map((entry) => Object(entry).readingsCount),
    Array<number>(100).fill(900),
  )
})

test('an answer with more rows than a page may read is one entry, and the next page begins behind it', async () => {
  await logOf('endless', 2, 21_000)
  const search = { patientUid: 'endless', reader }
  const first = await findAccesses(db, { ...search, after: NEWEST, limit: 1 })
  assert.ok(first.next)
  const second = await findAccesses(db, { ...search, after: first.next, limit: 1_000 })
  const entries = [...first.entries, ...second.entries].filter(({ readBy }) => readBy === 'reader')
  assert.deepEqual(
    entries.map(({ requestId, readingsCount }) => [requestId, readingsCount]),
    [
      ['request-2', 21_000],
      ['request-1', 21_000],
    ],
  )
})
