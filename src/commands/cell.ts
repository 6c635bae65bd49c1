// `rounds cell`: patients are divided between database clusters by slots; this shows and moves them.
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, readDatabaseUrl } from '../config/config.ts'
import { isTransient } from '../db/database-errors.ts'
import type { CellStatus } from '../modules/casesheet/cell/move/cell-status.ts'
import type { Compared } from '../modules/casesheet/cell/move/compare-cells.ts'
import type { MoveStep, SlotsMove } from '../modules/casesheet/cell/move/move-slots.ts'
import type { RouterMap } from '../modules/casesheet/cell/move/router-map.ts'
import {
  printSlotRange,
  type SlotRange,
  slotRangeFrom,
  slotRangesOf,
} from '../modules/casesheet/cell/slot-range.ts'
import { CommandError } from '../refusal.ts'
import { defineCommand, readWholeNumber, type Surroundings } from './command.ts'
import { mustBeConfirmed } from './confirm.ts'
import { showProgress } from './progress.ts'

const HELP = `rounds cell status: show which slots this database has, how much it holds, and its moves.
rounds cell join: make this new, empty database a cell that serves no slots yet. Do so before a router leads to it.
rounds cell move --slots A-B --to DATABASE_URL: move the patients of some slots to another cell while they are served.
rounds cell abort --to DATABASE_URL [--lost]: end a move that the other cell has not taken over, and remove the copy there.
rounds cell clean [--after-hours HOURS] [--yes]: remove what was moved to other cells.

Patients have a slot from 0 to 4095, by a hash of their id. A cell serves some of the slots; the only cell serves all. The old
cell needs "wal_level = logical"; the new one an empty, migrated database, or one that serves other slots. For a few seconds
neither serves the slots, and requests for them get 503 with Retry-After: 1. Every command may be stopped and run again.

  --slots A-B               the slots to move, both included, such as 2048-4095
  --to DATABASE_URL         the address of the new cell, of the role that ran "rounds migrate" there (CELL_TO)
  --via DATABASE_URL        the address at which PostgreSQL of the new cell reaches the old one (CELL_VIA, else DATABASE_URL);
                            that cell stores it, with its password, until the move has ended
  --limit SECONDS           give up a switch that takes longer, and serve the slots in the old cell again (30); the commits that
                            close and open the slots have no limit, and wait for a standby where there is one
  --map FILE                the map of the router, by its path in HAProxy's configuration; written anew in the switch
  --as NAME                 with --map: the backend of the new cell
  --router SOCKET           with --map: the socket of a running HAProxy, a path or host:port; may be repeated
  --lost                    abort: a new cell that cannot be reached never comes back; serve the slots here whatever it did
  --after-hours HOURS       clean: only what was moved at least so long ago (24)
  --yes                     clean: do not ask for confirmation

Needed:
  DATABASE_URL              postgres:// address of this, the old cell, of the role that ran "rounds migrate"
Optional:
  CELL_TO, CELL_VIA         instead of --to and --via: other users of this machine see the arguments of a command, with passwords

Example:
  DATABASE_URL=postgres://owner@one/rounds CELL_TO=postgres://owner@two/rounds npx rounds cell move --slots 2048-4095
`

type Options = {
  slots?: string | undefined
  to?: string | undefined
  via?: string | undefined
  limit?: string | undefined
  map?: string | undefined
  as?: string | undefined
  router?: string[] | undefined
  lost?: boolean | undefined
  'after-hours'?: string | undefined
  yes?: boolean | undefined
}

const OPTIONS_OF: Record<string, string[]> = {
  status: [],
  join: [],
  move: ['slots', 'to', 'via', 'limit', 'map', 'as', 'router'],
  abort: ['to', 'lost'],
  clean: ['after-hours', 'yes'],
}

export const cellCommand = defineCommand({
  summary: `rounds cell status              show the slots of a cell and its moves
  rounds cell join                make an empty database a cell
  rounds cell move                move patients to another cell
  rounds cell abort               end a move
  rounds cell clean               remove what was moved`,
  help: HELP,
  options: {
    slots: { type: 'string' },
    to: { type: 'string' },
    via: { type: 'string' },
    limit: { type: 'string' },
    map: { type: 'string' },
    as: { type: 'string' },
    router: { type: 'string', multiple: true },
    lost: { type: 'boolean' },
    'after-hours': { type: 'string' },
    yes: { type: 'boolean' },
  },
  async run({ args: [verb = '', ...others], options }, surroundings) {
    const allowed = OPTIONS_OF[verb]
    if (!allowed || others.length > 0)
      throw new ConfigError(
        'Say "rounds cell status", "rounds cell join", "rounds cell move", "rounds cell abort" or "rounds cell clean".',
      )
    const wrong = Object.keys(options).find((option) => !allowed.includes(option))
    if (wrong) throw new ConfigError(`"rounds cell ${verb}" has no option --${wrong}.`)
    if (verb === 'move') return move(options, surroundings)
    if (verb === 'abort') return abort(options, surroundings)
    if (verb === 'join') return join(surroundings)
    return verb === 'clean' ? clean(options, surroundings) : status(surroundings)
  },
})

async function status({ env }: Surroundings): Promise<string> {
  const { cellStatus } = await import('../modules/casesheet/cell/move/cell-status.ts')
  return describe(await cellStatus(readDatabaseUrl(env)))
}

async function join({ env }: Surroundings): Promise<string> {
  const { joinCells } = await import('../modules/casesheet/cell/move/take-over.ts')
  await joinCells(readDatabaseUrl(env))
  return 'This database is a cell that serves no slots yet: "rounds cell move" brings it some.'
}

