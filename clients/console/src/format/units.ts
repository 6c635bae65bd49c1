// Units of measure as people write them. The API has them in UCUM.
import { words } from '../words/words.ts'

const SIGNS: Record<string, string> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  'kg/m2': 'kg/m²',
}

export function unitSign(unit: string): string {
  if (unit === '{steps}') return words.names.steps
  if (unit === '{score}') return words.names.ofTen
  return Object.hasOwn(SIGNS, unit) ? (SIGNS[unit] ?? unit) : unit
}

/** How many digits behind the point a unit is read with; one where it is not named. */
const DIGITS: Readonly<Record<string, number>> = {
  'mg/dL': 0,
  g: 0,
  '{steps}': 0,
  kcal: 0,
  'mm[Hg]': 0,
  L: 2,
}

export const digitsOf = (unit: string): number => DIGITS[unit] ?? 1

// Values in another unit of the same kind. The service converts in the same way (its statistics do), and a test holds both to
// the same factors. Mean, minimum and maximum may be converted like a value: every conversion is a straight line upwards.

/** value in the first unit of its kind = (value − offset) × factor. mg/dL is that of glucose. */
const TO_FIRST: Readonly<Record<string, { factor: number; offset: number }>> = {
  '[degF]': { factor: 5 / 9, offset: 32 },
  'mg/dL': { factor: 1 / 18.0156, offset: 0 },
  g: { factor: 0.001, offset: 0 },
  '[lb_av]': { factor: 0.45359237, offset: 0 },
  '[in_i]': { factor: 2.54, offset: 0 },
}

export function converted(value: number, from: string, to: string): number {
  if (from === to) return value
  const [source, target] = [TO_FIRST[from], TO_FIRST[to]]
  const inFirst = source ? (value - source.offset) * source.factor : value
  return target ? inFirst / target.factor + target.offset : inFirst
}
