// SQL: the summaries of a type, of some patients, in each of their zones. The days that changed are made again from the readings, and the
// sums from all days. So what is stored depends on the readings, the targets and the time alone, and not on what was stored before.
//
// Parameters: $1 to $5 the patients, from and to when something changed, the version of the patient, and that of the mark; $6 now, $7 the
// type, $8 the types that have summaries of their own; of a type with numbers $9 to $13 its units, $14 and $15 the outer bounds in each unit.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import { orderOfTime, orderOfType } from '../../casesheet/by-type.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { unitValues } from '../unit-sql.ts'
import { each, type Fields, judged, targetsOf } from './judged-readings.ts'
import { fieldsOf, OTHER_TYPES, OWN_TYPES, outerBoundsIn, unitsOf } from './what-is-summarised.ts'

/** The days that are kept, and those over which sums are made. */
export const KEPT_DAYS = 30
export const SUMMED_DAYS = 14
/** Clocks of devices that are a little ahead are usual: as in readings/latest. */
const AHEAD = "interval '5 minutes'"
/** More than there can be. A limit that is not known beforehand keeps the planner from sorting. */
const NO_LIMIT = 1_000_000_000

/** Of a patient that was made: how many readings were read for it. */
export type MadeRow = { patient_uid: string; readings: number }

export type Task = {
  patientUid: string
  /** As the database printed them. */
  measuredFrom: string
  measuredTo: string
  version: string
  /** Null where time alone has changed the summary. */
  staleVersion: string | null
}

export function makeStatement(readingType: string, tasks: readonly Task[], now: number): Statement {
  const units = unitsOf(readingType)
  const outer = (side: 0 | 1) => plainArray(units.map((unit) => outerBoundsIn(unit)?.[side] ?? null))
  return {
    name: `make-summaries-${readingType}`,
    text: TEXTS.get(readingType) ?? '',
    values: [
      textArray(tasks.map(({ patientUid }) => patientUid)),
      textArray(tasks.map(({ measuredFrom }) => measuredFrom)),
      textArray(tasks.map(({ measuredTo }) => measuredTo)),
      plainArray(tasks.map(({ version }) => version)),
      plainArray(tasks.map(({ staleVersion }) => staleVersion)),
      new Date(now).toISOString(),
      readingType,
      textArray(OWN_TYPES),
      ...(units.length > 0 ? [...unitValues(units), outer(0), outer(1)] : []),
    ],
  }
}

/** SQL: when a day begins in its zone: the first time, where clocks are put back to midnight. */
const startOf = (date: string, zone = 'time_zone') => {
  const midnight = `((${date})::timestamp at time zone ${zone})`
  const before = `(${midnight} - interval '1 hour')`
  return `(case when (${before} at time zone ${zone})::date = ${date} then ${before} else ${midnight} end)`
}

/**
 * SQL: the readings of a zone's days that changed. Of a type of its own they are in the order of the index by type: by the primary key, all
 * other readings of these days would be read too.
 */
const readingsOfDays = (isOwn: boolean) => {
  const [type, order] = isOwn
    ? ['= $7', orderOfTime('asc')]
    : ['<> all ($8::text[])', 'measured_at, reading_id']
  return `
        select patient_uid, time_zone, readings.*, (measured_at at time zone time_zone)::date as date
        from zones
        cross join lateral (
          select measured_at, received_at, details
          from casesheet.readings
          where readings.patient_uid = zones.patient_uid
            and withdrawn_by is null
            and reading_type ${type}
            and measured_at >= begins_at
            and measured_at < least(ends_at, $6::timestamptz + ${AHEAD})
          order by ${order}
          limit (select ${NO_LIMIT})
        ) as readings`
}

const NEWEST = `
        select locked.patient_uid, newest.*
        from locked
        cross join lateral (
          select measured_at, received_at, details
          from casesheet.readings
          where readings.patient_uid = locked.patient_uid
            and (reading_type, measured_at) < ($7, $6::timestamptz + ${AHEAD})
            and reading_type >= $7
            and withdrawn_by is null
          order by ${orderOfType('desc')}
          limit 1
        ) as newest`

