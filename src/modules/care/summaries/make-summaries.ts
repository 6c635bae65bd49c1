// Makes what the judgement of a patient needs of one type: the days that changed, the evidence in them, the newest reading. What is made is
// written in one statement, and only where nothing else was made of the patient since the task was read; so positions cannot cover what
// was not judged.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { DAY } from '../status/beyond.ts'
import { IS_STRANGE } from './counted-at.ts'
import { type JudgedField, type JudgedTarget, Judging, type TypedReading } from './judge-readings.ts'
import { OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

/** Today and 29 days before. */
export const KEPT_DAYS = 30
/** After its arrival: a little longer than anything is judged by it. */
export const KEPT_EVIDENCE_DAYS = 15
const PAGE = 5_000
const SENSOR = 'interstitialGlucose'
/** Where distance starts: 100 for oxygen, 37 °C for temperature. */
const ZEROS: Record<string, Partial<Record<Unit, number>>> = {
  oxygenSaturation: { '%': 100 },
  bodyTemperature: { Cel: 37, '[degF]': 98.6 },
}

/** As `nextTasks` read it; times as the database printed them. */
export type SummaryTask = {
  patientUid: string
  readingType: string
  measuredFrom: string
  measuredTo: string
  markVersion: string
  judged: string
}

type TargetRow = { target_id: string; unit: Unit; fields: Record<string, Omit<JudgedField, 'name'>> }
type ReadingRow = {
  reading_id: string
  measured_at: number
  received_at: number
  unit: Unit | null
  details: Record<string, unknown>
}

/** How many readings were read, and whether it was written. */
export async function makeSummaries(
  db: Db,
  task: SummaryTask,
  now: number,
): Promise<{ readings: number; isMade: boolean }> {
  const today = Math.floor(now / DAY)
  const range = { from: firstDayOf(task, today) * DAY, to: (lastDayOf(task, today) + 1) * DAY }
  const targets = await loadTargets(db, task)
  const judging = new Judging(targets)
  let readings = 0
  for await (const page of readingsOf(db, task, range)) {
    for (const reading of page) judging.take(reading)
    readings += page.length
  }
  const isMade = await write(db, { task, targets, today, range, ...judging.finish() })
  return { readings, isMade }
}

const dayOf = (instant: string, otherwise: number) =>
  instant.includes('infinity') ? otherwise : Math.floor(Date.parse(instant) / DAY)

const firstDayOf = ({ measuredFrom }: SummaryTask, today: number) =>
  Math.max(dayOf(measuredFrom, -Infinity), today - KEPT_DAYS + 1)
const lastDayOf = ({ measuredTo }: SummaryTask, today: number) => Math.min(dayOf(measuredTo, Infinity), today)

async function loadTargets(db: Db, { patientUid, readingType }: SummaryTask): Promise<JudgedTarget[]> {
  const quantities = CATALOGUE[readingType]?.quantities
  if (!quantities) return []
  const rows = await db.query<TargetRow>(
    { name: 'judging-targets', text: JUDGING_TARGETS, values: [patientUid, readingType] },
    { on: 'follow' },
  )
  const ownUnits = Object.fromEntries(
    Object.entries(quantities).flatMap(([field, { unit }]) => (unit ? [[field, unit]] : [])),
  )
  return rows.map(({ target_id, unit, fields }) => {
    const zero = ZEROS[readingType]?.[unit]
    return {
      targetId: target_id,
      unit,
      isSensor: readingType === SENSOR,
      ownUnits,
      fields: Object.entries(fields).map(([name, field]) => ({
        ...field,
        name,
        ...(zero !== undefined && { zero }),
      })),
    }
  })
}

/** Of doctors to whom the patient gives this type now; those for all hold where the grant has `manage`. */
const JUDGING_TARGETS = `
  select target_id, unit, fields
  from casesheet.grants
  join casesheet.targets on author_kind = 'doctor' and author_id = doctor_id
  where grants.patient_uid = $1
    and grants.state = 'given'
    and valid_until > now()
    and (reading_types is null or $2 = any (reading_types))
    and targets.reading_type = $2
    and targets.state = 'set'
    and (targets.patient_uid = $1 or targets.patient_uid is null and permission = 'manage')
  order by target_id`

/** In order of measured_at; those with impossible times first, which count when they arrived. */
async function* readingsOf(
  db: Db,
  { patientUid, readingType }: SummaryTask,
  { from, to }: { from: number; to: number },
): AsyncGenerator<TypedReading[]> {
  const range = [new Date(from).toISOString(), new Date(to).toISOString()]
  const ofType = readingType === OTHER_TYPES ? textArray(OWN_TYPES) : readingType
  for (const kind of ['strange', 'usual'] as const) {
    let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
    for (;;) {
      const rows: (ReadingRow & { at: string })[] = await db.query(
        {
          name: `readings-to-judge-${kind}-${readingType === OTHER_TYPES ? 'others' : 'own'}`,
          text: READINGS[kind](readingType === OTHER_TYPES),
          values: [patientUid, ofType, ...range, after.at, after.id, PAGE],
        },
        { on: 'follow' },
      )
      yield rows.map(({ reading_id, measured_at, received_at, unit, details }) => ({
        readingId: reading_id,
        measuredAt: measured_at,
        receivedAt: received_at,
        unit: unit ?? CATALOGUE[readingType]?.units[0] ?? null,
        details,
      }))
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = { at: last.at, id: last.reading_id }
    }
  }
}

/** A clock that is ahead by less than a day counts when it arrived: perhaps on the day before. */
const READINGS = {
  usual: (isOther: boolean) =>
    readingsWhere(isOther, {
      when: `measured_at >= $3::timestamptz
      and measured_at < $4::timestamptz + interval '24 hours'
      and least(measured_at, received_at) >= $3
      and least(measured_at, received_at) < $4
      and not ${IS_STRANGE}`,
    }),
  strange: (isOther: boolean) =>
    readingsWhere(isOther, {
      when: `${IS_STRANGE}
      and received_at >= $3::timestamptz
      and received_at < $4::timestamptz`,
    }),
}

function readingsWhere(isOther: boolean, { when }: { when: string }): string {
  const order = isOther ? 'readings.measured_at, readings.reading_id' : orderOfType('asc')
  return `
  select reading_id, measured_at::text as at, (extract(epoch from measured_at) * 1000)::float8 as measured_at,
    (extract(epoch from received_at) * 1000)::float8 as received_at, details ->> 'unit' as unit, details
  from casesheet.readings
  where patient_uid = $1
    and ${isOther ? 'reading_type <> all ($2::text[])' : 'reading_type = $2'}
    and ${when}
    and (measured_at, reading_id) > ($5::timestamptz, $6::uuid)
    and withdrawn_at is null
  order by ${order}
  limit $7::integer`
}

type Made = ReturnType<Judging['finish']> & {
  task: SummaryTask
  targets: JudgedTarget[]
  today: number
  range: { from: number; to: number }
}

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
const instantOf = (ms: number) => new Date(ms).toISOString()

async function write(
  db: Db,
  { task, targets, today, range, days, evidence, dataDays }: Made,
): Promise<boolean> {
  const { patientUid, readingType, judged, markVersion } = task
  const rows = await db.query(
    {
      name: `write-summaries-${readingType === OTHER_TYPES ? 'others' : 'own'}`,
      text: readingType === OTHER_TYPES ? WRITE_OTHERS : WRITE_OWN,
      values: [
        patientUid,
        readingType,
        judged,
        markVersion,
        textArray(targets.map(({ targetId }) => targetId)),
        dateOf(range.from / DAY),
        dateOf(range.to / DAY - 1),
        dateOf(today),
        JSON.stringify(
          days.map(({ targetId, day, fields }) => ({ targetId, day: dateOf(day), ...columnsOf(fields) })),
        ),
        JSON.stringify(
          evidence.map(({ beyond: _beyond, ...row }) => ({
            ...row,
            measuredAt: instantOf(row.measuredAt),
            receivedAt: instantOf(row.receivedAt),
          })),
        ),
        textArray(dataDays.map(dateOf)),
        textArray(Object.keys(CATALOGUE[readingType]?.quantities ?? {})),
      ],
    },
    { on: 'follow' },
  )
  return rows.length > 0
}

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

function columnsOf(fields: Made['days'][number]['fields']) {
  const all = fields.map((sums) => sums ?? NO_SUMS)
  const keys = Object.keys(NO_SUMS) as (keyof typeof NO_SUMS)[]
  return Object.fromEntries(keys.map((key) => [key, all.map((sums) => sums[key])]))
}

const WRITE = (isOther: boolean) => `
  with judged as (
    update care.patients
    set judged = judged + 1
    where patient_uid = $1
      and judged = $3::bigint
    returning judged
  ), day as materialized (
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
  ), evidence as materialized (
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
      and (
        received_at < $8::date - interval '${KEPT_EVIDENCE_DAYS} days'
        or kind = 'value' and target_id <> all ($5)
        or (
          least(measured_at, received_at) >= $6::date and least(measured_at, received_at) < $7::date + 1
          and not exists (
            select
            from evidence
            where evidence.kind = before.kind
              and "targetId" is not distinct from before.target_id
              and evidence.field is not distinct from before.field
              and "readingId" = before.reading_id
              and "measuredAt" = before.measured_at
          )
        )
      )
  ), written_evidence as (
    insert into care.evidence (
      patient_uid, reading_type, kind, target_id, field, reading_id, value, severity, shown, measured_at, received_at, position
    )
    select $1, $2, kind, "targetId", field, "readingId", value, severity, shown, "measuredAt", "receivedAt", judged
    from evidence
    cross join judged
    on conflict on constraint evidence_once do nothing
  ), newest as materialized (
    select measured_at, received_at, reading_id, details
    from casesheet.readings
    where patient_uid = $1
      and ${isOther ? `reading_type <> all (array[${OWN_TYPES.map((type) => `'${type}'`).join()}])` : 'reading_type = $2'}
      and measured_at <= received_at + interval '24 hours'
      and withdrawn_at is null
      and exists (select from judged)
    order by ${isOther ? 'readings.measured_at desc, readings.reading_id desc' : orderOfType('desc')}
    limit 1
  ), on_days as (
    select coalesce(bit_or(set_bit(0::bit(${KEPT_DAYS}), ${KEPT_DAYS - 1} - ($8::date - date), 1)) filter (where date = any ($11::date[])), 0::bit(${KEPT_DAYS})) as data,
      coalesce(bit_or(set_bit(0::bit(${KEPT_DAYS}), ${KEPT_DAYS - 1} - ($8::date - date), 1)), 0::bit(${KEPT_DAYS})) as made
    from (select generate_series($6::date, $7::date, '1 day')::date as date) as made_days
  ), written_newest as (
    insert into care.newest as before (
      patient_uid, reading_type, measured_at, received_at, reading_id, unit, values, counted_on, data_days
    )
    select $1, $2, measured_at, received_at, reading_id, details ->> 'unit',
      coalesce((select jsonb_object_agg(key, value) from json_each(details) where key = any ($12::text[])), '{}'),
      $8, data
    from newest
    cross join on_days
    on conflict (patient_uid, reading_type) do update
    set measured_at = excluded.measured_at,
      received_at = excluded.received_at,
      reading_id = excluded.reading_id,
      unit = excluded.unit,
      values = excluded.values,
      counted_on = excluded.counted_on,
      data_days = (before.data_days << (excluded.counted_on - before.counted_on)) & ~(select made from on_days) | excluded.data_days
  ), removed_newest as (
    delete from care.newest
    where patient_uid = $1
      and reading_type = $2
      and exists (select from judged)
      and not exists (select from newest)
  ), done as (
    delete from care.marks
    where patient_uid = $1
      and reading_type = $2
      and version = $4::bigint
      and exists (select from judged)
  )
  select judged
  from judged`
const [WRITE_OWN, WRITE_OTHERS] = [WRITE(false), WRITE(true)]
