// Long work in pieces: other requests are served in between, so one large request does not hold up the small ones.
import { setImmediate } from 'node:timers/promises'

const MAX_PIECE_MS = 5

// All of the process share one event loop: each iteration has one piece, whoever's work it is. Otherwise sixteen large
// requests at once would have sixteen pieces in every iteration, which small requests would wait for.
let lastTurn: Promise<void> = Promise.resolve()
let waiting = 0

async function nextTurn() {
  waiting++
  lastTurn = lastTurn.then(() => setImmediate())
  await lastTurn
  waiting--
}

/** Takes all steps, and lets the event loop go on whenever they have taken 5 ms. */
export async function runInPieces(steps: Iterable<unknown>): Promise<void> {
  if (waiting > 0) await nextTurn()
  let began = performance.now()
  for (const _ of steps) {
    if (performance.now() - began < MAX_PIECE_MS) continue
    await nextTurn()
    began = performance.now()
  }
}

/** What `map` returns, made in pieces. */
export async function mapInPieces<Item, Made>(items: Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = []
  await runInPieces(eachMade())
  return made

  function* eachMade() {
    for (const item of items) yield made.push(make(item))
  }
}
