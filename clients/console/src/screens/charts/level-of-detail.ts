// What a range is asked for: the readings themselves while they are few, statistics beyond that, so that a chart of 100,000
// readings draws as many points as one of some hundred.
import { DAY_MS, HOUR_MS } from '../../format/zone-calendar.ts'
import type { BucketName } from '../../statistics/load-statistics.ts'
import type { TimeRange } from './time-range.ts'

/** How many points a pane has room for: a few sizes, so that a window that is resized a little asks for nothing new. */
export type Room = 120 | 240 | 400

export function roomOf(width: number): Room {
  if (width < 480) return 120
  return width < 900 ? 240 : 400
}

/** Up to so many readings are drawn as they are: 2,000 as lines on a wide pane; bars need more room. */
export function maxReadings(room: Room, kind: 'line' | 'pair' | 'symptoms'): number {
  if (kind === 'symptoms') return 2_000
  return kind === 'pair' ? room / 2 : room * 5
}

/** The smallest bucket of which the pane has room for as many as the range has. */
export function bucketFor({ fromMs, toMs }: TimeRange, room: Room): BucketName {
  const length = (toMs - fromMs) / room
  if (length <= HOUR_MS) return 'hour'
  if (length <= DAY_MS) return 'day'
  return length <= 7 * DAY_MS ? 'week' : 'month'
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
