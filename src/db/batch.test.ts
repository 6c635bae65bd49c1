// The rules at the top of batch.ts, each alone, on a database that answers when it is told to. batch-simulation.lab.ts has
// them all at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../metrics/metrics.ts'
import type { Refusal } from '../refusal.ts'
import { shareStatements } from './batch.ts'

type Item = { id: number; weight: number; patient?: string }
type Attempt = { items: Item[]; on: string; answer: () => void; fail: (error: Error) => void }

/** Requests over a database whose every statement waits until the test lets it return. */
function startSharing({ maxInFlight = 1, maxWeight = 100, maxWaiting = 1_000, deadlineMs = 60_000 } = {}) {
  const out: Attempt[] = []
  const attempt = (statement: { values: unknown[] }, on = 'shared') =>
    new Promise<{ rows: never[]; rowCount: number }>((resolve, reject) => {
      const items = statement.values as Item[]
      const answer = () => resolve({ rows: items as never[], rowCount: 0 })
      out.push({ items, on, answer, fail: reject })
    })
  const ask = shareStatements<Item, Item, number>(
    { attempt, maxWaiting, maxWhenBusy: 64, deadlineMs, metrics: createMetrics(), queues: new Set() },
    {
      kind: 'test',
      statementFor: (items) => ({ name: 'x', text: 'x', values: items }),
      answersFrom: (rows) => rows.map(({ id }) => id * 10),
      weightOf: ({ weight }) => weight,
      keysOf: ({ patient = 'nobody' }) => [patient],
      maxWeight,
      maxInFlight,
      maxParallelRequests: 8,
    },
  )
  let id = 0
  const askFor = (extra: Partial<Item> = {}, isGone = () => false) =>
    ask({ id: id++, weight: 1, ...extra }, isGone)
  return { askFor, out }
}

const lockTimeout = () => Object.assign(new Error('lock timeout'), { code: '55P03' })
const sizesOf = (out: Attempt[]) => out.map(({ items }) => items.length)
const settle = () => new Promise((resume) => setImmediate(resume))

/** The next statement that is on its way, once there is one; pauses between attempts are waited out. */
async function nextOut(out: Attempt[]): Promise<Attempt> {
  const giveUpAt = performance.now() + 5_000
  while (performance.now() < giveUpAt) {
    const first = out.shift()
    if (first) return first
    await new Promise((resume) => setTimeout(resume, 1))
  }
  return assert.fail('no statement went out')
}

test('a lone request goes out at once, before anything else happens', () => {
  const { askFor, out } = startSharing()
  void askFor()
  assert.equal(out.length, 1)
})

test('a few requests go out at once, each in a lane of its own, and many gather until no statement is out', async () => {
  const { askFor, out } = startSharing({ maxInFlight: 2 })
  const answers = Array.from({ length: 12 }, () => askFor())
  assert.deepEqual(sizesOf(out), [1, 1])
  out.shift()?.answer()
  await settle()
  assert.deepEqual(sizesOf(out), [1, 10])
  answers.push(askFor())
  out.shift()?.answer()
  await settle()
  assert.deepEqual(sizesOf(out), [10])
  for (let statements = 0; statements < 2; statements++) (await nextOut(out)).answer()
  assert.equal((await Promise.all(answers)).length, 13)
})

