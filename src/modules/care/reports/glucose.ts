// GET reports/glucose: the figures of an ambulatory glucose profile (AGP), of sensor glucose.
import { type Static, Type } from 'typebox'
import type { Asked } from '../../casesheet/access.ts'
import { conversionBetween, convert } from '../../casesheet/catalogue/units.ts'
import { microsecondsOf } from '../../casesheet/epoch-time.ts'
import { typesFor } from '../../casesheet/grants/limited-to.ts'
import type { Summaries } from '../../casesheet/statistics/summaries.ts'
import { shownIn } from '../unit-sql.ts'
import type { Compared, FieldRange, FindCompared } from './compared-target.ts'
import {
  CONSENSUS,
  GLUCOSE_UNITS,
  type GlucoseRow,
  type GlucoseUnit,
  glucoseStatement,
  HALF_HOURS,
} from './glucose-statement.ts'
import { mustBeReportRange, printReport, reportContract, reportQuery, TargetOrNull } from './report-query.ts'

const TYPE = 'interstitialGlucose'

const Query = reportQuery({
  unit: Type.Optional(
    Type.Enum([...GLUCOSE_UNITS], {
      description: `Unit of all values; default: ${GLUCOSE_UNITS[0]}.`,
      examples: ['mg/dL'],
    }),
  ),
})
type GlucoseQuery = Static<typeof Query> & { patientUid: string }

const orNull = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description })

const Extreme = (description: string) =>
  Type.Unsafe<{ value: number; measuredAt: string } | null>({
    description,
    anyOf: [
      Type.Object(
        { value: Type.Number(), measuredAt: Type.String({ format: 'date-time' }) },
        { additionalProperties: false },
      ),
      { type: 'null' },
    ],
  })

const BANDS = ['veryLow', 'low', 'target', 'high', 'veryHigh'] as const

const Band = Type.Object(
  {
    name: Type.Enum([...BANDS], { type: 'string' }),
    from: orNull(
      'Where the band begins; null for the lowest. Low and target include it, high and veryHigh do not.',
    ),
    to: orNull('Where it ends; null for the highest. Target and high include it, veryLow and low do not.'),
    readings: Type.Integer(),
    share: orNull('Of the readings, from 0 to 1; null if there are none.'),
    seconds: Type.Number({ description: 'For how long values stood in the band.' }),
  },
  { additionalProperties: false },
)

const Percentile = orNull('Interpolated between two values; null if there is no reading.')

const HalfHour = Type.Object(
  {
    minute: Type.Integer({ description: 'Where it begins, in minutes after midnight on the local clock.' }),
    count: Type.Integer({ description: 'Number of readings, of all days.' }),
    p5: Percentile,
    p25: Percentile,
    p50: Percentile,
    p75: Percentile,
    p95: Percentile,
  },
  { additionalProperties: false },
)

export const GlucoseReport = Type.Object(
  {
    unit: Type.Enum([...GLUCOSE_UNITS], { type: 'string', description: 'Of every value in the report.' }),
    readings: Type.Integer({ description: 'Number of readings with a value.' }),
    days: Type.Integer({ description: 'Number of local days of the range.' }),
    active: Type.Object(
      {
        seconds: Type.Number({
          description:
            'For how long the sensor was active: a value stands until the next one, at most 15 minutes.',
        }),
        share: orNull('Of the range, as far as it has passed; null if nothing has.'),
      },
      { additionalProperties: false },
    ),
    isEnough: Type.Boolean({
      description:
        'Whether the range has at least 14 days, and the sensor was active for 70 % of it and of 14 days.',
    }),
    mean: orNull('Mean of all values.'),
    gmi: orNull(
      'Glucose management indicator in percent: 3.31 + 0.02392 × mean in mg/dL (Bergenstal 2018, doi 10.2337/dc18-1581). Null unless isEnough.',
    ),
    standardDeviation: orNull('Of the sample (n − 1).'),
    coefficientOfVariation: orNull(
      'standardDeviation / mean: 0.36 is 36 %, below which the consensus calls glucose stable.',
    ),
    bands: Type.Array(Band),
    bandsFrom: Type.Enum(['target', 'consensus'], {
      type: 'string',
      description:
        'Whether the middle band is the range of the target, or that of the consensus, as there is none.',
    }),
    target: TargetOrNull,
    profile: Type.Array(HalfHour, { description: 'The 48 half hours of the local day.' }),
    lowest: Extreme('The lowest value; the first one of several.'),
    highest: Extreme('The highest value; the first one of several.'),
    source: Type.Object({ title: Type.String(), year: Type.Integer(), url: Type.String({ format: 'uri' }) }),
  },
  { $id: 'GlucoseReport', additionalProperties: false },
)
type GlucoseReport = Static<typeof GlucoseReport>

