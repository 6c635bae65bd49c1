// Acknowledges an alert, with a note if there is one. The button has the focus: Enter acknowledges without a note.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useCall } from '../../hooks/use-call.ts'
import { nameOfPatient } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'

const MAX_NOTE = 1_000

type Props = {
  alert: Alert
  rounds: RoundsClient
  /** With what the service says about it. */
  onDone: (said: string) => void
  onClose: () => void
}

export function AcknowledgeDialog({ alert, rounds, onDone, onClose }: Props) {
  const id = useId()
  const [note, setNote] = useState('')
  const { isBusy, error, call } = useCall()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const { patientUid, alertId } = alert
  const save = () =>
    call(async () => {
      const text = note.trim()
      const { message } = await rounds.alerts.acknowledge({
        patientUid,
        alertId,
        ...(text === '' ? {} : { note: text }),
      })
      onDone(message)
      onClose()
    })
  const submit = (event: Event) => {
    event.preventDefault()
    void save()
  }
  const onNoteKey = (event: KeyboardEvent) => {
    // Enter alone makes a line: what is sent cannot be taken back.
    if (event.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) void save()
  }
  const onButtonKey = (event: KeyboardEvent) => {
    // The key that opened this, held down, is no second press.
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  }
  return (
    <Dialog title="Acknowledge this alert" onClose={onClose}>
      <form class="stack alert-dialog" onSubmit={submit}>
        <AlertInDialog alert={alert} />
        <div class="field">
          <label for={id}>Note (optional)</label>
          <textarea
            id={id}
            class="input review-field"
            dir="auto"
            rows={2}
            maxLength={MAX_NOTE}
            value={note}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
            onKeyDown={onNoteKey}
            aria-describedby={`${id}-hint`}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          />
          <span class="hint" id={`${id}-hint`}>
            The patient sees that you acknowledged it, and this note. It stays in the list until the readings
            end it.
          </span>
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button primary"
            ref={button}
            aria-disabled={isBusy}
            onKeyDown={onButtonKey}
          >
            {isBusy ? 'One moment…' : 'Acknowledge'}
            <kbd aria-hidden="true">↵</kbd>
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Which one it is: nobody acknowledges another by mistake. */
function AlertInDialog({ alert }: { alert: Alert }) {
  return (
    <div class="alert-in-dialog" data-severity={alert.severity}>
      <p>
        <SeverityMark severity={alert.severity} />{' '}
        <strong>
          <bdi>{nameOfPatient(alert)}</bdi>
        </strong>
      </p>
      <p dir="auto">{alert.why}</p>
    </div>
  )
}
