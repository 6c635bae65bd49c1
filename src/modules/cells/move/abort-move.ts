// `rounds cell abort`: ends a move whose slots the new cell has not opened yet. The old cell serves them on, and the copy is removed.
//
// Where the new cell cannot be reached, the old cell's part is done, and the copy is left to a later run. That is safe while the
// slots are open here: the new cell opens only slots that are closed. Of closed ones it is not known who serves them, so only an
// operator can say that the new cell is lost.
//
// The old cell serves the slots before anything is tidied up. It records the abort after all that the new cell has shown is in its own
// log: until then no patient of the slots can be erased.
//
// The new cell may have shown consumers of readings/changes what it had copied by then: an erasure without the readings since, or a
// reading as it was before its withdrawal. So they start again in the old cell, whose changes they had passed.
import type { Client } from 'pg'
import { isTransient } from '../../../db/database-errors.ts'
import { CommandError } from '../../../refusal.ts'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { restartConsumers } from '../../feed/renew-feed.ts'
import { int4rangeOf, printSlotRange, type SlotRange } from '../slot-range.ts'
import { bringBackAccesses } from './bring-back-accesses.ts'
import { deleteSlots } from './delete-slots.ts'
import {
  findMove,
  isInProgress,
  isServing,
  listMoves,
  lockCommands,
  type Move,
  peerOf,
} from './move-record.ts'
import { unpublish, unsubscribe } from './replicate.ts'
import { reopenSlots } from './switch-slots.ts'
import { removeRefusals } from './take-over.ts'

export type Abort = {
  sourceUrl: string
  targetUrl: string
  /** The operator says that a new cell which cannot be reached never comes back, or that what only it has logged may be lost. */
  isLost: boolean
  onProgress: (progress: { stage: 'bringing back the log' | 'removing the copy'; share?: number }) => void
}

export type Aborted = {
  range: SlotRange
  isCopyRemoved: boolean
  /** Whether the old cell serves the slots; they may have gone elsewhere before a copy was removed. */
  isServing: boolean
}

export async function abortMove({ sourceUrl, targetUrl, isLost, onProgress }: Abort): Promise<Aborted> {
  return withOwnerSession(sourceUrl, async (source) => {
    await lockCommands(source)
    const moves = (await listMoves(source)).filter(({ direction }) => direction === 'out')
    const known = await movesKnownBy(targetUrl)
    const move = toBeAborted(moves, known, peerOf(targetUrl))
    const { range } = move
    if (!known) {
      if (move.state === 'closed' && !isLost) throw mayBeOpen()
      await unpublish(source, move)
      await abortHere(source, move)
      await restartConsumers(source)
      return { range, isCopyRemoved: false, isServing: await isServing(source, range) }
    }
    await withOwnerSession(targetUrl, async (target) => {
      await lockCommands(target)
      // In the new cell first: from here on it can no longer open the slots, whatever else still runs.
      await abortThere(target, move)
      await reopenSlots(source, move)
      await unsubscribe(target, move)
      await unpublish(source, move)
      if (await isServing(source, range)) {
        onProgress({ stage: 'bringing back the log' })
        await bringBackAccesses({ source, target, move })
      } else if (!isLost) throw nowhereToBring(range)
      await abortHere(source, move)
      await restartConsumers(source)
      await removeRefusals(target, move)
      await deleteSlots(target, range, (share) => onProgress({ stage: 'removing the copy', share }))
    })
    return { range, isCopyRemoved: true, isServing: await isServing(source, range) }
  })
}

type Known = Map<string, Move['state']>

/**
 * The move in progress, else one that the other cell takes for that: it was aborted while that cell could not be reached. A cell may be
 * known by several addresses.
 */
function toBeAborted(moves: Move[], known: Known | undefined, peer: string): Move {
  const toThere = moves.filter((move) => move.peer === peer || known?.has(move.moveId))
  const move =
    toThere.find(isInProgress) ??
    toThere.find(({ moveId, state }) => state === 'aborted' && known?.get(moveId) === 'copying') ??
    toThere[0]
  const inProgress = moves.find(isInProgress)
  if (!move && inProgress)
    throw new CommandError(
      `The move in progress goes to ${inProgress.peer}, and not to the database of --to. Name that one.`,
    )
  if (!move || move.state === 'moved' || move.state === 'cleaned')
    throw new CommandError('There is no move to abort: "rounds cell status" shows what there was.')
  return move
}

function nowhereToBring(range: SlotRange): CommandError {
  return new CommandError(
    `This cell no longer serves the slots ${printSlotRange(range)}, so the log of what services read in the other one cannot be brought back. Add --lost to remove it with the copy.`,
  )
}

/** The moves that a cell has recorded; undefined where it cannot be reached. */
async function movesKnownBy(url: string): Promise<Known | undefined> {
  try {
    const moves = await withOwnerSession(url, listMoves)
    return new Map(moves.map(({ moveId, state }) => [moveId, state]))
  } catch (error) {
    if (error instanceof CommandError && isTransient(error.cause)) return undefined
    throw error
  }
}

function mayBeOpen(): CommandError {
  return new CommandError(
    'The new cell cannot be reached, and may serve the slots already. Bring it back and run the command again. If it is lost for good, add --lost: this cell then serves the slots with what it holds, and the new one must never be started again.',
  )
}

async function abortHere(source: Client, move: Move) {
  await reopenSlots(source, move, 'aborted')
  await source.query(
    "update casesheet.cell_moves set state = 'aborted', changed_at = now() where move_id = $1 and state = 'copying'",
    [move.moveId],
  )
}

async function abortThere(target: Client, { moveId, range, state }: Move) {
  if (state === 'closed' && !(await findMove(target, moveId)))
    throw new CommandError('The database of --to knows nothing of this move. Name the one to which it goes.')
  const { rows } = await target.query<{ state: string }>(ABORT_THERE, [moveId, int4rangeOf(range)])
  if (rows[0]?.state === 'opened')
    throw new CommandError(
      'The new cell serves these slots already. Run "rounds cell move" again to finish the move.',
    )
}

/** The state before; the row is locked while it is looked at. */
const ABORT_THERE = `
  with found as materialized (
    select move_id, state, slots
    from casesheet.cell_moves
    where move_id = $1
    for update
  ), aborted as (
    update casesheet.cell_moves
    set state = 'aborted', changed_at = now()
    from found
    where cell_moves.move_id = found.move_id
      and found.state = 'copying'
    returning found.slots
  ), given_up as (
    update casesheet.cell
    set incoming_slots = incoming_slots - int4multirange(aborted.slots)
    from aborted
  )
  select state
  from found
  where slots = $2::int4range`