const SOURCE = {
  title: 'International Consensus on Time in Range',
  year: 2019,
  url: 'https://doi.org/10.2337/dci19-0028',
}

const EMPTY_PERCENTILES = { count: 0, p5: null, p25: null, p50: null, p75: null, p95: null }

/** Of 65, 104 and 182 mg/dL at 8:00, 8:05 and 8:10, and of 5.8 mmol/L at 8:40: each figure as the service answers. */
const EXAMPLE: GlucoseReport = {
  unit: 'mg/dL',
  readings: 4,
  days: 7,
  active: { seconds: 2_400, share: 0.0039682605295312985 },
  isEnough: false,
  mean: 113.87262,
  gmi: null,
  standardDeviation: 49.042043418454746,
  coefficientOfVariation: 0.43067458550136767,
  bands: [
    { name: 'veryLow', from: null, to: 54, readings: 0, share: 0, seconds: 0 },
    { name: 'low', from: 54, to: 70, readings: 1, share: 0.25, seconds: 300 },
    { name: 'target', from: 70, to: 180, readings: 2, share: 0.5, seconds: 1_200 },
    { name: 'high', from: 180, to: 250, readings: 1, share: 0.25, seconds: 900 },
    { name: 'veryHigh', from: 250, to: null, readings: 0, share: 0, seconds: 0 },
  ],
  bandsFrom: 'consensus',
  target: null,
  profile: Array.from({ length: HALF_HOURS }, (_, slot) => ({
    minute: slot * 30,
    ...EMPTY_PERCENTILES,
    ...(slot === 16 && { count: 3, p5: 68.9, p25: 84.5, p50: 104, p75: 143, p95: 174.2 }),
    ...(slot === 17 && {
      count: 1,
      p5: 104.49048,
      p25: 104.49048,
      p50: 104.49048,
      p75: 104.49048,
      p95: 104.49048,
    }),
  })),
  lowest: { value: 65, measuredAt: '2025-11-01T07:00:00.000Z' },
  highest: { value: 182, measuredAt: '2025-11-01T07:10:00.000Z' },
  source: SOURCE,
}

export const glucoseContract = reportContract(
  {
    operationId: 'glucoseReport',
    summary: 'Report on sensor glucose: profile of the day, time in range, GMI',
    description:
      'The figures of an ambulatory glucose profile, of readings of type interstitialGlucose; fingersticks give no profile. Bands ' +
      'and what is enough data are those of the consensus that `source` names; each reading is put into its band in the unit in ' +
      'which it was sent: 10.0 mmol/L and 180 mg/dL are both in range, 10.1 and 181 are not. The range of the target that judges for the caller takes the place of ' +
      'the middle band, and readings are compared with it as in reports/time-in-target; a side that it leaves open ends where that of ' +
      'the consensus does. Means and percentiles are of readings, not of time.',
    answer: 'The report. Without readings its counts are 0 and its values null.',
  },
  { query: Query, data: GlucoseReport, example: EXAMPLE },
)

export function createGlucoseReport(summaries: Summaries, findCompared: FindCompared, now: () => number) {
  const { summarise } = summaries('reports/glucose')
  return async (
    query: GlucoseQuery,
    { reader, isGone }: Pick<Asked, 'reader' | 'isGone'>,
  ): Promise<string> => {
    const range = mustBeReportRange(query)
    const unit = query.unit ?? GLUCOSE_UNITS[0]
    const readingTypes = typesFor(reader, [TYPE]) ?? []
    const compared = await findCompared(range.patientUid, readingTypes[0], reader)
    const request = {
      ...range,
      ...compared,
      readingType: readingTypes[0],
      fields: ['value'],
      now: now(),
      unit,
    }
    const row = await summarise<GlucoseRow>(
      { ...range, readingTypes, reader },
      glucoseStatement(request),
      isGone,
    )
    return printReport(reportFrom(row, request), reader)
  }
}

type Requested = Compared & { from: number; to: number; now: number; unit: GlucoseUnit }