function describe({ open, closing, incoming, readings, accesses, databaseBytes, moves }: CellStatus): string {
  const lines = moves.map(({ direction, range, peer, state, changedAt, bytesBehind }) => {
    const behind =
      bytesBehind === undefined || !Number.isFinite(bytesBehind) ? '' : `, ${megabytes(bytesBehind)} behind`
    const to = direction === 'out' ? 'to' : 'from'
    return `  ${printSlotRange(range)} ${to} ${peer}: ${state} since ${changedAt.toISOString()}${behind}`
  })
  return [
    `slots open      ${printSlots(open)}`,
    `slots closing   ${printSlots(closing)}`,
    `slots incoming  ${printSlots(incoming)}`,
    `readings        about ${Math.round(readings)}`,
    `access log      about ${Math.round(accesses)} entries`,
    `database        ${megabytes(databaseBytes)}`,
    lines.length === 0 ? 'moves           none' : `moves, newest first\n${lines.join('\n')}`,
  ].join('\n')
}

function printSlots(multirange: string): string {
  const ranges = slotRangesOf(multirange).map(printSlotRange)
  return ranges.length === 0 ? 'none' : ranges.join(', ')
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const DEFAULT_LIMIT_S = 30
const MAX_LIMIT_S = 600
/** While a database fails over, the command waits and goes on. */
const GO_ON_MS = 120_000
const GO_ON_AFTER_MS = 1_000

async function move(options: Options, { env, errors }: Surroundings): Promise<string> {
  const sourceUrl = readDatabaseUrl(env)
  const range = readSlots(options.slots)
  const routerMap = readRouterMap(options)
  const limitS =
    readWholeNumber(options.limit, { name: '--limit', min: 1, max: MAX_LIMIT_S }) ?? DEFAULT_LIMIT_S
  const [{ moveSlots }, { changeRouterMap, checkRouters }] = await Promise.all([
    import('../modules/casesheet/cell/move/move-slots.ts'),
    import('../modules/casesheet/cell/move/router-map.ts'),
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
  const compared = await goingOn(() => moveSlots(asked)).finally(progress.end)
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

/** Every step may be repeated, so a connection that is lost on the way is no reason to give up. */
async function goingOn<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + GO_ON_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof CommandError && isTransient(error.cause)
      if (!isLost || Date.now() > giveUpAt) throw error
      await pause(GO_ON_AFTER_MS)
    }
  }
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

async function abort(options: Options, { env, errors }: Surroundings): Promise<string> {
  const sourceUrl = readDatabaseUrl(env)
  const targetUrl = readTarget(options, env)
  const { lost = false } = options
  const { abortMove } = await import('../modules/casesheet/cell/move/abort-move.ts')
  const progress = showProgress(errors)
  const { range, isCopyRemoved } = await abortMove({
    sourceUrl,
    targetUrl,
    isLost: lost,
    onProgress: progress.show,
  }).finally(progress.end)
  const slots = printSlotRange(range)
  if (isCopyRemoved)
    return `The move was aborted: this cell serves slots ${slots}, and the copy in the other one was removed.`
  return `The move was aborted: this cell serves slots ${slots}. ${lost ? LOST : UNREACHABLE}`
}

const LOST = "Never start the other cell again, and see to it that the router's map leads these slots here."
const UNREACHABLE =
  'The other cell cannot be reached and still holds a copy: run the same command again when it is back.'

const DEFAULT_AFTER_HOURS = 24

async function clean(options: Options, { env, ...terminal }: Surroundings): Promise<string> {
  const databaseUrl = readDatabaseUrl(env)
  const hours =
    readWholeNumber(options['after-hours'], { name: '--after-hours', min: 0, max: 10_000 }) ??
    DEFAULT_AFTER_HOURS
  const { cleanMoved, findMoved } = await import('../modules/casesheet/cell/move/clean-moved.ts')
  const moves = await findMoved(databaseUrl, new Date(Date.now() - hours * 3_600_000))
  if (moves.length === 0) return `Nothing was moved more than ${hours} hours ago and is still here.`
  const slots = moves.map(({ range }) => printSlotRange(range)).join(', ')
  if (!options.yes)
    await mustBeConfirmed(
      `What this cell holds of slots ${slots} will be deleted for good.`,
      'delete',
      terminal,
    )
  const progress = showProgress(terminal.errors)
  const cleaned = await cleanMoved({ databaseUrl, moves, onProgress: progress.show }).finally(progress.end)
  return cleaned
    .map(
      ({ range, readings, accesses }) =>
        `Slots ${printSlotRange(range)}: deleted ${readings} readings and ${accesses} entries of the access log.`,
    )
    .join('\n')
}

function readSlots(text = ''): SlotRange {
  const range = slotRangeFrom(text)
  if (range) return range
  throw new ConfigError('--slots must be a range of slots from 0 to 4095, such as 2048-4095.')
}

function readTarget({ to }: Options, env: Surroundings['env']): string {
  const target = to ?? env['CELL_TO']
  if (target && URL.canParse(target)) return target
  throw new ConfigError('--to, or CELL_TO, must be the postgres:// address of the new cell.')
}

function readRouterMap({ map, as, router = [] }: Options): RouterMap | undefined {
  if (map === undefined && as === undefined && router.length === 0) return undefined
  if (map !== undefined && as !== undefined) return { path: map, backend: as, sockets: router }
  throw new ConfigError('--map and --as belong together, and --router needs both.')
}
