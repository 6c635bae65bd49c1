// Long work in pieces: other requests are served in between, so one large request does not delay the small ones. All requests
// share one event loop, so all pieces together get 5 ms of each iteration. Without this, sixteen large requests at once would
// take sixteen pieces in every iteration.
import { setImmediate as endOfIteration } from 'node:timers'

const MAX_MS_OF_ITERATION = 5

let spentMs = 0
let isResetPlanned = false
/** Work that waits for the next iteration, first come first served. */
const waiting: (() => void)[] = []

/** Runs all steps, and yields to the event loop whenever its iteration has no time left for pieces. */
export async function runInPieces(steps: Iterable<unknown>): Promise<void> {
  if (waiting.length > 0) await nextIteration()
  let began = performance.now()
  for (const _ of steps) {
    const now = performance.now()
    spend(now - began)
    began = now
    if (spentMs < MAX_MS_OF_ITERATION) continue
    await nextIteration()
    began = performance.now()
  }
}

/** What `map` returns, made in pieces. One item is one piece, which nothing could divide: it is made at once. */
export async function mapInPieces<Item, Made>(items: Item[], make: (item: Item) => Made): Promise<Made[]> {
  if (items.length === 1) return items.map(make)
  const made: Made[] = []
  await runInPieces(eachMade())
  return made

  function* eachMade() {
    for (const item of items) yield made.push(make(item))
  }
}

function spend(ms: number) {
  spentMs += ms
  if (!isResetPlanned) planReset()
}

function planReset() {
  isResetPlanned = true
  endOfIteration(beginIteration)
}

function beginIteration() {
  isResetPlanned = false
  spentMs = 0
  resumeNext()
}

function resumeNext() {
  if (waiting.length === 0) return
  if (spentMs < MAX_MS_OF_ITERATION) {
    waiting.shift()?.()
    // Behind the piece that was just resumed.
    queueMicrotask(resumeNext)
  } else if (!isResetPlanned) planReset()
}

function nextIteration(): Promise<void> {
  if (!isResetPlanned) planReset()
  return new Promise((resume) => waiting.push(resume))
}