const COUNTED = `count(*)::integer as readings,
      count(*) filter (where (details #> '{source,kind}')::text = '"device"')::integer as from_devices,
      max(measured_at) as last_at`

/** SQL: the days that changed. */
const daysMade = (fields: Fields, isOwn: boolean) =>
  fields.length === 0
    ? `
    select patient_uid, time_zone, date, ${COUNTED}, 0 as judged, 0 as in_target, 0 as below, 0 as above, 0 as far_below,
      0 as far_above, '{}'::float8[] as lowest, '{}'::float8[] as highest, null::timestamptz as outside_received,
      null::float8[] as farthest, null::timestamptz as farthest_at, null::integer as farthest_side, null::float8 as farthest_by
    from (${readingsOfDays(isOwn)}
    ) as readings
    group by patient_uid, time_zone, date`
    : `
    select patient_uid, time_zone, date, readings, from_devices, last_at, judged, in_target, below, above, far_below, far_above, lowest,
      highest, outside_received, far[4:] as farthest, to_timestamp(far[2] / 1e6) as farthest_at, far[3]::integer as farthest_side,
      far[1] as farthest_by
    from (
      select patient_uid, time_zone, date, ${COUNTED},
        count(*) filter (where is_judged)::integer as judged,
        count(*) filter (where is_judged and is_within)::integer as in_target,
        count(*) filter (where side_1 = -1)::integer as below,
        count(*) filter (where side_1 = 1)::integer as above,
        count(*) filter (where far_1 = -1)::integer as far_below,
        count(*) filter (where far_1 = 1)::integer as far_above,
        array[${each(fields, ({ nth }) => `min(value_${nth})`)}] as lowest,
        array[${each(fields, ({ nth }) => `max(value_${nth})`)}] as highest,
        max(received_at) filter (where is_outside) as outside_received,
        -- Lists are compared by their first numbers: how far, and when.
        max(array[
          outside_by, (extract(epoch from measured_at) * 1e6)::float8,
          case ${each(fields, ({ nth }) => `when by_${nth} = outside_by then far_${nth}`, ' ')} end,
          ${each(fields, ({ nth }) => `value_${nth}`)}
        ]) filter (where is_outside) as far
      from (${judged(fields, readingsOfDays(isOwn))}
      ) as readings
      group by patient_uid, time_zone, date
    ) as dated`

const DAY_COLUMNS = `readings, from_devices, last_at, judged, in_target, below, above, far_below, far_above, lowest, highest,
      outside_received, farthest, farthest_at, farthest_side, farthest_by`

const SUMMARY_COLUMNS = `made_on, due_at, has_target, has_goal, unit, newest, newest_at, newest_received, newest_sides, newest_is_outside, last_at,
      judged, in_target, judged_before, in_target_before, below, above, far_below, far_above, days, device_days, outside_received,
      farthest, farthest_at, farthest_side`

const setAll = (columns: string) =>
  columns
    .split(',')
    .map((column) => `${column.trim()} = excluded.${column.trim()}`)
    .join(', ')

const isRecent = `date between today - ${SUMMED_DAYS - 1} and today`
const isBefore = `date between today - ${2 * SUMMED_DAYS - 1} and today - ${SUMMED_DAYS}`
const isKept = `date between today - ${KEPT_DAYS - 1} and today`
const sumOf = (column: string, days: string) => `coalesce(sum(${column}) filter (where ${days}), 0)::integer`
const maskOf = (condition: string) =>
  `coalesce(
        bit_or(set_bit(0::bit(${KEPT_DAYS}), ${KEPT_DAYS - 1} - (today - date), 1)) filter (where ${isKept} and ${condition}),
        0::bit(${KEPT_DAYS})
      )`

