// GET reports/glucose: the figures of an ambulatory glucose profile (AGP), of sensor glucose. Shares and means are weighted by the time for which values stood: scans at the peaks, or a sensor that sends
// three times as often, change none of them.
import { conversionBetween, convert } from '../../casesheet/catalogue/units.ts'
import { DAY } from '../status/beyond.ts'
import { shownIn } from '../unit-sql.ts'
import { type FieldRange, judgedValue, sideOf } from './compared-target.ts'
import {
  BANDS,
  GLUCOSE_UNITS,
  type GlucoseQuery,
  type GlucoseReport,
  type GlucoseUnit,
  HALF_HOURS,
  SOURCE,
} from './glucose-contract.ts'
import { instantOfMs, minuteOf } from './local-clock.ts'
import { type Given, makeReport } from './make-report.ts'
import type { Measured } from './report-readings.ts'
import { SENSOR, secondsStanding, sumOf } from './standing.ts'

type Band = (typeof BANDS)[number]

/** Where the bands of the consensus end: very low is below the first, low below the second, high above the third … */
const CONSENSUS: Record<GlucoseUnit, readonly [number, number, number, number]> = {
  'mmol/L': [3, 3.9, 10, 13.9],
  'mg/dL': [54, 70, 180, 250],
}

const ENOUGH_SHARE = 0.7
const ENOUGH_DAYS = 14

/** `value`: in the unit of the report. */
type Value = { value: number; seconds: number; band: Band; clock: number; at: number }

export const createGlucoseReport = makeReport<GlucoseQuery>({
  operation: 'reports/glucose',
  toRead: () => ({ types: [SENSOR], fields: ['value'], beside: ['outOfRange'] }),
  figures: glucoseFigures,
})

function glucoseFigures(given: Given<GlucoseQuery>): GlucoseReport {
  const { target, dates, begin, end, fromClock, toClock } = given
  const unit = given.query.unit ?? GLUCOSE_UNITS[0]
  const limits = limitsOf(given.ranges[0])
  const values = valuesOf(given.measured, end, { unit, limits })
  const seconds = sumOf(values.map((value) => value.seconds))
  const passed = (end - begin) / 1_000
  const share = passed > 0 ? Math.min(1, seconds / passed) : null
  // On the local clock, and to the second: a range may end just before midnight.
  const isLong = toClock - fromClock >= ENOUGH_DAYS * DAY - 1_000
  const isEnough =
    isLong && seconds >= (ENOUGH_SHARE * ENOUGH_DAYS * DAY) / 1_000 && (share ?? 0) >= ENOUGH_SHARE
  const { mean, deviation } = momentsOf(values, seconds)
  return {
    unit,
    readings: values.length,
    days: dates.length,
    active: { seconds, share },
    isEnough,
    mean,
    gmi: isEnough && mean !== null ? 3.31 + 0.02392 * convert(mean, conversionBetween(unit, 'mg/dL')) : null,
    standardDeviation: deviation,
    coefficientOfVariation: mean && deviation !== null ? deviation / mean : null,
    bands: bandsOf(values, seconds, edgesIn(unit, limits)),
    bandsFrom: target ? 'target' : 'consensus',
    target,
    profile: profileOf(values),
    lowest: extremeOf(values, (value, than) => value < than),
    highest: extremeOf(values, (value, than) => value > than),
    source: SOURCE,
  }
}

function valuesOf(
  measured: Measured[],
  end: number,
  { unit, limits }: { unit: GlucoseUnit; limits: Limits },
): Value[] {
  const standing = secondsStanding(measured, end)
  return measured.flatMap((reading, nth) => {
    const [sent] = reading.numbers
    const sentIn = GLUCOSE_UNITS.find((known) => known === reading.unit)
    if (sent === undefined || !sentIn) return []
    const value = convert(sent, conversionBetween(sentIn, unit))
    const band = bandOf(judgedValue(sent, reading), sentIn, limits)
    return [{ value, band, seconds: standing[nth] ?? 0, clock: reading.clock, at: reading.at }]
  })
}

function momentsOf(values: Value[], seconds: number) {
  if (seconds === 0) return { mean: null, deviation: null }
  const weighted = (of: (value: number) => number) =>
    sumOf(values.map((each) => each.seconds * of(each.value))) / seconds
  const mean = weighted((value) => value)
  const ofSample = values.length / (values.length - 1)
  const deviation = values.length < 2 ? null : Math.sqrt(weighted((value) => (value - mean) ** 2) * ofSample)
  return { mean, deviation }
}