test('requests that arrive while a statement is out go together in the next', async () => {
  const { askFor, out } = startSharing()
  const answers = Array.from({ length: 10 }, () => askFor())
  assert.deepEqual(sizesOf(out), [1])
  out.shift()?.answer()
  await settle()
  assert.deepEqual(sizesOf(out), [9])
  out.shift()?.answer()
  assert.deepEqual(await Promise.all(answers), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
})

test('batches are bounded by weight, statements by maxInFlight, and what is too heavy goes alone', async () => {
  const { askFor, out } = startSharing({ maxInFlight: 2, maxWeight: 10 })
  const answers = [1, 1, 4, 4, 4, 99, 10].map((weight) => askFor({ weight }))
  const sent: number[][] = []
  while (sent.flat().length < answers.length) {
    assert.ok(out.length <= 2)
    const { items, answer } = await nextOut(out)
    sent.push(items.map(({ weight }) => weight))
    answer()
    await settle()
  }
  assert.deepEqual(sent, [[1], [1], [4, 4], [4], [99], [10]])
  await Promise.all(answers)
})

test('past the bounded line the answer is Overloaded, at once, and those in line are served', async () => {
  const { askFor, out } = startSharing({ maxWaiting: 2 })
  const accepted = [askFor(), askFor(), askFor()]
  assert.throws(() => askFor(), { name: 'Refusal', code: 'Overloaded' })
  out.shift()?.answer()
  await settle()
  out.shift()?.answer()
  assert.deepEqual(await Promise.all(accepted), [0, 10, 20])
})

test('at their deadline those in line and those whose statement hangs are told so, and the line is not sent', async () => {
  const { askFor, out } = startSharing({ deadlineMs: 30, maxWaiting: 1 })
  const late = [askFor(), askFor()].map((answer) => answer.catch(({ code }: Refusal) => code))
  await new Promise((resume) => setTimeout(resume, 40))
  const next = askFor() // there is room in line again
  for (const _ of [1, 2]) (await nextOut(out)).answer()
  assert.deepEqual(await Promise.all([...late, next]), ['DatabaseUnavailable', 'DatabaseUnavailable', 20])
})

test('a statement that the server does not answer at all is repeated as it is', async () => {
  const { askFor, out } = startSharing()
  const answers = [askFor(), askFor(), askFor()]
  ;(await nextOut(out)).answer()
  ;(await nextOut(out)).fail(new Error('Query read timeout'))
  const { items, on, answer } = await nextOut(out)
  assert.deepEqual([items.map(({ id }) => id), on], [[1, 2], 'shared'])
  answer()
  assert.deepEqual(await Promise.all(answers), [0, 10, 20])
})

test('requests that met a lock leave the queue: what arrives goes out at once, beside their retries', async () => {
  const { askFor, out } = startSharing()
  const answers = [askFor(), askFor({ patient: 'blocked' }), askFor()]
  ;(await nextOut(out)).answer()
  ;(await nextOut(out)).fail(lockTimeout())
  await settle()
  const [blocked, neighbour] = [
    out.find(({ items }) => items[0]?.id === 1),
    out.find(({ items }) => items[0]?.id === 2),
  ]
  assert.deepEqual([blocked?.on, neighbour?.on, out.length], ['retry', 'retry', 2])
  out.length = 0
  const later = askFor()
  assert.deepEqual(
    out.map(({ on }) => on),
    ['shared'],
  )
  ;(await nextOut(out)).answer()
  neighbour?.answer()
  assert.equal(await later, 30)
  blocked?.fail(lockTimeout())
  await settle()
  // Known to be blocked: another request of that patient must not share a statement.
  const suspect = askFor({ patient: 'blocked' })
  assert.deepEqual(
    out.map(({ items, on }) => [items[0]?.id, on]),
    [[4, 'retry']],
  )
  ;(await nextOut(out)).answer()
  assert.equal(await suspect, 40)
  const { items, on, answer } = await nextOut(out)
  assert.deepEqual([items[0]?.id, on], [1, 'retry'])
  answer()
  assert.deepEqual(await Promise.all(answers), [0, 10, 20])
  void askFor({ patient: 'blocked' })
  assert.equal((await nextOut(out)).on, 'shared')
})

test('as many requests may be blocked as may wait, and the next is refused at once', async () => {
  const { askFor, out } = startSharing({ maxWaiting: 2 })
  const codes: unknown[] = []
  for (let id = 0; id < 3; id++) {
    void askFor({ patient: `patient-${id}` }).catch(({ code }: Refusal) => codes.push(code))
    ;(await nextOut(out)).fail(lockTimeout())
    await settle()
  }
  assert.deepEqual(codes, ['Overloaded'])
  assert.throws(() => askFor({ patient: 'patient-0' }), { code: 'Overloaded' })
  void askFor({ patient: 'free' })
  assert.equal((await nextOut(out)).on, 'shared')
})

test('those in line whose patient turns out to be blocked count among the blocked', async () => {
  const { askFor, out } = startSharing({ maxWaiting: 2 })
  const codes: unknown[] = []
  for (let id = 0; id < 3; id++)
    void askFor({ patient: 'blocked' }).catch(({ code }: Refusal) => codes.push(code))
  ;(await nextOut(out)).fail(lockTimeout())
  await settle()
  assert.deepEqual(codes, ['Overloaded'])
})

test('a caller who went away in line is not sent for, and one who goes later holds up nobody', async () => {
  const { askFor, out } = startSharing()
  const first = askFor()
  const gone = askFor({}, () => true).catch((error: Error) => error.message)
  const last = askFor()
  out.shift()?.answer()
  assert.equal(await gone, 'The client disconnected.')
  assert.deepEqual([sizesOf(out), out[0]?.items[0]?.id], [[1], 2])
  out.shift()?.answer()
  assert.deepEqual(await Promise.all([first, last]), [0, 20])
})
