// Whether a reading is in target. The service compares in the same way (its reports do), and a test holds both to the same cases.
import type { ReadingTypeEntry, StoredReading } from '../../../typescript/src/client.ts'
import { unitOf } from '../format/reading-text.ts'
import { ageOf } from '../format/times.ts'
import { converted, digitsOf } from '../format/units.ts'

/** Both ends are in target. */
export type Bounds = { low: number | null; high: number | null; unit: string }
/** Of one field. */
export type Range = Bounds & { field: string }
export type Place = 'below' | 'in' | 'above'

/** Of a target, or only its act limits. */
type OfField = { low?: number | null; high?: number | null }

/** The fields that have a range, in the order of the catalogue, each in the unit in which the target has it. */
export function rangesOf(
  target: { fields: Record<string, OfField>; unit: string } | undefined,
  entry: ReadingTypeEntry | undefined,
): Range[] {
  const order = entry?.numbers.map(({ field }) => field) ?? []
  return Object.entries(target?.fields ?? {})
    .map(([field, { low = null, high = null }]) => ({
      field,
      low,
      high,
      unit: unitOfNumber(field, target?.unit ?? '', entry) ?? target?.unit ?? '',
    }))
    .filter(({ low, high }) => low !== null || high !== null)
    .toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
}

/** In a reading or target of this unit. A number with a unit of its own, such as the pulse of a blood pressure, always has that one. */
export function unitOfNumber(
  field: string,
  unit: string,
  entry: ReadingTypeEntry | undefined,
): string | undefined {
  const own = entry?.numbers.find((number) => number.field === field)?.ranges[0]?.unit
  if (own === undefined || !entry?.units.includes(own)) return own
  return entry.units.includes(unit) ? unit : undefined
}

/** The units to which values are converted. */
const CONVERTED = new Set(['mg/dL', 'mmol/L', 'Cel', '[degF]', 'kg', 'g', '[lb_av]', 'cm', '[in_i]'])

/** A value that has to be converted is rounded to what is displayed: 10.0 mmol/L is 180 mg/dL. */
function inUnit(value: number, from: string, to: string): number {
  return from === to ? value : asDisplayed(converted(value, from, to), to)
}

/** Of statistics it is not known in which unit a value was sent: it is compared as it is displayed, where the unit has others beside it. */
export function asDisplayed(value: number, unit: string): number {
  if (!CONVERTED.has(unit)) return value
  const scale = 10 ** digitsOf(unit)
  // To twelve digits: what a conversion leaves behind them is its own error.
  return Math.round(Number((value * scale).toPrecision(12))) / scale
}

export function placeOf(value: number, unit: string, { low, high, unit: own }: Bounds): Place {
  const compared = inUnit(value, unit, own)
  if (low !== null && compared < low) return 'below'
  if (high !== null && compared > high) return 'above'
  return 'in'
}

export type JudgedField = {
  field: string
  place: Place
  /** How far outside, as a part of the bound. */
  beyond: number
}

/** Each field that has a range and a number. Nothing without any, or where the reading has a unit that its type does not have. */
export function judgedFields(
  reading: Readonly<Record<string, unknown>>,
  entry: ReadingTypeEntry | undefined,
  ranges: readonly Range[],
): JudgedField[] | undefined {
  if (!entry || ranges.length === 0) return undefined
  const judged = ranges.flatMap((range) => {
    const { field } = range
    const [value, unit] = [reading[field], unitOfNumber(field, unitOf(reading, entry), entry)]
    if (typeof value !== 'number' || unit === undefined) return []
    return [{ field, place: placeOf(value, unit, range), beyond: beyondBound(value, unit, range) }]
  })
  return judged.length > 0 ? judged : undefined
}

/** Nothing of a reading that is old or dated in the future too: what it says of now is nothing. */
export function judgedNow(
  reading: StoredReading,
  entry: ReadingTypeEntry | undefined,
  { ranges, now }: { ranges: readonly Range[]; now: number },
): JudgedField[] | undefined {
  return ageOf(reading.measuredAt, now, 'UTC').mark ? undefined : judgedFields(reading, entry, ranges)
}

function beyondBound(value: number, unit: string, bounds: Bounds): number {
  const place = placeOf(value, unit, bounds)
  const bound = place === 'below' ? bounds.low : bounds.high
  if (place === 'in' || bound === null) return 0
  return Math.abs(inUnit(value, unit, bounds.unit) - bound) / (Math.abs(bound) || 1)
}

/** The same bounds in another unit, rounded as values are. */
export function boundsIn<Of extends Bounds>(bounds: Of, unit: string): Of {
  const convert = (bound: number | null) => (bound === null ? null : inUnit(bound, bounds.unit, unit))
  return { ...bounds, low: convert(bounds.low), high: convert(bounds.high), unit }
}
