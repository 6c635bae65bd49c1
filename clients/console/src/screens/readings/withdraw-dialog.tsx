// Withdrawing a reading that was entered in error, with a reason for those who read the record, and restoring it.
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { ReadingTypeEntry, RoundsClient, StoredReading } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { readingText } from '../../format/reading-text.ts'
import { dateTimeText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import type { Person } from '../../session/person.ts'

const MAX_REASON = 500

type Props = {
  rounds: RoundsClient
  reading: StoredReading
  entry: ReadingTypeEntry | undefined
  person: Person
  zone: string
  onDone: (changed: StoredReading) => void
  onClose: () => void
}

export function WithdrawDialog(props: Props) {
  const [reason, setReason] = useState('')
  const id = useId()
  const { rounds, reading, person } = props
  const { patientUid, readingId, timestamp } = reading
  const withdraw = async (): Promise<StoredReading> => {
    // One line: the service takes no control characters.
    const words = reason.replace(/\s+/g, ' ').trim()
    await rounds.withdrawReading({ patientUid, readingId, timestamp, reason: words })
    const allowedAs = person.mayWithdraw ? 'staff' : 'patient'
    return {
      ...reading,
      withdrawn: { at: new Date().toISOString(), by: person.subject, allowedAs, reason: words },
    }
  }
  return (
    <Changing {...props} title="Withdraw this reading?" verb="Withdraw" change={withdraw}>
      <p>It stays in the record, struck through, and no longer counts in charts and statistics.</p>
      <div class="field">
        <label for={id}>Why is it wrong?</label>
        <input
          id={id}
          class="input"
          dir="auto"
          required
          maxLength={MAX_REASON}
          autocomplete="off"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          aria-describedby={`${id}-hint`}
        />
        <span class="hint" id={`${id}-hint`}>
          Such as “typed in pounds instead of kilograms”. Everyone who reads the record sees it.
        </span>
      </div>
    </Changing>
  )
}

export function RestoreDialog(props: Props) {
  const { rounds, reading } = props
  const { patientUid, readingId, timestamp } = reading
  const restore = async (): Promise<StoredReading> => {
    await rounds.restoreReading({ patientUid, readingId, timestamp })
    const { withdrawn: _, ...restored } = reading as StoredReading & { withdrawn?: unknown }
    return restored
  }
  return (
    <Changing {...props} title="Restore this reading?" verb="Restore" change={restore}>
      <p>It counts again, as if it had never been withdrawn.</p>
    </Changing>
  )
}

type ChangingProps = Props & {
  title: string
  verb: string
  change: () => Promise<StoredReading>
  children: ComponentChildren
}

function Changing({ title, verb, change, children, reading, entry, zone, onDone, onClose }: ChangingProps) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const { value, unit } = readingText(reading, entry, zone)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      onDone(await change())
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p class="withdraw-what">
          <span class="muted small">
            {nameOf(reading.readingType)}, {dateTimeText(reading.measuredAt, zone)}
          </span>
          <strong class="clamp" dir="auto">
            {value} {unit}
          </strong>
        </p>
        {children}
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? 'One moment…' : verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
