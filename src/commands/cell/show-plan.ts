// What a move would do, before it does it: for `--dry-run`, and for the person who confirms.
import type { SlotsMove } from '../../modules/cells/move/move-slots.ts'
import type { MovePlan } from '../../modules/cells/move/plan-move.ts'
import type { RouterMap } from '../../modules/cells/move/router-map.ts'
import { printSlotRange } from '../../modules/cells/slot-range.ts'
import { CommandError } from '../../refusal.ts'

export type Planned = Pick<SlotsMove, 'sourceUrl' | 'targetUrl' | 'sourceUrlForTarget' | 'range' | 'limitMs'>

/** For a person who confirms it. A move that cannot begin is refused instead. */
export async function questionOf(asked: Planned, routerMap: RouterMap | undefined): Promise<string> {
  const { text, obstacles } = await planOf(asked, routerMap)
  if (obstacles.length > 0) throw inTheWay(obstacles)
  return text
}

/** Fails, with the plan, if something is in the way. */
export async function showPlan(asked: Planned, routerMap: RouterMap | undefined): Promise<string> {
  const { text, obstacles } = await planOf(asked, routerMap)
  if (obstacles.length > 0) throw new CommandError(`${text}\n${inTheWay(obstacles).message}`)
  return `${text}\nNothing is in the way, and nothing was changed.`
}

const inTheWay = (obstacles: string[]) =>
  new CommandError(['Nothing was changed, because:', ...obstacles].join('\n- '))

async function planOf(asked: Planned, routerMap: RouterMap | undefined) {
  const [{ planMove }, { checkRouters }] = await Promise.all([
    import('../../modules/cells/move/plan-move.ts'),
    import('../../modules/cells/move/router-map.ts'),
  ])
  const plan = await planMove(asked)
  const obstacles = [...plan.obstacles]
  if (routerMap)
    await checkRouters(routerMap).catch((error: unknown) => {
      obstacles.push(error instanceof Error ? error.message : String(error))
    })
  return { text: describe(asked, plan, routerMap), obstacles }
}

function describe({ range, limitMs }: Planned, plan: MovePlan, routerMap: RouterMap | undefined): string {
  const { rows } = plan
  const about = plan.isCounted ? '' : 'about '
  const { from, to, goesOnFrom, oldestTransaction } = plan
  return [
    `slots               ${printSlotRange(range)}, from ${from} to ${to}${goesOnFrom === undefined ? '' : `; a move that is "${goesOnFrom}" goes on`}`,
    `rows                ${about}${rows['casesheet.readings']} readings, ${rows['casesheet.corrections']} corrections, ${rows['casesheet.grants']} grants with ${rows['casesheet.grant_changes']} changes, ${rows['casesheet.targets']} targets with ${rows['casesheet.target_changes']} changes, ${rows['casesheet.reviews']} reviews, ${rows['casesheet.rules']} rules with ${rows['casesheet.rule_changes']} changes, ${rows['casesheet.alerts']} alerts with ${rows['casesheet.alert_events']} events, ${rows['casesheet.access_log']} entries of the access log`,
    `bytes               about ${(plan.bytes / 1e6).toFixed(1)} MB in the new cell, with indexes`,
    `time                about ${plan.seconds} s, as measured on two cores; then neither cell serves the slots for at most ${limitMs / 1_000} s`,
    `oldest transaction  ${oldestTransaction === undefined ? 'none' : `${oldestTransaction}: the copy begins when it has ended`}`,
    `router              ${describeRouter(routerMap)}`,
  ].join('\n')
}

function describeRouter(routerMap: RouterMap | undefined): string {
  if (!routerMap) return 'its map is changed by hand: until then requests for these slots get 421'
  const { path, backend, sockets } = routerMap
  const running = sockets.length === 0 ? 'no running HAProxy is given it' : `given to ${sockets.join(', ')}`
  return `${path} leads the slots to ${backend}; ${running}`
}
