// The figures of reports/glucose.
import { plainArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { IS_NUMBER } from '../../casesheet/statistics/statistics-statement.ts'
import type { SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { unitValues } from '../unit-sql.ts'
import { type FieldRange, rangesIn } from './compared-target.ts'
import {
  commonValues,
  compared,
  converted,
  countReportWork,
  DAYS,
  type ReportRequest,
  reportText,
  standingReadings,
  UNIT,
} from './report-statement.ts'

export const GLUCOSE_UNITS = ['mmol/L', 'mg/dL'] as const satisfies Unit[]
export type GlucoseUnit = (typeof GLUCOSE_UNITS)[number]

/** Where the bands of the consensus end: very low is below the first, low below the second, high above the third … */
export const CONSENSUS: Record<GlucoseUnit, readonly [number, number, number, number]> = {
  'mmol/L': [3, 3.9, 10, 13.9],
  'mg/dL': [54, 70, 180, 250],
}

export const HALF_HOURS = 48

type Percentiles = [number, number, number, number, number]
/** A value, and when it was measured, in epoch seconds; the time of the highest is negative. */
type Extreme = [value: number, at: number]

export type GlucoseRow = SummaryRow & {
  days: number
  is_long: boolean
  readings: number
  mean: number | null
  deviation: number | null
  bands: { band: number; readings: number; seconds: number }[]
  profile: { slot: number; count: number; percentiles: Percentiles }[]
  lowest: Extreme | null
  highest: Extreme | null
}

export function glucoseStatement(
  request: ReportRequest & { now: number; unit: GlucoseUnit; ranges: FieldRange[] },
): Statement {
  const edges = [0, 1, 2, 3].map((edge) =>
    plainArray(GLUCOSE_UNITS.map((unit) => CONSENSUS[unit][edge] ?? 0)),
  )
  return {
    name: 'report-glucose',
    text: TEXT,
    values: [
      ...commonValues(request),
      new Date(request.now).toISOString(),
      ...unitValues(GLUCOSE_UNITS),
      GLUCOSE_UNITS.indexOf(request.unit) + 1,
      ...edges,
      JSON.stringify(request.ranges),
    ],
  }
}

/**
 * SQL: the band of a value, from 1 for very low to 5 for very high. Limits of the consensus are those of the unit in which it was sent.
 * With a target, that is the middle band. Where it leaves a side open, the consensus closes it: a target of at most 180 mg/dL must not
 * make 39 a value in target. A limit of the consensus that the target crosses falls away.
 */
const BAND = `case
          when has_target then
            case
              when compared < low or (is_open_below and sent < ($16::float8[])[unit]) then case when has_very_low and sent < ($15::float8[])[unit] then 1 else 2 end
              when compared > high or (is_open_above and sent > ($17::float8[])[unit]) then
                case when has_very_high and sent > ($18::float8[])[unit] then 5 else 4 end
              else 3
            end
          when sent < ($15::float8[])[unit] then 1
          when sent < ($16::float8[])[unit] then 2
          when sent <= ($17::float8[])[unit] then 3
          when sent <= ($18::float8[])[unit] then 4
          else 5
        end`

// One pass over the readings makes at most 240 groups, which hold their values: percentiles are made of each half hour's alone. So
// nothing has to be sorted as a whole, and no temporary file is needed.
const TEXT = reportText({
  work: countReportWork(),
  queries: `${rangesIn('$19')}, target as materialized (
      select has_target, low, high, target_unit, is_open_below, is_open_above,
        is_open_below or low > ($15::float8[])[target_unit] as has_very_low,
        is_open_above or high < ($18::float8[])[target_unit] as has_very_high
      from (
        select has_target, low, high, target_unit,
          low is null and ($16::float8[])[target_unit] < high as is_open_below,
          high is null and ($17::float8[])[target_unit] > low as is_open_above
        from (
          select ranges.unit is not null as has_target, low, high, array_position($9::text[], ranges.unit) as target_unit
          from (select 'value' as field) as of_type
          left join ranges using (field)
        ) as bounds
      ) as bounds
    ), numbers as (
      select measured_at, seconds, value, ${BAND} as band
      from (
        select measured_at, seconds, unit, sent, ${converted('sent', 'unit', '$14::integer')} as value,
          case when has_target then ${compared('sent', 'unit', 'target_unit')} end as compared,
          has_target, low, high, is_open_below, is_open_above, has_very_low, has_very_high
        from (
          select measured_at, seconds, unit, case when ${IS_NUMBER} then written::float8 end as sent
        from (
          select measured_at, seconds, (details -> 'value')::text as written, ${UNIT} as unit
          from (${standingReadings("interval '15 minutes'")}
          ) as readings
          offset 0
          ) as fields
          offset 0
        ) as numbers
        cross join target
        where sent is not null
          and unit is not null
        offset 0
      ) as numbers
    ), groups as materialized (
      select slot, band, count(*) as readings, sum(seconds) as seconds, array_agg(value) as values,
        min(array[value, at]) as lowest, max(array[value, - at]) as highest
      from (
        select floor(date_part('epoch', (measured_at at time zone $6)::time) / ${86_400 / HALF_HOURS})::integer as slot,
          band, value, seconds, date_part('epoch', measured_at) as at
        from numbers
      ) as placed
      group by slot, band
    ), days as (${DAYS}
    )`,
  columns: `
      (select count(*)::integer from days) as days,
      -- On the local clock, and to the second: a range may end just before midnight.
      ($4::timestamptz at time zone $6) - ($3::timestamptz at time zone $6) >= interval '14 days' - interval '1 second' as is_long,
      (select coalesce(sum(readings), 0)::integer from groups) as readings,
      (select avg(value) from groups cross join unnest(values) as value) as mean,
      (select stddev_samp(value) from groups cross join unnest(values) as value) as deviation,
      (
        select coalesce(json_agg(json_build_object('band', band, 'readings', readings, 'seconds', seconds)), '[]')
        from (
          select band, sum(readings) as readings, sum(seconds) as seconds
          from groups
          group by band
        ) as bands
      ) as bands,
      (
        select coalesce(json_agg(json_build_object('slot', slot, 'count', of_slot.count, 'percentiles', percentiles)), '[]')
        from (select distinct slot from groups) as slots
        cross join lateral (
          select count(*), percentile_cont(array[0.05, 0.25, 0.5, 0.75, 0.95]) within group (order by value) as percentiles
          from groups
          cross join unnest(values) as value
          where groups.slot = slots.slot
        ) as of_slot
      ) as profile,
      (select min(lowest) from groups) as lowest,
      (select max(highest) from groups) as highest`,
})
