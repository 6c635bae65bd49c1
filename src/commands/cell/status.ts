// `rounds cell status`: the slots of a cell, how much it holds, and its moves.
import { readDatabaseUrl } from '../../config/config.ts'
import type { CellStatus } from '../../modules/casesheet/cell/move/cell-status.ts'
import { printSlotRange, slotRangesOf } from '../../modules/casesheet/cell/slot-range.ts'
import type { Surroundings } from '../command.ts'

export async function status({ env }: Surroundings): Promise<string> {
  const { cellStatus } = await import('../../modules/casesheet/cell/move/cell-status.ts')
  return describe(await cellStatus(readDatabaseUrl(env)))
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
