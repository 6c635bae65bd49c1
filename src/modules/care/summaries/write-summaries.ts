// Writes what was made of one type of a patient, in one statement, and takes the mark away unless something changed meanwhile.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { DAY } from '../status/beyond.ts'
import { COUNTED_AT, IS_STRANGE } from './counted-at.ts'
import type { DayRow, EvidenceRow } from './judge-readings.ts'
import { type SummaryTask, typesOf } from './next-tasks.ts'
import { KEPT_DAYS, OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

/** Days since 1970. `made`: from the first to the last; of other days nothing is known here. */
type Made = {
  task: SummaryTask
  targetIds: string[]
  today: number
  made: { from: number; to: number }
  days: DayRow[]
  /** All that is to be there of this type. */
  evidence: EvidenceRow[]
  dataDays: number[]
}

/** Whether it was written: not if anything else was made of the patient since the task was read. */
export async function writeSummaries(
  db: Db,
  { task, targetIds, today, made, ...rows }: Made,
): Promise<boolean> {
  const { patientUid, readingType, judged, markVersion } = task
  const isOther = readingType === OTHER_TYPES
  const madeDays = Array.from({ length: KEPT_DAYS }, (_, nth) => today - nth).filter(
    (day) => day >= made.from && day <= made.to,
  )
  const written = await db.query(
    {
      name: `write-summaries-${isOther ? 'others' : 'own'}`,
      text: isOther ? WRITE_OTHERS : WRITE_OWN,
      values: [
        patientUid,
        readingType,
        judged,
        markVersion,
        textArray(targetIds),
        dateOf(made.from),
        dateOf(made.to),
        dateOf(today),
        JSON.stringify(
          rows.days.map(({ targetId, day, fields }) => ({
            targetId,
            day: dateOf(day),
            ...columnsOf(fields),
          })),
        ),
        JSON.stringify(
          rows.evidence.map((row) => ({
            ...row,
            measuredAt: instantOf(row.measuredAt),
            receivedAt: instantOf(row.receivedAt),
          })),
        ),
        bitsOf(rows.dataDays, today),
        bitsOf(madeDays, today),
        textArray(Object.keys(CATALOGUE[readingType]?.quantities ?? {})),
      ],
    },
    { on: 'follow' },
  )
  return written.length > 0
}

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
const instantOf = (ms: number) => new Date(ms).toISOString()
/** The last one is today's. */
const bitsOf = (days: number[], today: number) =>
  Array.from({ length: KEPT_DAYS }, (_, nth) => Number(days.includes(today - KEPT_DAYS + 1 + nth))).join('')

const NO_SUMS = {
  values: 0,
  sum: 0,
  total: 0,
  inRange: 0,
  below: 0,
  farBelow: 0,
  above: 0,
  farAbove: 0,
  lowest: null,
  highest: null,
}

function columnsOf(fields: DayRow['fields']) {
  const all = fields.map((sums) => sums ?? NO_SUMS)
  const keys = Object.keys(NO_SUMS) as (keyof typeof NO_SUMS)[]
  return Object.fromEntries(keys.map((key) => [key, all.map((sums) => sums[key])]))
}

const usualOf = (type: string) => `casesheet.readings
        where patient_uid = $1
          and readings.reading_type = ${type}
          and not ${IS_STRANGE}
          and withdrawn_at is null`

/**
 * The reading that counts last, or the one with an impossible time that arrived last. One from a clock that is ahead counts before it was
 * measured: only those between the two times can count later.
 */
const newestOf = (type: string) => `(
        select measured_at, received_at, reading_id, details
        from ${usualOf(type)}
          and measured_at >= (
            select least(measured_at, received_at)
            from ${usualOf(type)}
            order by ${orderOfType('desc')}
            limit 1
          )
        order by least(measured_at, received_at) desc, reading_id
        limit 1
      )
      union all
      (
        select measured_at, received_at, reading_id, details
        from casesheet.readings
        where patient_uid = $1
          and readings.reading_type = ${type}
          and ${IS_STRANGE}
          and withdrawn_at is null
        order by received_at desc
        limit 1
      )`

const NEWEST_OF_OTHERS = `
      select newest.*
      from (${typesOf('$1')}
      ) as types
      cross join lateral (${newestOf('types.reading_type')}
      ) as newest
      where types.reading_type <> all (array[${OWN_TYPES.map((type) => `'${type}'`).join()}])`

const WRITE_DAYS = `day as materialized (
    select *
    from jsonb_to_recordset($9::jsonb) as day (
      "targetId" uuid, day date, values integer[], sum float8[], total float8[], "inRange" float8[], below float8[], "farBelow" float8[],
      above float8[], "farAbove" float8[], lowest float8[], highest float8[]
    )
    where exists (select from judged)
  ), removed_days as (
    delete from care.days
    where patient_uid = $1
      and reading_type = $2
      and exists (select from judged)
      and (
        target_id <> all ($5::uuid[])
        or day <= $8::date - ${KEPT_DAYS}
        or day between $6::date and $7::date and (target_id, day) not in (select "targetId", day.day from day)
      )
  ), written_days as (
    insert into care.days (
      patient_uid, reading_type, target_id, day, readings, sum, total, in_range, below, far_below, above, far_above, lowest, highest
    )
    select $1, $2, "targetId", day, values, sum, total, "inRange", below, "farBelow", above, "farAbove", lowest, highest
    from day
    on conflict (patient_uid, target_id, day) do update
    set readings = excluded.readings,
      sum = excluded.sum,
      total = excluded.total,
      in_range = excluded.in_range,
      below = excluded.below,
      far_below = excluded.far_below,
      above = excluded.above,
      far_above = excluded.far_above,
      lowest = excluded.lowest,
      highest = excluded.highest
  )`

const WRITE_EVIDENCE = `evidence as materialized (
    select *
    from jsonb_to_recordset($10::jsonb) as evidence (
      kind text, "targetId" uuid, field text, "readingId" uuid, value float8, severity text, shown jsonb, "measuredAt" timestamptz,
      "receivedAt" timestamptz
    )
    where exists (select from judged)
  ), removed_evidence as (
    delete from care.evidence as before
    where patient_uid = $1
      and reading_type = $2
      and exists (select from judged)
      and not exists (
        select
        from evidence
        where evidence.kind = before.kind
          and "targetId" is not distinct from before.target_id
          and evidence.field is not distinct from before.field
          and "readingId" = before.reading_id
          and "measuredAt" = before.measured_at
      )
  ), written_evidence as (
    -- A row that is there keeps its position.
    insert into care.evidence as before (
      patient_uid, reading_type, kind, target_id, field, reading_id, value, severity, shown, measured_at, received_at, position
    )
    select $1, $2, kind, "targetId", field, "readingId", value, severity, shown, "measuredAt", "receivedAt", judged
    from evidence
    cross join judged
    on conflict on constraint evidence_once do update
    set value = excluded.value,
      severity = excluded.severity,
      shown = excluded.shown,
      received_at = excluded.received_at
    where (before.value, before.severity, before.shown, before.received_at)
      is distinct from (excluded.value, excluded.severity, excluded.shown, excluded.received_at)
  )`

const writeNewest = (isOther: boolean) => `newest as materialized (
    select measured_at, received_at, reading_id, details
    from (${isOther ? NEWEST_OF_OTHERS : newestOf('$2')}
    ) as newest
    where exists (select from judged)
    order by ${COUNTED_AT} desc, reading_id
    limit 1
  ), written_newest as (
    insert into care.newest as before (
      patient_uid, reading_type, measured_at, received_at, reading_id, unit, values, counted_on, data_days
    )
    select $1, $2, measured_at, received_at, reading_id, details ->> 'unit',
      coalesce((select jsonb_object_agg(key, value) from json_each(details) where key = any ($13::text[])), '{}'),
      $8, $11::bit(${KEPT_DAYS})
    from newest
    on conflict (patient_uid, reading_type) do update
    set measured_at = excluded.measured_at,
      received_at = excluded.received_at,
      reading_id = excluded.reading_id,
      unit = excluded.unit,
      values = excluded.values,
      counted_on = excluded.counted_on,
      data_days = (before.data_days << (excluded.counted_on - before.counted_on)) & ~$12::bit(${KEPT_DAYS}) | excluded.data_days
  ), removed_newest as (
    delete from care.newest
    where patient_uid = $1
      and reading_type = $2
      and exists (select from judged)
      and not exists (select from newest)
  )`

const WRITE = (isOther: boolean) => `
  with judged as (
    update care.patients
    set judged = judged + 1
    where patient_uid = $1
      and judged = $3::bigint
    returning judged
  ), ${WRITE_DAYS}, ${WRITE_EVIDENCE}, ${writeNewest(isOther)}, done as (
    delete from care.marks
    where patient_uid = $1
      and reading_type = $2
      and version = $4::bigint
      and exists (select from judged)
  )
  select judged
  from judged`
const [WRITE_OWN, WRITE_OTHERS] = [WRITE(false), WRITE(true)]
