// How many readings the queue sends at a time. On a slow network a request takes as long as its body is large, and something on
// the way ends it: our own time-out, the service's, a proxy's. So a batch that took too long is halved, and with each failure
// in a row divided further, because each costs as much time as the one before. Batches grow again while they are quick.

// A connection that is cut sooner than this was hardly cut because of the size of the body.
const SLOW_MS = 1_000

export function createBatchSize(max: number) {
  let size = max
  let ceiling = max
  let failuresInARow = 0
  // How long the last batch took that failed; no batch grows that could come near it.
  let failedAfterMs = Infinity
  return {
    current: () => size,
    succeeded: (count: number, tookMs: number) => {
      failuresInARow = 0
      // A smaller batch than allowed says nothing about larger ones, nor does one that took a third of what was too long.
      if (count >= size && tookMs * 3 <= failedAfterMs) size = Math.min(ceiling, size * 2)
    },
    failed: (count: number, tookMs: number) => {
      failuresInARow++
      failedAfterMs = Math.max(tookMs, SLOW_MS)
      size = Math.max(1, Math.floor(count / 2 ** failuresInARow))
    },
    /** Its body was too large for the service or for a proxy, which is so at all times. */
    wasTooLarge: (count: number) => {
      ceiling = Math.max(1, Math.floor(count / 2))
      size = Math.min(size, ceiling)
    },
  }
}

type Failure = { code: string; status: number }

/** Whether an attempt failed because it took too long, so that a smaller one may succeed where the same one would not. */
export function tookTooLong({ code, status }: Failure, attemptMs: number): boolean {
  if (code === 'TimedOut' || status === 408) return true
  const wasCut = code === 'ConnectionFailed' || status === 502 || status === 504
  return wasCut && attemptMs >= SLOW_MS
}
