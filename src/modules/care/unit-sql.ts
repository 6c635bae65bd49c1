// SQL that brings values of a type from one of its units to another.
import { plainArray, textArray } from '../../db/array.ts'
import { conversionBetween, type Unit } from '../casesheet/catalogue/units.ts'

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

/** A value that was converted, as it is compared: rounded as the SQL below does. */
export function comparedIn(unit: Unit, value: number): number {
  const steps = 10 ** (SHOWN_DIGITS[unit] ?? 0)
  return Math.floor(value * steps + 0.5) / steps
}

/**
 * The units of a type; how a value in one becomes a value in another, three lists of each unit to each; and how many
 * steps of what is shown make one of each.
 */
export function unitValues(units: readonly Unit[]) {
  const conversions = units.flatMap((from) => units.map((to) => conversionBetween(from, to)))
  return [
    textArray(units),
    plainArray(conversions.map(({ shift }) => shift)),
    plainArray(conversions.map(({ factor }) => factor)),
    plainArray(conversions.map(({ offset }) => offset)),
    plainArray(units.map((unit) => 10 ** (SHOWN_DIGITS[unit] ?? 0))),
  ]
}

/** The SQL of a statement whose parameters from this number on are these five. Units are numbers of the first. */
export function inUnits(first: number) {
  const units = `$${first}::text[]`
  const [shifts, factors, offsets, steps] = [1, 2, 3, 4].map((nth) => `($${first + nth}::float8[])`)

  /** A value, brought from one unit to another. */
  function converted(value: string, from: string, to: string): string {
    const at = `(${from} - 1) * cardinality(${units}) + ${to}`
    return `case
        when ${from} = ${to} then ${value}
        else (${value} + ${shifts}[${at}]) * ${factors}[${at}] + ${offsets}[${at}]
      end`
  }

  return {
    /** The number of the reading's unit, or null. */
    unit: `array_position(${units}, coalesce(details ->> 'unit', (${units})[1]))`,
    converted,
    /**
     * A value as it is compared with a target in this unit. What had to be converted is rounded to what people are shown: 10.0
     * mmol/L is in a target that ends at 180 mg/dL. A target in a unit of the field's own has no number.
     */
    compared: (value: string, from: string, to: string) => `case
        when ${to} is null or ${from} = ${to} then ${value}
        else floor((${converted(value, from, to)}) * ${steps}[${to}] + 0.5) / ${steps}[${to}]
      end`,
  }
}
