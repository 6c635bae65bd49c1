// Marks what changed since the last look: readings by their type and time, and targets. It stands in one statement with the follower's
// position, so a change is marked once, whatever becomes of the process.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { movedAnew, nextChanges, ON_MARKED, type Page, SHOW_PAGE } from '../next-changes.ts'
import { OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

export const FOLLOWER = 'care:list'
const PAGE = 5_000

/** Whether there may be more; undefined where the position is one of another history of the database. */
export async function markChanges(db: Db, processId: string): Promise<boolean | undefined> {
  const [row] = await db.query<Page>(
    { name: 'mark-changes', text: MARK_CHANGES, values: [processId, PAGE, textArray(OWN_TYPES)] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === PAGE : undefined
}

/** Begins anew after a restore: everything is made again. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-list-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

// The marks are written in order, so that nobody who writes them too can be waited for in a circle.
const MARK_CHANGES = `
  with ${nextChanges({
    follower: FOLLOWER,
    isUsed: 'exists (select from care.patients)',
    sources: [
      { table: 'casesheet.readings', id: 'reading_id', columns: 'measured_at, measured_at as measured_to' },
      { table: 'casesheet.targets', id: 'target_id', columns: "'-infinity', 'infinity'" },
    ],
  })}, marked as (
    insert into care.stale as mark (patient_uid, reading_type, measured_from, measured_to)
    select patient_uid, type, min(measured_at), max(measured_to)
    from (
      select patient_uid, case when reading_type = any ($3::text[]) then reading_type else '${OTHER_TYPES}' end as type, measured_at,
        measured_to
      from changed
    ) as typed
    where exists (select from advanced)
      and exists (select from care.patients where patients.patient_uid = typed.patient_uid)
    group by patient_uid, type
    order by patient_uid, type${ON_MARKED},
      -- Others may have been shown it in another zone already, and wait for what changed.
      is_first = false
  )
  ${SHOW_PAGE}`

const START_ANEW = `
  with ${movedAnew(FOLLOWER)}
  update care.patient_zones
  set state = 'asked'
  where exists (select from moved)`
