// What runs behind a statement that reads: on its connection, and before any of its rows leave.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, createDatabase, runSql, startRounds } from '../../test/support/harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { connectDb } from './db.ts'

const statement = (text: string) => ({ name: text, text, values: [] })

async function connect() {
  const { serveUrl } = await createDatabase()
  return connectDb({
    url: serveUrl,
    poolSize: 10,
    warn: () => {},
    metrics: createMetrics(),
    maxWaiting: 100,
    maxWhenBusy: 100,
    deadlineMs: 5_000,
  })
}

test('it runs on the same connection', async (t) => {
  const db = await connect()
  t.after(() => db.end())
  const pids = await Promise.all(
    Array.from({ length: 20 }, () =>
      db.query<{ pid: number; behind: number }>({
        ...statement('select pg_backend_pid() as pid'),
        behind: {
          statementFor: () => statement('select pg_backend_pid() as behind'),
          answersFrom: (rows, behind) => rows.map((row, nth) => ({ ...row, ...behind[nth] })),
        },
      }),
    ),
  )
  for (const [row] of pids) assert.equal(row?.pid, row?.behind)
})

test('where its connection is lost between the two, both run again, and nothing of the first run leaves', async (t) => {
  const db = await connect()
  t.after(() => db.end())
  const read: number[] = []
  const rows = await db.query<{ pid: number }>({
    ...statement('select pg_backend_pid() as pid'),
    behind: {
      statementFor: ([row]) => {
        read.push(row?.['pid'])
        return statement(read.length === 1 ? 'select pg_terminate_backend(pg_backend_pid())' : 'select 1')
      },
      answersFrom: (found) => found,
    },
  })
  assert.equal(read.length, 2)
  assert.deepEqual(rows, [{ pid: read[1] }])
})

test('a database that reads and does not write answers no read', async () => {
  const rounds = await startRounds({ REQUEST_DEADLINE_SECONDS: '1' })
  const token = await rounds.token({ patientUid: 'patient-1', scope: 'readings:read' })
  const get = () => rounds.call('/casesheet/readings/get?patientUid=patient-1', { token })
  assert.equal((await get()).status, 200)
  const database = new URL(rounds.ownerUrl).pathname.slice(1)
  await runSql(rounds.ownerUrl, `alter database ${database} set default_transaction_read_only = on`)
  await runSql(
    rounds.ownerUrl,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  assertRefused(await get(), 503, 'DatabaseUnavailable')
})
