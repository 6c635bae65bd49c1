// What the printed pages hold: for each type with readings in the range, a summary by day, week or month, or the readings
// themselves where they have no numbers.
import type { RoundsClient, StatisticsAnswer, StoredReading } from '../../../../typescript/src/client.ts'
import type { Catalogue } from '../../words/reading-text.ts'
import { DAY } from '../../words/times.ts'
import type { InstantRange } from './chosen-range.ts'

export type Bucket = 'day' | 'week' | 'month'
type BucketData = StatisticsAnswer['data'][number]

export type NumberPage = {
  kind: 'numbers'
  readingType: string
  fields: string[]
  units: Record<string, string>
  bucket: Bucket
  buckets: BucketData[]
}
export type WordsPage = { kind: 'words'; readingType: string; readings: StoredReading[]; isCut: boolean }
export type PrintPage = NumberPage | WordsPage

/** As many rows as fit on a page under a chart. */
const MAX_ROWS = 34
const MAX_READINGS = 36

export function bucketFor(from: number, to: number): Bucket {
  const days = (to - from) / DAY
  if (days <= MAX_ROWS) return 'day'
  return days / 7 <= MAX_ROWS ? 'week' : 'month'
}

type Asked = { patientUid: string; range: InstantRange; type: string | null; zone: string }

export async function readPages(
  rounds: RoundsClient,
  catalogue: Catalogue,
  { patientUid, range, type, zone }: Asked,
  signal: AbortSignal,
): Promise<PrintPage[]> {
  const to = range.to ?? Date.now()
  const latest = await rounds.latestReadings(
    { patientUid, to, ...(type === null ? {} : { readingType: [type] }) },
    { signal },
  )
  const pages: PrintPage[] = []
  for (const { readingType, measuredAt } of latest.data) {
    if (range.from !== undefined && Date.parse(measuredAt) < range.from) continue
    const entry = catalogue.get(readingType)
    const page =
      entry && entry.numbers.length > 0
        ? await numberPage(rounds, { patientUid, readingType, from: range.from, to, zone }, signal)
        : await wordsPage(rounds, { patientUid, readingType, from: range.from, to }, signal)
    if (page) pages.push(page)
  }
  return pages
}

type OfType = { patientUid: string; readingType: string; from: number | undefined; to: number }

async function numberPage(
  rounds: RoundsClient,
  { patientUid, readingType, from, to, zone }: OfType & { zone: string },
  signal: AbortSignal,
): Promise<NumberPage | undefined> {
  const start = from ?? (await firstOf(rounds, { patientUid, readingType, from, to }, signal))
  if (start === undefined) return undefined
  const bucket = bucketFor(start, to)
  const query = { patientUid, readingType, from: start, to, bucket, timeZone: zone }
  const { data, units } = await rounds.readingStatistics(query, { signal })
  const fields = [...new Set(data.flatMap((one) => Object.keys(one.fields)))]
  if (fields.length === 0) return undefined
  return { kind: 'numbers', readingType, fields, units, bucket, buckets: data }
}

async function firstOf(rounds: RoundsClient, { patientUid, readingType, to }: OfType, signal: AbortSignal) {
  const query = { patientUid, readingType: [readingType], to, limit: 1 }
  const { data } = await rounds.getReadings(query, { signal })
  return data[0] && Date.parse(data[0].measuredAt)
}

async function wordsPage(
  rounds: RoundsClient,
  { patientUid, readingType, from, to }: OfType,
  signal: AbortSignal,
): Promise<WordsPage | undefined> {
  const query = {
    patientUid,
    readingType: [readingType],
    from,
    to,
    order: 'desc' as const,
    limit: MAX_READINGS,
  }
  const { data, nextCursor } = await rounds.getReadings(query, { signal })
  return data.length === 0
    ? undefined
    : { kind: 'words', readingType, readings: data, isCut: nextCursor !== null }
}

/** Of all buckets together. */
export function summaryOf(buckets: BucketData[], field: string) {
  const known = buckets.flatMap((bucket) => bucket.fields[field] ?? [])
  const count = known.reduce((sum, one) => sum + one.count, 0)
  const mean = known.reduce((sum, one) => sum + one.mean * one.count, 0) / count
  return {
    count,
    mean,
    min: Math.min(...known.map(({ min }) => min)),
    max: Math.max(...known.map(({ max }) => max)),
  }
}
