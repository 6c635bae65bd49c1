// `rounds cell move`: moves the patients of some slots to another cell while they are served. Every step may be killed: what has been
// done is recorded in the two databases, and the next run goes on from there.
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { CommandError } from '../../../../refusal.ts'
import { withOwnerSession } from '../../operators/owner-session.ts'
import { printSlotRange, type SlotRange } from '../slot-range.ts'
import { checkCells } from './check-cells.ts'
import { type Compared, compareBefore } from './compare-cells.ts'
import {
  findMove,
  isInProgress,
  listMoves,
  lockCommands,
  type Move,
  peerOf,
  recordMoveOut,
  withoutDeletions,
} from './move-record.ts'
import {
  type CopyProgress,
  startReplication,
  stopReplication,
  type TwoCells,
  untilConfirmed,
  untilCopied,
} from './replicate.ts'
import { endOfWal, finishSwitch, reopenSlots, type SwitchStep, switchSlots } from './switch-slots.ts'
import { copyErasures, copyNotices, mustHaveRoom, openSlots, prepareTarget } from './take-over.ts'

/** What has been done when `onStep` is called; a test kills processes there. */
export type MoveStep =
  | 'recorded'
  | 'prepared'
  | 'replicating'
  | 'copied'
  | 'compared'
  | SwitchStep
  | 'finished'

export type SlotsMove = {
  /** The address of a role that owns the tables, in the old cell and in the new one. */
  sourceUrl: string
  targetUrl: string
  /** The address of the old cell as PostgreSQL of the new one reaches it. */
  sourceUrlForTarget: string
  range: SlotRange
  limitMs: number
  changeMap: () => Promise<void>
  onProgress: (progress: CopyProgress) => void
  onStep: (step: MoveStep) => Promise<void> | void
}

/** What was moved; nothing where an earlier run had moved it and only left something to tidy up. */
export async function moveSlots(asked: SlotsMove): Promise<Compared | undefined> {
  const { sourceUrl, targetUrl, onStep } = asked
  return withBothCells({ sourceUrl, targetUrl }, async (source, target) => {
    // In the new cell too: a run that has lost its session here could else still open the slots there.
    for (const client of [source, target]) await lockCommands(client)
    await checkCells(source, target)
    const move = await findOrRecord(source, target, asked)
    const cells = { source, target, move }
    await onStep('recorded')
    const compared = await carryOn(cells, asked)
    const wasReplicating = await stopReplication(cells)
    if (compared === undefined && !wasReplicating && move.state === 'moved') throw alreadyMoved(move.range)
    await onStep('finished')
    return compared
  })
}

async function carryOn(cells: TwoCells, asked: SlotsMove): Promise<Compared | undefined> {
  const { source, target, move } = cells
  const { onStep, onProgress } = asked
  if (move.state === 'moved') return undefined
  const there = await findMove(target, move.moveId)
  if (there?.state === 'opened') {
    // The run before may not have waited for the standby: without that, a failover could leave the slots to neither cell.
    await openSlots(target, move)
    await finishSwitch(cells, asked)
    return undefined
  }
  if (there?.state === 'aborted')
    throw new CommandError('This move was being aborted. Run "rounds cell abort" again to end that.')
  // A run that was killed in its switch: the old cell serves the slots until the next one.
  await reopenSlots(source, move)
  await prepareTarget(target, move, peerOf(asked.sourceUrl))
  await onStep('prepared')
  await copyNotices(cells)
  await copyErasures(cells)
  await startReplication(cells, asked.sourceUrlForTarget)
  await onStep('replicating')
  await untilCopied(cells, onProgress)
  await onStep('copied')
  const compared = await withBothCells(asked, async (before, after) =>
    compareBefore(source, move.range, {
      source: before,
      target: after,
      untilSent: async () => untilConfirmed(cells, await endOfWal(source), () => {}),
    }),
  )
  await onStep('compared')
  await switchSlots(cells, { ...asked, since: compared.since })
  return compared
}

async function findOrRecord(source: Client, target: Client, { range, targetUrl }: SlotsMove): Promise<Move> {
  const moves = await listMoves(source)
  const inProgress = moves.find((move) => move.direction === 'out' && isInProgress(move))
  const isSame = (move: Move) => move.range.first === range.first && move.range.last === range.last
  if (inProgress) {
    if (isSame(inProgress)) {
      await mustGoTo(target, inProgress, targetUrl)
      return inProgress
    }
    throw new CommandError(
      `Slots ${printSlotRange(inProgress.range)} are being moved. Finish that move, or abort it, first.`,
    )
  }
  const latest = moves.find((move) => move.direction === 'out')
  if (latest && isSame(latest) && latest.state === 'moved') {
    if (await findMove(target, latest.moveId)) return latest
    throw alreadyMoved(range)
  }
  await mustHaveRoom(target, range)
  const move = {
    moveId: randomUUID(),
    direction: 'out' as const,
    range,
    peer: peerOf(targetUrl),
    state: 'copying' as const,
  }
  await withoutDeletions(source, () => recordMoveOut(source, move))
  return { ...move, changedAt: new Date() }
}

/**
 * Another database than the one of the move knows nothing of slots that the right one may have opened: the old cell would open them
 * too. Before they are closed, the new cell has recorded the move.
 */
async function mustGoTo(target: Client, move: Move, targetUrl: string) {
  if (await findMove(target, move.moveId)) return
  if (move.state === 'copying' && move.peer === peerOf(targetUrl)) return
  throw new CommandError(
    `The database of --to knows nothing of this move, which goes to ${move.peer}. Name that one, or abort the move first.`,
  )
}

function alreadyMoved(range: SlotRange): CommandError {
  return new CommandError(`Slots ${printSlotRange(range)} were moved before; nothing is left to do.`)
}

async function withBothCells<T>(
  { sourceUrl, targetUrl }: { sourceUrl: string; targetUrl: string },
  work: (source: Client, target: Client) => Promise<T>,
): Promise<T> {
  return withOwnerSession(sourceUrl, (source) =>
    withOwnerSession(targetUrl, (target) => work(source, target)),
  )
}
