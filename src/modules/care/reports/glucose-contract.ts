// What reports/glucose answers.
import { type Static, Type } from 'typebox'
import type { Unit } from '../../casesheet/catalogue/units.ts'
import { closed, instant, numberOrNull, orNull } from '../answer-forms.ts'
import { reportContract, reportQuery, TargetOrNull } from './report-query.ts'

export const GLUCOSE_UNITS = ['mmol/L', 'mg/dL'] as const satisfies Unit[]
export type GlucoseUnit = (typeof GLUCOSE_UNITS)[number]
export const BANDS = ['veryLow', 'low', 'target', 'high', 'veryHigh'] as const
export const HALF_HOURS = 48

const Query = reportQuery({
  unit: Type.Optional(
    Type.Enum([...GLUCOSE_UNITS], {
      description: `Unit of all values; default: ${GLUCOSE_UNITS[0]}.`,
      examples: ['mg/dL'],
    }),
  ),
})
export type GlucoseQuery = Static<typeof Query> & { patientUid: string }

const Extreme = (description: string) =>
  orNull(closed({ value: Type.Number(), measuredAt: instant('When it was measured, in UTC.') }), description)

const Band = closed({
  name: Type.Enum([...BANDS], { type: 'string' }),
  from: numberOrNull(
    'Where the band begins; null for the lowest. Low and target include it, high and veryHigh do not.',
  ),
  to: numberOrNull(
    'Where it ends; null for the highest. Target and high include it, veryLow and low do not.',
  ),
  readings: Type.Integer(),
  share: numberOrNull('Of the time for which values stood, from 0 to 1; null if none stood.'),
  seconds: Type.Number({ description: 'For how long values stood in the band.' }),
})

const Percentile = numberOrNull('Interpolated between two values; null if there is no reading.')

const HalfHour = closed({
  minute: Type.Integer({ description: 'Where it begins, in minutes after midnight on the local clock.' }),
  count: Type.Integer({ description: 'Number of readings, of all days.' }),
  p5: Percentile,
  p25: Percentile,
  p50: Percentile,
  p75: Percentile,
  p95: Percentile,
})

export const GlucoseReport = Type.Object(
  {
    unit: Type.Enum([...GLUCOSE_UNITS], { type: 'string', description: 'Of every value in the report.' }),
    readings: Type.Integer({ description: 'Number of readings with a value.' }),
    days: Type.Integer({ description: 'Number of local days of the range.' }),
    active: closed({
      seconds: Type.Number({
        description:
          'For how long the sensor was active: a value stands until the next one, at most 20 minutes and never beyond its UTC day.',
      }),
      share: numberOrNull('Of the range, as far as it has passed; null if nothing has.'),
    }),
    isEnough: Type.Boolean({
      description:
        'Whether the range has at least 14 days, and the sensor was active for 70 % of it and of 14 days.',
    }),
    mean: numberOrNull(
      'Mean of all values, each weighted by the time for which it stood; null if none stood.',
    ),
    gmi: numberOrNull(
      'Glucose management indicator in percent: 3.31 + 0.02392 × mean in mg/dL (Bergenstal 2018, doi 10.2337/dc18-1581). Null unless isEnough.',
    ),
    standardDeviation: numberOrNull('Of the sample (n − 1), weighted as the mean is.'),
    coefficientOfVariation: numberOrNull(
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
export type GlucoseReport = Static<typeof GlucoseReport>

export const SOURCE = {
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
  active: { seconds: 3_000, share: 0.004960325661914123 },
  isEnough: false,
  mean: 131.496192,
  gmi: null,
  standardDeviation: 49.39305826734894,
  coefficientOfVariation: 0.375623487768748,
  bands: [
    { name: 'veryLow', from: null, to: 54, readings: 0, share: 0, seconds: 0 },
    { name: 'low', from: 54, to: 70, readings: 1, share: 0.1, seconds: 300 },
    { name: 'target', from: 70, to: 180, readings: 2, share: 0.5, seconds: 1_500 },
    { name: 'high', from: 180, to: 250, readings: 1, share: 0.4, seconds: 1_200 },
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
      'the consensus does. “LOW” and “HIGH” of a sensor are in the outermost band. Shares, mean and deviation are weighted by time, so that scans ' +
      'at the peaks change none of them; percentiles are of the readings of a half hour.',
    answer: 'The report. Without readings its counts are 0 and its values null.',
  },
  { query: Query, data: GlucoseReport, example: EXAMPLE },
)
