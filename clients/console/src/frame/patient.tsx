// Whose readings are shown. A patient sees their own; a carer switches; staff type an id, and are reminded that the patient sees it.
import { useId, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { Dialog } from '../design/dialog.tsx'
import type { Person } from '../session/person.ts'

const SEEN = 'The patient sees in “Who has read” that you have read their readings, and when.'

type Props = { person: Person; patientUid: string; address: Address }

export function PatientChip({ person, patientUid, address }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const id = useId()
  const { patientUids, isStaff } = person
  if (isStaff) {
    return (
      <span class="patient">
        <span class="patient-name" dir="auto" title={patientUid}>
          {patientUid}
        </span>
        <button type="button" class="link small" onClick={() => setChoosing(true)}>
          Change patient
        </button>
        <span class="small">The patient sees this access.</span>
        {isChoosing && (
          <Dialog title="Which patient?" onClose={() => setChoosing(false)}>
            <PatientForm address={address} onDone={() => setChoosing(false)} />
          </Dialog>
        )}
      </span>
    )
  }
  if (patientUids.length < 2 && patientUids.includes(patientUid)) {
    return (
      <span class="patient patient-name" dir="auto" title={patientUid}>
        {patientUid}
      </span>
    )
  }
  const choices = patientUids.includes(patientUid) ? patientUids : [patientUid, ...patientUids]
  return (
    <span class="patient">
      <label class="unseen" for={id}>
        Patient
      </label>
      <select
        id={id}
        class="input choose-patient"
        value={patientUid}
        onChange={({ currentTarget }) =>
          address.go({ query: { patient: currentTarget.value, cursor: undefined } })
        }
      >
        {choices.map((uid) => (
          <option key={uid} value={uid}>
            {uid}
          </option>
        ))}
      </select>
    </span>
  )
}

/** For staff: any patient, by id. */
export function PatientForm({ address, onDone }: { address: Address; onDone?: () => void }) {
  const [uid, setUid] = useState('')
  const id = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    if (uid.trim() === '') return
    address.go({ query: { patient: uid.trim() } })
    onDone?.()
  }
  return (
    <form class="stack" onSubmit={submit}>
      <div class="field">
        <label for={id}>Patient id</label>
        <input
          id={id}
          class="input"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          required
          maxLength={128}
          value={uid}
          onInput={({ currentTarget }) => setUid(currentTarget.value)}
          aria-describedby={`${id}-hint`}
        />
        <span class="hint" id={`${id}-hint`}>
          {SEEN}
        </span>
      </div>
      <div class="row">
        <button class="button primary" type="submit">
          Open the record
        </button>
      </div>
    </form>
  )
}
