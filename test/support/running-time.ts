// Time as this process has it. A machine that does not let the process run lets none of it pass, so a bound on it says how long the
// server in this process may take, and not how busy the machine is.
const STEP_MS = 50

/** Starts to count; returns how many milliseconds have passed, in steps. It is never ahead of the clock. */
export function startRunningTime(): () => number {
  let ms = 0
  const timer = setInterval(() => (ms += STEP_MS), STEP_MS)
  timer.unref()
  return () => ms
}
