// Which patients and types are to be evaluated next: those that are marked, and those whose time has come.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { FOLLOWER } from './mark-rules.ts'

export type Task = {
  patientUid: string
  readingType: string
  /** From when on readings changed, as the database printed it; null where time alone has changed something. */
  from: string | null
  /** Of the mark; null where there is none. */
  version: string | null
}

type Row = { patient_uid: string; reading_type: string; measured_from: string | null; version: string | null }

/** `now` is the clock of the database where it is null. Patients who rest wait. */
export async function nextTasks(
  db: Db,
  { now, limit, resting }: { now: string | null; limit: number; resting: readonly string[] },
): Promise<Task[]> {
  const rows = await db.query<Row>(
    { name: 'next-rules', text: NEXT_TASKS, values: [now, limit, textArray(resting)] },
    { on: 'follow' },
  )
  return rows.map((row) => ({
    patientUid: row.patient_uid,
    readingType: row.reading_type,
    from: row.measured_from,
    version: row.version,
  }))
}

const NEXT_TASKS = `
  with clock as materialized (
    select coalesce($1::timestamptz, clock_timestamp()) as now
  ), marked as materialized (
    select patient_uid, reading_type, measured_from, version
    from care.alert_marks
    where rest_until <= (select now from clock)
      and patient_uid <> all ($3::text[])
    order by since
    limit $2::integer
  ), due as materialized (
    select patient_uid, reading_type
    from (
      select patient_uid, reading_type
      from care.rule_clocks
      where due_at <= (select now from clock)
        and patient_uid <> all ($3::text[])
      order by due_at
      limit $2
    ) as times
    group by patient_uid, reading_type
  )
  select patient_uid, reading_type, measured_from::text, version
  from marked
  union all
  select patient_uid, reading_type, null, null
  from due
  where not exists (
    select
    from care.alert_marks as mark
    where mark.patient_uid = due.patient_uid
      and mark.reading_type = due.reading_type
  )`

/** Lets one that failed wait, so that it holds up no others. */
export async function rest(db: Db, { patientUid, readingType }: Task) {
  await db.query({ name: 'rest-rules', text: REST, values: [patientUid, readingType] }, { on: 'follow' })
}

const REST = `
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to, rest_until)
  values ($1, $2, 'infinity', 'infinity', clock_timestamp() + interval '30 seconds')
  on conflict (patient_uid, reading_type) do update
  set rest_until = excluded.rest_until`

/** For how long, in seconds, a change has waited to be evaluated. Also where no process does that. */
export async function secondsBehind(db: Db): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    { name: 'rules-behind', text: BEHIND, values: [] },
    { on: 'follow' },
  )
  return row?.seconds ?? 0
}

/** SQL: since when something waits, or all was done. */
const BEHIND_SINCE = `(
    select least(caught_up_at, (select since from care.alert_marks order by since limit 1), (
      select due_at + interval '5 seconds' from care.rule_clocks order by due_at limit 1
    ))
    from casesheet.followers
    where name = '${FOLLOWER}'
  )`

const BEHIND = `select extract(epoch from clock_timestamp() - ${BEHIND_SINCE})::float8 as seconds`
