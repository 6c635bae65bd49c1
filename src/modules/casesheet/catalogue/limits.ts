// The limits of a number in each unit that it may be sent in. The catalogue gives them in the type's first unit; in the
// others they are widened to two decimals, so that they read well and refuse nothing that the first would accept.
import type { CatalogueType, Limits, Quantity } from './catalogue.ts'
import { conversionBetween, convert, type Unit } from './units.ts'

export type Range = { unit: Unit; possible: Limits; plausible: Limits | undefined }

export function rangesOf({ possible, plausible, unit }: Quantity, { units }: CatalogueType): Range[] {
  if (unit) return [{ unit, possible, plausible }]
  const [first] = units
  return units.map((other) => ({
    unit: other,
    possible: inUnit(possible, first, other),
    plausible: plausible && inUnit(plausible, first, other),
  }))
}

/** Such as "20 to 46 Cel". */
export function limitsText([least, most]: Limits, unit: Unit): string {
  return `${least} to ${most} ${unit}`
}

function inUnit([least, most]: Limits, from: Unit, to: Unit): Limits {
  const conversion = conversionBetween(from, to)
  return [Math.floor(hundredths(least)) / 100, Math.ceil(hundredths(most)) / 100]

  // To twelve digits: what a conversion leaves behind them is its own error, and would widen 93.2 (34 Cel) to 93.19.
  function hundredths(value: number): number {
    return Number((convert(value, conversion) * 100).toPrecision(12))
  }
}
