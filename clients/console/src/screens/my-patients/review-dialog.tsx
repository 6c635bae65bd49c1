// Marks a patient as reviewed, with a note if there is one.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useCall } from '../../hooks/use-call.ts'
import type { ListedPatient } from './listed-patient.ts'

const MAX_NOTE = 1_000

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
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) void save(note)
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
