// Done: the doctor has looked at what is shown. It may leave a note and a date to look again, and can be undone for a minute.
import { useRef, useState } from 'preact/hooks'
import type { ListedPatient, ReviewToAdd, RoundsClient } from '../../../../typescript/src/client.ts'
import type { WordOptions } from '../../care/reason-text.ts'
import type { Undoable } from '../../care/undo-look.tsx'
import { instantOfLocal, localInput, momentText } from '../../format/times.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import { useCall } from '../../hooks/use-call.ts'
import { Segments, TextArea } from '../../ui/fields.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { words } from '../../words/words.ts'

const MAX_NOTE = 1_000
const DAYS = ['1', '3', '7', '14', '28']
/** Before the working day begins. */
const AT = 'T06:00'

type Props = {
  patient: ListedPatient
  rounds: RoundsClient
  options: WordOptions
  onDone: (undoable: Undoable, isNext: boolean) => Promise<void>
}

export function Done({ patient, rounds, options, onDone }: Props) {
  const { patientUid, sharedAs, lookAgainAt, look } = patient
  const isPending = hasDateToCome(patient, options)
  const [note, setNote] = useState('')
  const [visibleTo, setVisibleTo] = useState<Said['visibleTo']>()
  const [again, setAgain] = useState(isPending ? 'keep' : 'none')
  const [isAsked, setAsked] = useState(false)
  const { isBusy, error, call } = useCall()
  /** The same look again, where it is not known whether the first attempt was stored; said otherwise, another one. */
  const tried = useRef<{ of: string; review: ReviewToAdd }>(undefined)
  const hasNote = note.trim() !== ''
  const save = (isNext: boolean) => {
    if (hasNote && visibleTo === undefined) return setAsked(true)
    return call(async () => {
      // What is shown now is looked at, not what was shown at the first attempt.
      const of = JSON.stringify(look)
      if (tried.current?.of !== of)
        tried.current = { of, review: reviewOf(patient, { note, visibleTo, again }, options) }
      const sentMs = Date.now()
      const { data } = await rounds.reviews.add(tried.current.review)
      const undoUntilMs = sentMs + Date.parse(data.undoUntil) - Date.parse(data.at)
      await onDone({ patientUid, sharedAs, reviewId: data.reviewId, undoUntilMs }, isNext)
    })
  }
  /** Said otherwise, it is another look. */
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      tried.current = undefined
      set(value)
    }
  return (
    <div class="done">
      <TextArea
        label={words.overview.note}
        value={note}
        set={changing(setNote)}
        maxLength={MAX_NOTE}
        rows={2}
      />
      {(hasNote || visibleTo) && (
        <Segments
          label={words.overview.whoReadsNote}
          options={[
            ['patient', words.overview.patientReadsNote],
            ['doctors', words.overview.doctorsOnly],
          ]}
          value={visibleTo}
          mistake={isAsked && hasNote && !visibleTo ? words.overview.chooseWhoReads : undefined}
          set={changing(setVisibleTo)}
        />
      )}
      <Segments
        label={words.overview.lookAgain}
        options={datesOf(isPending ? lookAgainAt : null, options)}
        value={again}
        set={changing(setAgain)}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <p class="done-buttons">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void save(false)}>
          {isBusy ? words.kit.oneMoment : words.overview.done}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save(true)}>
          {words.overview.doneNext}
        </button>
      </p>
      <p class="small muted">{words.overview.covers(patient.reasons.length)}</p>
    </div>
  )
}

/** A look ends a date that has come. */
const hasDateToCome = ({ lookAgainAt }: ListedPatient, { now }: WordOptions) =>
  lookAgainAt !== null && Date.parse(lookAgainAt) > now

type Said = { note: string; visibleTo: 'patient' | 'doctors' | undefined; again: string }

function reviewOf(
  patient: ListedPatient,
  { note, visibleTo = 'doctors', again }: Said,
  options: WordOptions,
): ReviewToAdd {
  const text = note.trim()
  return {
    patientUid: patient.patientUid,
    reviewId: crypto.randomUUID(),
    ...patient.look,
    ...(text !== '' && { note: text, visibleTo }),
    // What is not said leaves a date as it is.
    ...(again === 'none' ? hasDateToCome(patient, options) && { lookAgainAt: null } : dateIn(again, options)),
  }
}

/** A pending one comes first. */
function datesOf(pending: string | null, { now, zone }: WordOptions): [date: string, text: string][] {
  const days = DAYS.map((count): [string, string] => [count, words.overview.inDays(count)])
  return [
    ...(pending === null ? [] : [['keep', momentText(pending, now, zone)] as [string, string]]),
    ['none', pending === null ? words.overview.no : words.overview.noDate],
    ...days,
  ]
}

function dateIn(days: string, { now, zone }: WordOptions): Pick<ReviewToAdd, 'lookAgainAt'> {
  if (days === 'keep') return {}
  const atMs = startOfDay(now, zone, Number(days))
  const morning = instantOfLocal(`${localInput(atMs, zone).slice(0, 10)}${AT}`, zone)
  return { lookAgainAt: new Date(morning ?? atMs).toISOString() }
}
