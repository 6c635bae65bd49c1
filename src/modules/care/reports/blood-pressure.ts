// GET reports/blood-pressure: means of mornings and evenings, over the last week, the last 30 days and the whole range.
import { type Static, Type } from 'typebox'
import type { Statement } from '../../../db/statement.ts'
import type { Asked } from '../../casesheet/access.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { typesFor } from '../../casesheet/grants/limited-to.ts'
import { IS_NUMBER } from '../../casesheet/statistics/statistics-statement.ts'
import { readingsOfRange } from '../../casesheet/statistics/statistics-work.ts'
import type { Summaries, SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { type FieldRange, type FindCompared, rangesIn } from './compared-target.ts'
import {
  mustBeReportRange,
  printReport,
  type ReportQuery,
  reportContract,
  reportQuery,
  TargetOrNull,
} from './report-query.ts'
import { commonValues, countReportWork, type ReportRequest, reportText } from './report-statement.ts'

const TYPE = 'bloodPressure'
const FIELDS = ['systolic', 'diastolic', 'pulse'] as const

// A day of home measurements ends at four in the morning: what is measured before belongs to the evening of the day before.
const MORNING = { from: '04:00', before: '12:00' }
const EVENING = { from: '17:00', before: '04:00' }
const DAY_BEGINS = MORNING.from
const PERIODS = [7, 30] as const

const Query = reportQuery({})

const orNull = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

const Means = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'Number of readings.' }),
      systolic: orNull('Mean in mm[Hg]; null if there are no readings.'),
      diastolic: orNull('Mean in mm[Hg]; null if there are no readings.'),
      pulse: orNull('Mean per minute, of the readings that have one; null if none has.'),
    },
    { additionalProperties: false, description },
  )

const LocalDate = (description: string) => Type.String({ format: 'date', description })

const Period = Type.Object(
  {
    days: Type.Unsafe<7 | 30 | null>({
      type: ['integer', 'null'],
      description: 'How many days the period has, the last of which is that of to; null for the whole range.',
    }),
    from: LocalDate('Its first local date, or that of the range where that is later.'),
    to: LocalDate('Its last local date.'),
    morning: Means('Readings of mornings.'),
    evening: Means('Readings of evenings.'),
    all: Means('All readings, those of middays too.'),
    withoutFirstDay: Means(
      'All readings but those of the first day that has any, which protocols of home measurement leave out.',
    ),
    inTarget: Type.Unsafe<{ judged: number; in: number } | null>({
      anyOf: [
        Type.Object(
          {
            judged: Type.Integer({ description: 'Number of readings that were compared with the target.' }),
            in: Type.Integer({ description: 'How many of them are in both ranges.' }),
          },
          { additionalProperties: false },
        ),
        { type: 'null' },
      ],
      description:
        'How many readings are in target; null if the target has no range of systolic or diastolic.',
    }),
  },
  { additionalProperties: false },
)

const TimesOfDay = (description: string) =>
  Type.Object({ from: Type.String(), before: Type.String() }, { additionalProperties: false, description })

const Extreme = (description: string) =>
  Type.Unsafe<{ systolic: number; diastolic: number; measuredAt: string } | null>({
    description,
    anyOf: [
      Type.Object(
        {
          systolic: Type.Number(),
          diastolic: Type.Number(),
          measuredAt: Type.String({ format: 'date-time' }),
        },
        { additionalProperties: false },
      ),
      { type: 'null' },
    ],
  })

export const BloodPressureReport = Type.Object(
  {
    readings: Type.Integer({ description: 'Number of readings with a systolic and a diastolic value.' }),
    target: TargetOrNull,
    morning: TimesOfDay('What counts as morning, on the local clock.'),
    evening: TimesOfDay(
      'What counts as evening, on the local clock. A reading after midnight is of the evening of the day before.',
    ),
    periods: Type.Array(Period, { description: 'The last 7 days, the last 30 days, and the whole range.' }),
    lowest: Extreme('The reading with the lowest systolic value; the first one of several.'),
    highest: Extreme('The reading with the highest systolic value; the first one of several.'),
  },
  { $id: 'BloodPressureReport', additionalProperties: false },
)
type BloodPressureReport = Static<typeof BloodPressureReport>

