// Times in words: dates by Intl in the zone that the frame names, and ages. `now` comes from outside.
import { dateFormat, LOCALE } from '../words/language.ts'
import { words } from '../words/words.ts'
import { DAY_MS, HOUR_MS, instantsOf, localMs, MINUTE_MS } from './zone-calendar.ts'

/** Clocks of devices are a little ahead as a rule; the service itself takes five minutes for now. */
const AHEAD_MS = 5 * MINUTE_MS
/** A newest reading that is older is marked. */
const OLD_MS = 7 * DAY_MS

type Style = 'time' | 'date' | 'longDate' | 'day' | 'dayTime' | 'dateTime' | 'second' | 'full'

const TIME = { hour: '2-digit', minute: '2-digit' } as const
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const

const STYLES: Record<Style, Intl.DateTimeFormatOptions> = {
  time: TIME,
  date: DATE,
  longDate: { day: 'numeric', month: 'long', year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
  dayTime: { day: 'numeric', month: 'short', ...TIME },
  dateTime: { ...DATE, ...TIME },
  second: { ...DATE, ...TIME, second: '2-digit' },
  full: { weekday: 'short', ...DATE, ...TIME, second: '2-digit' },
}

const format = (style: Style, zone: string) => dateFormat(LOCALE, { ...STYLES[style], timeZone: zone })

export type Instant = string | number

const msOf = (at: Instant) => (typeof at === 'string' ? Date.parse(at) : at)

export const timeText = (at: Instant, zone: string) => format('time', zone).format(msOf(at))
export const dateText = (at: Instant, zone: string) => format('date', zone).format(msOf(at))
/** "17 November 2026". */
export const longDateText = (at: Instant, zone: string) => format('longDate', zone).format(msOf(at))
export const dateTimeText = (at: Instant, zone: string) => format('dateTime', zone).format(msOf(at))
export const secondText = (at: Instant, zone: string) => format('second', zone).format(msOf(at))
export const fullText = (at: Instant, zone: string) => format('full', zone).format(msOf(at))
export const rangeText = (from: Instant, to: Instant, zone: string, style: Style = 'date') =>
  format(style, zone).formatRange(msOf(from), msOf(to))

/** The number of the calendar day in a zone; two instants of one day have the same. */
const dayNumber = (at: number, zone: string) => Math.floor(localMs(at, zone) / DAY_MS)

/** How many midnights of the zone lie between. */
export const daysBetween = (from: Instant, to: Instant, zone: string) =>
  dayNumber(msOf(to), zone) - dayNumber(msOf(from), zone)

export const isSameYear = (one: number, other: number, zone: string) =>
  yearOf(one, zone) === yearOf(other, zone)

const yearOf = (at: number, zone: string) => new Date(localMs(at, zone)).getUTCFullYear()

/** The value of an input of the type datetime-local. */
export const localInput = (at: number, zone: string) => new Date(localMs(at, zone)).toISOString().slice(0, 16)

/**
 * The instant at which the wall clock of a zone shows this, or undefined if it is no time. A time that a change of clocks
 * skips is the one an hour later; of one that comes twice, the first is meant.
 */
export function instantOfLocal(text: string, zone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const [first] = instantsOf(asUtc, zone)
  const dayBefore = asUtc - DAY_MS
  return first ?? asUtc - (localMs(dayBefore, zone) - dayBefore)
}

export type Age = { text: string; mark?: 'old' | 'future' }

/** How long ago, in a few words that stay true for a while: "2 min ago", "07:42", "yesterday", "9 days ago". */
export function ageOf(at: Instant, now: number, zone: string): Age {
  const ms = msOf(at)
  const passed = now - ms
  if (passed < -AHEAD_MS) return { text: dateTimeText(ms, zone), mark: 'future' }
  if (passed < MINUTE_MS) return { text: words.times.justNow }
  if (passed < HOUR_MS) return { text: words.times.minutesAgo(Math.floor(passed / MINUTE_MS)) }
  const days = dayNumber(now, zone) - dayNumber(ms, zone)
  if (days === 0) return { text: timeText(ms, zone) }
  if (days === 1) return { text: words.times.yesterday }
  const mark = passed > OLD_MS ? { mark: 'old' as const } : {}
  if (days < 31) return { text: words.times.daysAgo(days), ...mark }
  return { text: dateText(ms, zone), ...mark }
}

/** How long ago, in a column: "now", "4 min", "13 h", "2 d". */
export function agoText(at: Instant, now: number): string {
  const passed = Math.max(0, now - msOf(at))
  if (passed < MINUTE_MS) return words.times.now
  if (passed < HOUR_MS) return words.times.minutes(Math.floor(passed / MINUTE_MS))
  return passed < 2 * DAY_MS
    ? words.times.hours(Math.floor(passed / HOUR_MS))
    : words.times.shortDays(Math.floor(passed / DAY_MS))
}

/** A moment of the past in a list: "today 09:14", "yesterday 18:02", "12 Nov 11:40", with the year if it is another. */
export const momentText = (at: Instant, now: number, zone: string): string =>
  momentWith(at, { now, zone }, words.times.todayAt)

/** The same within "as of 16:42": today needs no word. */
export const sinceText = (at: Instant, now: number, zone: string): string =>
  momentWith(at, { now, zone }, (time) => time)

/** Within a sentence: "at 16:42", "yesterday 18:02". */
export const atText = (at: Instant, now: number, zone: string): string =>
  momentWith(at, { now, zone }, words.times.at)

function momentWith(
  at: Instant,
  { now, zone }: { now: number; zone: string },
  ofToday: (time: string) => string,
): string {
  const days = daysBetween(at, now, zone)
  const time = timeText(at, zone)
  if (days === 0) return ofToday(time)
  return days === 1 ? words.times.yesterdayAt(time) : words.times.dayAt(shortDateText(at, now, zone), time)
}

/** "14 Nov", with the year if it is another. */
const shortDateText = (at: Instant, now: number, zone: string) =>
  format(isSameYear(now, msOf(at), zone) ? 'day' : 'date', zone).format(msOf(at))

/** A day of the past: "today", "yesterday", "14 Nov". */
export function dayText(at: Instant, now: number, zone: string): string {
  const days = daysBetween(at, now, zone)
  if (days === 0) return words.times.today
  return days === 1 ? words.times.yesterday : shortDateText(at, now, zone)
}

/** When something of the past was, within a sentence: "today, 03:12", "on 14 Nov, 03:12"; of a day alone "on 14 Nov". */
export function occasionText(at: Instant, now: number, { zone, isDayOnly = false }: OccasionOptions): string {
  const name = dayText(at, now, zone)
  const day = Math.abs(daysBetween(at, now, zone) - 0.5) < 1 ? name : words.times.onDay(name)
  return isDayOnly ? day : words.times.occasion(day, timeText(at, zone))
}
type OccasionOptions = { zone: string; isDayOnly?: boolean }

/** Minutes as people say them. */
export function durationText(minutes: number): string {
  if (minutes < 60) return words.times.minutes(minutes)
  const whole = Math.round(minutes)
  return `${words.times.hours(Math.floor(whole / 60))} ${words.times.minutes(whole % 60)}`
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
