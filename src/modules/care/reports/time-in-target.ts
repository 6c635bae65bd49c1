// GET reports/time-in-target: how many readings of a type are in the targets of the patient, and for how long their values were.
import { type Static, Type } from 'typebox'
import { refuseFields } from '../../../refusal.ts'
import type { Asked } from '../../casesheet/access.ts'
import { typesFor } from '../../casesheet/grants/limited-to.ts'
import { ReadingType } from '../../casesheet/reading.ts'
import type { Summaries } from '../../casesheet/statistics/summaries.ts'
import { typeNamed } from '../measured-field.ts'
import { EXAMPLE_SENSOR_TARGET } from '../targets/target.ts'
import type { Compared, FindCompared } from './compared-target.ts'
import { mustBeReportRange, printReport, reportContract, reportQuery, TargetOrNull } from './report-query.ts'
import { type Sums, type TimeInTargetRow, timeInTargetStatement } from './time-in-target-statement.ts'

const Query = reportQuery({
  readingType: Type.String({ ...ReadingType, examples: ['interstitialGlucose'] }),
})
type TimeInTargetQuery = Static<typeof Query> & { patientUid: string }

const countOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

const divided = (description: string, number: typeof Type.Integer | typeof Type.Number) =>
  Type.Object(
    { below: number(), in: number(), above: number() },
    { additionalProperties: false, description },
  )

const Field = Type.Object(
  {
    readings: divided('Number of readings below, in and above the target.', Type.Integer),
    seconds: divided('For how long values were below, in and above it.', Type.Number),
  },
  { additionalProperties: false },
)

const Seconds = Type.Object(
  {
    judged: Type.Number({ description: 'For how long judged values stood.' }),
    inTarget: Type.Number({ description: 'For how long values in target stood.' }),
  },
  { additionalProperties: false },
)

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The local date.' }),
    readings: Type.Integer(),
    judged: Type.Integer(),
    inTarget: countOrNull('How many of the judged ones are in target; null if none is set.'),
  },
  { additionalProperties: false },
)

export const TimeInTargetReport = Type.Object(
  {
    readingType: Type.String(),
    readings: Type.Integer({ description: 'Number of readings of the type.' }),
    judged: Type.Integer({ description: 'How many of them have a number in a field that has a range.' }),
    inTarget: countOrNull(
      'How many of the judged ones have no number outside its target; null if none is set.',
    ),
    seconds: Type.Unsafe<Static<typeof Seconds> | null>({
      anyOf: [Seconds, { type: 'null' }],
      description:
        'The same as time: a value stands until the next reading of the type, at most 15 minutes for interstitialGlucose and 24 ' +
        'hours for any other type, and not beyond the range or now. Null if no target is set.',
    }),
    target: TargetOrNull,
    fields: Type.Record(Type.String(), Field, { description: 'Each field that has a range in the target.' }),
    days: Type.Array(Day, { description: 'All days of the range, in order.' }),
  },
  { $id: 'TimeInTargetReport', additionalProperties: false },
)
type TimeInTargetReport = Static<typeof TimeInTargetReport>

const day = (date: string, readings = 0, inTarget = 0) => ({ date, readings, judged: readings, inTarget })

/** Of 65, 104 and 182 mg/dL at 8:00, 8:05 and 8:10, and of 5.8 mmol/L at 8:40. */
const EXAMPLE: TimeInTargetReport = {
  readingType: 'interstitialGlucose',
  readings: 4,
  judged: 4,
  inTarget: 2,
  seconds: { judged: 2_400, inTarget: 1_200 },
  target: EXAMPLE_SENSOR_TARGET,
  fields: {
    value: {
      readings: { below: 1, in: 2, above: 1 },
      seconds: { below: 300, in: 1_200, above: 900 },
    },
  },
  days: [day('2025-11-01', 4, 2), ...[2, 3, 4, 5, 6, 7].map((ofMonth) => day(`2025-11-0${ofMonth}`))],
}

export const timeInTargetContract = reportContract(
  {
    operationId: 'timeInTargetReport',
    summary: 'Report on how many readings, and how much time, are in target',
    description:
      'Compares readings of a type of the catalogue with the target that judges for the caller now. Values are compared in the unit of the target; ' +
      'one that was sent in another unit is rounded first to what people are shown: whole mg/dL and g, else one digit.',
    answer: 'The report. Without a target its counts of those in target are null.',
  },
  { query: Query, data: TimeInTargetReport, example: EXAMPLE, missing: { readingType: 'heartRate' } },
)

export function createTimeInTargetReport(
  summaries: Summaries,
  findCompared: FindCompared,
  now: () => number,
) {
  const { summarise } = summaries('reports/time-in-target')
  return async (
    query: TimeInTargetQuery,
    { reader, isGone }: Pick<Asked, 'reader' | 'isGone'>,
  ): Promise<string> => {
    const range = mustBeReportRange(query)
    const { readingType } = query
    const { value: type, error } = typeNamed(readingType)
    if (error) throw refuseFields([error])
    const readingTypes = typesFor(reader, [readingType]) ?? []
    const fields = Object.keys(type.quantities)
    const compared = await findCompared(range.patientUid, readingTypes[0], reader)
    const { ranges } = compared
    const request = { ...range, readingType: readingTypes[0], fields, now: now(), units: type.units, ranges }
    const row = await summarise<TimeInTargetRow>(
      { ...range, readingTypes, reader },
      timeInTargetStatement(request),
      isGone,
    )
    return printReport(reportFrom(row, { ...compared, readingType, fields }), reader)
  }
}

function reportFrom(
  row: TimeInTargetRow,
  { target, ranges, readingType, fields }: Compared & { readingType: string; fields: string[] },
): TimeInTargetReport {
  return {
    readingType,
    readings: row.readings,
    judged: row.judged,
    inTarget: target && row.in_target,
    seconds: target && { judged: row.judged_seconds, inTarget: row.in_target_seconds },
    target,
    fields: Object.fromEntries(
      ranges.map(({ field }) => {
        const { readings, seconds } = row.fields[fields.indexOf(field)] ?? NOTHING
        const of = ([below, within, above]: Sums) => ({ below, in: within, above })
        return [field, { readings: of(readings), seconds: of(seconds) }]
      }),
    ),
    days: row.days.map((date) => (target ? date : { ...date, inTarget: null })),
  }
}

const NOTHING: { readings: Sums; seconds: Sums } = { readings: [0, 0, 0], seconds: [0, 0, 0] }