const EXAMPLE_MEANS = {
  from: '2025-11-01',
  to: '2025-11-07',
  morning: { count: 2, systolic: 127, diastolic: 81, pulse: 68 },
  evening: { count: 1, systolic: 134, diastolic: 86, pulse: null },
  all: { count: 3, systolic: 129.33333333333334, diastolic: 82.66666666666667, pulse: 68 },
  withoutFirstDay: { count: 1, systolic: 126, diastolic: 80, pulse: 66 },
  inTarget: null,
}

/** Of 128/82 with pulse 70 in the morning and 134/86 in the evening of 3 November, and 126/80 with pulse 66 the morning after. */
const EXAMPLE: BloodPressureReport = {
  readings: 3,
  target: null,
  morning: MORNING,
  evening: EVENING,
  periods: [
    { days: 7, ...EXAMPLE_MEANS },
    { days: 30, ...EXAMPLE_MEANS },
    { days: null, ...EXAMPLE_MEANS },
  ],
  lowest: { systolic: 126, diastolic: 80, measuredAt: '2025-11-04T07:00:00.000Z' },
  highest: { systolic: 134, diastolic: 86, measuredAt: '2025-11-03T19:00:00.000Z' },
}

export const bloodPressureContract = reportContract(
  {
    operationId: 'bloodPressureReport',
    summary: 'Report on blood pressure: means of mornings and evenings',
    description:
      'Of readings of type bloodPressure. A home protocol (ESH 2023, doi 10.1097/HJH.0000000000003480) takes two readings each morning and evening for seven days, and ' +
      'leaves out the first day. A day begins at 04:00 here: a reading after midnight belongs to the evening of the day before.',
    answer: 'The report. Without readings its counts are 0 and its values null.',
  },
  { query: Query, data: BloodPressureReport, example: EXAMPLE },
)

type Extreme = [systolic: number, diastolic: number, measuredAt: string]
type Row = SummaryRow & {
  readings: number
  periods: BloodPressureReport['periods']
  lowest: Extreme | null
  highest: Extreme | null
}

export function createBloodPressureReport(summaries: Summaries, findCompared: FindCompared) {
  const { summarise } = summaries('reports/blood-pressure')
  return async (
    query: ReportQuery,
    { reader, isGone }: Pick<Asked, 'reader' | 'isGone'>,
  ): Promise<string> => {
    const range = mustBeReportRange(query)
    const readingTypes = typesFor(reader, [TYPE]) ?? []
    const { target, ranges } = await findCompared(range.patientUid, readingTypes[0], reader)
    const request = { ...range, readingType: readingTypes[0], fields: FIELDS, ranges }
    const row = await summarise<Row>(
      { ...range, readingTypes, reader },
      bloodPressureStatement(request),
      isGone,
    )
    const report: BloodPressureReport = {
      readings: row.readings,
      target,
      morning: MORNING,
      evening: EVENING,
      periods: row.periods,
      lowest: row.lowest && extremeFrom(row.lowest),
      highest: row.highest && extremeFrom(row.highest),
    }
    return printReport(report, reader)
  }
}

const extremeFrom = ([systolic, diastolic, measuredAt]: Extreme) => ({
  systolic,
  diastolic,
  measuredAt: instantFrom(measuredAt, 3),
})

export function bloodPressureStatement(request: ReportRequest & { ranges: FieldRange[] }): Statement {
  const { ranges, ...others } = request
  return {
    name: 'report-blood-pressure',
    text: TEXT,
    values: [...commonValues(others), JSON.stringify(ranges)],
  }
}

/** Of the day, as a time such as 17:00. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** SQL: the day that an instant on the local clock belongs to. */
const dayOf = (local: string) => `(${local} - interval '${DAY_BEGINS}')::date`

