// Times of the day, as the reader's language writes them: "06:00", "6 AM".
import { dateFormat, LOCALE } from '../../words/language.ts'

const MINUTE_MS = 60_000

/** "06:30"; the last of the day is 24:00, where there are 24 hours. */
export function minuteText(minute: number): string {
  const format = dateFormat(LOCALE, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
  if (minute === 1_440 && !format.resolvedOptions().hour12) return '24:00'
  return format.format(minute * MINUTE_MS)
}

/** For an axis: "6 AM" is clear without minutes, "06" is not. */
export function hourText(hour: number): string {
  const { hour12 } = dateFormat(LOCALE, { hour: 'numeric', timeZone: 'UTC' }).resolvedOptions()
  if (!hour12) return minuteText(hour * 60)
  return dateFormat(LOCALE, { hour: 'numeric', timeZone: 'UTC' }).format(hour * 60 * MINUTE_MS)
}
