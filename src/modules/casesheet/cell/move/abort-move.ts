// `rounds cell abort`: ends a move whose slots the new cell has not opened yet. The old cell serves them on, and the copy is removed.
import { CommandError } from '../../../../refusal.ts'
import { int4rangeOf, type SlotRange } from '../slot-range.ts'
import { deleteSlots } from './delete-slots.ts'
import { findMove, listMoves, lockCommands } from './move-record.ts'
import { withBothCells } from './move-slots.ts'
import { stopReplication } from './replicate.ts'
import { reopenSlots } from './switch-slots.ts'

export type Abort = {
  sourceUrl: string
  targetUrl: string
  onProgress: (progress: { stage: 'removing the copy'; share: number }) => void
}

export async function abortMove({ sourceUrl, targetUrl, onProgress }: Abort): Promise<SlotRange> {
  return withBothCells({ sourceUrl, targetUrl }, async (source, target) => {
    await lockCommands(source)
    const move = (await listMoves(source)).find(({ direction }) => direction === 'out')
    if (!move || move.state === 'moved' || move.state === 'cleaned')
      throw new CommandError('There is no move to abort: "rounds cell status" shows what there was.')
    const there = await findMove(target, move.moveId)
    if (!there && move.state !== 'copying' && move.state !== 'aborted')
      throw new CommandError(
        'The database of --to knows nothing of this move. Name the one to which it goes.',
      )
    // In the new cell first: from here on it can no longer open the slots, whatever else still runs.
    const { rows } = await target.query<{ state: string }>(ABORT_THERE, [
      move.moveId,
      int4rangeOf(move.range),
    ])
    if (rows[0]?.state === 'opened')
      throw new CommandError(
        'The new cell serves these slots already. Run "rounds cell move" again to finish the move.',
      )
    await reopenSlots(source, move, 'aborted')
    await source.query(
      "update casesheet.cell_moves set state = 'aborted', changed_at = now() where move_id = $1 and state = 'copying'",
      [move.moveId],
    )
    await stopReplication({ source, target, move })
    await deleteSlots(target, move.range, (share) => onProgress({ stage: 'removing the copy', share }))
    return move.range
  })
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
