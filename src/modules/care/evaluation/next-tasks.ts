// Which patients and types are evaluated next. Any process takes them. A mark is in one state:
//
//   free       free_at is over; a process takes it
//   taken      for TAKEN_SECONDS: if its process does not write until then, another takes it too. Who writes first has evaluated it.
//   resting    the last attempt failed
//   deleted    all that had risen when it was taken is evaluated
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Span } from './fold.ts'
import { FOLLOWER, ON_RISEN } from './mark-rules.ts'
import { SHORT } from './outages.ts'

const TAKEN_SECONDS = 10
const DUE_AT_ONCE = 500

/** The spans that are open where a slice ends, by rule. */
export type Carried = Readonly<Record<string, { versionId: string; span: Span }>>

export type Task = {
  patientUid: string
  readingType: string
  /** From when on readings are evaluated, and the last that changed, as the database printed them. */
  from: string
  measuredTo: string
  version: string
  rises: string
  slices: number
  carried: Carried | null
}

type Row = Omit<Task, 'patientUid' | 'readingType' | 'measuredTo' | 'from'> & {
  patient_uid: string
  reading_type: string
  from_at: string
  measured_to: string
}

/** How many that were not begun, of readings and of rules for all, and how many with more slices. */
export type Limits = { few: number; bulk: number; many: number }

export async function takeTasks(db: Db, { few, bulk, many }: Limits): Promise<Task[]> {
  const rows = await db.query<Row>(
    { name: 'take-marks', text: TAKE, values: [few, many, bulk] },
    { on: 'follow' },
  )
  return rows.map(({ patient_uid, reading_type, from_at, measured_to, ...row }) => ({
    patientUid: patient_uid,
    readingType: reading_type,
    from: from_at,
    measuredTo: measured_to,
    ...row,
  }))
}

const free = (which: string, limit: string) => `
    select patient_uid, reading_type
    from care.alert_marks
    where ${which}
      and free_at <= clock_timestamp()
    order by slices, since
    limit ${limit}::integer
    for update skip locked`

// Nothing while nobody has noted when the rules were not looked after: readings would be missing that could not arrive.
const TAKE = `
  with first as materialized (${free('not is_bulk and slices = 0', '$1')}
  ), bulk as materialized (${free('is_bulk and slices = 0', '$3')}
  ), further as materialized (${free('slices > 0', '$2')}
  ), taken as (
    update care.alert_marks as mark
    set free_at = clock_timestamp() + interval '${TAKEN_SECONDS} seconds'
    from (select * from first union all select * from bulk union all select * from further) as next
    where (mark.patient_uid, mark.reading_type) = (next.patient_uid, next.reading_type)
      and exists (select from care.alert_watch where watched_at > clock_timestamp() - ${SHORT})
    returning mark.*
  )
  select patient_uid, reading_type, measured_to::text, version::text, rises::text, slices,
    (case when risen_from < measured_from then least(risen_from, carried_from) else measured_from end)::text as from_at,
    case when risen_from >= measured_from then carried end as carried
  from taken
  order by slices, since`

/** Marks those whose time has come. `now` is the clock of the database where it is null. */
export async function markDue(db: Db, now: string | null) {
  await db.query({ name: 'mark-due', text: MARK_DUE, values: [now, DUE_AT_ONCE] }, { on: 'follow' })
}

const MARK_DUE = `
  with due as materialized (
    select patient_uid, reading_type
    from care.alert_clocks
    where due_at <= coalesce($1::timestamptz, clock_timestamp())
    order by due_at
    limit $2::integer
    for update skip locked
  ), gone as (
    delete from care.alert_clocks
    using due
    where (alert_clocks.patient_uid, alert_clocks.reading_type) = (due.patient_uid, due.reading_type)
  )
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
  select patient_uid, reading_type, 'infinity'::timestamptz, 'infinity'::timestamptz
  from due
  order by patient_uid, reading_type${ON_RISEN}`

/** Lets those that failed wait, so that they hold up no others. */
export async function rest(db: Db, tasks: readonly Task[]) {
  const values = [
    textArray(tasks.map(({ patientUid }) => patientUid)),
    textArray(tasks.map(({ readingType }) => readingType)),
  ]
  await db.query({ name: 'rest-marks', text: REST, values }, { on: 'follow' })
}

const REST = `
  update care.alert_marks
  set free_at = clock_timestamp() + interval '30 seconds'
  from unnest($1::text[], $2::text[]) as task (of_patient, of_type)
  where patient_uid = of_patient
    and reading_type = of_type`

/** For how long, in seconds, a change has waited to be evaluated. Also where no process does that. */
export async function secondsBehind(db: Db): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    { name: 'rules-behind', text: BEHIND, values: [] },
    { on: 'follow' },
  )
  return row?.seconds ?? 0
}

const BEHIND = `
  select extract(epoch from clock_timestamp() - least(
    caught_up_at,
    (select since from care.alert_marks order by since limit 1),
    (select due_at + interval '5 seconds' from care.alert_clocks order by due_at limit 1)
  ))::float8 as seconds
  from casesheet.followers
  where name = '${FOLLOWER}'`
