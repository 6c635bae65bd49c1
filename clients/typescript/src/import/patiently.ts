import { RoundsError } from '../rounds-error.ts'
import { pause } from '../within.ts'

const LONGEST_WAIT_MS = 300_000
const MAX_WAITS = 5

/** Waits for a rate limit that ends soon, and asks again. */
export async function patiently<Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let waits = 0; ; waits++) {
    try {
      return await ask()
    } catch (error) {
      const isLimited = error instanceof RoundsError && error.code === 'RateLimited'
      const waitMs = isLimited ? (error.retryAfterMs ?? Infinity) : Infinity
      if (waitMs > LONGEST_WAIT_MS || waits === MAX_WAITS) throw error
      await pause(waitMs, signal)
    }
  }
}
