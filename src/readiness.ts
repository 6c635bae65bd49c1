// Whether a process should get requests. While the database fails over, requests wait in Rounds and then succeed. A balancer
// that took every process away meanwhile would refuse them at once, so the database counts as usable for as long
// as a request would wait for it. A check that hangs keeps nobody waiting for the answer.
import { setTimeout as pause } from 'node:timers/promises'

// Sooner than probes and scrapes give up, which would learn nothing.
const LONGEST_CHECK_MS = 1_000

/** A check that goes on saying yes for `graceMs` after it was last true. */
export function withGrace(check: () => Promise<boolean>, graceMs: number): () => Promise<boolean> {
  let lastTrueAt = -Infinity
  let running: Promise<void> | undefined

  async function look() {
    const isTrue = await check().catch(() => false)
    if (isTrue) lastTrueAt = performance.now()
    running = undefined
  }
  return async () => {
    running ??= look()
    await Promise.race([running, pause(LONGEST_CHECK_MS, undefined, { ref: false })])
    return performance.now() - lastTrueAt < graceMs
  }
}
