// Done: the doctor has looked at what is shown. It may leave a note and a date to look again, and can be undone for a minute.
import { useId, useRef, useState } from 'preact/hooks'
import type { ListedPatient, ReviewToAdd, RoundsClient } from '../../../../typescript/src/client.ts'
import type { WordOptions } from '../../care/reason-text.ts'
import { ErrorNotice } from '../../design/notice.tsx'
import { Segments } from '../../design/segments.tsx'
import { instantOfLocal, localInput, momentText } from '../../format/times.ts'
import { startOfDay } from '../../format/zone-calendar.ts'
import { useCall } from '../../hooks/use-call.ts'

const MAX_NOTE = 1_000
const DAYS = ['1', '3', '7', '14', '28']
/** Before the working day begins. */
const AT = 'T06:00'

export type Undoable = Pick<ListedPatient, 'patientUid' | 'sharedAs'> & {
  reviewId: string
  /** By the clock of the browser, which may differ from that of the service. */
  undoUntilMs: number
}

type Props = {
  patient: ListedPatient
  rounds: RoundsClient
  options: WordOptions
  onDone: (undoable: Undoable, isNext: boolean) => void
}

export function Done({ patient, rounds, options, onDone }: Props) {
  const { patientUid, sharedAs, lookAgainAt, look } = patient
  const isPending = hasDateToCome(patient, options)
  const [note, setNote] = useState('')
  const [visibleTo, setVisibleTo] = useState<string>()
  const [again, setAgain] = useState(isPending ? 'keep' : 'none')
  const [isAsked, setAsked] = useState(false)
  const { isBusy, error, call } = useCall()
  const id = useId()
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
      onDone({ patientUid, sharedAs, reviewId: data.reviewId, undoUntilMs }, isNext)
    })
  }
  const change = (set: () => void) => {
    tried.current = undefined
    set()
  }
  return (
    <div class="stack">
      <div class="field">
        <label for={id}>Note (optional)</label>
        <textarea
          id={id}
          class="input"
          dir="auto"
          rows={2}
          maxLength={MAX_NOTE}
          value={note}
          onInput={({ currentTarget }) => change(() => setNote(currentTarget.value))}
        />
      </div>
      <Segments
        label="Who reads the note"
        choices={[
          ['patient', 'The patient can read it'],
          ['doctors', 'For doctors only'],
        ]}
        chosen={visibleTo ?? ''}
        mistake={isAsked && hasNote ? 'Choose who reads the note.' : undefined}
        choose={(chosen) => change(() => setVisibleTo(chosen))}
      />
      <Segments
        label="Look again"
        choices={datesOf(isPending ? lookAgainAt : null, options)}
        chosen={again}
        mistake={undefined}
        choose={(chosen) => change(() => setAgain(chosen))}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <p class="row">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void save(false)}>
          {isBusy ? 'One moment…' : 'Done'}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save(true)}>
          Done, next
        </button>
      </p>
      <p class="small muted">
        Covers what is shown here. What arrives later stays unseen. The patient sees that you looked.
      </p>
    </div>
  )
}

/** A look ends a date that has come. */
const hasDateToCome = ({ lookAgainAt }: ListedPatient, { now }: WordOptions) =>
  lookAgainAt !== null && Date.parse(lookAgainAt) > now

type Said = { note: string; visibleTo: string | undefined; again: string }

function reviewOf(
  patient: ListedPatient,
  { note, visibleTo, again }: Said,
  options: WordOptions,
): ReviewToAdd {
  const text = note.trim()
  return {
    patientUid: patient.patientUid,
    reviewId: crypto.randomUUID(),
    ...patient.look,
    ...(text !== '' && { note: text, visibleTo: visibleTo === 'patient' ? 'patient' : 'doctors' }),
    // What is not said leaves a date as it is.
    ...(again === 'none' ? hasDateToCome(patient, options) && { lookAgainAt: null } : dateIn(again, options)),
  }
}

/** A pending one comes first. */
function datesOf(pending: string | null, { now, zone }: WordOptions): [date: string, text: string][] {
  const days = DAYS.map((count): [string, string] => [count, `${count} d`])
  return [
    ...(pending === null ? [] : [['keep', momentText(pending, now, zone)] as [string, string]]),
    ['none', 'No date'],
    ...days,
  ]
}

function dateIn(days: string, { now, zone }: WordOptions): Pick<ReviewToAdd, 'lookAgainAt'> {
  if (days === 'keep') return {}
  const atMs = startOfDay(now, zone, Number(days))
  const morning = instantOfLocal(`${localInput(atMs, zone).slice(0, 10)}${AT}`, zone)
  return { lookAgainAt: new Date(morning ?? atMs).toISOString() }
}

type UndoProps = { done: Undoable; rounds: RoundsClient; now: number; onUndone: () => void }

/** Offered as long as the service takes it. */
export function Undo({
  done: { patientUid, sharedAs, reviewId, undoUntilMs },
  rounds,
  now,
  onUndone,
}: UndoProps) {
  const [isUndone, setUndone] = useState(false)
  const { isBusy, error, call } = useCall()
  const undo = async () => {
    await rounds.reviews.undo({ patientUid, reviewId })
    setUndone(true)
    onUndone()
  }
  if (now > undoUntilMs) return null
  return (
    <div class="list-undo row" role="status">
      {isUndone ? 'Undone' : 'Done'}: <bdi>{sharedAs ?? patientUid}</bdi>
      {!isUndone && (
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void call(undo)}>
          Undo
        </button>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </div>
  )
}
