// Times in words: dates by Intl in the zone that the frame names, and ages. `now` comes from outside.
import { LOCALE } from './locale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Clocks of devices are a little ahead as a rule; the service itself takes five minutes for now. */
const AHEAD_MS = 5 * MINUTE
/** A newest reading that is older is marked. */
const OLD_MS = 7 * DAY

type Style = 'time' | 'date' | 'day' | 'dateTime' | 'full'

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  full: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
}

const formats = new Map<string, Intl.DateTimeFormat>()
function format(style: Style, zone: string): Intl.DateTimeFormat {
  const key = `${style} ${zone}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...STYLES[style], timeZone: zone })
  formats.set(key, known)
  return known
}

export type Instant = string | number

const msOf = (at: Instant) => (typeof at === 'string' ? Date.parse(at) : at)

export const timeText = (at: Instant, zone: string) => format('time', zone).format(msOf(at))
export const dateText = (at: Instant, zone: string) => format('date', zone).format(msOf(at))
export const dateTimeText = (at: Instant, zone: string) => format('dateTime', zone).format(msOf(at))
export const fullText = (at: Instant, zone: string) => format('full', zone).format(msOf(at))
export const rangeText = (from: Instant, to: Instant, zone: string) =>
  format('date', zone).formatRange(msOf(from), msOf(to))

/** The number of the calendar day in a zone; two instants of one day have the same. */
function dayNumber(at: number, zone: string): number {
  const { year, month, day } = localParts(at, zone)
  return Date.UTC(year, month - 1, day) / DAY
}

type LocalParts = { year: number; month: number; day: number; hour: number; minute: number; second: number }

const partFormats = new Map<string, Intl.DateTimeFormat>()
/** What the wall clock of a zone shows. */
function localParts(at: number, zone: string): LocalParts {
  let found = partFormats.get(zone)
  if (!found) {
    found = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    })
    partFormats.set(zone, found)
  }
  const parts: Record<string, number> = {}
  for (const { type, value } of found.formatToParts(at)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

/** The value of an input of the type datetime-local. */
export function localInput(at: number, zone: string): string {
  const { year, month, day, hour, minute } = localParts(at, zone)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
}

/**
 * The instant at which the wall clock of a zone shows this, or undefined if it is no time. A time that a change of clocks
 * skips is the one an hour later; of one that comes twice, the first is meant.
 */
export function instantOfLocal(text: string, zone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const offsetAt = (at: number) => {
    const { year, month, day, hour, minute, second } = localParts(at, zone)
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
  }
  const before = asUtc - offsetAt(asUtc - DAY)
  if (before + offsetAt(before) === asUtc) return before
  const after = asUtc - offsetAt(asUtc + DAY)
  return after + offsetAt(after) === asUtc ? after : before
}

export type Age = { text: string; mark?: 'old' | 'future' }

/** How long ago, in a few words that stay true for a while: "2 min ago", "07:42", "yesterday", "9 days ago". */
export function ageOf(at: Instant, now: number, zone: string): Age {
  const ms = msOf(at)
  const passed = now - ms
  if (passed < -AHEAD_MS) return { text: dateTimeText(ms, zone), mark: 'future' }
  if (passed < MINUTE) return { text: 'just now' }
  if (passed < HOUR) return { text: `${Math.floor(passed / MINUTE)} min ago` }
  const days = dayNumber(now, zone) - dayNumber(ms, zone)
  if (days === 0) return { text: timeText(ms, zone) }
  if (days === 1) return { text: 'yesterday' }
  const mark = passed > OLD_MS ? { mark: 'old' as const } : {}
  if (days < 31) return { text: `${days} days ago`, ...mark }
  return { text: dateText(ms, zone), ...mark }
}

/** A moment of the past in a list: "today 09:14", "yesterday 18:02", "12 Nov 11:40", with the year if it is another. */
export function momentText(at: Instant, now: number, zone: string): string {
  const ms = msOf(at)
  const days = dayNumber(now, zone) - dayNumber(ms, zone)
  if (days === 0) return `today ${timeText(ms, zone)}`
  if (days === 1) return `yesterday ${timeText(ms, zone)}`
  const isThisYear = localParts(ms, zone).year === localParts(now, zone).year
  return `${format(isThisYear ? 'day' : 'date', zone).format(ms)} ${timeText(ms, zone)}`
}

/** Minutes as people say them. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${Math.round(minutes - hours * 60)} min`
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
