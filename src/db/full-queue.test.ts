// How long a queue may get: long while the database is lost, short while it answers more slowly than requests come.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
