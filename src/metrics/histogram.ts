// A histogram of plain numbers. An observation with prom-client's own takes 1 to 2 µs, most of it to find the series of its
// labels. Here the caller finds a series once and keeps it, and an observation is a search among the bounds.
import type { Histogram as PromHistogram } from 'prom-client'

type Labels = Record<string, string>
export type AboutHistogram = { name: string; help: string; buckets: readonly number[] }
export type Series = { observe: (value: number) => void }
export type Histogram = { series: (labels: Labels) => Series }

/** Durations of what takes from a millisecond to as long as a request may take. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createHistogram({ name, help, buckets: bounds }: AboutHistogram) {
  const countedByLabels = new Map<string, Counted>()

  function series(labels: Labels): Series {
    const key = JSON.stringify(labels)
    const counted = countedByLabels.get(key) ?? {
      labels,
      counts: Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    }
    countedByLabels.set(key, counted)
    return {
      observe(value) {
        let bucket = 0
        while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++
        counted.counts[bucket] = (counted.counts[bucket] ?? 0) + 1
        counted.sum += value
      },
    }
  }

  const values = () => [...countedByLabels.values()].flatMap((counted) => samplesOf(name, bounds, counted))
  const about = { name, help, type: 'histogram' }
  // What a registry needs of a metric; its type names only prom-client's own classes.
  const metric = { ...about, get: async () => ({ ...about, values: values() }) } as unknown as PromHistogram
  return { series, metric }
}

/** The counts of each bucket, with those above the last bound; not cumulative until they are scraped. */
type Counted = { labels: Labels; counts: number[]; sum: number }

function samplesOf(name: string, bounds: readonly number[], { labels, counts, sum }: Counted) {
  let count = 0
  const buckets = counts.map((inBucket, index) => {
    count += inBucket
    const le = index < bounds.length ? String(bounds[index]) : '+Inf'
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
