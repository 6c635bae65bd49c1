// The form of one type. What was typed survives a reload and a new sign-in, in the session storage of the tab.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { localInput } from '../../words/times.ts'
import { unitSign } from '../../words/units.ts'
import { FieldInput, Labelled } from './fields.tsx'
import type { ReadingForm } from './form-of.ts'
import { type Mistakes, readForm, type Typed } from './read-form.ts'

type Props = {
  form: ReadingForm
  patientUid: string
  zone: string
  onSend: (reading: Reading) => Promise<void>
}

const blank = (form: ReadingForm): Typed => ({
  texts: {},
  symptoms: [{ symptom: '', severity: 'MILD' }],
  unit: form.units[0] ?? '',
  at: '',
})

export function AddForm({ form, patientUid, zone, onSend }: Props) {
  const [typed, setTyped] = useDraft(`rounds.draft ${patientUid} ${form.readingType}`, () => blank(form))
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [error, setError] = useState<unknown>()
  const element = useRef<HTMLFormElement>(null)
  const id = useId()
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part })

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
    try {
      await onSend(read.reading)
      setTyped({ ...blank(form), unit: typed.unit })
      focusOn(element.current, 'input')
    } catch (failure) {
      setError(failure)
    }
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

function useDraft(key: string, first: () => Typed): [Typed, (typed: Typed) => void] {
  const [typed, setTyped] = useState<Typed>(() => {
    try {
      const stored = sessionStorage.getItem(key)
      return stored === null ? first() : { ...first(), ...(JSON.parse(stored) as Typed) }
    } catch {
      return first()
    }
  })
  useEffect(() => {
    const isBlank = JSON.stringify(typed) === JSON.stringify({ ...first(), unit: typed.unit })
    if (isBlank) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(typed))
  }, [key, typed])
  return [typed, setTyped]
}
