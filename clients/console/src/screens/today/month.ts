// The last 30 days of one type: least and most of each day, the readings themselves while they are few, and the lowest and highest
// with the time at which they were measured. No mean of it is drawn: it would hide the one value that matters.
//
// Statistics say on which day the lowest was measured, not when; so the readings of that day are asked for too, once.
import type { RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { converted } from '../../format/units.ts'
import { MINUTE_MS, startOfDay } from '../../format/zone-calendar.ts'
import { loadStatistics, type StatisticsBucket } from '../../statistics/load-statistics.ts'

const DAYS = 30
/** So many of a month are drawn one by one. */
const FEW = 200
/** The largest page. A day with more readings than that names no time. */
const PAGE = 1_000
/** What the service itself takes for now. */
const AHEAD_MS = 5 * MINUTE_MS

export type MonthRequest = {
  patientUid: string
  readingType: string
  /** The numbers that the card shows; none of a type without, such as symptoms. */
  fields: readonly string[]
  /** Those of the type, the first is meant where a reading names none. Empty for a type that is not in the catalogue. */
  units: readonly string[]
  /** In which values are shown; nothing where there is no choice. */
  unit: string | undefined
  zone: string
  nowMs: number
}

type Day = {
  startMs: number
  endMs: number
  count: number
  /** Of the readings of the day, by field. */
  ranges: Readonly<Record<string, { min: number; max: number }>>
}
export type Point = { atMs: number; values: Readonly<Record<string, number>> }
type Extreme = {
  field: string
  kind: 'lowest' | 'highest'
  value: number
  /** When it was measured, or some instant of its day. */
  atMs: number
  isDayOnly: boolean
}
export type Month = {
  days: readonly Day[]
  /** Each reading, where they are few. */
  points: readonly Point[] | undefined
  extremes: readonly Extreme[]
  /** How many readings. */
  count: number
}

type Asks = Pick<RoundsClient, 'readingStatistics' | 'getReadings'>

/** `before`: what was known, so that the time of a lowest that is still the lowest is not asked for again. */
export async function loadMonth(
  rounds: Asks,
  request: MonthRequest,
  { before, signal }: { before: Month | undefined; signal: AbortSignal },
): Promise<Month> {
  const { patientUid, readingType, zone, nowMs } = request
  const range = { fromMs: startOfDay(nowMs, zone, 1 - DAYS), toMs: nowMs + AHEAD_MS }
  const statistics = await loadStatistics(
    rounds,
    { patientUid, readingType, range, bucket: 'day', zone },
    signal,
  )
  const days = statistics.buckets.map((bucket) => dayOf(bucket, statistics.units, request))
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const ask = (from: number, to: number, limit: number) =>
    pointsBetween(rounds, request, { from, to, limit, signal })
  const isFew = request.fields.length > 0 && count > 0 && count <= FEW
  const points = isFew ? await ask(range.fromMs, range.toMs, FEW) : undefined
  const extremes: Extreme[] = []
  const ofDays = new Map<number, readonly Point[] | undefined>()
  for (const { day, ...extreme } of daysOfExtremes(days, request.fields)) {
    const known = before?.extremes.find((one) => isSame(one, extreme, day))
    if (known === undefined && points === undefined && !ofDays.has(day.startMs))
      ofDays.set(day.startMs, await ask(day.startMs, day.endMs - 1, PAGE))
    extremes.push(known ?? withTime(extreme, day, points ?? ofDays.get(day.startMs)))
  }
  return { days, points, extremes, count }
}

function dayOf(
  { startMs, endMs, count, fields }: StatisticsBucket,
  storedUnits: Readonly<Record<string, string>>,
  { fields: wanted, unit }: MonthRequest,
): Day {
  const ranges = wanted.flatMap((field) => {
    const summary = fields[field]
    const stored = storedUnits[field]
    if (!summary) return []
    const inUnit = (value: number) =>
      unit === undefined || stored === undefined ? value : converted(value, stored, unit)
    return [[field, { min: inUnit(summary.min), max: inUnit(summary.max) }] as const]
  })
  return { startMs, endMs, count, ranges: Object.fromEntries(ranges) }
}

type ExtremeOfDay = Pick<Extreme, 'field' | 'kind' | 'value'> & { day: Day }

/** Of several days with the same, the first, as reports name it. */
function daysOfExtremes(days: readonly Day[], fields: readonly string[]): ExtremeOfDay[] {
  return fields.flatMap((field) => {
    const known = days.flatMap((day) => {
      const range = day.ranges[field]
      return range ? [{ day, range }] : []
    })
    const [lowest] = known.toSorted((a, b) => a.range.min - b.range.min || a.day.startMs - b.day.startMs)
    const [highest] = known.toSorted((a, b) => b.range.max - a.range.max || a.day.startMs - b.day.startMs)
    if (!lowest || !highest) return []
    return [
      { field, kind: 'lowest' as const, value: lowest.range.min, day: lowest.day },
      { field, kind: 'highest' as const, value: highest.range.max, day: highest.day },
    ]
  })
}

function isSame(known: Extreme, wanted: Omit<ExtremeOfDay, 'day'>, { startMs, endMs }: Day): boolean {
  const { field, kind, value, atMs, isDayOnly } = known
  const isSameValue = field === wanted.field && kind === wanted.kind && value === wanted.value
  return isSameValue && !isDayOnly && atMs >= startMs && atMs < endMs
}

/** Of several readings with this value, the first. Without any, as when they changed meanwhile, only the day is named. */
function withTime(
  extreme: Omit<ExtremeOfDay, 'day'>,
  { startMs, endMs }: Day,
  points: readonly Point[] | undefined,
): Extreme {
  const { field, value } = extreme
  // The service converts units and so does this; the last digits of both differ.
  const isIt = (found: number | undefined) =>
    found !== undefined && Math.abs(found - value) <= 1e-9 * Math.max(1, Math.abs(value))
  const point = points?.find(({ atMs, values }) => atMs >= startMs && atMs < endMs && isIt(values[field]))
  return { ...extreme, atMs: point?.atMs ?? startMs, isDayOnly: point === undefined }
}

/** In order of time; nothing if they do not fit into one page. */
async function pointsBetween(
  rounds: Asks,
  request: MonthRequest,
  { from, to, limit, signal }: { from: number; to: number; limit: number; signal: AbortSignal },
): Promise<Point[] | undefined> {
  const { patientUid, readingType } = request
  const { data, nextCursor } = await rounds.getReadings(
    { patientUid, readingType: [readingType], from, to, limit },
    { signal },
  )
  return nextCursor === null ? data.flatMap((reading) => pointOf(reading, request)) : undefined
}

function pointOf(reading: StoredReading, { fields, units, unit }: MonthRequest): Point[] {
  const own: unknown = reading['unit'] ?? units[0]
  // Statistics leave out a value in a unit that its type does not have.
  if (units.length > 0 && !units.some((known) => known === own)) return []
  const values = fields.flatMap((field) => {
    const value: unknown = reading[field]
    if (typeof value !== 'number') return []
    return [[field, unit !== undefined && typeof own === 'string' ? converted(value, own, unit) : value]]
  })
  return values.length > 0
    ? [{ atMs: Date.parse(reading.measuredAt), values: Object.fromEntries(values) as Point['values'] }]
    : []
}
