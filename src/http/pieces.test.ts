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

test('of several long works one has a piece in each event-loop iteration', async () => {
  let iteration = 0
  let isDone = false
  const count = () => {
    iteration++
    if (!isDone) setImmediate(count)
  }
  const busyIn: Set<number>[] = []
  const each = async (_: unknown, index: number) =>
    runInPieces(work(30, () => (busyIn[iteration] ??= new Set()).add(index)))
  count()
  await Promise.all(Array.from({ length: 8 }, each))
  isDone = true
  // They begin at once, before any of them is known to be long.
  const later = busyIn.slice(2).filter((works) => works !== undefined)
  assert.ok(later.length > 20, `${later.length} iterations`)
  for (const works of later) assert.ok(works.size <= 2, `${works.size} in one iteration`)
})

test('a work that fails lets the others go on', async () => {
  const works = [work(12, () => {}), work(12, assert.fail), work(12, () => {})]
  const ends = await Promise.allSettled(works.map(runInPieces))
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
