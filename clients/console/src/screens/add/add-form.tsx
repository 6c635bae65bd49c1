// The form of one type.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { unitSign } from '../../format/units.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useOutbox } from '../../outbox/outbox.ts'
import { useNamedFor } from '../../patients/sharing-patients.ts'
import { draftKey } from '../../storage/drafts.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'
import { Ask } from './ask.tsx'
import { FieldInput } from './fields.tsx'
import type { ReadingForm } from './form-of.ts'
import { likelyUnit, type Question, questionAbout } from './question.ts'
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
  /** What this patient has said before in words of this type. */
  known: readonly string[]
  /** Whether one has come to type: not where an answer is to be read first. */
  takesFocus: boolean
  /** Sets what is typed apart: what corrects one reading is no draft of another. */
  draft: string
}

const blank = (form: ReadingForm): Typed => ({
  texts: {},
  unit: onlyUnitOf(form),
  at: '',
})

export function AddForm(props: Props) {
  const { form, patientUid, zone, onSend, corrected, known, takesFocus } = props
  const named = useNamedFor(patientUid)
  const { begun, typed, change, forget, likely, setLikely } = useTyped(props)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [question, setQuestion] = useState<Question>()
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) element.current?.querySelector<HTMLElement>('.add-fields input[name]')?.focus()
  }, [])

  const { error, send } = useSend(async (reading) => {
    setQuestion(undefined)
    await onSend(reading)
    forget()
    change({ ...begun, unit: corrected?.unit ?? unitOf(reading) ?? typed.unit })
  })
  const submit = (what: Typed) => {
    const read = readForm(form, what, { patientUid, zone, now: Date.now() })
    setMistakes('mistakes' in read ? read.mistakes : {})
    setLikely('mistakes' in read ? likelyUnit(form, what) : undefined)
    if ('mistakes' in read) return focusOn(element, '[aria-invalid=true], .choice-missing button')
    const doubtful = questionAbout(form, read.reading)
    if (doubtful) setQuestion(doubtful)
    else void send(read.reading)
  }
  return (
    <form
      ref={element}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(typed)
      }}
    >
      <div class="add-fields">
        {form.fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            typed={typed}
            mistakes={mistakes}
            known={known}
            next={form.fields.find((one) => one.kind === 'number' && one.below === field.name)?.name}
            onChange={change}
            onSendText={(text) => submit({ ...typed, texts: { ...typed.texts, [field.name]: text } })}
          />
        ))}
      </div>
      <UnitPart {...{ form, typed, likely, change, submit }} mistake={mistakes['unit']} />
      <WhenChoice
        at={typed.at}
        zone={zone}
        mistake={mistakes['timestamp']}
        onChoose={(at) => change({ at })}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="row">
        <button type="submit" class="button primary add-for" dir="auto">
          {words.add.addFor(named)}
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

type UnitProps = {
  form: ReadingForm
  typed: Typed
  likely: string | undefined
  mistake: string | undefined
  change: (part: Partial<Typed>) => void
  submit: (typed: Typed) => void
}

/** The unit of a type with several, and the one in which the numbers are plausible, by one press. */
function UnitPart({ form, typed, likely, mistake, change, submit }: UnitProps) {
  if (form.units.length < 2) return null
  return (
    <>
      <UnitChoice
        units={form.units}
        chosen={typed.unit}
        mistake={mistake}
        onChoose={(unit) => change({ unit })}
      />
      {likely !== undefined && likely !== typed.unit && (
        <p class="row likely" role="status">
          {words.add.looksLike(numbersText(form, typed), unitSign(likely))}
          <button type="button" class="button" onClick={() => submit({ ...typed, unit: likely })}>
            {words.add.useUnit(unitSign(likely))}
          </button>
        </p>
      )}
    </>
  )
}

function useTyped({ form, patientUid, corrected, draft: name }: Props) {
  const { person } = useApp().session
  const begun = corrected ?? blank(form)
  const key = draftKey(person.subject, patientUid, form.readingType, name)
  const [draft, setTyped] = useDraft(key, begun)
  const usedUnit = useUsedUnit(form, patientUid)
  /** The unit in which alone the numbers are plausible, once one has tried to add them in another. */
  const [likely, setLikely] = useState<string>()
  return {
    begun,
    typed: { ...draft, unit: draft.unit || (usedUnit ?? '') },
    change: (part: Partial<Typed>) => {
      // It was said of other numbers.
      setLikely(undefined)
      setTyped({ ...draft, ...part })
    },
    likely,
    setLikely,
    /** The form of a correction is no longer there once it is sent. */
    forget: () => sessionStorage.removeItem(key),
  }
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

/** "145", "128/82". */
const numbersText = ({ fields }: ReadingForm, { texts }: Typed) =>
  fields.flatMap(({ name, kind }) => (kind === 'number' ? (texts[name]?.trim() ?? []) : [])).join('/')

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
