// Pieces share the time of an event-loop iteration, on a clock that only the work itself moves.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { mapInPieces, runInPieces } from './pieces.ts'

/** Steps of one millisecond each, noted by the iteration in which they were taken. */
async function startIterations(t: TestContext) {
  // What was spent before is over then.
  for (const _ of [1, 2]) await nextIteration()
  let ms = 1_000
  let iteration = 0
  let isOver = false
  t.mock.method(performance, 'now', () => ms)
  const count = () => {
    iteration++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  t.after(() => (isOver = true))
  const taken: [name: string, iteration: number][] = []
  function* steps(name: string, number: number) {
    for (let step = 0; step < number; step++) {
      ms++
      taken.push([name, iteration])
      yield
    }
  }
  const stepsByIteration = () => [...Map.groupBy(taken, ([, at]) => at).values()].map((own) => own.length)
  return { steps, taken, stepsByIteration, pass: (more: number) => void (ms += more) }
}

const nextIteration = () => new Promise((resume) => setImmediate(resume))

test('work alone takes five milliseconds of each iteration', async (t) => {
  const { steps, stepsByIteration } = await startIterations(t)
  await runInPieces(steps('a', 12))
  assert.deepEqual(stepsByIteration(), [5, 5, 2])
})

test('several works share these five, in the order in which they came', async (t) => {
  const { steps, taken, stepsByIteration } = await startIterations(t)
  await Promise.all([runInPieces(steps('a', 7)), runInPieces(steps('b', 3)), runInPieces(steps('c', 6))])
  assert.deepEqual(stepsByIteration(), [5, 5, 5, 1])
  assert.equal(taken.map(([name]) => name).join(''), 'aaaaaaabbbcccccc')
})

test('what others do between the pieces is not counted', async (t) => {
  const { steps, stepsByIteration, pass } = await startIterations(t)
  const work = runInPieces(steps('a', 10))
  pass(1_000)
  await work
  assert.deepEqual(stepsByIteration(), [5, 5])
  for (const _ of [1, 2]) await nextIteration()
  await runInPieces(steps('b', 4))
  assert.deepEqual(stepsByIteration(), [5, 5, 4])
})

test('a map in pieces returns what map does, in order, and makes a lone item at once', async (t) => {
  const { stepsByIteration, steps } = await startIterations(t)
  const all = [3, 1, 2]
  assert.deepEqual(await mapInPieces(all, (item) => item * 10), [30, 10, 20])
  assert.deepEqual(await mapInPieces([], () => assert.fail()), [])
  const waiting = runInPieces(steps('a', 12))
  let isMade = false
  const lone = mapInPieces([7], (item) => {
    isMade = true
    return item
  })
  assert.equal(isMade, true)
  assert.deepEqual(await lone, [7])
  const two = mapInPieces([1, 2], (item) => item)
  await waiting
  assert.deepEqual(await two, [1, 2])
  assert.deepEqual(stepsByIteration()[0], 5)
})
