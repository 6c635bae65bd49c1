// Values of the list in words.
import { numberText } from '../../format/numbers.ts'
import { digitsOf, unitSign } from '../../format/units.ts'
import { computedText } from '../charts/chart-text.ts'
import type { ListedType } from './listed-patient.ts'

/** "23.0", "178": as many digits as its unit is read with, and more where it was measured with more. */
function listedNumber(value: number, unit: string | null): string {
  const scale = 10 ** digitsOf(unit ?? '')
  const isRounded = Math.round(value * scale) / scale !== value
  return unit === null || isRounded ? numberText(value) : computedText(value, unit)
}

/** The numbers that belong together in large: the two pressures, or the value. */
export function mainFields(values: Readonly<Record<string, number>>): string[] {
  const fields = Object.keys(values)
  const pair = ['systolic', 'diastolic']
  if (pair.every((field) => fields.includes(field))) return pair
  return fields.includes('value') ? ['value'] : fields.slice(0, 1)
}

/** "23.0 mmol/L", "178 / 112 mmHg". */
export function valuesText(
  values: Readonly<Record<string, number>>,
  { unit }: Pick<ListedType, 'unit'>,
): string {
  const numbers = mainFields(values).map((field) => listedNumber(values[field] ?? 0, unit))
  return `${numbers.join(' / ')} ${unit === null ? '' : unitSign(unit)}`.trim()
}

/** "72 %". Never more than there is: 99.7 % are 99 %. */
export const partText = ({ judged, inTarget }: { judged: number; inTarget: number }) =>
  `${Math.floor((inTarget / judged) * 100)}\u00a0%`
