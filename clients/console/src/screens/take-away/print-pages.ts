// What the printed pages hold: for each type with readings in the range, a summary by day, week or month, or the readings
// themselves where they have no numbers.
import type { ReadingTypeEntry, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import {
  type BucketName,
  loadStatistics,
  mergedSummary,
  type StatisticsBucket,
  type Summary,
} from '../../statistics/load-statistics.ts'
import { type Catalogue, readingText } from '../../words/reading-text.ts'
import { DAY_MS } from '../../words/zone-calendar.ts'
import type { InstantRange } from './chosen-range.ts'

export type Bucket = Exclude<BucketName, 'hour'>

export type NumberPage = {
  kind: 'numbers'
  readingType: string
  fields: string[]
  units: Record<string, string>
  bucket: Bucket
  buckets: StatisticsBucket[]
}
type WordsRow = { id: string; at: string; text: string }
export type WordsPage = { kind: 'words'; readingType: string; rows: WordsRow[]; isCut: boolean }
export type PrintPage = NumberPage | WordsPage

/** As many rows as fit on a page under a chart. */
export const MAX_ROWS = 32
/** As many lines of readings as fit on a page without a chart, and how much text a line holds. */
const MAX_LINES = 36
const LINE_LENGTH = 80

export function bucketFor(from: number, to: number): Bucket {
  const days = (to - from) / DAY_MS
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
        : await wordsPage(rounds, { patientUid, readingType, from: range.from, to, entry, zone }, signal)
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
  const range = { fromMs: start, toMs: to + 1 }
  const asked = { patientUid, readingType, range, bucket, zone }
  const { buckets, units } = await loadStatistics(rounds, asked, signal)
  const fields = [...new Set(buckets.flatMap((one) => Object.keys(one.fields)))]
  if (fields.length === 0) return undefined
  return { kind: 'numbers', readingType, fields, units, bucket, buckets }
}

async function firstOf(rounds: RoundsClient, { patientUid, readingType, to }: OfType, signal: AbortSignal) {
  const query = { patientUid, readingType: [readingType], to, limit: 1 }
  const { data } = await rounds.getReadings(query, { signal })
  return data[0] && Date.parse(data[0].measuredAt)
}

async function wordsPage(
  rounds: RoundsClient,
  {
    patientUid,
    readingType,
    from,
    to,
    entry,
    zone,
  }: OfType & { entry: ReadingTypeEntry | undefined; zone: string },
  signal: AbortSignal,
): Promise<WordsPage | undefined> {
  const query = {
    patientUid,
    readingType: [readingType],
    from,
    to,
    order: 'desc' as const,
    limit: MAX_LINES,
  }
  const { data, nextCursor } = await rounds.getReadings(query, { signal })
  if (data.length === 0) return undefined
  const rows = rowsOf(data, entry, zone)
  const isCut = nextCursor !== null || rows.length < data.length
  return { kind: 'words', readingType, rows, isCut }
}

/** As many as fit on the page; a long text takes up to three lines. */
function rowsOf(readings: StoredReading[], entry: ReadingTypeEntry | undefined, zone: string): WordsRow[] {
  const rows: WordsRow[] = []
  let lines = 0
  for (const reading of readings) {
    const { value, unit, others } = readingText(reading, entry, zone)
    const more = others.map(({ name, text }) => `${name}: ${text}`).join(' · ')
    const text = [value, unit, more].filter((part) => part !== '').join(' ')
    lines += Math.min(3, Math.ceil(text.length / LINE_LENGTH))
    if (lines > MAX_LINES) break
    rows.push({ id: reading.readingId, at: reading.measuredAt, text })
  }
  return rows
}

/** Of all buckets together; undefined where none has the field. */
export function summaryOf(buckets: StatisticsBucket[], field: string): Summary | undefined {
  return buckets
    .flatMap((bucket) => bucket.fields[field] ?? [])
    .reduce<Summary | undefined>((sum, one) => (sum ? mergedSummary(sum, one) : one), undefined)
}
