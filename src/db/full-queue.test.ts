// How long a queue may get: long while the database is lost, short while it answers more slowly than requests come.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createDatabase } from '../../test/support/harness.ts'
import { startVirtualTime } from '../../test/support/virtual-time.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { connectDb } from './db.ts'
import { UnsharedStatements } from './unshared-statements.ts'

const OVERLOADED = { name: 'Refusal', code: 'Overloaded' }

test('few wait for a connection while the database answers, many while it does not', async () => {
  const { serveUrl } = await createDatabase()
  const db = connectDb({
    url: serveUrl,
    poolSize: 1,
    maxWaiting: 20,
    maxWhenBusy: 2,
    deadlineMs: 5_000,
    warn: () => {},
    metrics: createMetrics(),
  })
  after(() => db.end())
  const sleep = () => db.query({ name: 'sleep', text: 'select pg_sleep(0.1)', values: [] })
  const many = Array.from({ length: 21 }, sleep)
  await assert.rejects(sleep(), OVERLOADED)
  // One has answered: those in the queue stay there, and others are refused.
  await many[0]
  await assert.rejects(sleep(), OVERLOADED)
  await Promise.all(many)
  const few = Array.from({ length: 3 }, sleep)
  await assert.rejects(sleep(), OVERLOADED)
  await Promise.all(few)
})

/** One connection, to a database that takes as long for a statement as it says, in virtual time. */
function startVirtual(t: Pick<TestContext, 'after'>, deadlineMs: number) {
  const time = startVirtualTime(t)
  const statements = new UnsharedStatements(
    ({ values: [ms] }) =>
      new Promise((answer) => setTimeout(() => answer({ rows: [], rowCount: 0 }), Number(ms))),
    { connections: 1, maxWaiting: 200, maxWhenBusy: 4, metrics: createMetrics() },
  )
  /** Lets so many milliseconds pass, and all that happens in them. */
  async function pass(ms: number) {
    const end = time.now() + ms
    setTimeout(() => {}, ms)
    while (time.now() < end) await time.step()
    await new Promise((resume) => setImmediate(resume))
  }
  return {
    time,
    pass,
    take: (ms: number) =>
      statements.query({ name: 'take', text: 'take', values: [ms] }, { subject: '', withinMs: deadlineMs }),
  }
}

test('a database whose statements take 250 ms is known to answer: what it cannot reach is refused at once', async (t) => {
  const deadlineMs = 3_000
  const { time, pass, take } = startVirtual(t, deadlineMs)
  void take(250)
  // It is idle for longer than any statement took.
  await pass(850)
  const refusedAfterMs: number[] = []
  let served = 0
  async function ask(ms: number) {
    const askedAt = time.now()
    const refused = await take(ms).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
    if (refused === undefined) served++
    else {
      assert.equal(refused, OVERLOADED.code)
      refusedAfterMs.push(time.now() - askedAt)
    }
  }
  const all = Array.from({ length: 20 }, () => ask(250))
  // Some are short, as others are.
  for (let index = 0; index < 80; index++) {
    all.push(ask(index % 3 === 0 ? 1 : 250))
    await pass(20)
  }
  await pass(2 * deadlineMs)
  await Promise.all(all)
  assert.ok(served >= 8, `${served} were served`)
  assert.ok(refusedAfterMs.length > 50, `${refusedAfterMs.length} were refused`)
  assert.deepEqual(new Set(refusedAfterMs), new Set([0]))
})

for (const { title, tookMs, silentMs, knownMs, restMs } of [
  {
    title: 'a database that falls silent is known within milliseconds, and what comes then waits',
    tookMs: Array.from({ length: 100 }, () => 1),
    silentMs: 500,
    knownMs: 20,
    restMs: 600,
  },
  {
    title: 'after a slow statement, too, silence is known within a second',
    tookMs: [900],
    silentMs: 1_700,
    knownMs: 1_000,
    restMs: 1_000,
  },
])
  test(title, async (t) => {
    const { pass, take } = startVirtual(t, 10_000)
    for (const ms of tookMs) {
      void take(ms)
      await pass(ms)
    }
    const first = [silentMs, 1, 1, 1, 1].map(take)
    await assert.rejects(take(1), OVERLOADED)
    await pass(knownMs)
    const later = Array.from({ length: 50 }, () => take(1))
    await pass(restMs)
    await Promise.all([...first, ...later])
  })

test('a statement that waited for its connection until the deadline is Overloaded, and each subject has its turn', async () => {
  const { serveUrl } = await createDatabase()
  // Longer than the pool would wait for a connection.
  const db = connectDb({
    url: serveUrl,
    poolSize: 1,
    maxWaiting: 100,
    maxWhenBusy: 100,
    deadlineMs: 4_500,
    warn: () => {},
    metrics: createMetrics(),
  })
  after(() => db.end())
  const order: string[] = []
  const sleepAs = (subject: string) =>
    db.query({ name: 'sleep', text: 'select pg_sleep(1)', values: [] }, { subject }).then(
      () => void order.push(subject),
      (error: { code: string }) => void order.push(`${subject} ${error.code}`),
    )
  const all = Array.from({ length: 20 }, () => sleepAs('hasty'))
  await assert.rejects(db.query({ name: '', text: 'select 1', values: [] }, { subject: 'hasty' }), {
    code: 'RateLimited',
  })
  await Promise.all([...all, sleepAs('other')])
  assert.deepEqual(order.slice(0, 3), ['hasty', 'hasty', 'other'])
  assert.deepEqual(new Set(order.slice(4)), new Set(['hasty Overloaded']))
  for (const queue of db.queues) assert.equal(queue.countWaiting(), 0)
})
