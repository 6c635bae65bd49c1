// GET reports/days-with-data: on how many local days a patient has readings, in total and from devices.
import { type Static, Type } from 'typebox'
import { textArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import type { Asked } from '../../casesheet/access.ts'
import { typesFor } from '../../casesheet/grants/limited-to.ts'
import { ReadingType } from '../../casesheet/reading.ts'
import { readingsOfRange } from '../../casesheet/statistics/statistics-work.ts'
import type { Summaries, SummaryRow } from '../../casesheet/statistics/summaries.ts'
import { mustBeReportRange, printReport, reportContract, reportQuery } from './report-query.ts'
import {
  AS_IF_MANY,
  commonValues,
  countReportWork,
  DAYS,
  type ReportRequest,
  reportText,
} from './report-statement.ts'

const Query = reportQuery({
  readingType: Type.Optional(Type.String({ ...ReadingType, examples: ['bloodPressure'] })),
})
type DaysQuery = Static<typeof Query> & { patientUid: string }

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The local date.' }),
    readings: Type.Integer(),
    fromDevices: Type.Integer({ description: 'How many of them have a source of kind device.' }),
  },
  { additionalProperties: false },
)

export const DaysWithDataReport = Type.Object(
  {
    days: Type.Integer({ description: 'Number of local days of the range.' }),
    daysWithData: Type.Integer({ description: 'On how many of them something was measured.' }),
    daysWithDeviceData: Type.Integer({ description: 'On how many of them a device has measured something.' }),
    dates: Type.Array(Day, { description: 'All days of the range, in order.' }),
  },
  { $id: 'DaysWithDataReport', additionalProperties: false },
)
type DaysWithDataReport = Static<typeof DaysWithDataReport>

const EXAMPLE: DaysWithDataReport = {
  days: 7,
  daysWithData: 3,
  daysWithDeviceData: 1,
  dates: [
    { date: '2025-11-01', readings: 4, fromDevices: 4 },
    { date: '2025-11-02', readings: 0, fromDevices: 0 },
    { date: '2025-11-03', readings: 2, fromDevices: 0 },
    { date: '2025-11-04', readings: 1, fromDevices: 0 },
    { date: '2025-11-05', readings: 0, fromDevices: 0 },
    { date: '2025-11-06', readings: 0, fromDevices: 0 },
    { date: '2025-11-07', readings: 0, fromDevices: 0 },
  ],
}

export const daysWithDataContract = reportContract(
  {
    operationId: 'daysWithDataReport',
    summary: 'Report on how many days there are readings',
    description:
      'Counts the local days with readings of one type, or of any, in total and from devices. US remote monitoring is paid by days ' +
      'with data from devices: 16 in 30 days (CPT 99454), or 2 to 15 (CPT 99445).',
    answer: 'The report.',
  },
  { query: Query, data: DaysWithDataReport, example: EXAMPLE },
)

type Row = SummaryRow & { dates: DaysWithDataReport['dates'] }

export function createDaysWithDataReport(summaries: Summaries) {
  const { summarise } = summaries('reports/days-with-data')
  return async (query: DaysQuery, { reader, isGone }: Pick<Asked, 'reader' | 'isGone'>): Promise<string> => {
    const range = mustBeReportRange(query)
    const readingTypes = typesFor(reader, query.readingType === undefined ? null : [query.readingType])
    const request = { ...range, fields: ['source'] }
    const { dates } = await summarise<Row>(
      { ...range, readingTypes, reader },
      daysStatement(request, readingTypes),
      isGone,
    )
    const report: DaysWithDataReport = {
      days: dates.length,
      daysWithData: dates.filter(({ readings }) => readings > 0).length,
      daysWithDeviceData: dates.filter(({ fromDevices }) => fromDevices > 0).length,
      dates,
    }
    return printReport(report, reader)
  }
}

export function daysStatement(
  request: Omit<ReportRequest, 'readingType'>,
  readingTypes: string[] | null,
): Statement {
  const values = commonValues({ ...request, readingType: undefined })
  values[1] = readingTypes && textArray(readingTypes)
  return readingTypes
    ? { name: 'report-days-of-types', text: OF_TYPES, values }
    : { name: 'report-days', text: OF_ALL, values }
}

/** SQL: of each type of $2, by its index; or of all types, by the primary key. */
const SOURCES = {
  types: (withdrawn: 'shown' | 'left-out') => `
    select readings.details, readings.measured_at, readings.withdrawn_by
    from unnest($2::text[]) as asked_type
    cross join lateral (${readingsOfRange(withdrawn, 'asked_type')}
    ) as readings`,
  all: (withdrawn: 'shown' | 'left-out') => `
    select readings.*
    from (${readingsOfRange(withdrawn, null)}
    ) as readings
    where $2::text[] is null`,
}

const [OF_TYPES, OF_ALL] = [SOURCES.types, SOURCES.all].map((readings) =>
  reportText({
    work: countReportWork(readings('shown')),
    queries: `
    counted as materialized (
      select date, count(*) as readings, count(*) filter (where kind = '"device"') as from_devices
      from (
        select (measured_at at time zone $6)::date as date, (details #> '{source,kind}')::text as kind, ${AS_IF_MANY}
        from (${readings('left-out')}) as readings
        where not (select is_too_much from work)
      ) as dated
      group by date
    )`,
    columns: `
      (
        select json_agg(
          json_build_object(
            'date', date, 'readings', coalesce(readings, 0), 'fromDevices', coalesce(from_devices, 0)
          )
          order by date
        )
        from (${DAYS}
        ) as days
        left join counted using (date)
      ) as dates`,
  }),
) as [string, string]
