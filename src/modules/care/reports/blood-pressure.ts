// GET reports/blood-pressure: means of mornings and evenings, over the last week, the last 30 days and the whole range.
import { type Static, Type } from 'typebox'
import { closed, instant, numberOrNull, orNull } from '../answer-forms.ts'
import { type FieldRange, sideOf } from './compared-target.ts'
import { dateOf, dayOf, instantOfMs, minuteOf } from './local-clock.ts'
import { type Given, makeReport } from './make-report.ts'
import { type ReportQuery, reportContract, reportQuery, TargetOrNull } from './report-query.ts'
import { sumOf } from './standing.ts'

const TYPE = 'bloodPressure'
const FIELDS = ['systolic', 'diastolic', 'pulse'] as const

// A day of home measurements ends at four in the morning: what is measured before belongs to the evening of the day before.
const MORNING = { from: '04:00', before: '12:00' }
const EVENING = { from: '17:00', before: '04:00' }
const DAY_BEGINS = MORNING.from
const PERIODS = [7, 30, null]

const Query = reportQuery({})

const Means = (description: string) =>
  closed(
    {
      count: Type.Integer({ description: 'Number of readings.' }),
      systolic: numberOrNull('Mean in mm[Hg]; null if there are no readings.'),
      diastolic: numberOrNull('Mean in mm[Hg]; null if there are no readings.'),
      pulse: numberOrNull('Mean per minute, of the readings that have one; null if none has.'),
    },
    description,
  )

const LocalDate = (description: string) => Type.String({ format: 'date', description })

const Period = closed({
  days: Type.Unsafe<number | null>({
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
  inTarget: orNull(
    closed({
      judged: Type.Integer({ description: 'Number of readings that were compared with the target.' }),
      in: Type.Integer({ description: 'How many of them are in both ranges.' }),
    }),
    'How many readings are in target; null if the target has no range of systolic or diastolic.',
  ),
})

const TimesOfDay = (description: string) =>
  closed({ from: Type.String(), before: Type.String() }, description)

const Extreme = (description: string) =>
  orNull(
    closed({
      systolic: Type.Number(),
      diastolic: Type.Number(),
      measuredAt: instant('When it was measured, in UTC.'),
    }),
    description,
  )

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

type Pressure = {
  systolic: number
  diastolic: number
  pulse: number | undefined
  at: number
  day: number
  minute: number
}

export const createBloodPressureReport = makeReport<ReportQuery>({
  operation: 'reports/blood-pressure',
  toRead: () => ({ types: [TYPE], fields: FIELDS }),
  figures: bloodPressureFigures,
})

function bloodPressureFigures(given: Given<ReportQuery>): BloodPressureReport {
  const { target, ranges, fromClock, toClock } = given
  const pressures = given.measured.flatMap(({ numbers: [systolic, diastolic, pulse], at, clock }) =>
    systolic === undefined || diastolic === undefined
      ? []
      : [{ systolic, diastolic, pulse, at, day: dayOfProtocol(clock), minute: minuteOf(clock) }],
  )
  const compared = ranges.filter(({ field }) => field !== 'pulse')
  const span = { first: dayOf(fromClock), last: dayOfProtocol(toClock), compared }
  return {
    readings: pressures.length,
    target,
    morning: MORNING,
    evening: EVENING,
    periods: PERIODS.map((days) => periodOf(days, pressures, span)),
    lowest: extremeOf(pressures, ({ systolic }, than) => systolic < than.systolic),
    highest: extremeOf(pressures, ({ systolic }, than) => systolic > than.systolic),
  }
}

/** Of a time of day such as 17:00. */
function minuteAt(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const dayOfProtocol = (clock: number) => dayOf(clock - minuteAt(DAY_BEGINS) * 60_000)
const isMorning = ({ minute }: Pressure) =>
  minute >= minuteAt(MORNING.from) && minute < minuteAt(MORNING.before)
const isEvening = ({ minute }: Pressure) =>
  minute >= minuteAt(EVENING.from) || minute < minuteAt(EVENING.before)

type Span = { first: number; last: number; compared: FieldRange[] }

function periodOf(days: number | null, pressures: Pressure[], { first, last, compared }: Span) {
  const begins = days === null ? -Infinity : last - days + 1
  // Not from the first date of the range on: a reading after midnight on that date belongs to the day before.
  const ofPeriod = pressures.filter(({ day }) => day >= begins)
  const firstWithData = ofPeriod.reduce((least, { day }) => Math.min(least, day), Infinity)
  const isIn = (pressure: Pressure) =>
    compared.every(
      (range) => sideOf(pressure[range.field as 'systolic' | 'diastolic'], 'mm[Hg]', range) === 'in',
    )
  return {
    days,
    from: dateOf(Math.min(Math.max(begins, first), last)),
    to: dateOf(last),
    morning: meansOf(ofPeriod.filter(isMorning)),
    evening: meansOf(ofPeriod.filter(isEvening)),
    all: meansOf(ofPeriod),
    withoutFirstDay: meansOf(ofPeriod.filter(({ day }) => day > firstWithData)),
    inTarget: compared.length > 0 ? { judged: ofPeriod.length, in: ofPeriod.filter(isIn).length } : null,
  }
}

function meansOf(pressures: Pressure[]) {
  const pulses = pressures.flatMap(({ pulse }) => pulse ?? [])
  return {
    count: pressures.length,
    systolic: meanOf(pressures.map(({ systolic }) => systolic)),
    diastolic: meanOf(pressures.map(({ diastolic }) => diastolic)),
    pulse: meanOf(pulses),
  }
}

const meanOf = (numbers: number[]) => (numbers.length > 0 ? sumOf(numbers) / numbers.length : null)

function extremeOf(pressures: Pressure[], isBeyond: (one: Pressure, than: Pressure) => boolean) {
  let extreme: Pressure | undefined
  for (const each of pressures) if (!extreme || isBeyond(each, extreme)) extreme = each
  if (!extreme) return null
  const { systolic, diastolic, at } = extreme
  return { systolic, diastolic, measuredAt: instantOfMs(at) }
}
