// What a range is asked for: the readings themselves while they are few, statistics beyond that, so that a chart of 100,000
// readings draws as many points as one of some hundred.
import type { TimeRange } from './time-range.ts'
import { DAY_MS, HOUR_MS } from './zone-calendar.ts'

/** Up to so many readings are drawn as they are. */
export const MAX_READINGS = 2_000

export type BucketName = 'hour' | 'day' | 'week' | 'month'

// Of each, a range has at most about 400.
const LONGEST: [BucketName, days: number][] = [
  ['hour', 16],
  ['day', 400],
  ['week', 2_800],
]

export function bucketFor({ fromMs, toMs }: TimeRange): BucketName {
  const days = (toMs - fromMs) / DAY_MS
  return LONGEST.find(([, most]) => days <= most)?.[0] ?? 'month'
}

const LENGTH_MS: Record<BucketName, number> = {
  hour: HOUR_MS,
  day: 25 * HOUR_MS,
  week: 7 * DAY_MS + HOUR_MS,
  month: 31 * DAY_MS + HOUR_MS,
}

/**
 * A range with something on either side, so that a short move shows readings at once. With statistics it is at least a
 * bucket, so that the buckets that are cut off at its ends are out of sight.
 */
export function withMargin({ fromMs, toMs }: TimeRange, bucket?: BucketName): TimeRange {
  const margin = Math.max((toMs - fromMs) * 0.3, bucket === undefined ? 0 : LENGTH_MS[bucket])
  return { fromMs: Math.max(0, fromMs - margin), toMs: toMs + margin }
}

/** How many readings a range has, by the counts of buckets that hold it, as if readings were spread evenly in each. */
export function estimateCount(
  buckets: readonly { startMs: number; endMs: number; count: number }[],
  { fromMs, toMs }: TimeRange,
): number {
  return buckets.reduce((sum, { startMs, endMs, count }) => {
    const shared = Math.min(endMs, toMs) - Math.max(startMs, fromMs)
    return shared > 0 ? sum + (count * shared) / (endMs - startMs) : sum
  }, 0)
}
