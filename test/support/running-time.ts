// Time as this process has it: its timers ring, or it computes. A machine that does not let the process run lets none of it pass, so
// a bound on it says how long the server in this process may take, and not how busy the machine is.
const STEP_MS = 50

/** Starts to count; returns how many milliseconds have passed. It is never ahead of the clock. */
export function startRunningTime(): () => number {
  let passedMs = 0
  let [lookedAt, computedMs] = [performance.now(), cpuMs()]
  function pass(ms: number) {
    const [now, computed] = [performance.now(), cpuMs()]
    passedMs += Math.min(now - lookedAt, Math.max(ms, computed - computedMs))
    lookedAt = now
    computedMs = computed
  }
  setInterval(pass, STEP_MS, STEP_MS).unref()
  return () => {
    pass(0)
    return passedMs
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
