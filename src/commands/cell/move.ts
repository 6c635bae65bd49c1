// `rounds cell move`: what is asked of the move, and what is printed at its end.
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, readDatabaseUrl } from '../../config/config.ts'
import { isTransient } from '../../db/database-errors.ts'
import type { Moved } from '../../modules/cells/move/move-slots.ts'
import type { RouterMap } from '../../modules/cells/move/router-map.ts'
import { printSlotRange, type SlotRange, slotRangeFrom } from '../../modules/cells/slot-range.ts'
import { CommandError, ConnectionLost, Interrupted } from '../../refusal.ts'
import { type Deps, readWholeNumber } from '../command.ts'
import { mustBeConfirmed } from '../confirm.ts'
import { stopSignal } from '../signals.ts'
import { type Options, readTarget } from './options.ts'
import { showMove } from './show-move.ts'
import { type Planned, questionOf, showPlan } from './show-plan.ts'

const DEFAULT_LIMIT_S = 30
const MAX_LIMIT_S = 600
/** While a database fails over, the command waits and goes on. */
const GO_ON_MS = 120_000
const GO_ON_AFTER_MS = 1_000
/** A run that took longer had reached both databases, and has lost one of them since. */
const CONNECTED_MS = 60_000

export async function move(options: Options, { env, ...terminal }: Deps): Promise<string> {
  const { asked, routerMap } = readMove(options, env)
  const [{ moveSlots }, { changeRouterMap, checkRouters }] = await Promise.all([
    import('../../modules/cells/move/move-slots.ts'),
    import('../../modules/cells/move/router-map.ts'),
  ])
  if (options['dry-run']) return showPlan(asked, routerMap)
  if (routerMap) await checkRouters(routerMap)
  if (!options.yes) await mustBeConfirmed(await questionOf(asked, routerMap), 'move', terminal)
  const shown = showMove(terminal.errors, stopSignal(env))
  let failures: string[] = []
  const work = () =>
    moveSlots({
      ...asked,
      ...shown.callbacks,
      async changeMap() {
        if (routerMap) failures = await changeRouterMap(routerMap, asked.range)
      },
    })
  const done = await goingOn(work, shown)
    .finally(shown.end)
    .catch((error: unknown) => failWithLeft(error, asked, shown.say))
  const moved = describeMove(asked.range, done, { tookMs: shown.switchedInMs(), routerMap })
  if (failures.length === 0) return moved
  throw new CommandError(`${moved}\n${failures.join('\n')}\n${RELOAD}`)
}

function readMove(options: Options, env: Deps['env']) {
  const sourceUrl = readDatabaseUrl(env)
  const limitS =
    readWholeNumber(options.limit, { name: '--limit', min: 1, max: MAX_LIMIT_S }) ?? DEFAULT_LIMIT_S
  const asked: Planned = {
    sourceUrl,
    targetUrl: readTarget(options, env),
    sourceUrlForTarget: options.via ?? (env['CELL_VIA'] || sourceUrl),
    range: readSlots(options.slots),
    limitMs: limitS * 1_000,
  }
  return { asked, routerMap: readRouterMap(options) }
}

/** The cause first; then what the move has left behind. */
async function failWithLeft(error: unknown, asked: Planned, say: (text: string) => void): Promise<never> {
  const { describeLeft } = await import('../../modules/cells/move/left-of-move.ts')
  const left = await describeLeft(asked)
  if (left.length === 0 && error instanceof Interrupted) left.push('Nothing is left of this move.')
  if (error instanceof CommandError && left.length > 0)
    throw new CommandError([error.message, ...left].join('\n'), { cause: error })
  if (left.length > 0) say(left.join('\n'))
  throw error
}

const RELOAD =
  'Reload these HAProxys: the file of the map is written. Until then their requests for these slots get 421.'

/**
 * Every step may be repeated, so a connection that is lost on the way is no reason to give up. Each reason is reported once: it may be an
 * address that is wrong.
 */
async function goingOn<T>(
  work: () => Promise<T>,
  { say, callbacks: { signal } }: Pick<ReturnType<typeof showMove>, 'say' | 'callbacks'>,
): Promise<T> {
  const reported = new Set<string>()
  let lostAt = 0
  for (;;) {
    const begunAt = Date.now()
    try {
      return await work()
    } catch (error) {
      const now = Date.now()
      if (lostAt === 0 || now - begunAt > CONNECTED_MS) lostAt = now
      const isLost = error instanceof CommandError && isTransient(error.cause)
      if (!isLost || now - lostAt > GO_ON_MS) throw error
      const reason = reasonOf(error)
      if (!reported.has(reason)) say(`${reason}\nTrying again.`)
      reported.add(reason)
      await pause(GO_ON_AFTER_MS, undefined, { signal }).catch(() => {
        throw new Interrupted()
      })
    }
  }
}

/** The message of a lost connection is for those who have to run the command again, and does not say which of the two it was. */
function reasonOf(error: CommandError): string {
  if (!(error instanceof ConnectionLost)) return error.message
  return `The database at ${error.place} cannot be reached, or the connection was lost:\n${error.cause.message}`
}

function describeMove(
  range: SlotRange,
  { compared, movedBeforeAt }: Moved,
  { tookMs, routerMap }: { tookMs: number; routerMap: RouterMap | undefined },
): string {
  const slots = printSlotRange(range)
  const counts = compared
    ? `\nThe same in both cells: ${compared.readings} readings, all grants, targets, reviews, rules and alerts, and what changed until the switch; ${compared.accesses} entries of the access log.`
    : ''
  if (movedBeforeAt)
    return `Slots ${slots} were moved before, at ${movedBeforeAt.toISOString()}. Nothing was changed.${counts}`
  const took = tookMs > 0 ? ` Neither cell did for ${(tookMs / 1_000).toFixed(1)} s.` : ''
  const router = routerMap
    ? ''
    : '\nThe map of the router was not changed: change it now. Until then requests for these slots get 421.'
  return `The new cell serves slots ${slots}.${took}${counts}${router}\nThe old cell keeps its copy until "rounds cell clean".`
}

function readSlots(text = ''): SlotRange {
  const range = slotRangeFrom(text)
  if (range) return range
  throw new ConfigError('--slots must be a range of slots from 0 to 4095, such as 2048-4095.')
}

function readRouterMap(options: Options): RouterMap | undefined {
  const { map, as, router = [], 'map-by-hand': isByHand = false } = options
  if (map !== undefined && as !== undefined && !isByHand) return { path: map, backend: as, sockets: router }
  if (isByHand && map === undefined && as === undefined && router.length === 0) return undefined
  throw new ConfigError(
    'Give --map and --as, and a --router for each running HAProxy, so that the switch changes the map; or only --map-by-hand, if you change it yourself right after the move.',
  )
}
