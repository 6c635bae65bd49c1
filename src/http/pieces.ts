// Long work in pieces: other requests are served in between, so one large request does not hold up the small ones.
import { setImmediate } from 'node:timers/promises'

const MAX_PIECE_MS = 5

/** Takes all steps, and lets the event loop go on whenever they have taken 5 ms. */
export async function runInPieces(steps: Iterable<unknown>): Promise<void> {
  let began = performance.now()
  for (const _ of steps) {
    if (performance.now() - began < MAX_PIECE_MS) continue
    await setImmediate()
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
