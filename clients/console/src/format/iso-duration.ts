// Lengths of time as the API writes them (ISO 8601: PT2H, P1DT12H), in words and in milliseconds; and how long something lasted.
import { words } from '../words/words.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './zone-calendar.ts'

const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/

/** "P2D" as "2 days", "PT1H30M" as "1 hour 30 minutes"; `isAfter` a preposition, which some languages mark. */
export function isoDurationText(duration: string, { isAfter = false } = {}): string {
  const [, days, hours, minutes] = PARTS.exec(duration) ?? []
  const { times } = words
  const parts = [
    [days, isAfter ? times.ofDays : times.days],
    [hours, times.wholeHours],
    [minutes, times.wholeMinutes],
  ] as const
  const texts = parts.flatMap(([count, text]) => (count === undefined ? [] : [text(Number(count))]))
  return texts.length === 0 ? duration : texts.join(' ')
}

/** "every day", "every 3 days", "every 12 hours". */
export function everyText(duration: string): string {
  const [, days, ...rest] = PARTS.exec(duration) ?? []
  return days !== undefined && rest.every((part) => part === undefined)
    ? words.times.everyDays(Number(days))
    : words.times.every(isoDurationText(duration))
}

export function isoDurationMs(duration: string): number {
  const [, days = 0, hours = 0, minutes = 0] = PARTS.exec(duration) ?? []
  return Number(days) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}

/** How long something lasted, as exactly as a reader needs: "3 days 4 h", "2 h 5 min", "less than a minute". */
export function lengthText(ms: number): string {
  const { times } = words
  if (ms < MINUTE_MS) return times.lessThanMinute
  const minutes = Math.round(ms / MINUTE_MS)
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60]
  const parts =
    days > 0
      ? [times.days(days), hours > 0 && times.hours(hours)]
      : [hours > 0 && times.hours(hours), (rest > 0 || hours === 0) && times.minutes(rest)]
  return parts.filter((part) => part !== false).join(' ')
}
