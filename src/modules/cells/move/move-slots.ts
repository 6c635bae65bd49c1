// `rounds cell move`: moves the patients of some slots to another cell while they are served. Every step may be killed: what has been
// done is recorded in the two databases, and the next run goes on from there.
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { CommandError } from '../../../refusal.ts'
import { printSlotRange, type SlotRange } from '../slot-range.ts'
import { type BothCells, type Watch, withBothCells } from './both-cells.ts'
import { findObstacles, findUnwatched } from './check-cells.ts'
import { findMissingRights } from './check-rights.ts'
import { compareBefore } from './compare-cells.ts'
import {
  type Compared,
  findMove,
  isInProgress,
  isServing,
  listMoves,
  lockCommands,
  type Move,
  peerOf,
  recordCompared,
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

export type SlotsMove = BothCells & {
  /** The address of the old cell as PostgreSQL of the new one reaches it. */
  sourceUrlForTarget: string
  range: SlotRange
  limitMs: number
  changeMap: () => Promise<void>
  onProgress: (progress: CopyProgress) => void
  onStep: (step: MoveStep) => Promise<void> | void
}

export type Moved = {
  /** What was found equal in both cells; undefined where it was moved by a release that did not record it. */
  compared: Compared | undefined
  /** When an earlier run had moved the slots, and left nothing to do. */
  movedBeforeAt: Date | undefined
}

export async function moveSlots(asked: SlotsMove): Promise<Moved> {
  const { onStep } = asked
  return withBothCells(asked, async (source, target, watch) => {
    // In the new cell too: a run that has lost its session here could else still open the slots there.
    for (const client of [source, target]) await lockCommands(client, watch.mustGoOn)
    const known = await findKnown(source, target, asked)
    const isMoved = known !== undefined && hasMoved(known)
    if (!isMoved) await mustBeReady(source, target, asked)
    const move = known ?? (await record(source, target, asked))
    const cells = { source, target, move }
    await onStep('recorded')
    if (!isMoved) await carryOn(cells, asked, watch)
    const wasReplicating = await stopReplication(cells)
    await onStep('finished')
    return {
      compared: (await findMove(source, move.moveId))?.compared,
      movedBeforeAt: isMoved && !wasReplicating ? move.changedAt : undefined,
    }
  })
}

const hasMoved = ({ state }: Move) => state === 'moved' || state === 'cleaned'

async function carryOn(cells: TwoCells, asked: SlotsMove, watch: Watch) {
  const { source, target, move } = cells
  const { onStep, onProgress } = asked
  const there = await findMove(target, move.moveId)
  if (there?.state === 'opened') {
    // The run before may not have waited for the standby: without that, a failover could leave the slots to neither cell.
    await watch.release()
    await openSlots(target, move)
    await finishSwitch(cells, asked)
    return
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
  await untilCopied(cells, onProgress, watch)
  await onStep('copied')
  const compared = await withBothCells(asked, async (before, after) =>
    compareBefore(source, move.range, {
      source: before,
      target: after,
      untilSent: async () => untilConfirmed(cells, await endOfWal(source), watch.mustGoOn),
    }),
  )
  await recordCompared(source, move, compared)
  await onStep('compared')
  await switchSlots(cells, { ...asked, since: compared.since, watch })
}

/** Before anything is recorded, or goes on: a run that is refused leaves nothing behind. */
async function mustBeReady(source: Client, target: Client, { sourceUrlForTarget }: SlotsMove) {
  const obstacles = await findObstacles(source, target)
  const missing =
    obstacles.length > 0
      ? []
      : [
          ...(await findUnwatched(source, target)),
          ...(await findMissingRights({ source, target, sourceUrlForTarget })),
        ]
  if (obstacles.length + missing.length === 0) return
  throw new CommandError(['Nothing was changed, because:', ...obstacles, ...missing].join('\n- '))
}

/** The move that is to go on; none where it is to begin. */
export async function findKnown(
  source: Client,
  target: Client,
  { range, targetUrl }: Pick<SlotsMove, 'range' | 'targetUrl'>,
): Promise<Move | undefined> {
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
  const moved = moves.find((move) => move.direction === 'out' && isSame(move) && hasMoved(move))
  // They may have come back since.
  if (!moved || (await isServing(source, range))) return undefined
  if (await findMove(target, moved.moveId)) return moved
  throw new CommandError(
    `Slots ${printSlotRange(range)} were moved before, to ${moved.peer}, which is not the database of --to. Nothing was changed.`,
  )
}

async function record(source: Client, target: Client, { range, targetUrl }: SlotsMove): Promise<Move> {
  await mustHaveRoom(target, range)
  const move = {
    moveId: randomUUID(),
    direction: 'out' as const,
    range,
    peer: peerOf(targetUrl),
    state: 'copying' as const,
  }
  await withoutDeletions(source, () => recordMoveOut(source, move))
  return { ...move, changedAt: new Date(), compared: undefined }
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
