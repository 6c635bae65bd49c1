// What is to be made next: the types of patients that are marked, and those that time has changed.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import type { Task } from './make-statement.ts'
import { FOLLOWER } from './mark-changes.ts'
import { OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

/** Patients whose types are marked at a time, when a doctor has asked for them. */
const MARKED_AT_ONCE = 50

export type NextTask = Task & { readingType: string; isFirst: boolean }

type Row = {
  patient_uid: string
  reading_type: string
  measured_from: string
  measured_to: string
  version: string
  stale_version: string | null
  is_first: boolean
}

/** `resting` are left out; what changed comes before what was never made. */
export async function nextTasks(
  db: Db,
  { now, limit, resting }: { now: number; limit: number; resting: readonly string[] },
): Promise<NextTask[]> {
  const rows = await db.query<Row>(
    {
      name: 'next-summaries',
      text: NEXT_TASKS,
      values: [new Date(now).toISOString(), limit, textArray(resting)],
    },
    { on: 'follow' },
  )
  return rows.map((row) => ({
    patientUid: row.patient_uid,
    readingType: row.reading_type,
    measuredFrom: row.measured_from,
    measuredTo: row.measured_to,
    version: row.version,
    staleVersion: row.stale_version,
    isFirst: row.is_first,
  }))
}

/** What time has changed, whoever makes a summary finds in it. */
const NEXT_TASKS = `
  with marked as materialized (
    select patient_uid, reading_type, measured_from, measured_to, version, is_first
    from care.stale
    where patient_uid <> all ($3::text[])
    order by is_first, since
    limit $2::integer
  ), left_over as (
    -- Marked while the patient was dropped.
    delete from care.stale
    using marked
    where stale.patient_uid = marked.patient_uid
      and stale.reading_type = marked.reading_type
      and stale.version = marked.version
      and not exists (select from care.patients where patients.patient_uid = marked.patient_uid)
  ), due as materialized (
    select patient_uid, reading_type
    from (
      select patient_uid, reading_type
      from care.summaries
      where due_at <= $1::timestamptz
        and patient_uid <> all ($3)
      order by due_at
      limit $2
    ) as rows
    group by patient_uid, reading_type
  )
  select patient_uid, reading_type, measured_from::text, measured_to::text, patients.version, marked.version as stale_version, is_first
  from marked
  join care.patients using (patient_uid)
  union all
  select patient_uid, reading_type, 'infinity', '-infinity', patients.version, null, false
  from due
  join care.patients using (patient_uid)
  where not exists (
    select
    from marked
    where marked.patient_uid = due.patient_uid
      and marked.reading_type = due.reading_type
  )`

const hasRows = (table: string) =>
  `exists (select from ${table} as of_type where of_type.patient_uid = patients.patient_uid and reading_type = type)`

// In an order that only the index by type has: by the primary key, all readings would be read for a type that is not there.
const HAS_READING = `exists (
        select
        from (
          select
          from casesheet.readings
          where readings.patient_uid = patients.patient_uid
            and (reading_type, measured_at) >= (type, '-infinity')
            and reading_type <= type
          order by ${orderOfType('asc')}
          limit 1
        ) as first
      )`

/** Marks the types that there are of patients whom a doctor has asked for; returns whether there were any patients. */
export async function markAsked(db: Db): Promise<boolean> {
  const values = [MARKED_AT_ONCE, textArray([...OWN_TYPES, OTHER_TYPES])]
  const rows = await db.query({ name: 'mark-asked', text: MARK_ASKED, values }, { on: 'follow' })
  return rows.length > 0
}

const MARK_ASKED = `
  with asked as materialized (
    select patient_uid, time_zone
    from care.patient_zones
    where state = 'asked'
    order by patient_uid
    limit $1::integer
    for update skip locked
  ), marked as (
    update care.patient_zones
    set state = 'marked'
    from asked
    where patient_zones.patient_uid = asked.patient_uid
      and patient_zones.time_zone = asked.time_zone
    returning patient_zones.patient_uid
  ), written as (
    insert into care.stale as mark (patient_uid, reading_type, measured_from, measured_to, is_first)
    select patient_uid, type, '-infinity', 'infinity', true
    from (select distinct patient_uid from marked) as patients
    cross join unnest($2::text[]) as type
    where type = '${OTHER_TYPES}'
      or ${hasRows('care.summaries')}
      or ${hasRows('casesheet.targets')}
      or ${HAS_READING}
    order by patient_uid, type
    on conflict (patient_uid, reading_type) do update
    set measured_from = '-infinity',
      measured_to = 'infinity',
      version = mark.version + 1,
      is_first = true
  )
  select patient_uid
  from marked`

/** Those of whom nothing is marked any more have all their summaries. Also those whom a process made that has ended since. */
export async function noteMade(db: Db) {
  await db.query({ name: 'note-made', text: NOTE_MADE, values: [] }, { on: 'follow' })
}

// Patients are locked before their zones, as by whoever asks for them.
const NOTE_MADE = `
  with locked as materialized (
    select patient_uid
    from care.patients
    where patient_uid in (select patient_uid from care.patient_zones where state = 'marked')
      and not exists (
        select
        from care.stale
        where stale.patient_uid = patients.patient_uid
          and (is_first or measured_from = '-infinity')
      )
    order by patient_uid
    for update skip locked
  ), made as (
    update care.patient_zones
    set state = 'made'
    from locked
    where patient_zones.patient_uid = locked.patient_uid
      and state = 'marked'
    returning patient_zones.patient_uid
  )
  update care.patients
  set changed_xid = pg_current_xact_id()
  where patient_uid in (select patient_uid from made)`

/** For how long, in seconds, something has waited to be marked or made. Also where no process keeps the lists. */
export async function secondsBehind(db: Db): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    { name: 'list-behind', text: BEHIND, values: [] },
    { on: 'follow' },
  )
  return row?.seconds ?? 0
}

const BEHIND = `
  select extract(epoch from clock_timestamp() - least(
    caught_up_at,
    (select since from care.stale where not is_first order by is_first, since limit 1)
  ))::float8 as seconds
  from casesheet.followers
  where name = '${FOLLOWER}'`
