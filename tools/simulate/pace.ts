// How fast, and how many at once.
import { setTimeout } from 'node:timers/promises'

export type Pace = (readings: number, signal: AbortSignal) => Promise<void>

/** Resolves when the rate permits so many readings; at once where no rate is given. */
export function createPace(readingsPerSecond: number | undefined): Pace {
  let nextSlot = 0
  return async (readings, signal) => {
    if (readingsPerSecond === undefined) return
    const now = performance.now()
    const slot = Math.max(now, nextSlot)
    nextSlot = slot + (readings * 1_000) / readingsPerSecond
    if (slot > now) await setTimeout(slot - now, undefined, { signal })
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
  async function takeNumbers() {
    while (last < count) {
      either.throwIfAborted()
      await work(++last, either)
    }
  }
  const workers = Array.from({ length: Math.min(atOnce, count) }, () =>
    takeNumbers().catch((error: unknown) => failed.abort(error)),
  )
  await Promise.all(workers)
  // Whatever failed first is the reason; those that it ended came after it.
  signal.throwIfAborted()
  failed.signal.throwIfAborted()
}
