// What Prometheus is told. Every part counts in plain numbers and says once how they are read, which happens when somebody
// asks: counting costs a request next to nothing. Only distributions are observed as they happen, once for each statement
// and each answer. Labels are words of ours, such as kinds, routes and codes, never what a caller sent.
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

  /** Several may be read for one name: each with labels of its own, or those with the same labels as their sum. */
  function readAtEachScrape(Metric: typeof Counter | typeof Gauge, about: About, read: Read) {
    const { name, help, labels = {} } = about
    const sources = sourcesOf.get(name) ?? []
    sources.push({ labels, read })
    if (sources.length > 1) return
    sourcesOf.set(name, sources)
    const metric = new Metric({ name, help, labelNames: Object.keys(labels), registers: [registry], collect })
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

/** A counter for each of some words, as plain numbers to add to. */
export function countEach<Word extends string>(
  metrics: Metrics,
  { name, help, label }: { name: string; help: string; label: string },
  words: readonly Word[],
): Record<Word, number> {
  const counts = Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>
  for (const word of words) metrics.counter({ name, help, labels: { [label]: word } }, () => counts[word])
  return counts
}
