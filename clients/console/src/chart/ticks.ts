// Where the time axis is labelled, and how: at round times of the local clock, whatever clocks do meanwhile.

import { DAY_MS, HOUR_MS, instantsOf, localMs, startOfLocalDay } from '../format/zone-calendar.ts'
import { dateFormat } from '../words/language.ts'

const MINUTE_MS = 60_000

type Step = { unit: 'minute' | 'day' | 'month'; size: number; aboutMs: number }

const minutes = (size: number): Step => ({ unit: 'minute', size, aboutMs: size * MINUTE_MS })
const days = (size: number): Step => ({ unit: 'day', size, aboutMs: size * DAY_MS })
const months = (size: number): Step => ({ unit: 'month', size, aboutMs: size * 30.44 * DAY_MS })

const STEPS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(minutes),
  ...[1, 2, 3, 5, 7, 10, 14].map(days),
  ...[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 12_000].map(months),
]

export type Tick = { atMs: number; label: string }

export type TickOptions = { fromMs: number; toMs: number; zone: string; locale: string; maxTicks: number }

export function ticksFor({ fromMs, toMs, zone, locale, maxTicks }: TickOptions): Tick[] {
  const span = Math.max(toMs - fromMs, 1)
  const step = STEPS.find(({ aboutMs }) => span / aboutMs <= maxTicks + 0.1) ?? months(12_000)
  const label = labelsFor(step, { zone, locale })
  return instantsEvery(step, { fromMs, toMs, zone })
    .filter((atMs) => atMs >= fromMs && atMs <= toMs)
    .map((atMs) => ({ atMs, label: label(atMs) }))
}

function instantsEvery(
  { unit, size }: Step,
  { fromMs, toMs, zone }: { fromMs: number; toMs: number; zone: string },
) {
  const [from, to] = [localMs(fromMs, zone) - HOUR_MS, localMs(toMs, zone) + HOUR_MS]
  const found: number[] = []
  if (unit === 'minute') {
    // Divides a day, so that every day has the same times.
    const stepMs = size * MINUTE_MS
    for (let local = Math.floor(from / stepMs) * stepMs; local <= to; local += stepMs) {
      const instants = instantsOf(local, zone)
      // An hour that comes twice is labelled twice only where hours are.
      found.push(...(size <= 60 ? instants : instants.slice(0, 1)))
    }
  } else if (unit === 'day') {
    const stepMs = size * DAY_MS
    // 5 January 1970 was a Monday: weeks begin on Mondays, and other steps do not move when the range does.
    const first = Math.floor((from - 4 * DAY_MS) / stepMs) * stepMs + 4 * DAY_MS
    for (let local = first; local <= to; local += stepMs) found.push(startOfLocalDay(local, zone))
  } else {
    const begin = new Date(from)
    const first = Math.floor((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / size) * size
    for (let month = first; Date.UTC(Math.floor(month / 12), month % 12) <= to; month += size) {
      found.push(startOfLocalDay(Date.UTC(Math.floor(month / 12), month % 12), zone))
    }
  }
  return [...new Set(found)].toSorted((a, b) => a - b)
}

function labelsFor({ unit, size }: Step, { zone, locale }: { zone: string; locale: string }) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: zone, calendar: 'gregory', ...options })
  const day = format({ day: 'numeric', month: 'short' })
  const { hour12 } = format({ hour: 'numeric' }).resolvedOptions()
  // "6 AM" is clear without minutes, "06" is not.
  const time = format(
    hour12 && size % 60 === 0
      ? { hour: 'numeric' }
      : { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' },
  )
  const year = format({ year: 'numeric' })
  const month = format({ month: 'short' })
  return (atMs: number): string => {
    const local = localMs(atMs, zone)
    // The first label of a day, or of a year, says which one it is.
    if (unit === 'minute') return (local % DAY_MS === 0 ? day : time).format(atMs)
    if (unit === 'day') return day.format(atMs)
    return (new Date(local).getUTCMonth() === 0 || size >= 12 ? year : month).format(atMs)
  }
}
