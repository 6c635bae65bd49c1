import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInPieces } from './pieces.ts'

function* work(ms: number, onStep: () => void) {
  for (let step = 0; step < ms; step++) {
    const until = performance.now() + 1
    while (performance.now() < until);
    onStep()
    yield
  }
}

test('however many long works there are, an event-loop iteration has five milliseconds for them', async () => {
  let iteration = 0
  let isDone = false
  const count = () => {
    iteration++
    if (!isDone) setImmediate(count)
  }
  const stepsIn: number[] = []
  const each = () => runInPieces(work(30, () => (stepsIn[iteration] = (stepsIn[iteration] ?? 0) + 1)))
  count()
  await Promise.all(Array.from({ length: 8 }, each))
  isDone = true
  const busy = stepsIn.filter((steps) => steps !== undefined)
  assert.ok(busy.length > 20, `${busy.length} iterations`)
  // A step takes a millisecond or more; the last one may begin within the time and end after it.
  for (const steps of busy) assert.ok(steps <= 6, `${steps} steps in one iteration`)
})

test('a work that fails lets the others go on', async () => {
  const works = [work(12, () => {}), work(12, assert.fail), work(12, () => {})]
  const ends = await Promise.allSettled(works.map(runInPieces))
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
