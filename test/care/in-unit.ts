// Numbers in another unit, as people are shown them: worked out beside the product.
const DIGITS: Record<string, number> = {
  'mmol/L': 1,
  Cel: 1,
  '[degF]': 1,
  kg: 1,
  '[lb_av]': 1,
  cm: 1,
  '[in_i]': 1,
}
/** In this order of operations, which decides the last digit of numbers that no device sends. */
const CONVERSIONS: Record<string, (value: number) => number> = {
  'mg/dL mmol/L': (value) => value * (1 / 18.0156),
  'mmol/L mg/dL': (value) => value * (1 / (1 / 18.0156)),
  '[degF] Cel': (value) => (value - 32) * (5 / 9),
  'Cel [degF]': (value) => value * (1 / (5 / 9)) + 32,
  'g kg': (value) => value * 0.001,
  'kg g': (value) => value * (1 / 0.001),
  '[lb_av] kg': (value) => value * 0.45359237,
  'kg [lb_av]': (value) => value * (1 / 0.45359237),
  'g [lb_av]': (value) => value * (0.001 / 0.45359237),
  '[lb_av] g': (value) => value * (0.45359237 / 0.001),
}

export function inUnit(value: number, from: string, to: string): number {
  if (from === to) return value
  const convert = CONVERSIONS[`${from} ${to}`]
  if (!convert) throw new Error(`No conversion from ${from} to ${to}.`)
  const steps = 10 ** (DIGITS[to] ?? 0)
  return Math.floor(convert(value) * steps + 0.5) / steps
}
