// How fast, and how many at once.
import { setTimeout } from 'node:timers/promises'

export type Pace = (readings: number, signal: AbortSignal) => Promise<void>

/** Resolves when it is the turn of so many readings; at once where no rate is given. */
export function createPace(readingsPerSecond: number | undefined): Pace {
  let nextTurn = 0
  return async (readings, signal) => {
    if (readingsPerSecond === undefined) return
    const now = performance.now()
    const turn = Math.max(now, nextTurn)
    nextTurn = turn + (readings * 1_000) / readingsPerSecond
    if (turn > now) await setTimeout(turn - now, undefined, { signal })
  }
}

/**
 * Runs the work for the numbers from 1 to `count`, so many at once. The first failure, or the caller's signal, ends all;
 * this rejects when the last one has ended.
 */
export async function forEachNumber(
  { count, atOnce, signal }: { count: number; atOnce: number; signal: AbortSignal },
  work: (number: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  let last = 0
  async function takeTurns() {
    while (last < count) {
      either.throwIfAborted()
      await work(++last, either)
    }
  }
  const turns = Array.from({ length: Math.min(atOnce, count) }, () =>
    takeTurns().catch((error: unknown) => failed.abort(error)),
  )
  await Promise.all(turns)
  // Whatever failed first is the reason; those that it ended came after it.
  signal.throwIfAborted()
  failed.signal.throwIfAborted()
}
