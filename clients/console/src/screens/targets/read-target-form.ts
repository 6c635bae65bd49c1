// What was typed into the form of a target, as what to set and to remove, or what is wrong with it, field by field.
import type { ReadingTypeEntry, Target } from '../../../../typescript/src/client.ts'
import { numberText } from '../../format/numbers.ts'
import { unitSign } from '../../format/units.ts'
import { formOf, type NumberField } from '../add/form-of.ts'
import { numberFrom } from '../add/read-form.ts'

/** `below` is not in target itself, `high` is. */
export type TopKind = 'high' | 'below'
export type TypedRange = { low: string; top: string; topKind: TopKind }
export type TypedTarget = {
  ranges: Readonly<Record<string, TypedRange>>
  /** Of what is not typed yet. */
  topKind: TopKind
  /** In UCUM; empty until one is chosen. */
  unit: string
  label: string
}
/** By field and bound, such as "systolic low"; "unit"; "" for the form as a whole. */
export type TargetMistakes = Record<string, string>

type RangeToSet = Pick<Target, 'field' | 'low' | 'high' | 'below' | 'unit'>
type Read = { toSet: RangeToSet[]; toRemove: string[] } | { mistakes: TargetMistakes }

export const numbersOf = (entry: ReadingTypeEntry): NumberField[] =>
  formOf(entry).fields.filter((field) => field.kind === 'number')

/** As it is set now. */
export function typedTarget(targets: readonly Target[], unit: string): TypedTarget {
  const ranges = targets.map(({ field, low, high, below }): [string, TypedRange] => [
    field,
    { low: textOf(low), top: textOf(high ?? below), topKind: below === null ? 'high' : 'below' },
  ])
  const topKind = ranges.at(0)?.[1].topKind ?? 'high'
  const label = targets.find((target) => target.label !== null)?.label ?? ''
  return { ranges: Object.fromEntries(ranges), topKind, unit, label }
}

const textOf = (bound: number | null) => (bound === null ? '' : String(bound))

export const rangeOf = ({ ranges, topKind }: TypedTarget, field: string): TypedRange =>
  ranges[field] ?? { low: '', top: '', topKind }

/** `before`: the fields that have a target now. One that is left empty loses it. */
export function readTargetForm(entry: ReadingTypeEntry, typed: TypedTarget, before: readonly string[]): Read {
  const mistakes: TargetMistakes = {}
  if (entry.units.length > 1 && typed.unit === '') mistakes['unit'] = 'Choose the unit.'
  const unit = typed.unit || (entry.units[0] ?? '')
  const toSet: RangeToSet[] = []
  const toRemove: string[] = []
  for (const number of numbersOf(entry)) {
    const { name: field } = number
    const { low, top, topKind } = rangeOf(typed, field)
    const [least, most] = [boundFrom(low, number, unit), boundFrom(top, number, unit)]
    if (least.mistake !== undefined) mistakes[`${field} low`] = least.mistake
    if (most.mistake !== undefined) mistakes[`${field} top`] = most.mistake
    if (least.value !== null && most.value !== null && least.value >= most.value)
      mistakes[`${field} top`] = `It must be more than ${numberText(least.value)}.`
    if (least.value !== null || most.value !== null)
      toSet.push({
        field,
        low: least.value,
        high: topKind === 'high' ? most.value : null,
        below: topKind === 'below' ? most.value : null,
        unit: number.unitOf(unit),
      })
    else if (before.includes(field)) toRemove.push(field)
  }
  if (Object.keys(mistakes).length > 0) return { mistakes }
  if (toSet.length === 0) return { mistakes: { '': 'Type at least one number.' } }
  return { toSet, toRemove }
}

type Bound = { value: number | null; mistake?: string }

function boundFrom(text: string, field: NumberField, unit: string): Bound {
  if (text.trim() === '') return { value: null }
  const value = numberFrom(text)
  if (value === undefined) return { value: null, mistake: 'This is not a number.' }
  const limits = field.limitsIn(unit)
  if (!limits || (value >= limits.least && value <= limits.most)) return { value }
  const range = `${numberText(limits.least)} to ${numberText(limits.most)} ${unitSign(field.unitOf(unit))}`
  return { value: null, mistake: `It must be from ${range}.` }
}
