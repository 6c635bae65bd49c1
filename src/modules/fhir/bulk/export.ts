// A bulk export as it is stored: a row that says which readings belong to it. Whoever asks for its status or for one of its files
// finds it by its id, in any process.
//
// What belongs to it is decided by a snapshot of PostgreSQL, taken when it begins: a reading whose transaction the snapshot shows as
// committed belongs to it, and no other. A time could not say that, because a transaction may commit long after its time; nor could the
// order of transactions, because a later one may commit first.
//
// - A reading that was corrected after the snapshot bears the id of the correction. One that was received before belongs to the export
//   all the same, and is given as it is now: what is known to be wrong is not handed out as right.
// - An export with `_since` holds what the snapshot of the earlier export did not show. So two exports, of which the second has
//   the time of the first, leave nothing out, also of transactions that were open at that time.
// - A time at which no export began has no snapshot. Then that of the last export before it is taken, and of what it did not
//   show, what was changed from an hour before the time on: longer than a transaction that adds may last.
// - Patients who move to another cell while an export is read would be missing in both cells, so the export fails.
import type { Db } from '../../../db/db.ts'
import { Refusal } from '../../../refusal.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Readings are stored in this many partitions by a hash of the patient, and each of them is a file. */
export const PARTITIONS = 32

/** Which export, and whose. */
export type Named = { exportId: string; subject: string }

/** SQL: the export that `$1` and `$2` name, while it can be read. */
export const EXPORT = `select request, transaction_time, snapshot, slots, since, since_snapshot, changed_from, expires_at, allowed_as, reason,
      feed.generation = exports.generation and ${IS_OF_THIS_DATABASE} as is_of_this_history,
      open_slots @> slots as is_served,
      open_slots + closing_slots @> slots as is_perhaps_served
    from fhir.exports
    cross join casesheet.feed
    cross join casesheet.cell
    where export_id = $1::uuid
      and requested_by = $2::text
      and place is not null
      and expires_at > now()`

export type ExportState = { is_of_this_history: boolean; is_served: boolean; is_perhaps_served: boolean }

/** Refuses an export that there is not, or that cannot be complete any more. */
export function mustBeReadable<State extends ExportState>(state: State | undefined): State {
  if (!state) throw noSuchExport()
  if (!state.is_of_this_history)
    throw new Refusal(
      'NotFound',
      'The database was restored or copied since this export began. Begin a new one.',
    )
  if (!state.is_perhaps_served)
    throw new Refusal(
      'NotFound',
      'Patients of this export have moved to another cell since it began. Begin a new one in each cell.',
    )
  return state
}

export function noSuchExport(): Refusal {
  return new Refusal('NotFound', 'There is no such export of yours: it was deleted, or its day is over.')
}

/** Ends it, also for files that are being sent. */
export async function deleteExport(db: Db, { exportId, subject }: Named) {
  const deleted = await db.query(
    { name: 'delete-export', text: DELETE, values: [exportId, subject] },
    { subject },
  )
  if (deleted.length === 0) throw noSuchExport()
}

const DELETE = `
  update fhir.exports
  set place = null
  where export_id = $1::uuid
    and requested_by = $2::text
    and place is not null
    and expires_at > now()
  returning export_id`

/** The first transaction that an export with `_since` looks at; null where it looks at all readings. */
export async function firstXidOf(db: Db, { exportId, subject }: Named): Promise<string | null> {
  const [row] = await db.query<ExportState & { since_xid: string | null }>(
    { name: 'find-since', text: SINCE, values: [exportId, subject] },
    { subject },
  )
  return mustBeReadable(row).since_xid
}

const SINCE = `
  select is_of_this_history, is_served, is_perhaps_served, pg_snapshot_xmin(since_snapshot) as since_xid
  from (${EXPORT}) as export`
