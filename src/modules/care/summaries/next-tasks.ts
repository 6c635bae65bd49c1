// What is to be made next: the types of patients that are marked.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { ON_MARKED } from '../next-changes.ts'
import { FOLLOWER } from './mark-changes.ts'
import { ALL_TYPES, OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

/** What changes is made before what was never made: a month of readings takes longer. Neither waits for all of the other. */
const CHANGED_AT_ONCE = 300
const FIRST_AT_ONCE = 100

/** Times and numbers as the database printed them. */
export type SummaryTask = {
  patientUid: string
  readingType: string
  measuredFrom: string
  measuredTo: string
  markVersion: string
  judged: string
}
export type NextTask = SummaryTask & { isFirst: boolean }

type Row = {
  patient_uid: string
  reading_type: string
  measured_from: string
  measured_to: string
  version: string
  judged: string | null
  is_first: boolean
}

/** Without those of `resting` patients. */
export async function nextTasks(db: Db, resting: readonly string[]): Promise<NextTask[]> {
  const rows = await readMarks(db, resting)
  if (!(await spreadMarks(db, rows))) return rows.flatMap(taskOf)
  return (await readMarks(db, resting)).flatMap(taskOf)
}

const readMarks = (db: Db, resting: readonly string[]) =>
  db.query<Row>(
    {
      name: 'next-summaries',
      text: NEXT_TASKS,
      values: [CHANGED_AT_ONCE, FIRST_AT_ONCE, textArray(resting)],
    },
    { on: 'follow' },
  )

function taskOf(row: Row): NextTask[] {
  const { judged, reading_type: readingType } = row
  if (judged === null || readingType === ALL_TYPES) return []
  return [
    {
      patientUid: row.patient_uid,
      readingType,
      measuredFrom: row.measured_from,
      measuredTo: row.measured_to,
      markVersion: row.version,
      judged,
      isFirst: row.is_first,
    },
  ]
}

const marksWhere = (isFirst: boolean, limit: string) => `
    (
      select patient_uid, reading_type, measured_from, measured_to, version, ${isFirst} as is_first
      from care.marks
      where measured_from ${isFirst ? '=' : '>'} '-infinity'
        and patient_uid <> all ($3::text[])
      order by since
      limit ${limit}::integer
    )`

// A mark without its patient is of one who was dropped or erased meanwhile.
const NEXT_TASKS = `
  with marked as materialized (${marksWhere(false, '$1')}
    union all${marksWhere(true, '$2')}
  ), left_over as (
    delete from care.marks
    using marked
    where marks.patient_uid = marked.patient_uid
      and marks.reading_type = marked.reading_type
      and marks.version = marked.version
      and not exists (select from care.patients where patients.patient_uid = marked.patient_uid)
  )
  select patient_uid, reading_type, measured_from::text, measured_to::text, version::text, judged::text, is_first
  from marked
  left join care.patients using (patient_uid)`

/** A mark of all types becomes one for each type that the patient has. Returns whether there was any. */
async function spreadMarks(db: Db, rows: Row[]): Promise<boolean> {
  const all = rows.filter((row) => row.reading_type === ALL_TYPES && row.judged !== null)
  if (all.length === 0) return false
  const values = [
    textArray(all.map((row) => row.patient_uid)),
    textArray(all.map((row) => row.version)),
    textArray(OWN_TYPES),
  ]
  await db.query({ name: 'spread-marks', text: SPREAD_MARKS, values }, { on: 'follow' })
  return true
}

/** SQL: the types of which there are readings of a patient, one index descent each. */
export const typesOf = (patientUid: string) => `
      with recursive types as (
        (
          select reading_type
          from casesheet.readings
          where readings.patient_uid = ${patientUid}
          order by reading_type
          limit 1
        )
        union all
        select (
          select readings.reading_type
          from casesheet.readings
          where readings.patient_uid = ${patientUid}
            and readings.reading_type > types.reading_type
          order by readings.reading_type
          limit 1
        )
        from types
        where types.reading_type is not null
      )
      select reading_type
      from types
      where reading_type is not null`

const SPREAD_MARKS = `
  with gone as (
    delete from care.marks
    using unnest($1::text[], $2::bigint[]) as wanted (patient_uid, version)
    where marks.patient_uid = wanted.patient_uid
      and reading_type = '${ALL_TYPES}'
      and marks.version = wanted.version
    returning marks.patient_uid, since
  )
  insert into care.marks as mark (patient_uid, reading_type, measured_from, measured_to, since)
  select distinct patient_uid, case when reading_type = any ($3::text[]) then reading_type else '${OTHER_TYPES}' end as type,
    '-infinity'::timestamptz, 'infinity'::timestamptz, since
  from gone
  cross join lateral (${typesOf('gone.patient_uid')}
  ) as types
  order by patient_uid, type${ON_MARKED}`

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
    (select since from care.marks where measured_from > '-infinity' order by since limit 1),
    (select since from care.marks where measured_from = '-infinity' order by since limit 1)
  ))::float8 as seconds
  from casesheet.followers
  where name = '${FOLLOWER}'`