function reportFrom(row: GlucoseRow, { target, ranges, from, to, now, unit }: Requested): GlucoseReport {
  const { readings, mean, deviation } = row
  const seconds = row.bands.reduce((sum, band) => sum + band.seconds, 0)
  const passed = passedSeconds(from, to, now)
  const share = passed > 0 ? Math.min(1, seconds / passed) : null
  const isEnough = row.is_long && seconds >= ENOUGH_SECONDS && (share ?? 0) >= ENOUGH_SHARE
  return {
    unit,
    readings,
    days: row.days,
    active: { seconds, share },
    isEnough,
    mean,
    gmi: isEnough && mean !== null ? gmiOf(mean, unit) : null,
    standardDeviation: deviation,
    coefficientOfVariation: mean && deviation !== null ? deviation / mean : null,
    bands: bandsFrom(row, edgesOf(ranges[0], unit)),
    bandsFrom: target ? 'target' : 'consensus',
    target,
    profile: profileFrom(row),
    lowest: row.lowest && extremeFrom(row.lowest),
    highest: row.highest && extremeFrom(row.highest),
    source: SOURCE,
  }
}

const ENOUGH_SHARE = 0.7
const ENOUGH_SECONDS = ENOUGH_SHARE * 14 * 86_400

/** How much of the range has passed. */
function passedSeconds(from: number, to: number, now: number): number {
  const [end, present] = [microsecondsOf(to), BigInt(now) * 1_000n]
  return Number((end < present ? end : present) - microsecondsOf(from)) / 1e6
}

function gmiOf(mean: number, unit: GlucoseUnit): number {
  return 3.31 + 0.02392 * convert(mean, conversionBetween(unit, 'mg/dL'))
}

/** Where the bands end, from the lowest on; null where a band falls away. */
type Edges = readonly [
  veryLow: number | null,
  low: number | null,
  high: number | null,
  veryHigh: number | null,
]

function edgesOf(range: FieldRange | undefined, unit: GlucoseUnit): Edges {
  if (!range) return CONSENSUS[unit]
  const targetUnit = GLUCOSE_UNITS.find((known) => known === range.unit)
  if (!targetUnit)
    throw new Error('The database has a target for glucose in a unit that glucose does not have.')
  const [veryLow, consensusLow, consensusHigh, veryHigh] = CONSENSUS[targetUnit]
  const { low, high } = range
  // The consensus closes a side that the target leaves open.
  const isOpenBelow = low === null && high !== null && consensusLow < high
  const isOpenAbove = high === null && low !== null && consensusHigh > low
  const inUnit = (bound: number) =>
    unit === targetUnit ? bound : shownIn(unit, convert(bound, conversionBetween(targetUnit, unit)))
  return [
    isOpenBelow || (low !== null && low > veryLow) ? CONSENSUS[unit][0] : null,
    isOpenBelow ? CONSENSUS[unit][1] : low && inUnit(low),
    isOpenAbove ? CONSENSUS[unit][2] : high && inUnit(high),
    isOpenAbove || (high !== null && high < veryHigh) ? CONSENSUS[unit][3] : null,
  ]
}

function bandsFrom({ bands, readings }: GlucoseRow, [veryLow, low, high, veryHigh]: Edges) {
  const spans: [isThere: boolean, from: number | null, to: number | null][] = [
    [veryLow !== null, null, veryLow],
    [low !== null, veryLow, low],
    [true, low, high],
    [high !== null, high, veryHigh],
    [veryHigh !== null, veryHigh, null],
  ]
  return spans.flatMap(([isThere, from, to], index): GlucoseReport['bands'] => {
    const { readings: count, seconds } = bands.find(({ band }) => band === index + 1) ?? NOTHING
    const share = readings > 0 ? count / readings : null
    return isThere ? [{ name: BANDS[index] ?? 'target', from, to, readings: count, share, seconds }] : []
  })
}

const NOTHING = { readings: 0, seconds: 0 }

function profileFrom({ profile }: GlucoseRow): GlucoseReport['profile'] {
  return Array.from({ length: HALF_HOURS }, (_, slot) => {
    const found = profile.find((other) => other.slot === slot)
    const [p5 = null, p25 = null, p50 = null, p75 = null, p95 = null] = found?.percentiles ?? []
    return { minute: slot * 30, count: found?.count ?? 0, p5, p25, p50, p75, p95 }
  })
}

const extremeFrom = ([value, at]: [number, number]) => ({
  value,
  // To the millisecond below, as readings/get has it.
  measuredAt: new Date(Math.floor(Math.round(Math.abs(at) * 1e6) / 1_000)).toISOString(),
})
