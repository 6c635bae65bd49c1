// The form of one type.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { localInput } from '../../words/times.ts'
import { unitSign } from '../../words/units.ts'
import { useDraft } from './draft.ts'
import { FieldInput, Labelled } from './fields.tsx'
import type { ReadingForm } from './form-of.ts'
import { type Mistakes, readForm, type Typed } from './read-form.ts'

type Props = {
  form: ReadingForm
  patientUid: string
  zone: string
  onSend: (reading: Reading) => Promise<void>
  /** A reading that was not accepted, to be corrected. */
  corrected: Typed | undefined
  /** It is in the form. */
  onTaken: () => void
}

const blank = (form: ReadingForm): Typed => ({
  texts: {},
  symptoms: [{ symptom: '', severity: 'MILD' }],
  unit: form.units[0] ?? '',
  at: '',
})

export function AddForm({ form, patientUid, zone, onSend, corrected, onTaken }: Props) {
  const { subject } = useApp().session.person
  const { readingType } = form
  const [typed, setTyped] = useDraft({ subject, patientUid, readingType }, blank(form), corrected)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [error, setError] = useState<unknown>()
  const element = useRef<HTMLFormElement>(null)
  const id = useId()
  const isSending = useRef(false)
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part })
  useEffect(() => {
    if (!corrected) return
    onTaken()
  }, [])

  const submit = async (event: Event) => {
    event.preventDefault()
    const read = readForm(form, typed, { patientUid, zone, now: Date.now() })
    if ('mistakes' in read) {
      setMistakes(read.mistakes)
      // After the messages are there.
      requestAnimationFrame(() => focusOn(element.current, '[aria-invalid=true]'))
      return
    }
    setMistakes({})
    setError(undefined)
    // A second press of an impatient finger is no second reading.
    if (isSending.current) return
    isSending.current = true
    try {
      await onSend(read.reading)
      setTyped({ ...blank(form), unit: typed.unit })
      focusOn(element.current, 'input')
    } catch (failure) {
      setError(failure)
    }
    isSending.current = false
  }
  return (
    <form ref={element} class="stack" noValidate onSubmit={(event) => void submit(event)}>
      {form.units.length > 1 && (
        <div class="field">
          <span class="label" id={`${id}-unit`}>
            Unit
          </span>
          <div class="seg" role="group" aria-labelledby={`${id}-unit`}>
            {form.units.map((unit) => (
              <button
                key={unit}
                type="button"
                aria-pressed={typed.unit === unit}
                onClick={() => change({ unit })}
              >
                {unitSign(unit)}
              </button>
            ))}
          </div>
        </div>
      )}
      <div class="add-fields">
        {form.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            typed={typed}
            mistake={mistakes[field.name]}
            onChange={change}
            zone={zone}
          />
        ))}
      </div>
      <div class="field">
        <span class="label" id={`${id}-when`}>
          When
        </span>
        <div class="seg" role="group" aria-labelledby={`${id}-when`}>
          <button type="button" aria-pressed={typed.at === ''} onClick={() => change({ at: '' })}>
            Now
          </button>
          <button
            type="button"
            aria-pressed={typed.at !== ''}
            onClick={() => typed.at === '' && change({ at: localInput(Date.now(), zone) })}
          >
            Another time
          </button>
        </div>
      </div>
      {typed.at !== '' && (
        <Labelled label="Date and time" mistake={mistakes['timestamp']} hint="">
          {(attributes) => (
            <input
              {...attributes}
              class="input when"
              type="datetime-local"
              value={typed.at}
              onInput={({ currentTarget }) =>
                change({ at: currentTarget.value || localInput(Date.now(), zone) })
              }
            />
          )}
        </Labelled>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary">
          Add
        </button>
      </div>
    </form>
  )
}

function focusOn(within: HTMLElement | null, selector: string) {
  within?.querySelector<HTMLElement>(selector)?.focus()
}
