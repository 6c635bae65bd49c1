// The promises of batch.ts on a database that drops, delays, times out, turns read-only, refuses rows, has rows
// locked or slow, and commits and then loses the answer, in thousands of invented worlds. Time is virtual, and everything
// follows from the number of the world. To run one again:  SEED=123 node --test src/db/batch-simulation.lab.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUnreliableDatabase, type Item } from '../../test/support/unreliable-database.ts'
import { randomFrom, startVirtualTime, type VirtualTime } from '../../test/support/virtual-time.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { Refusal } from '../refusal.ts'
import { shareStatements } from './batch.ts'
import { STATEMENT_TIMEOUT_MS } from './connections.ts'
import type { DatabaseQueue } from './database-queue.ts'

// `npm run lab models` lives through 10,000.
const WORLDS = Number(process.env['WORLDS'] ?? 2_000)
const metrics = createMetrics()
/** Long enough for every statement that met a fault to be over, and for what stood behind it. */
const RECOVERY_MS = 15_000

type Outcome =
  | 'answered'
  | 'answered as another'
  | 'bad row'
  | 'too slow'
  | 'gone'
  | 'limited'
  | 'overloaded'
  | 'failed'
type Asked = { item: Item; askedAt: number; goneAt: number; settledAt?: number; outcome?: Outcome }

