// The limits of each number of a type.
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import { nameOf } from '../../format/type-names.ts'
import { words } from '../../words/words.ts'
import type { NumberField } from '../add/form-of.ts'
import { FieldLimits } from './field-limits.tsx'
import { fieldOf, needsGoals, numbersOf, type TargetMistakes, type TypedTarget } from './read-target-form.ts'

type LimitsProps = {
  entry: ReadingTypeEntry
  isDoctor: boolean
  typed: TypedTarget
  mistakes: TargetMistakes
  change: (part: Partial<TypedTarget>) => void
}

/** Numbers that a reading need not have, such as the pulse of a blood pressure, are asked for less prominently. */
export function Limits({ entry, isDoctor, typed, mistakes, change }: LimitsProps) {
  const numbers = numbersOf(entry)
  const required = numbers.filter(({ isRequired }) => isRequired)
  const first = required.length > 0 ? required : numbers
  const more = numbers.filter((number) => !first.includes(number))
  const limitsOf = (field: NumberField) => (
    <FieldLimits
      key={field.name}
      field={field}
      isAlone={numbers.length === 1}
      isDoctor={isDoctor}
      asksGoals={needsGoals(entry.readingType) || hasGoals(typed, field.name)}
      unit={typed.unit}
      typed={fieldOf(typed, field.name)}
      mistakes={mistakes}
      onChange={(one) => change({ fields: { ...typed.fields, [field.name]: one } })}
    />
  )
  return (
    <fieldset class="field target-fields">
      <legend class="label">{words.targetForm.fromTo}</legend>
      <span class="hint">
        {words.targetForm.leaveEmpty}
        {isDoctor && ` ${words.targetForm.actHint}`}
      </span>
      {first.map(limitsOf)}
      {more.length > 0 && (
        <details open={more.some(({ name }) => typed.fields[name])}>
          <summary>{words.targetForm.alsoFor(more.map(({ name }) => nameOf(name)))}</summary>
          {more.map(limitsOf)}
        </details>
      )}
      <span class="wrong" role="status">
        {mistakes['']}
      </span>
    </fieldset>
  )
}

const hasGoals = ({ fields }: TypedTarget, name: string) =>
  Object.values(fields[name]?.goals ?? {}).some((text) => text !== '')
