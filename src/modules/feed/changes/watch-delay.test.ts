// The delay of the feed is measured although no client follows it.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { metricOf } from '../../../../test/support/event-stream.ts'
import { createDatabase, runSql, startRounds } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { createFeedDelay, type Horizon } from './feed-delay.ts'
import { LOOK_EVERY_MS, watchDelay } from './watch-delay.ts'

test('an open transaction is noticed without a request, and its end too', async () => {
  const database = await createDatabase()
  const session = new Client({ connectionString: database.ownerUrl })
  await session.connect()
  after(() => session.end())
  await session.query('begin')
  await session.query('select pg_current_xact_id()')
  // Something is held back only when another transaction has ended since.
  await runSql(database.ownerUrl, 'select pg_current_xact_id()')
  const rounds = await startRounds({ DATABASE_URL: database.serveUrl })
  const heldBack = () => metricOf(rounds.adminUrl, 'rounds_changes_held_back_seconds')
  await until(async () => (await heldBack()) >= 2)
  const held = await heldBack()
  await session.query('rollback')
  // Another test may hold one for a moment, which counts from the look that finds it.
  await until(async () => (await heldBack()) < held, 2 * LOOK_EVERY_MS)
})

/** A clock that is moved by hand, and a database whose answers are given by hand. */
function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const delay = createFeedDelay(createMetrics(), Date.now)
  const warnings: string[] = []
  const asked: { answer: (row: Horizon) => void; fail: () => void }[] = []
  const attempt = () =>
    new Promise<never>((resolve, reject) => {
      asked.push({
        answer: (row) => resolve({ rows: [row], rowCount: 1 } as never),
        fail: () => reject(new Error('The database is away.')),
      })
    })
  const stop = watchDelay({ attempt }, delay, (_, message) => warnings.push(message))
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    await new Promise((resume) => setImmediate(resume))
  }
  return { delay, asked, warnings, stop, pass }
}

const ROW = { generation: 'a', timeline: 1, horizon: '100', next_xid: '101' }

test('the database is asked once in ten seconds, and not while a client follows the feed', async (t) => {
  const { delay, asked, stop, pass } = stage(t)
  for (let minute = 0; minute < 60; minute++) {
    asked.at(-1)?.answer(ROW)
    await pass(0)
    for (let second = 0; second < 60; second += 10) {
      await pass(LOOK_EVERY_MS)
      asked.at(-1)?.answer(ROW)
      await pass(0)
    }
  }
  assert.ok(asked.length <= 361 && asked.length >= 350, `${asked.length} looks in an hour`)
  assert.equal(delay.heldBackSeconds(), 3_600)
  const before = asked.length
  for (let look = 0; look < 240; look++) {
    delay.note(ROW)
    await pass(250)
  }
  assert.equal(asked.length, before)
  stop()
  await pass(600_000)
  assert.equal(asked.length, before)
})

test('a database that does not answer is asked once; an outage is logged once', async (t) => {
  const { asked, warnings, stop, pass } = stage(t)
  await pass(600_000)
  assert.equal(asked.length, 1)
  for (let look = 0; look < 10; look++) {
    asked.at(-1)?.fail()
    await pass(0)
    await pass(LOOK_EVERY_MS)
  }
  assert.deepEqual([asked.length, warnings.length], [11, 1])
  asked.at(-1)?.answer(ROW)
  await pass(0)
  await pass(LOOK_EVERY_MS)
  asked.at(-1)?.fail()
  await pass(0)
  assert.equal(warnings.length, 2)
  stop()
})
