// Time that passes only when a test lets it: timers, the clock and chance of this process are replaced, so that minutes
// take microseconds and the same seed gives the same run.
import type { TestContext } from 'node:test'

type Timer = { at: number; order: number; callback: () => void }

export type VirtualTime = ReturnType<typeof startVirtualTime>

/** Replaces `setTimeout`, `clearTimeout`, `Date.now`, `performance.now` and `Math.random` until the test ends. */
export function startVirtualTime(test: Pick<TestContext, 'after'>) {
  let now = 0
  let order = 0
  let timers: Timer[] = []
  let random = randomFrom(0)

  const setVirtual = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = { at: now + Math.max(0, ms), order: order++, callback: () => callback(...args) }
    timers.push(timer)
    return Object.assign(timer, { unref: () => timer, ref: () => timer })
  }
  const clearVirtual = (cleared: unknown) => {
    timers = timers.filter((timer) => timer !== cleared)
  }
  // Not by mocks, which would remember each of millions of calls.
  const replaced = [
    replace(globalThis, 'setTimeout', setVirtual as unknown as typeof setTimeout),
    replace(globalThis, 'clearTimeout', clearVirtual as typeof clearTimeout),
    replace(Date, 'now', () => now),
    replace(performance, 'now', () => now),
    replace(Math, 'random', () => random()),
  ]
  test.after(() => replaced.forEach((putBack) => putBack()))

  return {
    now: () => now,
    /** Starts again at 0 with the chance of this seed. */
    reset(seed: number) {
      now = 0
      order = 0
      timers = []
      random = randomFrom(seed)
    },
    /** Lets the next timer ring, once everything that is ready has run; false when there is none. */
    async step(): Promise<boolean> {
      await new Promise((resume) => setImmediate(resume))
      const [first, ...others] = timers
      if (!first) return false
      const next = others.reduce((soonest, timer) => (isSooner(timer, soonest) ? timer : soonest), first)
      timers.splice(timers.indexOf(next), 1)
      now = next.at
      next.callback()
      return true
    },
  }
}

function isSooner(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** Puts another function in the place of one, and returns how to put it back. */
function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  other: Owner[Name],
) {
  const { [name]: original } = owner
  owner[name] = other
  return () => void (owner[name] = original)
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
