// `rounds cell clean`: removes what was moved to another cell. Until then it is what an operator can go back to.
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import type { SlotRange } from '../slot-range.ts'
import { type Deleted, deleteSlots } from './delete-slots.ts'
import { listMoves, lockCommands, type Move } from './move-record.ts'

/** Moves out of this cell that ended before this instant, and whose data is still here. */
export async function findMoved(databaseUrl: string, before: Date): Promise<Move[]> {
  return withOwnerSession(databaseUrl, async (client) =>
    (await listMoves(client)).filter(({ state, changedAt }) => state === 'moved' && changedAt <= before),
  )
}

export type Cleaning = {
  databaseUrl: string
  moves: Move[]
  onProgress: (progress: { stage: 'removing'; share: number }) => void
}

export type Cleaned = { range: SlotRange; deleted: Deleted }

export async function cleanMoved({ databaseUrl, moves, onProgress }: Cleaning): Promise<Cleaned[]> {
  return withOwnerSession(databaseUrl, async (client) => {
    await lockCommands(client)
    const cleaned: Cleaned[] = []
    for (const { moveId, range } of moves) {
      const deleted = await deleteSlots(client, range, (share) => onProgress({ stage: 'removing', share }))
      await client.query(
        "update casesheet.cell_moves set state = 'cleaned', changed_at = now() where move_id = $1 and state = 'moved'",
        [moveId],
      )
      cleaned.push({ range, deleted })
    }
    return cleaned
  })
}
