// How long a queue may get: long while the database is lost, short while it answers more slowly than requests come.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../test/harness.ts'
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
