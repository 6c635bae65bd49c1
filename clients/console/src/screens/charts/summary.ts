// What the marks on screen amount to: mean, least and most of each number, and how many readings that stands on.
import { mergedSummary, type Summary } from '../../statistics/load-statistics.ts'
import type { Mark } from './marks.ts'
import type { Series } from './series.ts'
import type { TimeRange } from './time-range.ts'

export type RangeSummary = {
  readings: number
  fields: Readonly<Record<string, Summary>>
  /** Units in which readings are stored that were converted, with their number. */
  convertedFrom: ReadonlyMap<string, number>
}

export function summarise(marks: readonly Mark[]): RangeSummary {
  const fields: Record<string, Summary> = {}
  const convertedFrom = new Map<string, number>()
  let readings = 0
  for (const { count, values, stored } of marks) {
    readings += count
    if (stored) convertedFrom.set(stored.unit, (convertedFrom.get(stored.unit) ?? 0) + 1)
    for (const [field, summary] of Object.entries(values)) {
      const known = fields[field]
      fields[field] = known === undefined ? summary : mergedSummary(known, summary)
    }
  }
  return { readings, fields, convertedFrom }
}

/** What was sent twice, in one second and with equal numbers, is one measurement, as reports count it. It is drawn and listed as sent. */
export function countedOnce(marks: readonly Mark[], fields: readonly string[]): Mark[] {
  const known = new Set<string>()
  return marks.filter(({ atMs, bucket, values }) => {
    const numbers = fields.map((field) => values[field]?.mean.toPrecision(9))
    const key = JSON.stringify([Math.floor(atMs / 1_000), numbers])
    const isNew = bucket !== undefined || !known.has(key)
    known.add(key)
    return isNew
  })
}

/** How many buckets of the view have no reading; only of buckets that have begun. */
export function emptyBuckets(series: Series, { fromMs, toMs }: TimeRange, nowMs: number): number {
  if (series.kind !== 'statistics') return 0
  return series.buckets.filter(
    ({ startMs, endMs, count }) => count === 0 && startMs >= fromMs && endMs <= toMs && startMs < nowMs,
  ).length
}
