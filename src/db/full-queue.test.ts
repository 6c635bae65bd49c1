// How long a queue may get: long while the database is lost, short while it answers more slowly than requests come.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '../../test/support/harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { connectDb } from './db.ts'

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

/** Waits this long for the deadline at most, and has one connection. */
async function connectOne(deadlineMs: number) {
  const { serveUrl } = await createDatabase()
  const db = connectDb({
    url: serveUrl,
    poolSize: 1,
    maxWaiting: 200,
    maxWhenBusy: 4,
    deadlineMs,
    warn: () => {},
    metrics: createMetrics(),
  })
  after(() => db.end())
  return (seconds: number) => db.query({ name: 'sleep', text: 'select pg_sleep($1)', values: [seconds] })
}

test('a database whose statements take 250 ms is known to answer: what it cannot reach is refused at once', async () => {
  const deadlineMs = 3_000
  const sleep = await connectOne(deadlineMs)
  await sleep(0.25)
  // It is idle for longer than any statement took.
  await pause(600)
  const refusedAfterMs: number[] = []
  let served = 0
  async function ask(seconds: number) {
    const askedAt = performance.now()
    const refused = await sleep(seconds).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
    if (refused === undefined) served++
    else {
      assert.equal(refused, OVERLOADED.code)
      refusedAfterMs.push(performance.now() - askedAt)
    }
  }
  const all = Array.from({ length: 20 }, () => ask(0.25))
  // Some are short, as others are.
  for (let index = 0; index < 80; index++) {
    all.push(ask(index % 3 === 0 ? 0.001 : 0.25))
    await pause(20)
  }
  await Promise.all(all)
  assert.ok(served >= 8, `${served} were served`)
  assert.ok(refusedAfterMs.length > 50, `${refusedAfterMs.length} were refused`)
  const late = refusedAfterMs.filter((ms) => ms > deadlineMs / 2)
  assert.equal(late.length, 0, `${late.length} of ${all.length} waited for their refusal`)
})

test('a database that falls silent is known within milliseconds, and what comes then waits', async () => {
  const sleep = await connectOne(10_000)
  for (let index = 0; index < 100; index++) await sleep(0)
  const silence = sleep(0.5)
  const first = Array.from({ length: 4 }, () => sleep(0))
  await assert.rejects(sleep(0), OVERLOADED)
  await pause(100)
  await Promise.all([silence, ...first, ...Array.from({ length: 50 }, () => sleep(0))])
})

test('after a slow statement, too, silence is known within a second', async () => {
  const sleep = await connectOne(10_000)
  await sleep(0.9)
  const silence = sleep(1.7)
  const first = Array.from({ length: 4 }, () => sleep(0))
  await assert.rejects(sleep(0), OVERLOADED)
  await pause(1_200)
  await Promise.all([silence, ...first, ...Array.from({ length: 50 }, () => sleep(0))])
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
