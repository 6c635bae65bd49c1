// The local calendar of a time zone, from Intl alone: which instant a local date and time is, across changes of clocks.
import { dateFormat } from '../words/language.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const LOCAL: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}

/** What the local clock shows at an instant, as the instant at which a clock in UTC shows the same. */
export function localMs(atMs: number, zone: string): number {
  const part: Record<string, number> = {}
  const parts = dateFormat('en-US', { timeZone: zone, ...LOCAL }).formatToParts(atMs)
  for (const { type, value } of parts) part[type] = Number(value)
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  // Intl cuts off below a second, and so rounds down; so does this for instants before 1970.
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((atMs % 1_000) + 1_000) % 1_000)
}

/**
 * The instants at which the local clock shows this (given as the instant at which a clock in UTC does): one as a rule, none
 * where clocks are put forward over it, two where they are put back behind it.
 */
export function instantsOf(local: number, zone: string): number[] {
  const offsets = [local - DAY_MS, local + DAY_MS].map((near) => localMs(near, zone) - near)
  const candidates = [...new Set(offsets)].map((offset) => local - offset).toSorted((a, b) => a - b)
  return candidates.filter((instant) => localMs(instant, zone) === local)
}

/** The first instant whose local date is that of `local` or later: midnight, or what follows a midnight that is skipped. */
export function startOfLocalDay(local: number, zone: string): number {
  const midnight = Math.floor(local / DAY_MS) * DAY_MS
  const [first] = instantsOf(midnight, zone)
  if (first !== undefined) return first
  // Clocks are put forward over midnight by half an hour or one, and once, at the date line, by a day.
  for (let later = midnight + 15 * MINUTE_MS; later <= midnight + 2 * DAY_MS; later += 15 * MINUTE_MS) {
    const [next] = instantsOf(later, zone)
    if (next !== undefined) return next
  }
  return midnight
}

/** The start of the local day that comes so many days after (or before) the one that holds an instant. */
export function startOfDay(atMs: number, zone: string, daysLater = 0): number {
  return startOfLocalDay(localMs(atMs, zone) + daysLater * DAY_MS, zone)
}

/** The same, with years; 29 February becomes 1 March where there is none. */
export function startOfDayInYears(atMs: number, zone: string, years: number): number {
  const date = new Date(localMs(atMs, zone))
  return startOfLocalDay(Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()), zone)
}

/** The end of the hour of the local clock that holds an instant. */
export function endOfHour(atMs: number, zone: string): number {
  const local = localMs(atMs, zone)
  return atMs + (Math.floor(local / HOUR_MS) + 1) * HOUR_MS - local
}
