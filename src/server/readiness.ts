// What serving depends on, and whether a process should get requests.
import { withinMs } from '../time-limit.ts'

// Shorter than the time-out of probes and scrapes, which would otherwise get no answer.
const LONGEST_CHECK_MS = 1_000
const LONGEST_INTERVAL_MS = 5_000

export type Dependency = {
  isThere: () => Promise<boolean>
  /** For how long after it was there requests wait for it. */
  graceMs: number
  /** The same for the directory, where that needs it. */
  directoryGraceMs?: number
  /** It should be repaired, and does not stop the process from serving. */
  isOnlyReported?: boolean
  /** For how long it has been unavailable, and why. */
  outage?: () => { seconds: number; code: string } | undefined
}

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

/**
 * A dependency counts as there for its grace after it was last there. While the database fails over, requests wait in Rounds and
 * then succeed; a load balancer that removed every process meanwhile would refuse them at once. It is looked at also without
 * a probe between `start` and `stop`: without this, the grace of a process that is rarely probed would be over before the failure
 * that it is for.
 */
export function watchDependency(name: string, dependency: Dependency) {
  const { isThere, graceMs, isOnlyReported = false } = dependency
  let lastThereAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  async function isUsable(ofGraceMs = graceMs): Promise<boolean> {
    const is = await isThere()
    if (is) lastThereAt = performance.now()
    return is || performance.now() - lastThereAt < ofGraceMs
  }
  return {
    name,
    dependency,
    isOnlyReported,
    isUsable,
    start: () => {
      if (graceMs === 0) return
      void isUsable()
      timer = setInterval(() => void isUsable(), Math.min(LONGEST_INTERVAL_MS, graceMs / 4)).unref()
    },
    stop: () => clearInterval(timer),
  }
}
