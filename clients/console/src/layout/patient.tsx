// Whose readings are shown. A patient sees their own; a carer switches; a doctor comes from the list of those who share; staff type
// an id, say why, and are reminded that the patient sees it.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { listText } from '../format/list-text.ts'
import { nameWithin } from '../format/type-names.ts'
import type { Refusal } from '../patients/patient-access.ts'
import { usePatientName, usePatientNames } from '../patients/sharing-patients.ts'
import type { Person } from '../session/person.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { Empty } from '../ui/notice.tsx'
import { MY_PATIENTS } from './screen-names.ts'

const SEEN = 'The patient sees in “Who has read” that you have read their readings, when, and why.'
/** As the service takes them. */
const [MIN_REASON, MAX_REASON] = [3, 200]

type Props = { person: Person; patientUid: string; address: Address }

export function PatientChip({ person, patientUid, address }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const id = useId()
  const { patientUids, isStaff } = person
  const nameOf = usePatientNames(
    patientUids.includes(patientUid) ? patientUids : [patientUid, ...patientUids],
  )
  const name = nameOf(patientUid)
  if (isStaff) {
    return (
      <span class="patient">
        <span class="patient-name" dir="auto" title={patientUid}>
          {name}
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
        onChange={({ currentTarget }) => address.go({ query: { patient: currentTarget.value } })}
      >
        {choices.map((uid) => (
          <option key={uid} value={uid}>
            {nameOf(uid) === uid ? uid : `${nameOf(uid)} · ${uid}`}
          </option>
        ))}
      </select>
    </span>
  )
}

/** For a doctor with whom the patient shares some types only: nothing is left out silently. */
export function LimitedTo({ patientUid, types }: { patientUid: string; types: readonly string[] }) {
  const name = usePatientName(patientUid)
  return (
    <p class="notice limited-to">
      <span>
        <bdi>{name}</bdi> shares only <strong>{listText(types.map(nameWithin))}</strong> with you. Other
        readings are not shown here.
      </span>
    </p>
  )
}

type RefusedProps = Pick<Props, 'patientUid' | 'address'> & { refusal: Refusal }

/** In place of a screen: the service does not show this patient, or not yet. */
export function Refused({ refusal, patientUid, address }: RefusedProps) {
  if (refusal === 'NotShared') return <NotShared address={address} />
  return <AskReason patientUid={patientUid} address={address} />
}

function NotShared({ address }: { address: Address }) {
  return (
    <Empty title="This patient does not share readings with you.">
      <span role="alert">They may have stopped sharing, or the time for which they shared is over.</span>
      <Link class="button" address={address} to={{ path: MY_PATIENTS, query: { patient: undefined } }}>
        Back to my patients
      </Link>
    </Empty>
  )
}

/** For staff, where the service answers only with a reason: they came by a link, or left the reason out. */
function AskReason({ patientUid, address }: Pick<Props, 'patientUid' | 'address'>) {
  return (
    <section class="panel choose" aria-label="Give a reason">
      <div role="alert">
        <h2>Why do you open this record?</h2>
        <p class="muted">This service shows readings to staff only with a reason.</p>
      </div>
      <PatientForm address={address} typed={patientUid} />
    </section>
  )
}

type FormProps = {
  address: Address
  /** The id, where only the reason is missing. */
  typed?: string
  onDone?: () => void
}

/** For staff: any patient, by id, and why. */
export function PatientForm({ address, typed, onDone }: FormProps) {
  const [uid, setUid] = useState(typed ?? '')
  const { access } = useApp()
  const [reason, setReason] = useState('')
  const id = useId()
  const why = useRef<HTMLInputElement>(null)
  const isRequired = access.isReasonRequired()
  useEffect(() => {
    if (typed !== undefined) why.current?.focus()
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const [patient, words] = [uid.trim(), reason.replace(/\s+/g, ' ').trim()]
    if (patient === '' || (isRequired && words.length < MIN_REASON)) return
    if (words !== '') access.giveReason(patient, words)
    address.go({ query: { patient } })
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
        />
      </div>
      <div class="field">
        <label for={`${id}-why`}>Why?{isRequired ? '' : ' (optional)'}</label>
        <input
          id={`${id}-why`}
          ref={why}
          class="input"
          dir="auto"
          autocomplete="off"
          required={isRequired}
          minLength={MIN_REASON}
          maxLength={MAX_REASON}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          aria-describedby={`${id}-hint`}
        />
        <span class="hint" id={`${id}-hint`}>
          Such as “called with chest pain”. {SEEN}
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
