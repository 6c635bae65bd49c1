// Shares, spans of time and bands as reports write them.
import type { GlucoseReport } from '../../../../typescript/src/client.ts'
import { durationText } from '../../format/times.ts'
import { unitSign } from '../../format/units.ts'
import { DAY_MS } from '../../format/zone-calendar.ts'
import { LOCALE } from '../../words/language.ts'
import { words } from '../../words/words.ts'
import { computedText } from '../charts/chart-text.ts'

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const tenth = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

/** "71 %", "2.4 %": a small share is the one that matters, so it is not rounded away. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.05) return words.reports.underShare(`${tenth.format(0.1)} %`)
  return `${(percent < 9.95 ? tenth : whole).format(percent)} %`
}

/** A share of the day: "17 h 2 min", "12 min". */
export function perDayText(share: number): string {
  const minutes = share * 1_440
  if (minutes > 0 && minutes < 0.5) return words.reports.underMinute
  return durationText(Math.round(minutes))
}

/** Seconds as days: "13.4". */
export const daysText = (seconds: number) => tenth.format((seconds * 1_000) / DAY_MS)

export const tenthText = (value: number) => tenth.format(value)

/** "7.0": of a figure that people compare with others of its kind. */
export const oneDigitText = (value: number) => oneDigit.format(value)

type Band = Pick<GlucoseReport['bands'][number], 'name' | 'from' | 'to'>

/** The finest difference that is displayed: what comes after 180 is 181. */
const STEP: Readonly<Record<string, number>> = { 'mg/dL': 1, 'mmol/L': 0.1 }

/** "54–69 mg/dL", "above 250 mg/dL". Low begins with its first value, high after it; the target has both of its ends. */
export function bandText({ name, from, to }: Band, unit: string): string {
  const step = STEP[unit] ?? 0
  const text = (value: number) => computedText(value, unit)
  const sign = unitSign(unit)
  const { reports } = words
  const bound = (value: number) => `${text(value)} ${sign}`
  if (from === null) return to === null ? '' : reports[name === 'target' ? 'upTo' : 'below'](bound(to))
  const isFrom = name === 'target' || name === 'low'
  if (to === null) return reports[isFrom ? 'from' : 'above'](bound(from))
  const first = isFrom ? from : from + step
  const last = name === 'low' ? to - step : to
  return `${text(first)}–${text(last)} ${sign}`
}
