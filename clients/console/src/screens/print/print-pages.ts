// What the printed pages hold, for each type with readings in the range: the readings themselves where they are few or have no
// numbers, else a summary by day, week or month.
import type { ReadingTypeEntry, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { numberText } from '../../format/numbers.ts'
import { type Catalogue, readingText, sourceText, unitOf } from '../../format/reading-text.ts'
import { converted, unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import {
  type BucketName,
  loadStatistics,
  mergedSummary,
  type StatisticsBucket,
  type Summary,
} from '../../statistics/load-statistics.ts'
import type { InstantRange } from '../export/chosen-range.ts'

export type Bucket = Exclude<BucketName, 'hour'>

/** A reading with its numbers in the units of its page. */
export type SingleReading = {
  id: string
  atMs: number
  values: Record<string, number>
  stored: string
  source: string
}

export type NumberPage = {
  kind: 'numbers'
  readingType: string
  newest: StoredReading
  /** In the order of the catalogue. */
  fields: string[]
  units: Record<string, string>
  bucket: Bucket
  buckets: StatisticsBucket[]
  /** All of them, newest first; undefined where they are too many for a page. */
  singles: SingleReading[] | undefined
}
type WordsRow = { id: string; at: string; text: string }
export type WordsPage = {
  kind: 'words'
  readingType: string
  newest: StoredReading
  rows: WordsRow[]
  isCut: boolean
}
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
  for (const newest of latest.data) {
    const { readingType, measuredAt } = newest
    if (range.from !== undefined && Date.parse(measuredAt) < range.from) continue
    const entry = catalogue.get(readingType)
    const page =
      entry && entry.numbers.length > 0
        ? await numberPage(
            rounds,
            { newest, entry, patientUid, readingType, from: range.from, to, zone },
            signal,
          )
        : await wordsPage(
            rounds,
            { newest, entry, patientUid, readingType, from: range.from, to, zone },
            signal,
          )
    if (page) pages.push(page)
  }
  return pages
}

type OfType = { patientUid: string; readingType: string; from: number | undefined; to: number }
type Of<Entry> = OfType & { newest: StoredReading; entry: Entry; zone: string }

async function numberPage(
  rounds: RoundsClient,
  { newest, entry, patientUid, readingType, from, to, zone }: Of<ReadingTypeEntry>,
  signal: AbortSignal,
): Promise<NumberPage | undefined> {
  const start = from ?? (await firstOf(rounds, { patientUid, readingType, from, to }, signal))
  if (start === undefined) return undefined
  const bucket = bucketFor(start, to)
  const range = { fromMs: start, toMs: to + 1 }
  const asked = { patientUid, readingType, range, bucket, zone }
  const { buckets, units } = await loadStatistics(rounds, asked, signal)
  const measured = new Set(buckets.flatMap((one) => Object.keys(one.fields)))
  const fields = entry.numbers.map(({ field }) => field).filter((field) => measured.has(field))
  if (fields.length === 0) return undefined
  const page = { kind: 'numbers' as const, readingType, newest, fields, units, bucket, buckets }
  const isFew = buckets.reduce((sum, { count }) => sum + count, 0) <= MAX_ROWS
  if (!isFew) return { ...page, singles: undefined }
  const query = { patientUid, readingType: [readingType], from: start, to, order: 'desc' as const }
  const { data } = await rounds.getReadings({ ...query, limit: MAX_ROWS }, { signal })
  return { ...page, singles: data.map((reading) => singleReading(reading, entry, { fields, units })) }
}

export function singleReading(
  reading: StoredReading,
  entry: ReadingTypeEntry,
  { fields, units }: { fields: string[]; units: Record<string, string> },
): SingleReading {
  const sent = unitOf(reading, entry)
  const isKnown = entry.units.includes(sent)
  const values: Record<string, number> = {}
  const stored: string[] = []
  for (const field of fields) {
    const value: unknown = reading[field]
    if (typeof value !== 'number') continue
    const unit = units[field] ?? sent
    // A number with a unit of its own, such as the pulse of a blood pressure, keeps it.
    const isOfType = entry.units.includes(unit)
    if (isOfType && unit !== sent) stored.push(numberText(value))
    // What has a unit that nobody knows is in no column: a number there would be read in the unit of the column.
    if (!isOfType) values[field] = value
    else if (isKnown) values[field] = converted(value, sent, unit)
  }
  return {
    id: reading.readingId,
    atMs: Date.parse(reading.measuredAt),
    values,
    stored: stored.length > 0 ? `sent as ${stored.join(' / ')} ${unitSign(sent)}` : '',
    source: sourceText(reading),
  }
}

async function firstOf(rounds: RoundsClient, { patientUid, readingType, to }: OfType, signal: AbortSignal) {
  const query = { patientUid, readingType: [readingType], to, limit: 1 }
  const { data } = await rounds.getReadings(query, { signal })
  return data[0] && Date.parse(data[0].measuredAt)
}

async function wordsPage(
  rounds: RoundsClient,
  { newest, entry, patientUid, readingType, from, to, zone }: Of<ReadingTypeEntry | undefined>,
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
  return { kind: 'words', readingType, newest, rows, isCut }
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

/** The numbers that are drawn and summed up: `value`, or the two pressures. */
export function mainFields({ fields, units }: Pick<NumberPage, 'fields' | 'units'>): string[] {
  if (fields.includes('systolic'))
    return fields.filter((field) => field === 'systolic' || field === 'diastolic')
  if (fields.includes('value')) return ['value']
  const [first] = fields
  return fields.filter((field) => units[field] === units[first ?? ''])
}

/** Of all buckets together; undefined where none has the field. */
export function summaryOf(buckets: StatisticsBucket[], field: string): Summary | undefined {
  return buckets
    .flatMap((bucket) => bucket.fields[field] ?? [])
    .reduce<Summary | undefined>((sum, one) => (sum ? mergedSummary(sum, one) : one), undefined)
}
