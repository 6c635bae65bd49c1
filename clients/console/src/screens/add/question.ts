// Whether to ask before a typed reading is stored: a number that is possible and hardly ever right is most often a slip, or in another
// unit.
import type { Reading } from '../../../../typescript/src/client.ts'
import { numberText } from '../../format/numbers.ts'
import { nameOf, nameWithin } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import type { Limits, NumberField, ReadingForm } from './form-of.ts'
import { type Typed as Form, numberFrom } from './read-form.ts'

export type Question = {
  reading: Reading
  /** The first field that is asked about. */
  field: string
  /** Such as "45 mmol/L is very unusual." */
  doubt: string
  /** The units in which the very same numbers would not be asked about, with how they would read there. */
  others: { unit: string; text: string }[]
}

type Typed = { field: NumberField; value: number }

export function questionAbout(form: ReadingForm, reading: Reading): Question | undefined {
  const fields: Readonly<Record<string, unknown>> = reading
  const numbers = form.fields.flatMap((field): Typed[] => {
    const value = fields[field.name]
    return field.kind === 'number' && typeof value === 'number' ? [{ field, value }] : []
  })
  const unit = typeof fields['unit'] === 'string' ? fields['unit'] : (form.units[0] ?? '')
  const doubted = numbers.filter((one) => !isPlausible(one, unit))
  const [first] = doubted
  if (!first) return undefined
  const others = form.units
    .filter((other) => other !== unit && numbers.every((one) => isPlausible(one, other)))
    .map((other) => ({ unit: other, text: doubted.map((one) => textOf(one, other)).join(' / ') }))
  const named = doubted.map((one, index) => {
    const text = textOf(one, unit)
    if (numbers.length === 1) return text
    return `${index === 0 ? nameOf(one.field.name) : nameWithin(one.field.name)} ${text}`
  })
  const doubt = `${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'} very unusual.`
  return { reading, field: first.field.name, doubt, others }
}

/** The only unit in which the typed numbers are plausible, where that is not the chosen one. */
export function likelyUnit(form: ReadingForm, { texts, unit }: Form): string | undefined {
  const numbers = form.fields.flatMap((field): Typed[] => {
    const value = field.kind === 'number' ? numberFrom(texts[field.name] ?? '') : undefined
    return field.kind === 'number' && value !== undefined ? [{ field, value }] : []
  })
  const [only, ...others] = form.units.filter((one) => numbers.every((number) => isPlausible(number, one)))
  const isMeant = numbers.length > 0 && form.units.length > 1 && others.length === 0 && only !== unit
  return isMeant ? only : undefined
}

function isPlausible({ field, value }: Typed, unit: string): boolean {
  return isWithin(value, field.plausibleIn(unit)) && isWithin(value, field.limitsIn(unit))
}

function isWithin(value: number, limits: Limits | undefined): boolean {
  return !limits || (value >= limits.least && value <= limits.most)
}

const textOf = ({ field, value }: Typed, unit: string) =>
  `${numberText(value)} ${unitSign(field.unitOf(unit))}`