/** SQL: the sums over all days of a zone. */
const SUMS = `
    select zones.patient_uid, zones.time_zone, today,
      count(all_days.date) > 0 as has_days,
      max(all_days.last_at) as last_at,
      ${['judged', 'in_target'].map((column) => `${sumOf(column, isRecent)} as ${column}, ${sumOf(column, isBefore)} as ${column}_before`).join(', ')},
      ${['below', 'above', 'far_below', 'far_above'].map((column) => `${sumOf(column, isRecent)} as ${column}`).join(', ')},
      ${maskOf('true')} as days,
      ${maskOf('from_devices > 0')} as device_days,
      max(outside_received) filter (where ${isRecent}) as outside_received,
      (array_agg(date order by farthest_by desc, date desc) filter (where ${isRecent} and farthest_by is not null))[1] as farthest_on
    from zones
    left join all_days using (patient_uid, time_zone)
    group by zones.patient_uid, zones.time_zone, today`

/** SQL: the patients, of whom nobody has made anything since the tasks were read. */
const LOCKED = `
    select patients.patient_uid, measured_from, measured_to, stale_version
    from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[])
      as task (patient_uid, measured_from, measured_to, version, stale_version)
    join care.patients on patients.patient_uid = task.patient_uid and patients.version = task.version
    where $8::text[] is not null
    order by patients.patient_uid
    for update of patients skip locked`

/** SQL: their zones, with the days that are made again. */
const ZONES = `
    select patient_uid, time_zone, today, first_date, last_date, ${startOf('first_date')} as begins_at, ${startOf('last_date + 1')} as ends_at
    from (
      select patient_uid, time_zone, today,
        greatest((least(measured_from, due_at) at time zone time_zone)::date, today - ${KEPT_DAYS - 1}) as first_date,
        least(
          (case when due_at is null then measured_to else 'infinity' end at time zone time_zone)::date,
          (($6::timestamptz + ${AHEAD}) at time zone time_zone)::date
        ) as last_date
      from locked
      join care.patient_zones using (patient_uid)
      cross join lateral (select ($6::timestamptz at time zone time_zone)::date as today) as now
      -- Also what was ahead of time when the summary was made last, and no longer is.
      left join lateral (
        select due_at
        from care.summaries
        where summaries.patient_uid = locked.patient_uid
          and summaries.time_zone = patient_zones.time_zone
          and reading_type = $7
          and due_at <= $6
      ) as due on true
      offset 0
    ) as dated`

const ALL_DAYS = `
    select patient_uid, time_zone, date, ${DAY_COLUMNS}
    from zones
    join care.summary_days using (patient_uid, time_zone)
    where reading_type = $7
      and date > today - ${KEPT_DAYS}
      and not date between first_date and last_date
    union all
    select patient_uid, time_zone, date, ${DAY_COLUMNS}
    from days_made`

/** SQL: the summaries. There is none of a type of which there is neither a reading nor a target. */
const MADE = `
    select sums.patient_uid, sums.time_zone, today as made_on,
      least(
        case when has_days then ${startOf('today + 1', 'sums.time_zone')} else 'infinity' end,
        coalesce(ahead_at - ${AHEAD} + interval '1 microsecond', 'infinity')
      ) as due_at,
      has_target, has_goal, made_in as unit, newest, newest_at, newest_received, sides as newest_sides,
      coalesce(is_outside, false) as newest_is_outside, coalesce(newest_at, sums.last_at) as last_at,
      sums.judged, sums.in_target, judged_before, in_target_before, sums.below, sums.above, sums.far_below, sums.far_above, days, device_days,
      sums.outside_received, far.farthest, far.farthest_at, far.farthest_side
    from sums
    join targets using (patient_uid)
    left join newest using (patient_uid)
    join ahead using (patient_uid)
    left join all_days as far
      on far.patient_uid = sums.patient_uid and far.time_zone = sums.time_zone and far.date = sums.farthest_on
    where has_target or has_days or newest_at is not null or ahead_at is not null`

