// When a failed attempt is repeated.

const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const
const LAST_DELAY_MS = DELAYS_MS[4]
const MAX_RETRY_AFTER_MS = 24 * 3_600_000

type Circumstances = {
  /** For how long the receiver asked to be left alone. */
  retryAfterMs?: number | undefined
  /** From 0 to 1. */
  random?: () => number
  /** In development somebody waits for the first message. */
  maxMs?: number | undefined
}

/**
 * Milliseconds from the last of `failures` failed attempts in a row to the next attempt. Jitter of ten percent spreads endpoints that failed
 * together. Retry-After makes the delay longer, never shorter: a receiver that asks for 0 seconds would else be called in a loop.
 */
export function delayAfter(
  failures: number,
  { retryAfterMs = 0, random = Math.random, maxMs = Infinity }: Circumstances = {},
): number {
  const delayMs = Math.min(maxMs, DELAYS_MS[Math.max(1, failures) - 1] ?? LAST_DELAY_MS)
  const jittered = Math.round(delayMs * (0.9 + 0.2 * random()))
  return Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}

/** Milliseconds that the header Retry-After asks for, in seconds or as an HTTP date; undefined if it is absent or makes no sense. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  // Without its zone, Date.parse would take a date for local time.
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
