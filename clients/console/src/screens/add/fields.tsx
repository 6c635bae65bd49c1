// One field of a form, by its kind. Labels stay visible; what is wrong is said beside the field.
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Field } from '../../ui/fields.tsx'
import { words } from '../../words/words.ts'
import { Chips } from './chips.tsx'
import type { FormField, NumberField } from './form-of.ts'
import { type Mistakes, numberFrom, type Typed } from './read-form.ts'
import { SymptomInput } from './symptom-input.tsx'

type Props = {
  field: FormField
  typed: Typed
  /** By field, and by what belongs to one, such as `severity`. */
  mistakes: Mistakes
  /** What this patient has said before, the newest first: a symptom or a note. */
  known: readonly string[]
  /** The field that follows as soon as this one cannot become longer. */
  next: string | undefined
  onChange: (part: Partial<Typed>) => void
  /** Adds a text that is known at once. */
  onSendText: (text: string) => void
}

export function FieldInput({ field, typed, mistakes, known, next, onChange, onSendText }: Props) {
  const { name } = field
  const mistake = mistakes[name]
  const value = typed.texts[name] ?? ''
  const set = (text: string) => onChange({ texts: { ...typed.texts, [name]: text } })
  const label = `${nameOf(name)}${field.isRequired ? '' : ' (optional)'}`
  if (field.kind === 'symptoms')
    return (
      <SymptomInput
        texts={typed.texts}
        mistakes={{ symptom: mistake, severity: mistakes['severity'] }}
        known={known}
        set={(texts) => onChange({ texts: { ...typed.texts, ...texts } })}
      />
    )
  return (
    <Field label={label} mistake={mistake}>
      {(attributes) => {
        const common = {
          ...attributes,
          name,
          value,
          required: field.isRequired,
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
        }
        if (field.kind === 'choice') {
          return (
            <select {...common} class="input">
              <option value="">not said</option>
              {field.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          )
        }
        if (field.kind === 'time') return <input {...common} class="input" type="datetime-local" />
        if (field.kind === 'text')
          return (
            <>
              <input {...common} class="input" dir="auto" maxLength={500} autocomplete="off" />
              {field.isRequired && <Chips legend={words.add.again} texts={known} choose={onSendText} />}
            </>
          )
        return (
          <span class="with-unit">
            <input
              {...common}
              class="input number"
              inputMode={field.isWhole ? 'numeric' : 'decimal'}
              onInput={(event) => {
                set(event.currentTarget.value)
                if (
                  next !== undefined &&
                  isTyped(event) &&
                  isWhole(event.currentTarget.value, field, typed.unit)
                )
                  focusOn(event.currentTarget.form, next)
              }}
              autocomplete="off"
              size={6}
            />
            <span class="unit">{unitSign(field.unitOf(typed.unit))}</span>
          </span>
        )
      }}
    </Field>
  )
}

/** Not what was deleted, pasted or filled in. */
const isTyped = (event: Event) => event instanceof InputEvent && event.inputType === 'insertText'

/** A blood pressure of 128 has no further digit: none would be possible. */
function isWhole(text: string, field: NumberField, unit: string): boolean {
  const [value, limits] = [numberFrom(text), field.limitsIn(unit)]
  return value !== undefined && limits !== undefined && value >= limits.least && value * 10 > limits.most
}

function focusOn(form: HTMLFormElement | null, name: string) {
  const input = form?.elements.namedItem(name)
  if (!(input instanceof HTMLInputElement) || input.value !== '') return
  input.focus()
  // Who presses Tab by habit means this field, and not the one after it.
  const stay = (event: KeyboardEvent) => event.key === 'Tab' && !event.shiftKey && event.preventDefault()
  input.addEventListener('keydown', stay, { once: true })
}
