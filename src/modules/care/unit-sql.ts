// How values that were brought from one unit of their type to another are shown and compared.
import type { Unit } from '../casesheet/catalogue/units.ts'

/** Of the units that a type has beside others, how many digits behind the point people are shown. */
const SHOWN_DIGITS: Partial<Record<Unit, number>> = {
  'mg/dL': 0,
  'mmol/L': 1,
  Cel: 1,
  '[degF]': 1,
  kg: 1,
  g: 0,
  '[lb_av]': 1,
  cm: 1,
  '[in_i]': 1,
}

/** A value that was converted, as people are shown it. */
export function shownIn(unit: Unit, value: number): number {
  return Number(value.toFixed(SHOWN_DIGITS[unit] ?? 0))
}

/** A value that was converted, as it is compared: rounded to what people are shown. */
export function comparedIn(unit: Unit, value: number): number {
  const steps = 10 ** (SHOWN_DIGITS[unit] ?? 0)
  return Math.floor(value * steps + 0.5) / steps
}
