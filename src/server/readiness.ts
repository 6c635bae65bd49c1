// Whether a dependency of serving is available, and whether a process should get requests.
import { withinMs } from '../time-limit.ts'

// Shorter than the time-out of probes and scrapes, which would otherwise get no answer.
const LONGEST_CHECK_MS = 1_000

/**
 * A check that is `unknown` when it fails or takes too long, and of which one runs at a time, however often it is called.
 */
export function inTime(check: () => Promise<boolean>, unknown = false): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return () => {
    running ??= check()
      .catch(() => unknown)
      .finally(() => {
        running = undefined
      })
    return withinMs(running, LONGEST_CHECK_MS, () => unknown)
  }
}

const LONGEST_INTERVAL_MS = 5_000

/**
 * A check that stays true for `graceMs` after it was last true. While the database fails over, requests wait in Rounds and then
 * succeed; a load balancer that removed every process meanwhile would refuse them at once. The check repeats by itself
 * between `start` and `stop`: without this, the grace of a process that is rarely probed would be over before the failure
 * that it is for.
 */
export function withGrace(check: () => Promise<boolean>, graceMs: number) {
  let lastTrueAt = -Infinity
  let falseSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  async function isUsable(): Promise<boolean> {
    const startedAt = performance.now()
    const isTrue = await check()
    if (isTrue) lastTrueAt = performance.now()
    falseSince = isTrue ? undefined : (falseSince ?? startedAt)
    return isTrue || performance.now() - lastTrueAt < graceMs
  }
  return {
    isUsable,
    /** For how long it has been false; nothing while it is true. */
    falseSeconds: () => (falseSince === undefined ? undefined : (performance.now() - falseSince) / 1_000),
    start: () => {
      if (graceMs === 0) return
      void isUsable()
      timer = setInterval(() => void isUsable(), Math.min(LONGEST_INTERVAL_MS, graceMs / 4)).unref()
    },
    stop: () => clearInterval(timer),
  }
}
