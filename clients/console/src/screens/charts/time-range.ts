// The range of time on screen, as the address has it: one that follows the present (`range=week`, `range=since-2026-10-03`), or two
// instants (`from` and `to`, ISO 8601), so that a link shows what its sender saw.
import {
  DAY_MS,
  endOfHour,
  localMs,
  startOfDay,
  startOfDayInYears,
  startOfLocalDay,
} from '../../format/zone-calendar.ts'

export type TimeRange = { fromMs: number; toMs: number }

export const PRESETS = ['day', 'week', '14-days', 'month', '90-days', 'year', 'last-month'] as const
export type Preset = (typeof PRESETS)[number]

/** `since` is a date of the zone, such as 2026-10-03. */
export type ChosenRange = { preset: Preset } | { since: string } | TimeRange

/** Of those that are whole days, today included. */
const DAYS = { week: 7, '14-days': 14, month: 30, '90-days': 90 } as const

const SINCE = 'since-'

// The least and the largest range that can be zoomed to.
const LEAST_MS = 60_000
const MOST_MS = 50 * 365.25 * DAY_MS
const FIRST_MS = 0
const LAST_MS = Date.UTC(2200, 0)

/** Whole hours or days of the zone, up to the end of the present one, so that every bucket of a preset is whole. */
export function rangeOf(chosen: ChosenRange, nowMs: number, zone: string): TimeRange {
  const toMs = startOfDay(nowMs, zone, 1)
  if ('since' in chosen) {
    const first = Date.parse(chosen.since)
    const fromMs = startOfLocalDay(first, zone)
    // A day that has not come yet is shown empty.
    return withinBounds({ fromMs, toMs: fromMs < toMs ? toMs : startOfLocalDay(first + DAY_MS, zone) })
  }
  if (!('preset' in chosen)) return chosen
  const { preset } = chosen
  if (preset === 'day') {
    const endMs = endOfHour(nowMs, zone)
    return { fromMs: endMs - DAY_MS, toMs: endMs }
  }
  if (preset === 'year') return { fromMs: startOfDayInYears(nowMs, zone, -1), toMs }
  if (preset === 'last-month') return monthBefore(nowMs, zone)
  return { fromMs: startOfDay(nowMs, zone, 1 - DAYS[preset]), toMs }
}

/** The calendar month before the present one. */
function monthBefore(nowMs: number, zone: string): TimeRange {
  const now = new Date(localMs(nowMs, zone))
  const first = (monthsLater: number) =>
    startOfLocalDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater), zone)
  return { fromMs: first(-1), toMs: first(0) }
}

export function rangeInAddress(query: URLSearchParams): ChosenRange {
  const [fromMs, toMs] = [instantIn(query.get('from')), instantIn(query.get('to'))]
  if (fromMs !== undefined && toMs !== undefined && fromMs < toMs) return withinBounds({ fromMs, toMs })
  const range = query.get('range') ?? ''
  const since = range.startsWith(SINCE) ? range.slice(SINCE.length) : ''
  if (isDate(since)) return { since }
  return { preset: PRESETS.find((name) => name === range) ?? 'month' }
}

/** A day of the calendar, such as 2026-10-03. */
export function isDate(text: string): boolean {
  const ms = /^(19[7-9]|2[01]\d)\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** What the address says of a range; undefined removes. */
export function addressOfRange(chosen: ChosenRange): Record<'range' | 'from' | 'to', string | undefined> {
  if ('preset' in chosen) return { range: chosen.preset, from: undefined, to: undefined }
  if ('since' in chosen) return { range: `${SINCE}${chosen.since}`, from: undefined, to: undefined }
  // To the second, which is finer than a pixel at the least range.
  const text = (ms: number) => new Date(Math.round(ms / 1_000) * 1_000).toISOString().replace('.000', '')
  return { range: undefined, from: text(chosen.fromMs), to: text(chosen.toMs) }
}

/** `factor` below 1 zooms in; what is at `aroundMs` stays where it is. */
export function zoomed(
  { fromMs, toMs }: TimeRange,
  factor: number,
  aroundMs = (fromMs + toMs) / 2,
): TimeRange {
  const span = toMs - fromMs
  const wanted = Math.min(Math.max(span * factor, LEAST_MS), MOST_MS)
  const from = aroundMs - ((aroundMs - fromMs) / span) * wanted
  return withinBounds({ fromMs: from, toMs: from + wanted })
}

/** Moved by a part of its length; above 0 is later. */
export function moved({ fromMs, toMs }: TimeRange, part: number): TimeRange {
  const by = (toMs - fromMs) * part
  return withinBounds({ fromMs: fromMs + by, toMs: toMs + by })
}

/** Moved, not cut, where it would leave the times that readings can have; widened where it is too short. */
export function withinBounds({ fromMs, toMs }: TimeRange): TimeRange {
  const span = Math.min(Math.max(toMs - fromMs, LEAST_MS), MOST_MS)
  const from = Math.min(Math.max(fromMs, FIRST_MS), LAST_MS - span)
  return { fromMs: from, toMs: from + span }
}

/** A day around a reading; of a bucket, its time, a day at least. */
export function around({
  atMs,
  bucket,
}: {
  atMs: number
  bucket?: { startMs: number; endMs: number }
}): TimeRange {
  const halfMs = Math.max(DAY_MS, bucket ? bucket.endMs - bucket.startMs : 0) / 2
  return withinBounds({ fromMs: atMs - halfMs, toMs: atMs + halfMs })
}

/** The reading that is marked: `mark=bloodGlucose@2026-10-29T08:12:00.000Z`. */
export function addressOfMark(readingType: string, { atMs }: { atMs: number }): { mark: string } {
  return { mark: `${readingType}@${new Date(Math.floor(atMs)).toISOString()}` }
}

/** When what is marked was measured, in whole milliseconds, if it is of this type. */
export function markInAddress(query: URLSearchParams, readingType: string): number | undefined {
  const [type, instant] = (query.get('mark') ?? '').split('@')
  return type === readingType ? instantIn(instant ?? null) : undefined
}

export const monthAround = (atMs: number) =>
  withinBounds({ fromMs: atMs - 15 * DAY_MS, toMs: atMs + 15 * DAY_MS })

export function contains(outer: TimeRange, inner: TimeRange): boolean {
  return outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs
}

/** ISO 8601 with a zone, or epoch seconds or milliseconds as the API has them. */
function instantIn(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,15}(\.\d+)?$/.test(text)) return Number(text) * (Number(text) < 1e11 ? 1_000 : 1)
  const ms = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
