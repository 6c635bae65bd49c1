// Marks a patient as reviewed, with a note if there is one. The list opens it by key, the side panel by its button. R twice is a review
// without a note.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useCall } from '../../hooks/use-call.ts'
import type { ListedPatient } from './listed-patient.ts'

const MAX_NOTE = 1_000
/** A second R that comes so soon is none of a note. */
const TWICE_WITHIN_MS = 400

type Props = {
  patient: ListedPatient
  rounds: RoundsClient
  onReviewed: () => void
  onClose: () => void
}

/** Of a patient who lets the doctor review. */
export function ReviewDialog(props: Props) {
  const { patient, onClose } = props
  const id = useId()
  const [note, setNote] = useState('')
  const { isBusy, error, save } = useSave(props)
  const field = useRef<HTMLTextAreaElement>(null)
  const openedMs = useRef(0)
  useEffect(() => {
    openedMs.current = performance.now()
    field.current?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const isKeyOfList = event.key.toLowerCase() === 'r' && note === '' && !event.ctrlKey && !event.metaKey
    const isTwice = isKeyOfList && performance.now() - openedMs.current < TWICE_WITHIN_MS
    const isEnter = event.key === 'Enter' && !event.shiftKey
    // The R that opened this, held down, is none of a note either.
    if (isTwice || isEnter || (isKeyOfList && event.repeat)) event.preventDefault()
    if ((isTwice || isEnter) && !event.repeat) void save(note)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void save(note)
  }
  return (
    <Dialog title="Mark as reviewed" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          You looked at the readings of{' '}
          <strong>
            <bdi>{patient.sharedAs ?? patient.patientUid}</bdi>
          </strong>
          .
        </p>
        <div class="field">
          <label for={id}>Note (optional)</label>
          <textarea
            id={id}
            ref={field}
            class="input review-field"
            dir="auto"
            rows={4}
            maxLength={MAX_NOTE}
            value={note}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
            onKeyDown={onKeyDown}
            aria-describedby={`${id}-hint`}
          />
          <span class="hint" id={`${id}-hint`}>
            The patient sees this note. It cannot be changed or undone afterwards, but you can add another.
          </span>
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            {isBusy ? 'One moment…' : note.trim() === '' ? 'Save without a note' : 'Save'}
            <kbd aria-hidden="true">↵</kbd>
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The same review again, where it is not known whether the first attempt was stored; with another note, another one. */
function useSave({ patient: { patientUid }, rounds, onReviewed, onClose }: Props) {
  const { isBusy, error, call } = useCall()
  const tried = useRef<{ note: string; reviewId: string }>(undefined)
  const save = (text: string) =>
    call(async () => {
      const note = text.trim()
      if (tried.current?.note !== note) tried.current = { note, reviewId: crypto.randomUUID() }
      const { reviewId } = tried.current
      await rounds.reviews.add({ patientUid, reviewId, ...(note === '' ? {} : { note }) })
      onReviewed()
      onClose()
    })
  return { isBusy, error, save }
}
