// Lengths of time as the API writes them (ISO 8601: PT2H, P1DT12H), in words and in milliseconds; and how long something lasted.
import { countText } from './numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './zone-calendar.ts'

const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/

/** "P2D" as "2 days", "PT1H30M" as "1 hour 30 minutes". */
export function isoDurationText(duration: string): string {
  const [, days, hours, minutes] = PARTS.exec(duration) ?? []
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
  ] as const
  const words = parts.flatMap(([count, unit]) =>
    count === undefined ? [] : [countText(Number(count), unit)],
  )
  return words.length === 0 ? duration : words.join(' ')
}

export function isoDurationMs(duration: string): number {
  const [, days = 0, hours = 0, minutes = 0] = PARTS.exec(duration) ?? []
  return Number(days) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}

/** How long something lasted, as exactly as a reader needs: "3 days 4 h", "2 h 5 min", "less than a minute". */
export function lengthText(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute'
  const minutes = Math.round(ms / MINUTE_MS)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  if (days > 0) return withRest(countText(days, 'day'), hours, 'h')
  return hours > 0 ? withRest(`${hours} h`, minutes % 60, 'min') : `${minutes} min`
}

const withRest = (large: string, rest: number, unit: string) =>
  rest === 0 ? large : `${large} ${rest} ${unit}`