const meansOf = (which: string) => `json_build_object(
          'count', count(*) filter (where ${which}),
          'systolic', avg(systolic) filter (where ${which}),
          'diastolic', avg(diastolic) filter (where ${which}),
          'pulse', avg(pulse) filter (where ${which})
        )`

const extreme = (order: string) => `
        select json_build_array(systolic, diastolic, measured_at::text)
        from numbers
        order by ${order}, measured_at
        limit 1`

const numberOf = (field: (typeof FIELDS)[number]) =>
  `case when ${IS_NUMBER.replaceAll('written', field)} then ${field}::float8 end as ${field}`

/** The fields whose targets count; the pulse is no blood pressure. There is one unit. */
const COMPARED = ['systolic', 'diastolic'] as const

/** SQL: the bounds of a field, infinite where there are none. */
const boundsOf = (field: string) =>
  [
    ['low', '-infinity'],
    ['high', 'infinity'],
  ]
    .map(
      ([bound, none]) =>
        `coalesce(max(${bound}) filter (where field = '${field}'), '${none}') as ${field}_${bound}`,
    )
    .join(', ')

const isIn = (field: string) => `${field} >= ${field}_low and ${field} <= ${field}_high`

const TEXT = reportText({
  work: countReportWork(),
  queries: `${rangesIn('$8')}, target as materialized (
      select count(*) > 0 as has_target, ${COMPARED.map(boundsOf).join(', ')}
      from ranges
      where field in ('${COMPARED.join("', '")}')
    ), numbers as materialized (
      select measured_at, systolic, diastolic, pulse, ${dayOf('local')} as day,
        floor(date_part('epoch', local::time) / 60)::smallint as minute,
        ${COMPARED.map(isIn).join(' and ')} as is_in_target
      from (
        select measured_at, measured_at at time zone $6 as local, ${FIELDS.map(numberOf).join(', ')}
        from (
          select measured_at, ${FIELDS.map((field) => `(details -> '${field}')::text as ${field}`).join(', ')}
          from (${readingsOfRange('left-out')}) as readings
          where not (select is_too_much from work)
          offset 0
        ) as fields
        offset 0
      ) as numbers
      cross join target
      where systolic is not null
        and diastolic is not null
    ), periods as (
      select days, least(greatest(last_date - days + 1, first_date), last_date) as first_date, last_date, position
      from (
        select ($3::timestamptz at time zone $6)::date as first_date, ${dayOf('($4::timestamptz at time zone $6)')} as last_date
      ) as range
      cross join unnest(array[${PERIODS.join()}, null]::integer[]) with ordinality as period (days, position)
    )`,
  columns: `
      (select count(*)::integer from numbers) as readings,
      (
        select json_agg(
          json_build_object(
            'days', days, 'from', first_date, 'to', last_date, 'morning', morning, 'evening', evening, 'all', all_of_them,
            'withoutFirstDay', without_first_day,
            'inTarget', case when has_target then json_build_object('judged', judged, 'in', in_target) end
          )
          order by position
        )
        from periods
        cross join target
        cross join lateral (
          select ${meansOf(`minute >= ${minuteOf(MORNING.from)} and minute < ${minuteOf(MORNING.before)}`)} as morning,
            ${meansOf(`minute >= ${minuteOf(EVENING.from)} or minute < ${minuteOf(EVENING.before)}`)} as evening,
            ${meansOf('true')} as all_of_them,
            ${meansOf('day > first_day')} as without_first_day,
            count(*) as judged, count(*) filter (where is_in_target) as in_target
          from (
            select systolic, diastolic, pulse, numbers.day, minute, is_in_target, min(numbers.day) over () as first_day
            from numbers
            -- Not from first_date on: a reading after midnight on the first date of the range belongs to the day before.
            where days is null
              or numbers.day > last_date - days
          ) as of_period
        ) as means
      ) as periods,
      (${extreme('systolic')}
      ) as lowest,
      (${extreme('systolic desc')}
      ) as highest`,
})
