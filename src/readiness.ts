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

/**
 * A check that goes on saying yes for `graceMs` after it was last true. While the database fails over, requests wait in
 * Rounds and then succeed; a balancer that took every process away meanwhile would refuse them at once.
 */
export function withGrace(check: () => Promise<boolean>, graceMs: number): () => Promise<boolean> {
  let lastTrueAt = -Infinity
  return async () => {
    const isTrue = await check()
    if (isTrue) lastTrueAt = performance.now()
    return isTrue || performance.now() - lastTrueAt < graceMs
  }
}
