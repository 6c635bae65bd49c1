// Metrics for Prometheus. Components keep plain counters and register a callback that is read at scrape time, so counting costs a
// request next to nothing. Only histograms are updated as things happen, once for each statement and each answer. Labels are
// our own values, such as kinds, routes and codes, never anything that a caller sent.
import { Counter, Gauge, Registry } from 'prom-client'
import { type AboutHistogram, createHistogram, type Histogram } from './histogram.ts'

type Read = () => number | Promise<number>
type Labels = Record<string, string>
type About = { name: string; help: string; labels?: Labels }

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const histograms = new Map<string, Histogram>()
  const sourcesOf = new Map<string, { labels: Labels; read: Read }[]>()

  /** Several callbacks may be registered for one name: values with the same labels are summed. */
  function readAtEachScrape(Metric: typeof Counter | typeof Gauge, about: About, read: Read) {
    const { name, help, labels = {} } = about
    const sources = sourcesOf.get(name) ?? []
    sources.push({ labels, read })
    if (sources.length > 1) return
    sourcesOf.set(name, sources)
    const labelNames = Object.keys(labels)
    const metric = new Metric({ name, help, labelNames, registers: [registry], collect })
    async function collect() {
      const values = await Promise.all(sources.map(async (source) => source.read()))
      metric.reset()
      sources.forEach((source, index) => metric.inc(source.labels, values[index] ?? 0))
    }
  }

  function histogram(about: AboutHistogram): Histogram {
    const known = histograms.get(about.name)
    if (known) return known
    const { series, metric } = createHistogram(about)
    registry.registerMetric(metric)
    histograms.set(about.name, { series })
    return { series }
  }

  return {
    registry,
    /** A number that only grows. */
    counter: (about: About, read: Read) => readAtEachScrape(Counter, about, read),
    /** A number that goes up and down. */
    gauge: (about: About, read: Read) => readAtEachScrape(Gauge, about, read),
    histogram,
  }
}

/** One counter for each value of a label, as plain numbers to increment. */
export function countEach<Value extends string>(
  metrics: Metrics,
  { name, help, label }: { name: string; help: string; label: string },
  values: readonly Value[],
): Record<Value, number> {
  const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>
  for (const value of values) metrics.counter({ name, help, labels: { [label]: value } }, () => counts[value])
  return counts
}
