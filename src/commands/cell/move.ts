// `rounds cell move`: what is asked of the move, its progress, and what is printed at its end.
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, readDatabaseUrl } from '../../config/config.ts'
import { isTransient } from '../../db/database-errors.ts'
import type { Compared } from '../../modules/casesheet/cell/move/compare-cells.ts'
import type { MoveStep, SlotsMove } from '../../modules/casesheet/cell/move/move-slots.ts'
import type { RouterMap } from '../../modules/casesheet/cell/move/router-map.ts'
import { printSlotRange, type SlotRange, slotRangeFrom } from '../../modules/casesheet/cell/slot-range.ts'
import { CommandError, ConnectionLost } from '../../refusal.ts'
import { readWholeNumber, type Surroundings } from '../command.ts'
import { showProgress } from '../progress.ts'
import { type Options, readTarget } from './options.ts'

const DEFAULT_LIMIT_S = 30
const MAX_LIMIT_S = 600
/** While a database fails over, the command waits and goes on. */
const GO_ON_MS = 120_000
const GO_ON_AFTER_MS = 1_000
/** A run that took longer had reached both databases, and has lost one of them since. */
const CONNECTED_MS = 60_000

export async function move(options: Options, { env, errors }: Surroundings): Promise<string> {
  const sourceUrl = readDatabaseUrl(env)
  const range = readSlots(options.slots)
  const routerMap = readRouterMap(options)
  const limitS =
    readWholeNumber(options.limit, { name: '--limit', min: 1, max: MAX_LIMIT_S }) ?? DEFAULT_LIMIT_S
  const [{ moveSlots }, { changeRouterMap, checkRouters }] = await Promise.all([
    import('../../modules/casesheet/cell/move/move-slots.ts'),
    import('../../modules/casesheet/cell/move/router-map.ts'),
  ])
  if (routerMap) await checkRouters(routerMap)
  const progress = showProgress(errors)
  const startedAt = Date.now()
  let closedAt = 0
  let tookMs = 0
  let failures: string[] = []
  const asked: SlotsMove = {
    sourceUrl,
    targetUrl: readTarget(options, env),
    sourceUrlForTarget: options.via ?? (env['CELL_VIA'] || sourceUrl),
    range,
    limitMs: limitS * 1_000,
    async changeMap() {
      if (routerMap) failures = await changeRouterMap(routerMap, range)
    },
    onProgress({ copied, expected }) {
      const seconds = (Date.now() - startedAt) / 1_000
      progress.show({ stage: 'copying', ...shareOf(copied, expected, seconds) })
    },
    onStep: (step) => {
      if (step === 'closed') closedAt = Date.now()
      if (step === 'opened' && closedAt > 0) tookMs = Date.now() - closedAt
      progress.show({ stage: STAGE_OF[step] })
    },
  }
  const onLost = (reason: string) => progress.say(`${reason}\nTrying again.`)
  const compared = await goingOn(() => moveSlots(asked), onLost).finally(progress.end)
  const moved = describeMove(range, compared, { tookMs, routerMap })
  if (failures.length === 0) return moved
  throw new CommandError(`${moved}\n${failures.join('\n')}\n${RELOAD}`)
}

const RELOAD =
  'Reload these HAProxys: the file of the map is written. Until then their requests for these slots get 421.'

const STAGE_OF: Record<MoveStep, string> = {
  recorded: 'preparing',
  prepared: 'preparing',
  replicating: 'copying',
  copied: 'comparing',
  compared: 'closing the slots',
  closed: 'closing the slots',
  ended: 'waiting for the new cell',
  confirmed: 'comparing what changed',
  checked: 'opening the slots',
  opened: 'changing the map',
  mapped: 'finishing',
  moved: 'tidying up',
  finished: 'done',
}

function shareOf(copied: number, expected: number, seconds: number) {
  const rate = copied / Math.max(seconds, 0.001)
  const left = rate > 0 ? Math.ceil((expected - copied) / rate) : undefined
  const details = `${Math.round(rate)} rows a second${left === undefined ? '' : `, about ${left} s left`}`
  return { share: expected === 0 ? 1 : copied / expected, details }
}

/**
 * Every step may be repeated, so a connection that is lost on the way is no reason to give up. Each reason is reported once: it may be an
 * address that is wrong.
 */
async function goingOn<T>(work: () => Promise<T>, onLost: (reason: string) => void): Promise<T> {
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
      if (!reported.has(reason)) onLost(reason)
      reported.add(reason)
      await pause(GO_ON_AFTER_MS)
    }
  }
}

/** The message of a lost connection is for those who have to run the command again, and does not say which of the two it was. */
function reasonOf(error: CommandError): string {
  if (!(error instanceof ConnectionLost)) return error.message
  return `The database at ${error.place} cannot be reached, or the connection was lost:\n${error.cause.message}`
}

type Moved = { tookMs: number; routerMap: RouterMap | undefined }

function describeMove(
  range: SlotRange,
  compared: Compared | undefined,
  { tookMs, routerMap }: Moved,
): string {
  const took = tookMs > 0 ? ` Neither cell did for ${(tookMs / 1_000).toFixed(1)} s.` : ''
  const counts = compared
    ? `\nThe same in both cells: ${compared.readings} readings, and what changed since they were compared; ${compared.accesses} entries of the access log.`
    : ''
  const router = routerMap
    ? ''
    : '\nThe map of the router was not changed: change it now. Until then requests for these slots get 421.'
  return `The new cell serves slots ${printSlotRange(range)}.${took}${counts}${router}\nThe old cell keeps its copy until "rounds cell clean".`
}

function readSlots(text = ''): SlotRange {
  const range = slotRangeFrom(text)
  if (range) return range
  throw new ConfigError('--slots must be a range of slots from 0 to 4095, such as 2048-4095.')
}

function readRouterMap({ map, as, router = [] }: Options): RouterMap | undefined {
  if (map === undefined && as === undefined && router.length === 0) return undefined
  if (map !== undefined && as !== undefined) return { path: map, backend: as, sockets: router }
  throw new ConfigError('--map and --as belong together, and --router needs both.')
}
