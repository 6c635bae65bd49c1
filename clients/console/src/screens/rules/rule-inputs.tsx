// What is chosen or typed in the form of a rule.
import { useId } from 'preact/hooks'
import type { ReadingTypeEntry } from '../../../../typescript/src/client.ts'
import { unitSign } from '../../format/units.ts'
import { Labelled } from '../add/fields.tsx'
import { numbersOf } from '../targets/read-target-form.ts'
import type { TypedRule } from './read-rule-form.ts'

type ChoiceProps<Value extends string> = {
  label: string
  choices: [Value, string][]
  chosen: Value
  choose: (value: Value) => void
}

export function Choice<Value extends string>({ label, choices, chosen, choose }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div class="field">
      <span class="label" id={id}>
        {label}
      </span>
      <div class="seg" role="group" aria-labelledby={id}>
        {choices.map(([value, text]) => (
          <button key={value} type="button" aria-pressed={chosen === value} onClick={() => choose(value)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  )
}

type TextProps = {
  label: string
  hint?: string
  value: string
  mistake: string | undefined
  onChange: (text: string) => void
}

type AmountProps = TextProps & { entry: ReadingTypeEntry; typed: TypedRule }

/** A number in the unit of the rule. */
export function Amount({ entry, typed, label, hint, value, mistake, onChange }: AmountProps) {
  const number = numbersOf(entry).find(({ name }) => name === typed.field)
  const unit = typed.unit || (entry.units.length === 1 ? (entry.units[0] ?? '') : '')
  return (
    <Labelled label={label} mistake={mistake}>
      {(attributes) => (
        <>
          <span class="with-unit">
            <input
              {...attributes}
              class="input number"
              inputMode="decimal"
              autocomplete="off"
              size={6}
              value={value}
              onInput={({ currentTarget }) => onChange(currentTarget.value)}
            />
            <span class="unit">{unitSign(number?.unitOf(unit) ?? unit)}</span>
          </span>
          {hint !== undefined && <span class="hint">{hint}</span>}
        </>
      )}
    </Labelled>
  )
}

export function Whole({
  label,
  placeholder = '',
  value,
  mistake,
  onChange,
}: TextProps & { placeholder?: string }) {
  return (
    <Labelled label={label} mistake={mistake}>
      {(attributes) => (
        <input
          {...attributes}
          class="input rule-count"
          placeholder={placeholder}
          inputMode="numeric"
          autocomplete="off"
          size={3}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Labelled>
  )
}
