// The buckets of statistics and what belongs in them, worked out by walking a local clock in quarters of an hour. It knows
// time zones from Intl alone, so that it agrees with PostgreSQL only if both are right.

export type Bucket = 'hour' | 'day' | 'week' | 'month'
export type Bounds = { startMs: number; endMs: number }

const QUARTER_MS = 15 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MS = { hour: 2 * HOUR_MS, day: 3 * DAY_MS, week: 9 * DAY_MS, month: 34 * DAY_MS }

/** The buckets from the one that holds `fromMs` to the one that holds `toMs`. */
export function walkBuckets(timeZone: string, bucket: Bucket, fromMs: number, toMs: number): Bounds[] {
  const clock = clockOf(timeZone)
  const lead = LONGEST_MS[bucket]
  const starts: number[] = []
  let at = Math.floor((fromMs - lead) / QUARTER_MS) * QUARTER_MS
  let latest = labelOf(bucket, clock(at))
  for (; at <= toMs + lead; at += QUARTER_MS) {
    const label = labelOf(bucket, clock(at))
    // What the clock would show had it not been put forward or back since the last step.
    const unmoved = clock(at - QUARTER_MS) + QUARTER_MS
    if (bucket === 'hour' && (clock(at) % HOUR_MS === 0 || unmoved % HOUR_MS === 0)) starts.push(at)
    // A date may come back when clocks are put back at midnight; it began the first time.
    if (bucket !== 'hour' && label > latest) starts.push(at)
    latest = Math.max(latest, label)
  }
  return starts
    .map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? Number.NaN }))
    .filter(({ startMs, endMs }) => endMs > fromMs && startMs <= toMs)
}

/** A number that grows from one bucket to the next. */
function labelOf(bucket: Bucket, localMs: number): number {
  const days = Math.floor(localMs / DAY_MS)
  const date = new Date(localMs)
  if (bucket === 'month') return date.getUTCFullYear() * 12 + date.getUTCMonth()
  // The fourth day of 1970, counted from 0, was a Monday.
  return bucket === 'week' ? Math.floor((days - 4) / 7) : days
}

const clocks = new Map<string, (atMs: number) => number>()

/** What the local clock shows at an instant, as the instant at which a clock in UTC shows the same. */
function clockOf(timeZone: string): (atMs: number) => number {
  const known = clocks.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const seen = new Map<number, number>()
  const clock = (atMs: number) => {
    const shown = seen.get(atMs) ?? read(atMs)
    seen.set(atMs, shown)
    return shown
  }
  const read = (atMs: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute)
  }
  clocks.set(timeZone, clock)
  return clock
}

/** The statistics of values in order of their times, by their definitions. */
export function summarise(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
    return below + (place - Math.floor(place)) * (above - below)
  }
  return {
    count: values.length,
    min: sorted[0],
    max: sorted.at(-1),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    p50: at(0.5),
    p95: at(0.95),
    first: values[0],
    last: values.at(-1),
  }
}
