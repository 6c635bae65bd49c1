// Values and times as charts write them. No value stands without its unit.

import { numberText, roundedText } from '../../format/numbers.ts'
import { dateTimeText, isSameYear, occasionText, rangeText, timeText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { digitsOf, unitSign } from '../../format/units.ts'
import { DAY_MS, HOUR_MS, localMs } from '../../format/zone-calendar.ts'
import type { Summary } from '../../statistics/load-statistics.ts'
import { LOCALE } from '../../words/language.ts'
import { words } from '../../words/words.ts'
import type { Mark } from './marks.ts'
import type { TimeRange } from './time-range.ts'
import type { TypeShape } from './type-shape.ts'

/** Units whose digits behind the point are written even where they are 0. */
const ALWAYS = new Set(['mmol/L', 'Cel', '[degF]', 'kg', '[lb_av]', 'L'])

/** A number that was computed or converted. */
export function computedText(value: number, unit: string | undefined): string {
  if (unit === undefined) return roundedText(value)
  return fixed(digitsOf(unit), ALWAYS.has(unit)).format(value)
}

const formats = new Map<string, Intl.NumberFormat>()

function fixed(digits: number, isAlways: boolean): Intl.NumberFormat {
  const key = `${digits} ${isAlways}`
  const known = formats.get(key)
  if (known) return known
  const least = isAlways ? digits : 0
  const made = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits, minimumFractionDigits: least })
  formats.set(key, made)
  return made
}

export function signOf(unit: string | undefined): string {
  return unit === undefined ? '' : unitSign(unit)
}

/** The unit of a field of a shape, when values are shown in `unit`. */
export function unitOf(shape: TypeShape, field: string, unit: string | undefined): string | undefined {
  return shape.quantities.find((quantity) => quantity.field === field)?.unit ?? unit
}

function withUnit(text: string, unit: string | undefined): string {
  return `${text} ${signOf(unit)}`.trim()
}

function spreadText({ min, max }: { min: number; max: number }, unit: string | undefined): string {
  return `${computedText(min, unit)} – ${computedText(max, unit)}`
}

/** "6.4 mmol/L", or of a bucket "mean 6.4 mmol/L, 3.6 – 12.8 mmol/L". */
function valueText(summary: Summary, unit: string | undefined, isAsSent: boolean): string {
  if (isAsSent) return withUnit(numberText(summary.mean), unit)
  if (summary.count === 1) return withUnit(computedText(summary.mean, unit), unit)
  const mean = words.charts.mean(withUnit(computedText(summary.mean, unit), unit))
  return `${mean}, ${withUnit(spreadText(summary, unit), unit)}`
}

/** Whether a mark is a reading in the unit in which it was sent. */
export function isExact({ bucket, stored }: Mark): boolean {
  return bucket === undefined && stored === undefined
}

/** What stands under the pointer: each number of a mark with its unit. */
export function markText(mark: Mark, shape: TypeShape, unit: string | undefined): string {
  const { values, stored } = mark
  const texts = shape.quantities.flatMap(({ field, unit: own }, index) => {
    const summary = values[field]
    if (!summary || (shape.kind === 'pair' && index < 2)) return []
    const text = valueText(
      summary,
      own ?? unit,
      isExact(mark) || (own !== undefined && mark.bucket === undefined),
    )
    return [field === 'value' ? text : `${nameWithin(field)} ${text}`]
  })
  if (shape.kind === 'pair') texts.unshift(...pairTexts(mark, shape, unit))
  if (stored) texts.push(words.charts.storedAs(withUnit(numberText(stored.value), stored.unit)))
  return texts.join(' · ')
}

function pairTexts({ values, bucket }: Mark, { quantities }: TypeShape, unit: string | undefined): string[] {
  const pair = quantities.slice(0, 2).map(({ field }) => ({ field, summary: values[field] }))
  const text = (value: number) => (bucket ? computedText(value, unit) : numberText(value))
  const means = pair.map(({ summary }) => (summary ? text(summary.mean) : '–')).join(' / ')
  if (!bucket) return [withUnit(means, unit)]
  const spreads = pair.flatMap(({ summary }) => (summary ? [spreadText(summary, unit)] : []))
  return [words.charts.mean(withUnit(means, unit)), withUnit(spreads.join(' / '), unit)]
}

/** When a mark was measured, or which bucket it is. */
export function markTimeText({ atMs, bucket }: Mark, zone: string): string {
  if (bucket === undefined) return dateTimeText(atMs, zone)
  const { startMs, endMs } = bucket
  if (endMs - startMs < 3 * HOUR_MS) return `${dateTimeText(startMs, zone)}–${timeText(endMs, zone)}`
  return rangeTextOf({ fromMs: startMs, toMs: endMs }, zone)
}

/** The same within a sentence: "yesterday, 08:12", "on 29 Oct", "in 26 Oct – 1 Nov 2026". */
export function markMomentText(
  { atMs, bucket }: Mark,
  { nowMs, zone }: { nowMs: number; zone: string },
): string {
  if (bucket === undefined) return occasionText(atMs, nowMs, { zone })
  const { startMs, endMs } = bucket
  const lengthMs = endMs - startMs
  if (lengthMs < 3 * HOUR_MS) return `${occasionText(startMs, nowMs, { zone })}–${timeText(endMs, zone)}`
  if (lengthMs < 2 * DAY_MS) return occasionText(startMs, nowMs, { zone, isDayOnly: true })
  return words.charts.inRange(rangeTextOf({ fromMs: startMs, toMs: endMs }, zone))
}

/** "16 Oct – 15 Nov 2026"; with times where the range does not begin and end at midnight, then without the present year. */
export function rangeTextOf({ fromMs, toMs }: TimeRange, zone: string, nowMs?: number): string {
  const isMidnight = (ms: number) => localMs(ms, zone) % DAY_MS === 0
  // `toMs` is the start of the day after the last one.
  if (isMidnight(fromMs) && isMidnight(toMs)) return rangeText(fromMs, toMs - 1, zone)
  const isThisYear = [fromMs, toMs].every((ms) => nowMs !== undefined && isSameYear(ms, nowMs, zone))
  return rangeText(fromMs, toMs, zone, isThisYear ? 'dayTime' : 'dateTime')
}
