// `rounds cell status`: the slots of a cell, or of all cells, how much they hold, and their moves; and whether the router's map agrees.
import { ConfigError, readDatabaseUrl } from '../../config/config.ts'
import type { CellStatus, Counts } from '../../modules/cells/move/cell-status.ts'
import { printSlotRange, slotRangesOf } from '../../modules/cells/slot-range.ts'
import { CommandError } from '../../refusal.ts'
import type { Deps } from '../command.ts'
import type { Options } from './options.ts'

type Asked = { name: string; url: string }
type Found = Asked & { status: (CellStatus & { counts: Counts | undefined }) | { error: string } }

export async function status(options: Options, { env }: Deps): Promise<string> {
  const { json: isJson = false, map: path } = options
  const asked = readCells(env)
  if (path !== undefined && !asked)
    throw new ConfigError('--map needs CELLS, which names each cell as the map does.')
  const [{ compareWithMap, rangesOf }, { readMap }] = await Promise.all([
    import('../../modules/cells/move/compare-with-map.ts'),
    import('../../modules/cells/move/router-map.ts'),
  ])
  const map = path === undefined ? undefined : await readMap(path)
  const found = await Promise.all(
    (asked ?? [{ name: '', url: readDatabaseUrl(env) }]).map((cell) =>
      ask(cell, { isCounted: isJson, mayFail: asked !== undefined }),
    ),
  )
  const faults = found.flatMap(({ name, status: of }) => ('error' in of ? [`${name}: ${of.error}`] : []))
  // One cell among others says nothing about the slots that it does not serve.
  const named = found.map(({ name, status: of }) => ({ name, slots: 'error' in of ? undefined : of }))
  const problems = asked ? [...faults, ...compareWithMap(named, map)] : []
  if (problems.length > 0) process.exitCode = 1
  if (!isJson) return [...found.map(describe), ...problems].join('\n')
  const lines = map && rangesOf(map).map(([range, backend]) => ({ slots: printSlotRange(range), backend }))
  return JSON.stringify(
    { cells: found.map(jsonOf), ...(lines ? { map: lines } : {}), problems },
    undefined,
    2,
  )
}

async function ask(
  { name, url }: Asked,
  { isCounted, mayFail }: { isCounted: boolean; mayFail: boolean },
): Promise<Found> {
  const { cellStatus } = await import('../../modules/cells/move/cell-status.ts')
  const found = cellStatus(url, isCounted).catch((error: unknown) => {
    if (!mayFail || !(error instanceof CommandError)) throw error
    return { error: error.message }
  })
  return { name, url, status: await found }
}

/** Names and addresses, such as `cell_a=postgres://… cell_b=postgres://…`. */
function readCells(env: Deps['env']): Asked[] | undefined {
  const text = env['CELLS']?.trim()
  if (!text) return undefined
  return text.split(/\s+/).map((part) => {
    const [, name = '', url = ''] = /^([^=\s]+)=(postgres(?:ql)?:\/\/.+)$/.exec(part) ?? []
    if (name !== '' && URL.canParse(url)) return { name, url }
    throw new ConfigError(
      'CELLS must have the name and the address of each cell, such as "cell_a=postgres://owner@one/rounds cell_b=postgres://owner@two/rounds".',
    )
  })
}

function jsonOf({ name, status: of }: Found) {
  const named = name === '' ? {} : { name }
  if ('error' in of) return { ...named, error: of.error }
  const { open, closing, incoming, counts, databaseBytes, moves } = of
  return {
    ...named,
    slots: { open: rangesIn(open), closing: rangesIn(closing), incoming: rangesIn(incoming) },
    ...counts,
    databaseBytes,
    moves: moves.map(({ moveId, direction, range, peer, state, changedAt, bytesBehind }) => ({
      moveId,
      direction,
      slots: printSlotRange(range),
      peer,
      state,
      changedAt,
      ...(bytesBehind !== undefined && Number.isFinite(bytesBehind) ? { bytesBehind } : {}),
    })),
  }
}

function describe({ name, status: of }: Found): string {
  const title = name === '' ? [] : [`cell            ${name}`]
  if ('error' in of) return [...title, of.error].join('\n')
  const { open, closing, incoming, readings, accesses, databaseBytes, moves } = of
  const lines = moves.map(({ direction, range, peer, state, changedAt, bytesBehind }) => {
    const behind =
      bytesBehind === undefined || !Number.isFinite(bytesBehind) ? '' : `, ${megabytes(bytesBehind)} behind`
    const to = direction === 'out' ? 'to' : 'from'
    return `  ${printSlotRange(range)} ${to} ${peer}: ${state} since ${changedAt.toISOString()}${behind}`
  })
  return [
    ...title,
    `slots open      ${printSlots(open)}`,
    `slots closing   ${printSlots(closing)}`,
    `slots incoming  ${printSlots(incoming)}`,
    `readings        about ${Math.round(readings)}`,
    `access log      about ${Math.round(accesses)} entries`,
    `database        ${megabytes(databaseBytes)}`,
    lines.length === 0 ? 'moves           none' : `moves, newest first\n${lines.join('\n')}`,
  ].join('\n')
}

const rangesIn = (multirange: string) => slotRangesOf(multirange).map(printSlotRange)

const printSlots = (multirange: string) => rangesIn(multirange).join(', ') || 'none'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
