// How many requests may be queued for a shared statement: many while no statement returns, few while the database answers more
// slowly than requests come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../metrics/metrics.ts'
import { shareStatements } from './batch.ts'

const OVERLOADED = { name: 'Refusal', code: 'Overloaded' }

/** Shared statements of at most three requests, each of which waits until the test lets it return. */
function startSharing() {
  const out: (() => void)[] = []
  const attempt = () =>
    new Promise<{ rows: never[]; rowCount: number }>((resolve) =>
      out.push(() => resolve({ rows: [], rowCount: 0 })),
    )
  const ask = shareStatements<number, never, void>(
    {
      attempt,
      maxWaiting: 20,
      maxWhenBusy: 2,
      deadlineMs: 60_000,
      metrics: createMetrics(),
      queues: new Set(),
    },
    {
      kind: 'test',
      statementFor: (items) => ({ name: 'x', text: 'x', values: items }),
      answersFrom: () => [],
      weightOf: () => 1,
      maxWeight: 3,
      maxInFlight: 1,
    },
  )
  const answers: Promise<void>[] = []
  const askTimes = (count: number) => {
    for (let asked = 0; asked < count; asked++) answers.push(ask(0, () => false))
  }
  async function letReturn() {
    out.shift()?.()
    await new Promise((resume) => setImmediate(resume))
  }
  return { ask, askTimes, answers, letReturn, out }
}

test('while no statement returns the line may get long, and all in it are served', async () => {
  const { ask, askTimes, answers, letReturn, out } = startSharing()
  askTimes(21)
  assert.throws(() => ask(0, () => false), OVERLOADED)
  while (out.length > 0) await letReturn()
  assert.equal((await Promise.all(answers)).length, 21)
})

test('a line that a statement could not take whole takes in no more than a statement does, until one can', async () => {
  const { ask, askTimes, letReturn, out } = startSharing()
  askTimes(8)
  await letReturn() // the first went alone; three of the seven in line go now
  assert.throws(() => ask(0, () => false), OVERLOADED)
  await letReturn() // three more: one is left, and two may come
  askTimes(2)
  assert.throws(() => ask(0, () => false), OVERLOADED)
  await letReturn() // the line is taken whole
  askTimes(20)
  assert.throws(() => ask(0, () => false), OVERLOADED)
  while (out.length > 0) await letReturn()
})
