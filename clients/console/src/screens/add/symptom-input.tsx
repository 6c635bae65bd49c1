// A symptom: what it is, in own words or by one of a few, and then how bad. How bad is never chosen in advance.
import { Field } from '../../ui/fields.tsx'
import { Radios } from '../../ui/radios.tsx'
import { words } from '../../words/words.ts'
import { Chips } from './chips.tsx'

/** As many as a person reads at a glance. */
const MAX_OFFERED = 6
const MAX_LENGTH = 200

type Props = {
  texts: Record<string, string>
  mistakes: { symptom: string | undefined; severity: string | undefined }
  known: readonly string[]
  set: (texts: Record<string, string>) => void
}

export function SymptomInput({ texts, mistakes, known, set }: Props) {
  const { symptom = '', words: own = '', severity } = texts
  const isKnown = (text: string) => known.some((one) => one.toLowerCase() === text.toLowerCase())
  const usual = words.add.symptoms.filter((text) => !isKnown(text))
  const offered = [...known, ...usual].slice(0, MAX_OFFERED)
  return (
    <div class="stack symptoms">
      <div class="field">
        <span class="label">{words.add.whatIsIt}</span>
        <Chips
          legend={words.add.whatIsIt}
          texts={offered}
          chosen={symptom}
          choose={(text) => set({ symptom: text === symptom ? '' : text })}
        />
      </div>
      <Field label={words.add.inYourWords} mistake={mistakes.symptom}>
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            dir="auto"
            maxLength={MAX_LENGTH}
            autocomplete="off"
            value={own}
            onInput={({ currentTarget }) => set({ words: currentTarget.value })}
          />
        )}
      </Field>
      <Radios
        legend={words.add.howBad}
        choices={[
          ['MILD', ...words.add.mild],
          ['MODERATE', ...words.add.moderate],
          ['SEVERE', ...words.add.severe],
        ]}
        chosen={severity}
        mistake={mistakes.severity}
        choose={(chosen) => set({ severity: chosen })}
      />
    </div>
  )
}