/** SQL: what is written, and who was made. */
const WRITES = `removed_days as (
    delete from care.summary_days
    using zones
    where summary_days.patient_uid = zones.patient_uid
      and summary_days.time_zone = zones.time_zone
      and summary_days.reading_type = $7
      and (date <= today - ${KEPT_DAYS} or date between first_date and last_date)
      and not exists (
        select
        from days_made
        where days_made.patient_uid = zones.patient_uid
          and days_made.time_zone = zones.time_zone
          and days_made.date = summary_days.date
      )
  ), written_days as (
    insert into care.summary_days (patient_uid, time_zone, reading_type, date, ${DAY_COLUMNS})
    select patient_uid, time_zone, $7, date, ${DAY_COLUMNS}
    from days_made
    on conflict (patient_uid, time_zone, reading_type, date) do update
    set ${setAll(DAY_COLUMNS)}
  ), removed as (
    delete from care.summaries
    using zones
    where summaries.patient_uid = zones.patient_uid
      and summaries.time_zone = zones.time_zone
      and summaries.reading_type = $7
      and not exists (select from made where made.patient_uid = zones.patient_uid and made.time_zone = zones.time_zone)
  ), written as (
    insert into care.summaries (patient_uid, time_zone, reading_type, ${SUMMARY_COLUMNS})
    select patient_uid, time_zone, $7, ${SUMMARY_COLUMNS}
    from made
    on conflict (patient_uid, time_zone, reading_type) do update
    set ${setAll(SUMMARY_COLUMNS)}
  ), unmarked as (
    delete from care.stale
    using locked
    where stale.patient_uid = locked.patient_uid
      and stale.reading_type = $7
      and stale.version = locked.stale_version
  ), raised as (
    update care.patients
    set version = version + 1,
      changed_xid = pg_current_xact_id()
    from locked
    where patients.patient_uid = locked.patient_uid
    returning patients.patient_uid
  )
  select patient_uid, coalesce((select sum(readings) from days_made where days_made.patient_uid = raised.patient_uid), 0)::integer as readings
  from raised`

/** SQL: the reading of each patient that was measured last. Of types that are together, the days say when that was. */
function newestOf(fields: Fields, isOwn: boolean): string {
  if (fields.length === 0)
    return `
    select patient_uid, measured_at as newest_at, received_at as newest_received, false as is_outside, null::float8[] as newest,
      null::integer[] as sides
    from (${NEWEST}
    ) as readings
    where ${isOwn}`
  return `
    select patient_uid, measured_at as newest_at, received_at as newest_received, is_outside,
      array[${each(fields, ({ nth }) => `value_${nth}`)}] as newest, array[${each(fields, ({ nth }) => `side_${nth}`)}] as sides
    from (${judged(fields, NEWEST)}
    ) as readings`
}

/** SQL: the first reading of each patient that is ahead of time. */
function aheadOf(isOwn: boolean): string {
  const isAhead = isOwn
    ? `(reading_type, measured_at) >= ($7, $6::timestamptz + ${AHEAD}) and reading_type <= $7`
    : `measured_at >= $6::timestamptz + ${AHEAD} and reading_type <> all ($8::text[])`
  return `
    select patient_uid, ahead_at
    from locked
    left join lateral (
      select measured_at as ahead_at
      from casesheet.readings
      where readings.patient_uid = locked.patient_uid
        and ${isAhead}
        and withdrawn_by is null
      order by ${isOwn ? orderOfType('asc') : 'measured_at, reading_id'}
      limit 1
    ) as first on true`
}

const NO_TARGETS = `
    select patient_uid, false as has_target, false as has_goal, null::text as made_in
    from locked`

function textFor(readingType: string): string {
  const quantities = CATALOGUE[readingType]?.quantities ?? {}
  const fields = fieldsOf(readingType).map((name, index) => ({
    name,
    nth: index + 1,
    hasOwnUnit: quantities[name]?.unit !== undefined,
  }))
  const isOwn = readingType !== OTHER_TYPES
  return `
  with locked as materialized (${LOCKED}
  ), targets as materialized (${fields.length > 0 ? targetsOf(fields) : NO_TARGETS}
  ), zones as materialized (${ZONES}
  ), days_made as materialized (${daysMade(fields, isOwn)}
  ), all_days as materialized (${ALL_DAYS}
  ), sums as materialized (${SUMS}
  ), newest as materialized (${newestOf(fields, isOwn)}
  ), ahead as materialized (${aheadOf(isOwn)}
  ), made as materialized (${MADE}
  ), ${WRITES}`
}

const TEXTS = new Map([...OWN_TYPES, OTHER_TYPES].map((type) => [type, textFor(type)]))
