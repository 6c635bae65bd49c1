// Statistics of a range, however many readings it has. One request summarises a bounded number of them, so a range that is
// refused for that is asked for in pieces, and a bucket that was cut in two is put together again.
import type { RoundsClient, StatisticsAnswer } from '../../../typescript/src/client.ts'

export type BucketName = 'hour' | 'day' | 'week' | 'month'
/** Without `toMs` itself. */
type Range = { fromMs: number; toMs: number }

export type Summary = { count: number; min: number; max: number; mean: number }

/** Readings between `startMs` and `endMs`, which belongs to the next bucket. An empty one has no fields. */
export type StatisticsBucket = {
  startMs: number
  endMs: number
  count: number
  fields: Readonly<Record<string, Summary>>
}

// A refusal means more than the bound, not how much more: quarters come to pieces that fit sooner than halves.
const PIECES = 4
const MAX_REQUESTS = 85

export type StatisticsRequest = {
  patientUid: string
  readingType: string
  range: Range
  bucket: BucketName
  zone: string
}

export type Statistics = { buckets: StatisticsBucket[]; units: Record<string, string> }

type Asks = Pick<RoundsClient, 'readingStatistics'>

/** All buckets of the range; of the first and the last only what lies in it. */
export async function loadStatistics(
  rounds: Asks,
  { patientUid, readingType, range, bucket, zone }: StatisticsRequest,
  signal: AbortSignal,
): Promise<Statistics> {
  let requests = 0
  let units: Record<string, string> = {}

  async function ask({ fromMs, toMs }: Range): Promise<StatisticsBucket[]> {
    requests++
    // The API takes both ends as part of the range; `toMs` is not part of this one.
    const query = { patientUid, readingType, bucket, timeZone: zone, ...wholeMicroseconds(fromMs, toMs) }
    let answer: StatisticsAnswer
    try {
      answer = await rounds.readingStatistics(query, { signal })
    } catch (error) {
      const pieces = isTooMuch(error) && requests < MAX_REQUESTS ? piecesOf({ fromMs, toMs }) : []
      if (pieces.length === 0) throw error
      const found: StatisticsBucket[] = []
      // One after the other: the service summarises one request at a time anyway.
      for (const piece of pieces) found.push(...(await ask(piece)))
      return found
    }
    units = answer.units
    return answer.data.map(({ start, end, count, fields }) => ({
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      count,
      fields,
    }))
  }

  return { buckets: mergeBuckets(await ask(range)), units }
}

function wholeMicroseconds(fromMs: number, toMs: number) {
  return { from: Math.ceil(fromMs) / 1_000, to: (Math.ceil(toMs) * 1_000 - 1) / 1_000_000 }
}

function piecesOf({ fromMs, toMs }: Range): Range[] {
  const length = Math.ceil((toMs - fromMs) / PIECES)
  // A second with more readings than fit is no range to look at.
  if (length < 1_000) return []
  return Array.from({ length: PIECES }, (_, index) => ({
    fromMs: fromMs + index * length,
    toMs: Math.min(fromMs + (index + 1) * length, toMs),
  }))
}

/** Whether the service says that the range has more readings than one request may summarise. */
function isTooMuch(error: unknown): boolean {
  const { code, errors } = Object(error) as { code?: unknown; errors?: { pointer: string }[] }
  return code === 'ValidationFailed' && errors?.some(({ pointer }) => pointer === '/to') === true
}

/** Parts of one bucket become one: counts are added, the mean is that of all. */
export function mergeBuckets(parts: readonly StatisticsBucket[]): StatisticsBucket[] {
  const byStart = new Map<number, StatisticsBucket>()
  for (const part of parts) {
    const known = byStart.get(part.startMs)
    byStart.set(part.startMs, known === undefined ? part : merged(known, part))
  }
  return [...byStart.values()].toSorted((a, b) => a.startMs - b.startMs)
}

function merged(one: StatisticsBucket, other: StatisticsBucket): StatisticsBucket {
  const fields: Record<string, Summary> = { ...one.fields }
  for (const [name, summary] of Object.entries(other.fields)) {
    const known = fields[name]
    fields[name] = known === undefined ? summary : mergedSummary(known, summary)
  }
  return { ...one, count: one.count + other.count, fields }
}

export function mergedSummary(one: Summary, other: Summary): Summary {
  const count = one.count + other.count
  return {
    count,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    mean: one.mean + ((other.mean - one.mean) * other.count) / count,
  }
}