/** The target's range, and where the consensus still has a limit beside it. */
type Limits = {
  range: FieldRange | undefined
  isOpenBelow: boolean
  isOpenAbove: boolean
  hasVeryLow: boolean
  hasVeryHigh: boolean
}

/**
 * With a target, that is the middle band. Where it leaves a side open, the consensus closes it: a target of at most 180 mg/dL must not make
 * 39 a value in target. A limit of the consensus that the target crosses falls away.
 */
function limitsOf(range: FieldRange | undefined): Limits {
  if (!range) return { range, isOpenBelow: true, isOpenAbove: true, hasVeryLow: true, hasVeryHigh: true }
  const { low, high, unit } = range
  const [veryLow, consensusLow, consensusHigh, veryHigh] = CONSENSUS[unit === 'mg/dL' ? unit : 'mmol/L']
  const isOpenBelow = low === null && high !== null && consensusLow < high
  const isOpenAbove = high === null && low !== null && consensusHigh > low
  return {
    range,
    isOpenBelow,
    isOpenAbove,
    hasVeryLow: isOpenBelow || (low !== null && low > veryLow),
    hasVeryHigh: isOpenAbove || (high !== null && high < veryHigh),
  }
}

/** Limits of the consensus are those of the unit in which a value was sent. */
function bandOf(sent: number, unit: GlucoseUnit, { range, ...limits }: Limits): Band {
  const [veryLow, low, high, veryHigh] = CONSENSUS[unit]
  const side = range ? sideOf(sent, unit, range) : 'in'
  if (side === 'below' || (limits.isOpenBelow && sent < low))
    return limits.hasVeryLow && sent < veryLow ? 'veryLow' : 'low'
  if (side === 'above' || (limits.isOpenAbove && sent > high))
    return limits.hasVeryHigh && sent > veryHigh ? 'veryHigh' : 'high'
  return 'target'
}

/** Where the bands end, from the lowest on; null where a band falls away. */
function edgesIn(unit: GlucoseUnit, { range, ...limits }: Limits): (number | null)[] {
  const [veryLow, low, high, veryHigh] = CONSENSUS[unit]
  const shown = (bound: number | null = null) =>
    bound === null || !range || unit === range.unit
      ? bound
      : shownIn(unit, convert(bound, conversionBetween(range.unit, unit)))
  return [
    limits.hasVeryLow ? veryLow : null,
    limits.isOpenBelow ? low : shown(range?.low),
    limits.isOpenAbove ? high : shown(range?.high),
    limits.hasVeryHigh ? veryHigh : null,
  ]
}

function bandsOf(values: Value[], total: number, edges: (number | null)[]): GlucoseReport['bands'] {
  const [veryLow = null, low = null, high = null, veryHigh = null] = edges
  const isThere = [veryLow !== null, low !== null, true, high !== null, veryHigh !== null]
  return BANDS.flatMap((name, nth) => {
    if (!isThere[nth]) return []
    const ofBand = values.filter(({ band }) => band === name)
    const seconds = sumOf(ofBand.map((value) => value.seconds))
    const [from = null, to = null] = [edges[nth - 1], edges[nth]]
    return [{ name, from, to, readings: ofBand.length, share: total > 0 ? seconds / total : null, seconds }]
  })
}

/** Of all days together. Within half an hour all values count alike. */
function profileOf(values: Value[]): GlucoseReport['profile'] {
  const slots = Map.groupBy(values, ({ clock }) => Math.floor(minuteOf(clock) / 30))
  return Array.from({ length: HALF_HOURS }, (_, slot) => {
    const sorted = (slots.get(slot) ?? []).map(({ value }) => value).toSorted((a, b) => a - b)
    const at = (share: number) => percentileOf(sorted, share)
    return {
      minute: slot * 30,
      count: sorted.length,
      p5: at(0.05),
      p25: at(0.25),
      p50: at(0.5),
      p75: at(0.75),
      p95: at(0.95),
    }
  })
}

function percentileOf(sorted: number[], share: number): number | null {
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below === undefined || above === undefined ? null : below + (place % 1) * (above - below)
}

function extremeOf(
  values: Value[],
  isBeyond: (value: number, than: number) => boolean,
): GlucoseReport['lowest'] {
  let extreme: Value | undefined
  for (const each of values) if (!extreme || isBeyond(each.value, extreme.value)) extreme = each
  return extreme ? { value: extreme.value, measuredAt: instantOfMs(extreme.at) } : null
}
