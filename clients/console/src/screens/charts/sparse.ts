// Whether a line may join the readings of a type. A line says that the value moved so between two readings; only a sensor that sends
// all the time can say that. All others are dots.
import { HOUR_MS } from '../../format/zone-calendar.ts'

const FARTHEST_MS = HOUR_MS

/** Taken one by one by a person, however quickly one follows another. */
const ONE_BY_ONE = new Set([
  'bloodGlucose',
  'bloodKetone',
  'bodyWeight',
  'bodyHeight',
  'bodyMassIndex',
  'bodyFat',
  'headCircumference',
  'waistCircumference',
  'peakExpiratoryFlow',
  'fev1',
  'forcedVitalCapacity',
  'painScore',
  'sleep',
])

/** By the middle one of the intervals between readings. */
export function areReadingsSparse(readingType: string, times: readonly number[]): boolean {
  if (ONE_BY_ONE.has(readingType)) return true
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const middle = intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)]
  return middle === undefined || middle > FARTHEST_MS
}

/** By the time for which each reading stands, in buckets that have any. */
export function areBucketsSparse(
  readingType: string,
  buckets: readonly { startMs: number; endMs: number; count: number }[],
): boolean {
  if (ONE_BY_ONE.has(readingType)) return true
  const full = buckets.filter(({ count }) => count > 0)
  const lengthMs = full.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return lengthMs > FARTHEST_MS * full.reduce((sum, { count }) => sum + count, 0)
}
