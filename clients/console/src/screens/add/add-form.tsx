// The form of one type.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import { namedFor } from '../../session/patient-for.ts'
import { draftKey } from '../../storage/drafts.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Ask } from './ask.tsx'
import { FieldInput } from './fields.tsx'
import type { ReadingForm } from './form-of.ts'
import { type Question, questionAbout } from './question.ts'
import { type Mistakes, onlyUnitOf, readForm, type Typed } from './read-form.ts'
import { UnitChoice } from './unit-choice.tsx'
import { WhenChoice } from './when-choice.tsx'

type Props = {
  form: ReadingForm
  patientUid: string
  zone: string
  onSend: (reading: Reading) => Promise<void>
  /** A reading that was not accepted, to be corrected. */
  corrected: Typed | undefined
  /** Sets what is typed apart: what corrects one reading is no draft of another. */
  draft: string
}

const blank = (form: ReadingForm): Typed => ({
  texts: {},
  symptoms: [{ symptom: '', severity: '' }],
  unit: onlyUnitOf(form),
  at: '',
})

export function AddForm({ form, patientUid, zone, onSend, corrected, draft: name }: Props) {
  const { person } = useApp().session
  const begun = corrected ?? blank(form)
  const [draft, setTyped] = useDraft(draftKey(person.subject, patientUid, form.readingType, name), begun)
  const usedUnit = useUsedUnit(form, patientUid)
  const typed = { ...draft, unit: draft.unit || (usedUnit ?? '') }
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [question, setQuestion] = useState<Question>()
  const element = useRef<HTMLFormElement>(null)
  const change = (part: Partial<Typed>) => setTyped({ ...draft, ...part })
  const { error, send } = useSend(async (reading) => {
    setQuestion(undefined)
    await onSend(reading)
    setTyped({ ...begun, unit: corrected?.unit ?? unitOf(reading) ?? typed.unit })
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const read = readForm(form, typed, { patientUid, zone, now: Date.now() })
    setMistakes('mistakes' in read ? read.mistakes : {})
    if ('mistakes' in read) return focusOn(element, '[aria-invalid=true], .choice-missing button')
    const doubtful = questionAbout(form, read.reading)
    if (doubtful) setQuestion(doubtful)
    else void send(read.reading)
  }
  return (
    <form ref={element} class="stack" noValidate onSubmit={submit}>
      {form.units.length > 1 && (
        <UnitChoice
          units={form.units}
          chosen={typed.unit}
          mistake={mistakes['unit']}
          onChoose={(unit) => change({ unit })}
        />
      )}
      <div class="add-fields">
        {form.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            typed={typed}
            mistakes={mistakes}
            onChange={change}
            zone={zone}
          />
        ))}
      </div>
      <WhenChoice
        at={typed.at}
        zone={zone}
        mistake={mistakes['timestamp']}
        onChoose={(at) => change({ at })}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary add-for" dir="auto">
          Add{namedFor(person, patientUid)}
        </button>
      </div>
      {question && (
        <Ask
          question={question}
          onAdd={(unit) => void send({ ...question.reading, ...(unit === undefined ? {} : { unit }) })}
          onChange={() => {
            setQuestion(undefined)
            focusOn(element, `[name="${question.field}"]`)
          }}
        />
      )}
    </form>
  )
}

function useSend(onSend: (reading: Reading) => Promise<void>) {
  const [error, setError] = useState<unknown>()
  const isSending = useRef(false)
  const send = async (reading: Reading) => {
    // A second press of an impatient finger is no second reading.
    if (isSending.current) return
    isSending.current = true
    setError(undefined)
    try {
      await onSend(reading)
    } catch (failure) {
      setError(failure)
    }
    isSending.current = false
  }
  return { error, send }
}

const unitOf = (reading: Reading) => (typeof reading['unit'] === 'string' ? reading['unit'] : undefined)

/** After what is there to focus on is drawn. */
function focusOn(within: { current: HTMLElement | null }, selector: string) {
  requestAnimationFrame(() => within.current?.querySelector<HTMLElement>(selector)?.focus())
}

/**
 * What was typed and not sent: it survives a reload and a new sign-in, in the session storage of the tab. Each person has their own,
 * and signing out removes them.
 */
function useDraft(key: string, begun: Typed): [Typed, (typed: Typed) => void] {
  const [typed, setTyped] = useState<Typed>(() => stored(key, begun))
  useEffect(() => {
    const isAsBegun = JSON.stringify(typed) === JSON.stringify({ ...begun, unit: typed.unit })
    if (isAsBegun) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(typed))
  }, [key, typed])
  return [typed, setTyped]
}

function stored(key: string, begun: Typed): Typed {
  const text = sessionStorage.getItem(key)
  return text === null ? begun : { ...begun, ...(JSON.parse(text) as Typed) }
}

/** The unit that the patient used last for the type: that of a reading which waits on this device, else of the newest one stored. */
function useUsedUnit({ readingType, units }: ReadingForm, patientUid: string): string | undefined {
  const { rounds, outbox } = useApp()
  const { waiting } = useOutbox(outbox)
  const { data } = useLoad([patientUid, readingType], async (signal) => {
    if (units.length < 2) return undefined
    return rounds.latestReadings({ patientUid, readingType: [readingType] }, { signal })
  })
  const queued = waiting
    .map(({ reading }) => reading)
    .findLast((reading) => reading.patientUid === patientUid && reading.readingType === readingType)
  const newest = data?.data.find((reading) => reading.patientUid === patientUid)
  return units.find((unit) => unit === (queued ?? newest)?.['unit'])
}
