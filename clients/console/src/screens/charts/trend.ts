// Whether values rise or fall over a range. A description, no judgement: the reader knows which of the two is wanted.
//
// The rule looks at one mean a day (a week, a month where those are drawn), so that what repeats every day is no trend. Two
// conditions make it clear: the Mann–Kendall test finds an order that chance gives in one of 20 cases at most, and the change by the
// Theil–Sen slope (the median slope of all pairs) is as large as the means scatter around that line. Neither follows an outlier.
import { DAY_MS, localMs } from '../../format/zone-calendar.ts'
import type { Mark } from './marks.ts'

export type Trend = 'rising' | 'falling' | 'unclear'

/** Fewer points say nothing: an order of four comes by chance in one of twelve cases. */
const MIN_POINTS = 5
/** Of a normal distribution, two-sided, 5 %. */
const SIGNIFICANT = 1.96
/** From a median absolute deviation to a standard deviation. */
const MAD_TO_DEVIATION = 1.4826

type Point = { at: number; value: number }

/** Nothing where there are too few points to say. */
export function trendOf(points: readonly Point[]): Trend | undefined {
  const count = points.length
  if (count < MIN_POINTS) return undefined
  const slopes: number[] = []
  let order = 0
  points.forEach((one, index) => {
    for (const other of points.slice(index + 1)) {
      order += Math.sign(other.value - one.value)
      slopes.push((other.value - one.value) / (other.at - one.at))
    }
  })
  const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  if ((Math.abs(order) - 1) / deviation <= SIGNIFICANT) return 'unclear'
  const slope = median(slopes)
  const rests = points.map(({ at, value }) => value - slope * at)
  const middle = median(rests)
  const scatter = MAD_TO_DEVIATION * median(rests.map((rest) => Math.abs(rest - middle)))
  const [first, last] = [points[0], points.at(-1)]
  const change = slope * ((last?.at ?? 0) - (first?.at ?? 0))
  if (change === 0 || Math.abs(change) < scatter) return 'unclear'
  return change > 0 ? 'rising' : 'falling'
}

/** The mean of each local day that has any; of longer buckets, each as it is. Marks are in order of time. */
export function pointsOf(marks: readonly Mark[], field: string, zone: string): Point[] {
  const days = new Map<number, { sum: number; count: number }>()
  for (const { atMs, bucket, values } of marks) {
    const summary = values[field]
    if (!summary) continue
    const isLonger = bucket !== undefined && bucket.endMs - bucket.startMs > 2 * DAY_MS
    const at = isLonger ? atMs : Math.floor(localMs(atMs, zone) / DAY_MS) * DAY_MS
    const day = days.get(at) ?? { sum: 0, count: 0 }
    days.set(at, { sum: day.sum + summary.mean * summary.count, count: day.count + summary.count })
  }
  return [...days].map(([at, { sum, count }]) => ({ at, value: sum / count }))
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}
