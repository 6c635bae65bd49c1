// Shares and spans of time as reports write them.
import { LOCALE } from '../../format/locale.ts'
import { durationText } from '../../format/times.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const tenth = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

/** "71 %", "2.4 %": a small share is the one that matters, so it is not rounded away. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.05) return 'under 0.1 %'
  return `${(percent < 9.95 ? tenth : whole).format(percent)} %`
}

/** A share of the day: "17 h 2 min", "12 min". */
export function perDayText(share: number): string {
  const minutes = share * 1_440
  if (minutes > 0 && minutes < 0.5) return 'under 1 min'
  return durationText(Math.round(minutes))
}

/** Seconds as days: "13.4". */
export const daysText = (seconds: number) => tenth.format((seconds * 1_000) / DAY_MS)

export const tenthText = (value: number) => tenth.format(value)

/** "7.0": of a figure that people compare with others of its kind. */
export const oneDigitText = (value: number) => oneDigit.format(value)
