// Names, numbers and times as charts write them. No value stands without its unit.
import type { Mark } from './marks.ts'
import type { Summary } from './series.ts'
import type { TimeRange } from './time-range.ts'
import type { TypeShape } from './type-shape.ts'
import { DAY_MS, localMs } from './zone-calendar.ts'

export const LOCALE = 'en-GB'

const NAMES: Readonly<Record<string, string>> = {
  symptom: 'Symptoms',
  fev1: 'FEV1',
  heartRateVariabilitySdnn: 'Heart rate variability (SDNN)',
  heartRateVariabilityRmssd: 'Heart rate variability (RMSSD)',
}

/** `bloodPressure` → "Blood pressure". A type that is not in the catalogue keeps its own name. */
export function typeName(readingType: string, isInCatalogue: boolean): string {
  const known = NAMES[readingType]
  if (known !== undefined) return known
  return isInCatalogue ? spaced(readingType) : readingType
}

function spaced(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const UNITS: Readonly<Record<string, string>> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  'kg/m2': 'kg/m²',
  '{steps}': 'steps',
  '{score}': 'of 10',
}

export function unitName(unit: string | undefined): string {
  return unit === undefined ? '' : (UNITS[unit] ?? unit)
}

const DIGITS: Readonly<Record<string, number>> = {
  'mg/dL': 0,
  g: 0,
  '{steps}': 0,
  kcal: 0,
  'mmol/L': 1,
  Cel: 1,
  '[degF]': 1,
  kg: 1,
  '[lb_av]': 1,
  L: 2,
}

/** `isMean`: a mean may have a digit more than what it was made of. */
export function numberText(value: number, unit: string | undefined, isMean = false): string {
  const digits = unit === undefined ? undefined : DIGITS[unit]
  const most = digits ?? (isMean ? 1 : 2)
  if (unit === undefined) return axisText(value)
  return numbers(most, digits !== undefined && digits > 0 ? digits : 0).format(value)
}

/** The unit of an axis stands at its pane's name. */
export function axisText(value: number): string {
  return numbers(Math.abs(value) >= 100 ? 1 : 3).format(value)
}

const formats = new Map<string, Intl.NumberFormat>()

function numbers(most: number, least = 0): Intl.NumberFormat {
  const key = `${most} ${least}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: most, minimumFractionDigits: least })
  formats.set(key, made)
  return made
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numbers(0).format(count)} ${count === 1 ? one : many}`
}

/** The unit of a field of a shape, when values are shown in `unit`. */
export function unitOf(shape: TypeShape, field: string, unit: string | undefined): string | undefined {
  return shape.quantities.find((quantity) => quantity.field === field)?.unit ?? unit
}

/** "6.4 mmol/L", or of a bucket "mean 6.4, 3.6 to 12.8 mmol/L". */
export function valueText(summary: Summary, unit: string | undefined): string {
  const name = unitName(unit)
  const end = name === '' ? '' : ` ${name}`
  if (summary.count === 1) return `${numberText(summary.mean, unit)}${end}`
  return `mean ${numberText(summary.mean, unit, true)}, ${rangeText(summary, unit)}${end}`
}

export function rangeText({ min, max }: { min: number; max: number }, unit: string | undefined): string {
  return `${numberText(min, unit)} to ${numberText(max, unit)}`
}

/** What stands under the pointer: each number of a mark with its unit. */
export function markText(mark: Mark, shape: TypeShape, unit: string | undefined): string {
  if (shape.kind === 'pair') return pairText(mark, shape, unit)
  const [first, ...others] = shape.quantities.flatMap(({ field }) => {
    const summary = mark.values[field]
    const value = summary && valueText(summary, unitOf(shape, field, unit))
    return value === undefined ? [] : [{ field, value }]
  })
  if (first === undefined) return ''
  const isNamed = first.field !== 'value'
  const rest = others.map(({ field, value }) => `${spaced(field).toLowerCase()} ${value}`)
  const stored = mark.stored
    ? ` (stored as ${numberText(mark.stored.value, mark.stored.unit)} ${unitName(mark.stored.unit)})`
    : ''
  return [`${isNamed ? `${first.field} ` : ''}${first.value}${stored}`, ...rest].join(' · ')
}

function pairText({ values, count }: Mark, shape: TypeShape, unit: string | undefined): string {
  const [upper, lower, ...others] = shape.quantities
  const [high, low] = [upper && values[upper.field], lower && values[lower.field]]
  const rest = others.flatMap(({ field, unit: own }) => {
    const summary = values[field]
    return summary ? [`${spaced(field).toLowerCase()} ${valueText(summary, own ?? unit)}`] : []
  })
  const parts = [high, low].map((summary) => (summary ? numberText(summary.mean, unit) : '–'))
  const pair = `${count > 1 ? 'mean ' : ''}${parts.join(' / ')} ${unitName(unit)}`
  const spread =
    count > 1 && high && low
      ? [`systolic ${rangeText(high, unit)}, diastolic ${rangeText(low, unit)} ${unitName(unit)}`]
      : []
  return [pair, ...spread, ...rest].join(' · ')
}

const dates = new Map<string, Intl.DateTimeFormat>()

function dateFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const known = dates.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(LOCALE, { timeZone: zone, hourCycle: 'h23', ...options })
  dates.set(key, made)
  return made
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit' } as const

export function timeText(atMs: number, zone: string, withSeconds = false): string {
  return dateFormat(zone, { ...DATE, ...TIME, ...(withSeconds ? { second: '2-digit' } : {}) }).format(atMs)
}

/** When a mark was measured, or which bucket it is. */
export function markTimeText({ atMs, bucket }: Mark, zone: string): string {
  if (bucket === undefined) return timeText(atMs, zone)
  const { startMs, endMs } = bucket
  if (endMs - startMs < 3 * 3_600_000) {
    return `${timeText(startMs, zone)}–${dateFormat(zone, TIME).format(endMs)}`
  }
  return rangeTextOf({ fromMs: startMs, toMs: endMs }, zone)
}

/** "16 Oct – 15 Nov 2026"; with times where the range does not begin and end at midnight. */
export function rangeTextOf({ fromMs, toMs }: TimeRange, zone: string): string {
  const isMidnight = (ms: number) => localMs(ms, zone) % DAY_MS === 0
  if (isMidnight(fromMs) && isMidnight(toMs)) {
    const date = dateFormat(zone, DATE)
    // `toMs` is the start of the day after the last one.
    const [first, last] = [fromMs, toMs - 1]
    return date.formatRange(first, last)
  }
  return dateFormat(zone, { ...DATE, ...TIME }).formatRange(fromMs, toMs)
}
