// Whether a part that serving needs is there, and whether a process should get requests.
import { setTimeout as pause } from 'node:timers/promises'

// Sooner than probes and scrapes give up, which would learn nothing.
const LONGEST_CHECK_MS = 1_000

/** A check that answers no where it hangs, and of which one runs at a time, however often it is asked. */
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
 * A check that goes on saying yes for `graceMs` after it was last true. While the database fails over, requests wait in
 * Rounds and then succeed; a balancer that took every process away meanwhile would refuse them at once. The check repeats
 * by itself between `start` and `stop`: otherwise the grace of a process that is rarely probed would be over before the
 * failure that it is for.
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