async function liveThrough(seed: number, time: VirtualTime) {
  time.reset(seed)
  const random = randomFrom(seed)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const [maxInFlight, maxWeight, maxWaiting] = [1 + upTo(3), 4 + upTo(8), 1 + upTo(24)]
  // Of a line that one statement could not take, as many as this may stand in it.
  const maxWhenBusy = 1 + upTo(maxWaiting)
  const deadlineMs = [2_000, 10_000, 25_000][upTo(2)] ?? 0
  const faultsEndAt = upTo(20_000)
  // In a third of the worlds nothing goes wrong but rows; a few rows are slow in another.
  const percent = upTo(2) === 0 ? 0 : upTo(100)
  const slowPercent = upTo(2) === 0 ? 5 : 0
  const lockedPercent = [0, 0, 0, 0, 0, 5, 30, 100][upTo(7)] ?? 0
  const mostLockedMs = [1_000, 4_000, 30_000][upTo(2)] ?? 0
  const subjects = 1 + upTo(3)
  const maxOfSubject = upTo(3) === 0 ? 1 + upTo(8) : Infinity
  const queues = new Set<DatabaseQueue>()
  const database = createUnreliableDatabase({ percent, faultsEndAt, random, now: time.now })
  const ask = shareStatements<Item, Item, number>(
    { attempt: database.attempt, maxWaiting, maxWhenBusy, deadlineMs, metrics, queues },
    {
      kind: 'test',
      statementFor: (items) => ({ name: 'x', text: 'x', values: items }),
      answersFrom: (rows) => rows.map(({ id }) => id * 10),
      weightOf: ({ weight }) => weight,
      keysOf: ({ patient }) => [String(patient)],
      subjectOf: ({ subject }) => subject,
      maxOfSubject,
      hasBegun: ({ hasBegun }) => hasBegun,
      maxWeight,
      maxInFlight,
      maxParallelRequests: [1, 4, Infinity][upTo(2)] ?? 1,
    },
  )
  const all: Asked[] = []
  const unsettled = () => all.filter(({ outcome }) => outcome === undefined)
  const wasSent = new Set<number>()
  // Thrown where the code under test would catch them, these would look like faults of the database.
  const broken: unknown[] = []
  const noting = (look: () => void) => {
    try {
      look()
    } catch (error) {
      broken.push(error)
    }
  }

  function lookAtStatement(items: Item[]) {
    const weight = items.reduce((sum, item) => sum + item.weight, 0)
    assert.ok(items.length === 1 || weight <= maxWeight, `a statement of weight ${weight}`)
    for (const { id } of items) {
      const asked = all[id]
      assert.equal(asked?.outcome, undefined, `request ${id} was sent after it was settled`)
      const wentInLine = !wasSent.has(id) && (asked?.goneAt ?? 0) < time.now()
      assert.ok(!wentInLine, `request ${id} was sent for a caller who went away in line`)
      wasSent.add(id)
    }
  }
  database.tell((items) => noting(() => lookAtStatement(items)))

  function askOnce() {
    const item: Item = {
      id: all.length,
      patient: upTo(9),
      weight: 1 + upTo(6),
      isBad: upTo(9) === 0,
      isSlow: random() * 100 < slowPercent,
      lockedUntil: random() * 100 < lockedPercent ? time.now() + upTo(mostLockedMs) : 0,
      hasBegun: upTo(9) === 0,
      subject: `subject-${upTo(subjects - 1)}`,
    }
    const asked: Asked = { item, askedAt: time.now(), goneAt: upTo(9) ? Infinity : time.now() + upTo(300) }
    const waitingBefore = unsettled().length
    const ofSubject = unsettled().filter((one) => one.item.subject === item.subject).length
    all.push(asked)
    const settle = (outcome: Outcome) => {
      assert.equal(asked.outcome, undefined, `request ${item.id} was settled twice`)
      Object.assign(asked, { outcome, settledAt: time.now() })
    }
    try {
      ask(item, () => asked.goneAt < time.now()).then(
        (answer) => noting(() => settle(answer === item.id * 10 ? 'answered' : 'answered as another')),
        (error: unknown) => noting(() => settle(outcomeOf(error))),
      )
    } catch (error) {
      settle(outcomeOf(error))
      assert.ok(!item.hasBegun, 'an answer that has begun was cut off')
      if (asked.outcome === 'limited') assert.ok(ofSubject >= maxOfSubject, `limited with ${ofSubject}`)
      else
        assert.ok(
          waitingBefore >= Math.min(maxWaiting, maxWhenBusy),
          `Overloaded while only ${waitingBefore} waited`,
        )
    }
    const maxBlocked = maxWaiting
    const inLineAtMost =
      maxWaiting + maxBlocked + maxInFlight * maxWeight + all.filter((one) => one.item.hasBegun).length
    assert.ok(unsettled().length <= inLineAtMost, `${unsettled().length} wait`)
  }

  const bursts = 2 + upTo(6)
  for (let burst = 0; burst < bursts; burst++) {
    setTimeout(() => Array.from({ length: 1 + upTo(8) }, askOnce), upTo(faultsEndAt + 500))
  }
  setTimeout(() => Array.from({ length: 1 + upTo(3) }, askOnce), faultsEndAt + RECOVERY_MS)
  while (await time.step());

  assert.deepEqual(broken, [])
  assert.deepEqual(unsettled(), [], 'requests that wait for ever')
  for (const queue of queues)
    assert.deepEqual([queue.countAll(), queue.countWaiting()], [0, 0], 'settled requests count')
  assert.ok(
    database.mostOut('shared') <= maxInFlight,
    `${database.mostOut('shared')} statements in ${maxInFlight} maxInFlight`,
  )
  assert.ok(database.mostOut('retry') <= 2, `${database.mostOut('retry')} retries at once`)
  for (const { item, askedAt, settledAt = Infinity, outcome } of all) {
    const name = `request ${item.id}: ${outcome} after ${settledAt - askedAt} ms`
    const deadline = askedAt + deadlineMs
    const isLocked = item.lockedUntil > askedAt
    assert.ok(settledAt <= deadline, `${name} of ${deadlineMs}`)
    if (outcome === 'answered') assert.ok(database.stored.has(item.id), `${name}, but not stored`)
    assert.notEqual(outcome, 'answered as another', name)
    if (outcome === 'failed') assert.ok(settledAt >= deadline, `${name} before its deadline`)
    if (outcome === 'bad row') assert.ok(item.isBad, `${name} for the fault of a neighbour`)
    const isLate = settledAt === deadline
    if (outcome === 'overloaded') assert.ok(isLate || isLocked || !wasSent.has(item.id), `${name}, but sent`)
    if (outcome === 'overloaded') assert.ok(isLate || !item.hasBegun, `${name}, an answer that had begun`)
    // Each slow row takes two seconds alone; when there are many, those behind them are refused.
    const areFewSlow = all.filter((one) => one.item.isSlow).length <= 4
    if (outcome === 'too slow' && areFewSlow) {
      assert.ok(item.isSlow || percent > 0, `${name} for the fault of a neighbour`)
    }
    const mayNotBeStored = item.isBad || item.isSlow
    assert.ok(!(mayNotBeStored && database.stored.has(item.id)), `${name}, a bad row that was stored`)
    const isWithoutFaults = percent === 0 || askedAt >= faultsEndAt + RECOVERY_MS
    // Where a row is slow, a request may be queued behind one time-out, share the next and wait for the slow ones of its own.
    const mostMs = (slowPercent === 0 ? 2 : 4) * STATEMENT_TIMEOUT_MS
    if (isWithoutFaults && !isLocked && (slowPercent === 0 || deadlineMs > mostMs)) {
      assert.notEqual(outcome, 'failed', `${name} on a database in order`)
      assert.ok(settledAt - askedAt <= mostMs, name)
    }
    // A second for the last pause, and for those that wait for the same connections.
    const isReleasedInTime = percent === 0 && slowPercent === 0 && item.lockedUntil < deadline - 1_000
    if (isReleasedInTime) assert.notEqual(outcome, 'failed', `${name}, though its lock was released`)
  }
  return all
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refusal && error.code === 'Overloaded') return 'overloaded'
  if (error instanceof Refusal && error.code === 'RequestTimeout') return 'gone'
  if (Object(error).code === '57014') return 'too slow'
  if (error instanceof Refusal && error.code === 'RateLimited') return 'limited'
  return Object(error).code === '22P02' ? 'bad row' : 'failed'
}

test(`in ${WORLDS} worlds of faults each promise of a shared statement holds`, async (t) => {
  const only = process.env['SEED']
  const seeds = only === undefined ? Array.from({ length: WORLDS }, (_, seed) => seed) : [Number(only)]
  const time = startVirtualTime(t)
  // Half a million errors are made here; a world that is run alone shows where its own came from.
  if (only === undefined) Error.stackTraceLimit = 0
  const tally = new Map<Outcome | undefined, number>()
  for (const seed of seeds) {
    const all = await liveThrough(seed, time).catch((error: unknown) => {
      throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    })
    for (const { outcome } of all) tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(tally)))
  // Worlds in which one of these never happens would prove nothing of it.
  if (only === undefined) for (const count of tally.values()) assert.ok(count > WORLDS / 10)
  if (only === undefined) assert.equal(tally.size, 7)
})
