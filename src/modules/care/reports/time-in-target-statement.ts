// The figures of reports/time-in-target. One pass over the readings sums them by local day; there is no sort and no temporary file.
import type { Statement } from '../../../db/statement.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { IS_NUMBER } from '../../casesheet/statistics/statistics-statement.ts'
import type { SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { unitValues } from '../unit-sql.ts'
import { type FieldRange, rangesIn } from './compared-target.ts'
import {
  commonValues,
  compared,
  countReportWork,
  DAYS,
  type ReportRequest,
  reportText,
  standingReadings,
  UNIT,
} from './report-statement.ts'

/** Of those below, in and above a target. */
export type Sums = [below: number, within: number, above: number]

export type TimeInTargetRow = SummaryRow & {
  readings: number
  judged: number
  in_target: number
  judged_seconds: number
  in_target_seconds: number
  /** In the order of the fields that were asked for. */
  fields: { readings: Sums; seconds: Sums }[]
  days: { date: string; readings: number; judged: number; inTarget: number }[]
}

/** For how long a value stands at most. */
const STANDS_FOR: Record<string, string> = { interstitialGlucose: '15 minutes' }
const OTHERS_STAND_FOR = '24 hours'

export function timeInTargetStatement(
  request: ReportRequest & { now: number; units: readonly Unit[]; ranges: FieldRange[] },
): Statement {
  const { readingType = '', fields, now, units, ranges } = request
  return {
    name: `report-time-in-target-${fields.length}`,
    text: TEXTS.get(fields.length) ?? '',
    values: [
      ...commonValues(request),
      new Date(now).toISOString(),
      ...unitValues(units),
      STANDS_FOR[readingType] ?? OTHERS_STAND_FOR,
      JSON.stringify(ranges),
    ],
  }
}

const SIDES = [-1, 0, 1] as const

/** The fields are known by their numbers, as $5 lists them. */
function textFor(fields: number[]): string {
  const each = (of: (field: number) => string, between = ', ') => fields.map(of).join(between)
  const sides = (of: (field: number, side: number) => string) =>
    each((field) => SIDES.map((side) => of(field, side)).join(', '))
  const column = (field: number, side: number) => `${field}_${side + 1}`
  return reportText({
    work: countReportWork(),
    queries: `${rangesIn('$15')}, wanted as materialized (
      select ${each(boundsOf)}
      from ranges
    ), judged as (
      select (measured_at at time zone $6)::date as date, seconds, ${each((field) => `side_${field}`)},
        num_nonnulls(${each((field) => `side_${field}`)}) > 0 as is_judged,
        num_nonnulls(${each((field) => `side_${field}`)}) > 0
          and num_nonnulls(${each((field) => `nullif(side_${field}, 0)`)}) = 0 as is_in_target
      from (
        select measured_at, seconds, ${each((field) => `${sideOf(field)} as side_${field}`)}
        from (
          select measured_at, seconds, unit, ${each((field) => `case when ${isNumber(field)} then written_${field}::float8 end as number_${field}`)}
          from (
            select measured_at, seconds, ${UNIT} as unit, ${each((field) => `(details -> ($5::text[])[${field}])::text as written_${field}`)}
            from (${standingReadings('$14::interval')}
            ) as readings
            offset 0
          ) as fields
          offset 0
        ) as numbers
        cross join wanted
        offset 0
      ) as sides
    ), dates as materialized (
      select date, count(*) as readings,
        count(*) filter (where is_judged) as judged,
        count(*) filter (where is_in_target) as in_target,
        coalesce(sum(seconds) filter (where is_judged), 0) as judged_seconds,
        coalesce(sum(seconds) filter (where is_in_target), 0) as in_target_seconds,
        ${sides((field, side) => `count(*) filter (where side_${field} = ${side}) as readings_${column(field, side)}`)},
        ${sides((field, side) => `sum(seconds) filter (where side_${field} = ${side}) as seconds_${column(field, side)}`)}
      from judged
      group by date
    )`,
    columns: `sums.*,
      (
        select json_agg(
          json_build_object(
            'date', date, 'readings', coalesce(readings, 0), 'judged', coalesce(judged, 0), 'inTarget', coalesce(in_target, 0)
          )
          order by date
        )
        from (${DAYS}
        ) as days
        left join dates using (date)
      ) as days`,
    from: `
    cross join lateral (
      select coalesce(sum(readings), 0)::integer as readings,
        coalesce(sum(judged), 0)::integer as judged,
        coalesce(sum(in_target), 0)::integer as in_target,
        coalesce(sum(judged_seconds), 0) as judged_seconds,
        coalesce(sum(in_target_seconds), 0) as in_target_seconds,
        json_build_array(${each((field) => {
          const sums = (of: string) =>
            SIDES.map((side) => `coalesce(sum(${of}_${column(field, side)}), 0)`).join(', ')
          return `json_build_object('readings', json_build_array(${sums('readings')}), 'seconds', json_build_array(${sums('seconds')}))`
        })}) as fields
      from dates
    ) as sums`,
  })
}

function isNumber(field: number): string {
  return IS_NUMBER.replaceAll('written', `written_${field}`)
}

/** SQL: the range of a field in one row with the others'. */
function boundsOf(field: number): string {
  const which = `filter (where field = ($5::text[])[${field}])`
  const bounds = ['low', 'high'].map((bound) => `max(${bound}) ${which} as ${bound}_${field}`)
  return `count(*) ${which} > 0 as has_${field}, ${bounds.join(', ')},
        max(array_position($9::text[], unit)) ${which} as unit_${field}`
}

/** SQL: -1 below the target, 0 in it, 1 above it, null without a number or a target. */
function sideOf(field: number): string {
  const value = compared(`number_${field}`, 'unit', `unit_${field}`)
  return `(
          select case
            when not has_${field} or value is null then null
            when value < low_${field} then -1
            when value > high_${field} then 1
            else 0
          end
          from (select ${value} as value) as compared
        )`
}

/** One text for each number of quantities that a type may have. */
const TEXTS = new Map(
  Object.values(CATALOGUE).map(({ quantities }) => {
    const { length } = Object.keys(quantities)
    return [length, textFor(Array.from({ length }, (_, index) => index + 1))]
  }),
)
