// Whether a reading is in target. The service compares in the same way (its reports do), and a test holds both to the same cases.
import type { ReadingTypeEntry, StoredReading, Target } from '../../../typescript/src/client.ts'
import { unitOf } from '../format/reading-text.ts'
import { ageOf } from '../format/times.ts'
import { converted, digitsOf } from '../format/units.ts'

/** `low` and `high` are in target, `below` is not. */
export type Bounds = Pick<Target, 'low' | 'high' | 'below' | 'unit'>
export type Place = 'below' | 'in' | 'above'

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

export function placeOf(value: number, unit: string, bounds: Bounds): Place {
  const { low, high, below } = bounds
  const compared = inUnit(value, unit, bounds.unit)
  if (low !== null && compared < low) return 'below'
  if ((high !== null && compared > high) || (below !== null && compared >= below)) return 'above'
  return 'in'
}

export type JudgedField = {
  field: string
  target: Target
  place: Place
  /** How far outside, as a part of the bound. */
  beyond: number
}

/** Each field that has a target and a number. Nothing without any, or where the reading has a unit that its type does not have. */
export function judgedFields(
  reading: StoredReading,
  entry: ReadingTypeEntry | undefined,
  targets: readonly Target[],
): JudgedField[] | undefined {
  if (!entry || targets.length === 0) return undefined
  const judged = targets.flatMap((target) => {
    const { field } = target
    const [value, unit] = [reading[field], unitOfField(reading, entry, field)]
    if (typeof value !== 'number' || unit === undefined) return []
    return [{ field, target, place: placeOf(value, unit, target), beyond: beyondBound(value, unit, target) }]
  })
  return judged.length > 0 ? judged : undefined
}

/** Nothing of a reading that is old or dated in the future too: what it says of now is nothing. */
export function judgedNow(
  reading: StoredReading,
  entry: ReadingTypeEntry | undefined,
  { targets, now }: { targets: readonly Target[]; now: number },
): JudgedField[] | undefined {
  return ageOf(reading.measuredAt, now, 'UTC').mark ? undefined : judgedFields(reading, entry, targets)
}

function unitOfField(reading: StoredReading, entry: ReadingTypeEntry, field: string): string | undefined {
  const own = entry.numbers.find((number) => number.field === field)?.ranges[0]?.unit
  // A number with a unit of its own, such as the pulse of a blood pressure.
  if (own === undefined || !entry.units.includes(own)) return own
  const unit = unitOf(reading, entry)
  return entry.units.includes(unit) ? unit : undefined
}

function beyondBound(value: number, unit: string, bounds: Bounds): number {
  const place = placeOf(value, unit, bounds)
  const bound = place === 'below' ? bounds.low : (bounds.high ?? bounds.below)
  if (place === 'in' || bound === null) return 0
  return Math.abs(inUnit(value, unit, bounds.unit) - bound) / (Math.abs(bound) || 1)
}

/** The same bounds in another unit, rounded as values are. */
export function boundsIn<Of extends Bounds>(bounds: Of, unit: string): Of {
  const convert = (bound: number | null) => (bound === null ? null : inUnit(bound, bounds.unit, unit))
  return {
    ...bounds,
    low: convert(bounds.low),
    high: convert(bounds.high),
    below: convert(bounds.below),
    unit,
  }
}
