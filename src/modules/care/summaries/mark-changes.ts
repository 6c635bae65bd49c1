// Marks what changed since the last look: readings by their type and the time at which they count, targets, and grants. It stands in one
// statement with the follower's position, so a change is marked once, whatever becomes of the process.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import { movedAnew, nextChanges, ON_MARKED, type Page, SHOW_PAGE } from '../next-changes.ts'
import { COUNTED_AT } from './counted-at.ts'
import { ALL_TYPES, OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

export const FOLLOWER = 'care:list'

/** Whether there may be more; undefined where the position is one of another history of the database. */
export async function markChanges(db: Db, processId: string, page: number): Promise<boolean | undefined> {
  const [row] = await db.query<Page>(
    { name: 'mark-changes', text: MARK_CHANGES, values: [processId, page, textArray(OWN_TYPES)] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === page : undefined
}

/** Begins anew after a restore: everything is made again. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-list-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

/** SQL, about casesheet.grants. */
export const IS_IN_FORCE = "state = 'given' and valid_until > now()"

// A patient who is there already is written too: whoever drops those who share with nobody any more compares the count. A row that is made
// anew starts above all that looks have seen, and, by the clock in milliseconds, above what a page shows that is still open: the row before it
// was raised less than once a millisecond.
export const insertPatients = (from: string) => `
    insert into care.patients as patient (patient_uid, judged)
    select patient_uid, greatest(
        (select max(seen_up_to) + 1 from casesheet.looks where looks.patient_uid = shared.patient_uid),
        (extract(epoch from clock_timestamp()) * 1000)::bigint
      )
    from (${from}) as shared
    order by patient_uid
    on conflict (patient_uid) do update
    set judged = patient.judged + 1
    returning patient_uid`

// Patients before marks, and both in order, so that nobody who writes them too can be waited for in a circle. A target for all marks every
// patient who shares with its author: as many as have the doctor, which is thousands and not more.
const MARK_CHANGES = `
  with ${nextChanges({
    follower: FOLLOWER,
    isUsed: 'exists (select from casesheet.grants)',
    sources: [
      {
        table: 'casesheet.readings',
        id: 'reading_id',
        columns: `patient_uid, case when reading_type = any ($3::text[]) then reading_type else '${OTHER_TYPES}' end as reading_type,
        ${COUNTED_AT} as measured_from, ${COUNTED_AT} as measured_to, null::text as author_id`,
      },
      {
        table: 'casesheet.targets',
        id: 'target_id',
        columns: "patient_uid, reading_type, '-infinity'::timestamptz, 'infinity'::timestamptz, author_id",
      },
      {
        table: 'casesheet.grants',
        id: 'grant_id',
        columns: `patient_uid, '${ALL_TYPES}', '-infinity'::timestamptz, 'infinity'::timestamptz, null::text`,
      },
    ],
  })}, shared as (${insertPatients(`
      select distinct patient_uid
      from changed
      where reading_type = '${ALL_TYPES}'
        and exists (select from advanced)
        and exists (select from casesheet.grants where grants.patient_uid = changed.patient_uid and ${IS_IN_FORCE})
    `)}
  ), concerned as (
    select patient_uid, reading_type, measured_from, measured_to
    from changed
    where reading_type <> '${ALL_TYPES}'
      and exists (select from care.patients where patients.patient_uid = changed.patient_uid)
    union all
    select grants.patient_uid, reading_type, measured_from, measured_to
    from changed
    join casesheet.grants on doctor_id = author_id
    where changed.patient_uid is null
      and ${IS_IN_FORCE}
      and permission = 'manage'
      and (reading_types is null or reading_type = any (reading_types))
      and exists (
        select
        from (
          select
          from casesheet.readings
          where readings.patient_uid = grants.patient_uid
            and (readings.reading_type, measured_at) >= (changed.reading_type, '-infinity')
            and readings.reading_type <= changed.reading_type
          order by ${orderOfType('asc')}
          limit 1
        ) as first
      )
    union all
    select patient_uid, '${ALL_TYPES}', '-infinity', 'infinity'
    from shared
  ), marked as (
    insert into care.marks as mark (patient_uid, reading_type, measured_from, measured_to)
    select patient_uid, reading_type, min(measured_from), max(measured_to)
    from concerned
    where exists (select from advanced)
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_MARKED}
  )
  ${SHOW_PAGE}`

const START_ANEW = `
  with ${movedAnew(FOLLOWER)}, shared as (${insertPatients(`
      select distinct patient_uid
      from casesheet.grants
      where exists (select from moved)
        and ${IS_IN_FORCE}
    `)}
  )
  insert into care.marks as mark (patient_uid, reading_type, measured_from, measured_to)
  select patient_uid, '${ALL_TYPES}', '-infinity', 'infinity'
  from shared
  order by patient_uid${ON_MARKED}`
