// When and how often a failed attempt is repeated. Every operation may be: reading changes nothing, and a reading's identity
// is its content, so adding one again stores it once.
import { RoundsError } from './rounds-error.ts'
import { pause } from './within.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 20_000

/** Asked before a failed attempt is repeated, with how long it took; false ends the call with that error. */
export type MayRepeat = (error: RoundsError, attemptMs: number) => boolean

export type Patience = {
  attempts: number
  giveUpAt: number
  signal: AbortSignal
  mayRepeat: MayRepeat | undefined
}

export async function withRetries<T>(
  { attempts, giveUpAt, signal, mayRepeat }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    const startedAt = performance.now()
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RoundsError) || !error.retryable || signal.aborted) throw error
      const isWorthIt = mayRepeat?.(error, performance.now() - startedAt) ?? true
      if (!isWorthIt || failures + 1 >= attempts) throw error
      const waitMs = waitBefore(failures, error.retryAfterMs, Math.random())
      // The error that is known says more than a time-out that is sure to come.
      if (performance.now() + waitMs >= giveUpAt) throw error
      await pause(waitMs, signal)
    }
  }
}

/**
 * Full jitter: anything up to a bound that doubles, so that devices that failed together do not return together. What
 * the service asks for comes on top, for the same reason.
 */
export function waitBefore(failures: number, retryAfterMs: number | undefined, random: number): number {
  return (retryAfterMs ?? 0) + random * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
}

/** For what must not happen twice: only a request that the service has refused to begin is sent again. */
export function wasNotBegun({ code }: RoundsError): boolean {
  return code === 'RateLimited' || code === 'Overloaded'
}
