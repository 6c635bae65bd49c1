// One field of a form, by its kind. Labels stay visible; what is wrong is said beside the field.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { severityWord } from '../../format/reading-text.ts'
import { nameOf } from '../../format/type-names.ts'
import { unitSign } from '../../format/units.ts'
import { Field, Segments } from '../../ui/fields.tsx'
import type { FormField, SymptomsField } from './form-of.ts'
import { isSeverityMissing, type Mistakes, type Typed, type TypedSymptom } from './read-form.ts'

type Props = {
  field: FormField
  typed: Typed
  /** By field, and by what belongs to one, such as `severity`. */
  mistakes: Mistakes
  onChange: (part: Partial<Typed>) => void
  zone: string
}

export function FieldInput({ field, typed, mistakes, onChange }: Props) {
  const { name } = field
  const mistake = mistakes[name]
  const value = typed.texts[name] ?? ''
  const set = (text: string) => onChange({ texts: { ...typed.texts, [name]: text } })
  const label = `${nameOf(name)}${field.isRequired ? '' : ' (optional)'}`
  if (field.kind === 'symptoms') {
    return (
      <Symptoms
        field={field}
        symptoms={typed.symptoms}
        mistake={mistake}
        severityMistake={mistakes['severity']}
        onChange={(symptoms) => onChange({ symptoms })}
      />
    )
  }
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
          return <input {...common} class="input" dir="auto" maxLength={500} autocomplete="off" />
        return (
          <span class="with-unit">
            <input
              {...common}
              class="input number"
              inputMode={field.isWhole ? 'numeric' : 'decimal'}
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

const SEVERITIES = ['MILD', 'MODERATE', 'SEVERE'].map(
  (severity) => [severity, severityWord(severity)] as const,
)

type SymptomsProps = {
  field: SymptomsField
  symptoms: TypedSymptom[]
  mistake: string | undefined
  severityMistake: string | undefined
  onChange: (symptoms: TypedSymptom[]) => void
}

function Symptoms({ field, symptoms, mistake, severityMistake, onChange }: SymptomsProps) {
  const element = useRef<HTMLDivElement>(null)
  const count = useRef(symptoms.length)
  useLayoutEffect(() => {
    // The focus follows: to the one that was added, or away from the one that was removed.
    if (count.current !== symptoms.length)
      element.current?.querySelector<HTMLElement>('.symptom:last-of-type input')?.focus()
    count.current = symptoms.length
  }, [symptoms.length])
  const change = (at: number, part: Partial<TypedSymptom>) =>
    onChange(symptoms.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <div class="stack symptoms" ref={element}>
      {symptoms.map((one, index) => {
        const number = symptoms.length > 1 ? ` ${index + 1}` : ''
        return (
          <div key={index} class="symptom">
            <Field label={`Symptom${number}`} mistake={index === 0 ? mistake : undefined}>
              {(attributes) => (
                <input
                  {...attributes}
                  class="input"
                  dir="auto"
                  maxLength={field.maxLength}
                  value={one.symptom}
                  onInput={({ currentTarget }) => change(index, { symptom: currentTarget.value })}
                />
              )}
            </Field>
            <Segments
              label={number === '' ? 'How severe is it?' : `How severe is symptom${number}?`}
              options={SEVERITIES}
              value={one.severity}
              mistake={isSeverityMissing(one) ? severityMistake : undefined}
              set={(severity) => change(index, { severity })}
            />
            {symptoms.length > 1 && (
              <button
                type="button"
                class="link"
                onClick={() => onChange(symptoms.filter((_, other) => other !== index))}
              >
                Remove<span class="unseen"> symptom{number}</span>
              </button>
            )}
          </div>
        )
      })}
      {symptoms.length < field.most && (
        <button
          type="button"
          class="button"
          onClick={() => onChange([...symptoms, { symptom: '', severity: '' }])}
        >
          Another symptom
        </button>
      )}
    </div>
  )
}
