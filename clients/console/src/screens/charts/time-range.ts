// The range of time on screen, as the address has it: a preset that ends with the present (`range=week`), or two instants
// (`from` and `to`, ISO 8601), so that a link shows what its sender saw.
import { DAY_MS, endOfHour, startOfDay, startOfDayInYears } from '../../format/zone-calendar.ts'

export type TimeRange = { fromMs: number; toMs: number }

export const PRESETS = ['day', 'week', 'month', 'year'] as const
type Preset = (typeof PRESETS)[number]

export type ChosenRange = { preset: Preset } | TimeRange

// The least and the largest range that can be zoomed to.
const LEAST_MS = 60_000
const MOST_MS = 50 * 365.25 * DAY_MS
const FIRST_MS = 0
const LAST_MS = Date.UTC(2200, 0)

/** Whole hours or days of the zone, up to the end of the present one, so that every bucket of a preset is whole. */
export function rangeOf(chosen: ChosenRange, nowMs: number, zone: string): TimeRange {
  if (!('preset' in chosen)) return chosen
  const { preset } = chosen
  if (preset === 'day') {
    const toMs = endOfHour(nowMs, zone)
    return { fromMs: toMs - DAY_MS, toMs }
  }
  const toMs = startOfDay(nowMs, zone, 1)
  if (preset === 'year') return { fromMs: startOfDayInYears(nowMs, zone, -1), toMs }
  return { fromMs: startOfDay(nowMs, zone, preset === 'week' ? -6 : -29), toMs }
}

export function rangeInAddress(query: URLSearchParams): ChosenRange {
  const [fromMs, toMs] = [instantIn(query.get('from')), instantIn(query.get('to'))]
  if (fromMs !== undefined && toMs !== undefined && fromMs < toMs) return withinBounds({ fromMs, toMs })
  const preset = PRESETS.find((name) => name === query.get('range'))
  return { preset: preset ?? 'month' }
}

/** What the address says of a range; undefined removes. */
export function addressOfRange(chosen: ChosenRange): Record<'range' | 'from' | 'to', string | undefined> {
  if ('preset' in chosen) return { range: chosen.preset, from: undefined, to: undefined }
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
