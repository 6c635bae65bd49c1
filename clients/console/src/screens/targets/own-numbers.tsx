// The bounds of a target as numbers of one's own: of each number of the type, from which value to which.
import { useId } from 'preact/hooks'
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Labelled } from '../add/fields.tsx'
import type { NumberField } from '../add/form-of.ts'
import {
  numbersOf,
  rangeOf,
  type TargetMistakes,
  type TopKind,
  type TypedRange,
  type TypedTarget,
} from './read-target-form.ts'

type Props = {
  legend: string
  entry: ReadingTypeEntry
  typed: TypedTarget
  mistakes: TargetMistakes
  onChange: (part: Partial<TypedTarget>) => void
}

export function OwnNumbers({ legend, entry, typed, mistakes, onChange }: Props) {
  const numbers = numbersOf(entry)
  const tops = numbers.map(({ name: field }) => rangeOf(typed, field).top.trim()).filter((top) => top !== '')
  return (
    <>
      <fieldset class="field target-fields">
        <legend class="label">{legend}</legend>
        <span class="hint">Leave empty what has no limit.</span>
        {numbers.map((field) => (
          <RangeFields
            key={field.name}
            field={field}
            isAlone={numbers.length === 1}
            unit={typed.unit}
            range={rangeOf(typed, field.name)}
            mistakes={mistakes}
            onChange={(range) => onChange({ ranges: { ...typed.ranges, [field.name]: range } })}
          />
        ))}
        <span class="wrong" role="status">
          {mistakes['']}
        </span>
      </fieldset>
      <TopChoice
        top={tops.length === 1 ? tops[0] : undefined}
        kinds={new Set(numbers.map(({ name: field }) => rangeOf(typed, field).topKind))}
        choose={(topKind) =>
          onChange({
            topKind,
            ranges: Object.fromEntries(
              numbers.map(({ name: field }) => [field, { ...rangeOf(typed, field), topKind }]),
            ),
          })
        }
      />
    </>
  )
}

type TopProps = {
  /** The upper limit as it is typed, where there is one. */
  top: string | undefined
  kinds: ReadonlySet<TopKind>
  choose: (kind: TopKind) => void
}

const TOP_KINDS: [TopKind, string][] = [
  ['high', 'at most'],
  ['below', 'below'],
]

/** "Below 135" does not hold 135 itself, "at most 135" does. */
function TopChoice({ top, kinds, choose }: TopProps) {
  const id = useId()
  return (
    <div class="field">
      <span class="label" id={id}>
        Upper limit
      </span>
      <div class="seg" role="group" aria-labelledby={id}>
        {TOP_KINDS.map(([kind, text]) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kinds.size === 1 && kinds.has(kind)}
            onClick={() => choose(kind)}
          >
            {top === undefined ? text : `${text} ${top}`}
          </button>
        ))}
      </div>
    </div>
  )
}

type RangeProps = {
  field: NumberField
  /** The only one of the type. */
  isAlone: boolean
  unit: string
  range: TypedRange
  mistakes: TargetMistakes
  onChange: (range: TypedRange) => void
}

function RangeFields({ field, isAlone, unit, range, mistakes, onChange }: RangeProps) {
  const words = { low: 'at least', top: range.topKind === 'high' ? 'at most' : 'below' }
  const nameFor = (bound: 'low' | 'top') =>
    isAlone ? capital(words[bound]) : `${nameOf(field.name)} ${words[bound]}`
  return (
    <div class="target-field">
      {(['low', 'top'] as const).map((bound) => (
        <Labelled key={bound} label={nameFor(bound)} mistake={mistakes[`${field.name} ${bound}`]}>
          {(attributes) => (
            <span class="with-unit">
              <input
                {...attributes}
                class="input number"
                inputMode="decimal"
                autocomplete="off"
                size={6}
                value={range[bound]}
                onInput={({ currentTarget }) => onChange({ ...range, [bound]: currentTarget.value })}
              />
              <span class="unit">{unitSign(field.unitOf(unit))}</span>
            </span>
          )}
        </Labelled>
      ))}
    </div>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
