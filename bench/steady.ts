// Warming up: a process that has just started runs code that is not compiled yet, and its first requests cost up to twice as much.
// A server in production is warm, so a load runs in short windows until its cost is steady, and only then is it measured.
import type { Load, Measured } from './loads.ts'

const WINDOW_SECONDS = 1
export const MAX_WINDOWS = 20
const ALIKE = 3
/** Between two seconds of a shared machine, the CPU of a request differs by as much. */
const TOLERANCE = 0.08
/** Falls as small as this are noise. */
const SMALL_FALL = 0.03

/** Whether the last three windows cost the same, within 8 %, and do not still fall one after the other. */
export function isSteady(costs: readonly number[]): boolean {
  const last = costs.slice(-ALIKE)
  if (last.length < ALIKE) return false
  const [lowest, highest] = [Math.min(...last), Math.max(...last)]
  const spread = highest / lowest - 1
  const isFalling = last.every((cost, index) => index === 0 || cost < (last[index - 1] ?? 0))
  return spread <= (isFalling ? SMALL_FALL : TOLERANCE)
}

/** Runs a load until it is steady, but not for ever: a machine that others use may never be. Answers whether it was. */
export async function warmUp(load: Load): Promise<boolean> {
  const costs: number[] = []
  while (costs.length < MAX_WINDOWS && !isSteady(costs)) {
    const cost = costOf(await load(WINDOW_SECONDS))
    // A bound, and nothing that runs.
    if (Number.isNaN(cost)) return true
    costs.push(cost)
  }
  return isSteady(costs)
}

/** The CPU of a request; where that is not measured, the time. Rates say less: they fall when another program runs. */
function costOf({ cpuUs, perSecond }: Measured): number {
  return cpuUs ? cpuUs.server + cpuUs.postgres : 1 / perSecond
}
