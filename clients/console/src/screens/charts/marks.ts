// What a chart, its pointer and its table show: one mark for each reading or each bucket that has readings, in one unit.
import { sourceText } from '../../format/reading-text.ts'
import { converted } from '../../format/units.ts'
import type { StatisticsBucket, Summary } from '../../statistics/load-statistics.ts'
import type { Series, TimedReading } from './series.ts'
import { areBucketsSparse, areReadingsSparse } from './sparse.ts'
import type { TimeRange } from './time-range.ts'
import { drawnFields, type Quantity, type TypeShape } from './type-shape.ts'

export type Mark = {
  /** Where it is drawn: when it was measured, or the middle of its bucket. */
  atMs: number
  /** The bucket; nothing for a reading. */
  bucket?: { startMs: number; endMs: number }
  count: number
  values: Readonly<Record<string, Summary>>
  /** As it was sent, where it is shown in another unit. */
  stored?: { value: number; unit: string }
  /** Where a reading comes from, if it says so. */
  source?: string
  /** The line does not go on to the next mark. */
  isBeforeGap: boolean
}

/** The marks in order of time. Readings without any number of the type have none. */
export function marksOf(series: Series, shape: TypeShape, unit: string | undefined): Mark[] {
  if (series.kind === 'statistics') return marksOfBuckets(series.buckets, series.units, { shape, unit })
  const marks = series.readings.flatMap((timed) => markOfReading(timed, shape, unit) ?? [])
  const times = marks.map(({ atMs }) => atMs)
  const isSparse = areReadingsSparse(shape.readingType, times)
  const gaps = gapsBetween(times)
  return marks.map((mark, index) => ({ ...mark, isBeforeGap: isSparse || (gaps[index] ?? false) }))
}

function markOfReading(
  { atMs, reading }: TimedReading,
  { units, quantities }: TypeShape,
  unit: string | undefined,
): Mark | undefined {
  const [first] = units
  const storedUnit = reading['unit'] ?? first
  // A value in a unit that its type does not have cannot be drawn beside the others; statistics leave it out too.
  if (units.length > 0 && !units.some((known) => known === storedUnit)) return undefined
  const values: Record<string, Summary> = {}
  let stored: Mark['stored']
  for (const { field, unit: own } of quantities) {
    const value = reading[field]
    if (typeof value !== 'number') continue
    const isConverted =
      own === undefined && unit !== undefined && typeof storedUnit === 'string' && storedUnit !== unit
    if (isConverted) stored ??= { value, unit: storedUnit }
    const shown = isConverted ? converted(value, storedUnit, unit) : value
    values[field] = { count: 1, min: shown, max: shown, mean: shown }
  }
  if (Object.keys(values).length === 0) return undefined
  const source = sourceText(reading)
  return {
    atMs,
    count: 1,
    values,
    isBeforeGap: false,
    ...(stored ? { stored } : {}),
    ...(source === '' ? {} : { source }),
  }
}

function marksOfBuckets(
  buckets: readonly StatisticsBucket[],
  storedUnits: Readonly<Record<string, string>>,
  { shape, unit }: { shape: TypeShape; unit: string | undefined },
): Mark[] {
  const drawn = drawnFields(shape)
  const isSparse = areBucketsSparse(shape.readingType, buckets)
  const marks: Mark[] = []
  for (const { startMs, endMs, count, fields } of buckets) {
    const previous = marks.at(-1)
    if (!drawn.some((field) => fields[field])) {
      // An empty bucket: nothing is known of this time.
      if (previous) previous.isBeforeGap = true
      continue
    }
    const values = Object.fromEntries(
      shape.quantities.flatMap((quantity) => {
        const summary = fields[quantity.field]
        return summary ? [[quantity.field, inUnit(summary, quantity, { unit, storedUnits })]] : []
      }),
    )
    const bucket = { startMs, endMs }
    marks.push({ atMs: (startMs + endMs) / 2, bucket, count, values, isBeforeGap: isSparse })
  }
  return marks
}

function inUnit(
  { count, min, max, mean }: Summary,
  { field, unit: own }: Quantity,
  { unit, storedUnits }: { unit: string | undefined; storedUnits: Readonly<Record<string, string>> },
): Summary {
  const storedUnit = storedUnits[field]
  if (own !== undefined || unit === undefined || storedUnit === undefined) return { count, min, max, mean }
  const convert = (value: number) => converted(value, storedUnit, unit)
  return { count, min: convert(min), max: convert(max), mean: convert(mean) }
}

export function marksIn(marks: readonly Mark[], { fromMs, toMs }: TimeRange): Mark[] {
  return marks.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
}

/** The mark next to an instant, by bisection, if it is near enough. */
export function nearestMark(marks: readonly Mark[], atMs: number, farthestMs: number): Mark | undefined {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle] as Mark).atMs < atMs) low = middle + 1
    else high = middle
  }
  const distance = (mark: Mark) => Math.abs(mark.atMs - atMs)
  const near = marks.slice(Math.max(0, low - 1), low + 1)
  const [best] = near.toSorted((a, b) => distance(a) - distance(b))
  if (best === undefined) return undefined
  const isInBucket = best.bucket !== undefined && atMs >= best.bucket.startMs && atMs < best.bucket.endMs
  return isInBucket || distance(best) <= farthestMs ? best : undefined
}

// Where a line of readings is interrupted. What is usual for a type is seen in its own intervals: a sensor that sends every
// five minutes has a gap after a quarter of an hour, a scale that is used every day after four days.

/** Intervals longer than this are gaps. */
function longestUsualInterval(times: readonly number[]): number {
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time))
  if (intervals.length < 2) return Number.POSITIVE_INFINITY
  const sorted = intervals.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  // Readings in groups (three in each morning) have a short median; the pauses between groups are usual too, not gaps.
  return Math.max(3.5 * at(0.5), 1.6 * at(0.9), 1)
}

/** Whether there is a gap between each value and the next one. */
export function gapsBetween(times: readonly number[]): boolean[] {
  const longest = longestUsualInterval(times)
  return times.slice(1).map((time, index) => time - (times[index] ?? time) > longest)
}
