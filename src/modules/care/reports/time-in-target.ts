// GET reports/time-in-target: how many readings of a type are in the targets of the patient, and for how long their values were.
import { type Static, Type } from 'typebox'
import { refuseFields } from '../../../refusal.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { ReadingType } from '../../casesheet/reading.ts'
import { closed, orNull } from '../answer-forms.ts'
import { typeNamed } from '../measured-field.ts'
import { EXAMPLE_SENSOR_TARGET } from '../targets/target.ts'
import { type FieldRange, judgedValue, type Side, sideOf } from './compared-target.ts'
import { dayOf, dayOfDate } from './local-clock.ts'
import { type Given, makeReport } from './make-report.ts'
import { reportContract, reportQuery, TargetOrNull } from './report-query.ts'
import type { Measured } from './report-readings.ts'
import { SENSOR, secondsStanding, sumOf } from './standing.ts'

const Query = reportQuery({
  readingType: Type.String({ ...ReadingType, examples: ['interstitialGlucose'] }),
})
type TimeInTargetQuery = Static<typeof Query> & { patientUid: string }

const countOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

const divided = (description: string, number: typeof Type.Integer | typeof Type.Number) =>
  closed({ below: number(), in: number(), above: number() }, description)

const Field = closed({
  readings: divided('Number of readings below, in and above the target.', Type.Integer),
  seconds: divided('For how long values were below, in and above it.', Type.Number),
})

const Seconds = closed({
  judged: Type.Number({ description: 'For how long judged values stood.' }),
  inTarget: Type.Number({ description: 'For how long values in target stood.' }),
})

const Day = closed({
  date: Type.String({ format: 'date', description: 'The local date.' }),
  readings: Type.Integer(),
  judged: Type.Integer(),
  inTarget: countOrNull('How many of the judged ones are in target; null if none is set.'),
})

export const TimeInTargetReport = Type.Object(
  {
    readingType: Type.String(),
    readings: Type.Integer({ description: 'Number of readings of the type.' }),
    judged: Type.Integer({ description: 'How many of them have a number in a field that has a range.' }),
    inTarget: countOrNull(
      'How many of the judged ones have no number outside its target; null if none is set.',
    ),
    seconds: orNull(
      Seconds,
      'The same as time: a value stands until the next reading of the type, for interstitialGlucose at most 20 minutes and never beyond its UTC day, ' +
        'for any other type at most 24 hours, and not beyond the range or now. Null if no target is set.',
    ),
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
  seconds: { judged: 3_000, inTarget: 1_500 },
  target: EXAMPLE_SENSOR_TARGET,
  fields: {
    value: {
      readings: { below: 1, in: 2, above: 1 },
      seconds: { below: 300, in: 1_500, above: 1_200 },
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

export const createTimeInTargetReport = makeReport<TimeInTargetQuery>({
  operation: 'reports/time-in-target',
  toRead: ({ readingType }) => {
    const { value: type, error } = typeNamed(readingType)
    if (error) throw refuseFields([error])
    const fields = Object.keys(type.quantities)
    return {
      types: [readingType],
      fields,
      ...(readingType === SENSOR && { beside: ['outOfRange'] }),
    }
  },
  figures: timeInTargetFigures,
})

const SIDES: readonly Side[] = ['below', 'in', 'above']

function timeInTargetFigures(given: Given<TimeInTargetQuery>): TimeInTargetReport {
  const { target, ranges, measured, end, dates } = given
  const { readingType } = given.query
  const standing = secondsStanding(measured, end)
  const judged = measured.map((reading, nth) => {
    const sides = sidesOf(reading, ranges)
    const found = sides.filter((side) => side !== undefined)
    const isIn = found.length > 0 && found.every((side) => side === 'in')
    return { sides, isJudged: found.length > 0, isIn, seconds: standing[nth] ?? 0, day: dayOf(reading.clock) }
  })
  type Judged = (typeof judged)[number]
  const count = (some: Judged[], is: (one: Judged) => boolean) => some.filter(is).length
  const seconds = (is: (one: Judged) => boolean) => sumOf(judged.filter(is).map((one) => one.seconds))
  const isJudged = (one: Judged) => one.isJudged
  const isIn = (one: Judged) => one.isIn
  const days = Map.groupBy(judged, (one) => one.day)
  return {
    readingType,
    readings: judged.length,
    judged: count(judged, isJudged),
    inTarget: target && count(judged, isIn),
    seconds: target && { judged: seconds(isJudged), inTarget: seconds(isIn) },
    target,
    fields: Object.fromEntries(
      ranges.map(({ field }, nth) => {
        const on = (side: Side) => (one: Judged) => one.sides[nth] === side
        const bySide = (of: (is: (one: Judged) => boolean) => number) =>
          Object.fromEntries(SIDES.map((side) => [side, of(on(side))])) as Record<Side, number>
        return [field, { readings: bySide((is) => count(judged, is)), seconds: bySide(seconds) }]
      }),
    ),
    days: dates.map((date) => {
      const ofDay = days.get(dayOfDate(date)) ?? []
      return {
        date,
        readings: ofDay.length,
        judged: count(ofDay, isJudged),
        inTarget: target && count(ofDay, isIn),
      }
    }),
  }
}

/** For each range; undefined where there is no number, or one in a unit that is none of the type's. */
function sidesOf(reading: Measured, ranges: FieldRange[]): (Side | undefined)[] {
  const { quantities = {} } = CATALOGUE[reading.type] ?? {}
  const fields = Object.keys(quantities)
  return ranges.map((range) => {
    const number = reading.numbers[fields.indexOf(range.field)]
    const unit = quantities[range.field]?.unit ?? reading.unit
    return number === undefined || !unit ? undefined : sideOf(judgedValue(number, reading), unit, range)
  })
}
