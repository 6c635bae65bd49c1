// Whether a dependency of serving is available, and whether a process should get requests.
import { setTimeout as pause } from 'node:timers/promises'

// Shorter than the time-out of probes and scrapes, which would otherwise get no answer.
const LONGEST_CHECK_MS = 1_000

/** A check that is false when it takes too long, and of which one runs at a time, however often it is called. */
export function inTime(check: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return () => {
    running ??= check()
      .catch(() => false)
      .finally(() => {
        running = undefined
      })
    return Promise.race([running, pause(LONGEST_CHECK_MS, false, { ref: false })])
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
  let timer: NodeJS.Timeout | undefined
  async function isUsable(): Promise<boolean> {
    const isTrue = await check()
    if (isTrue) lastTrueAt = performance.now()
    return isTrue || performance.now() - lastTrueAt < graceMs
  }
  return {
    isUsable,
    start: () => {
      if (graceMs === 0) return
      void isUsable()
      timer = setInterval(() => void isUsable(), Math.min(LONGEST_INTERVAL_MS, graceMs / 4)).unref()
    },
    stop: () => clearInterval(timer),
  }
}
