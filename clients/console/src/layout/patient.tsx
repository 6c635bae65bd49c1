// Whose readings are shown. A patient sees their own; a carer switches; a doctor comes from the list of those who share; staff type
// an id, say why, and are reminded that the patient sees it.
import { useId, useState } from 'preact/hooks'
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { nameWithin } from '../format/type-names.ts'
import type { Refusal } from '../patients/patient-access.ts'
import { usePatientName, usePatientNames } from '../patients/sharing-patients.ts'
import type { Person } from '../session/person.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Link } from '../ui/link.tsx'
import { Empty } from '../ui/notice.tsx'
import { listed } from '../words/language.ts'
import { words } from '../words/words.ts'
import { MY_PATIENTS } from './screen-names.ts'

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
          {words.frame.changePatient}
        </button>
        <span class="small">{words.frame.patientSeesAccess}</span>
        {isChoosing && (
          <Dialog title={words.frame.whichPatient} onClose={() => setChoosing(false)}>
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
        {words.frame.patient}
      </label>
      <select
        id={id}
        class="input choose-patient"
        value={patientUid}
        // What is corrected is a reading of the other patient.
        onChange={({ currentTarget: { value: patient } }) =>
          address.go({ query: { patient, correct: undefined, change: undefined } })
        }
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
        {words.frame.limitedTo(<bdi>{name}</bdi>, <strong>{listed(types.map(nameWithin))}</strong>)}
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
    <Empty title={words.frame.doesNotShare}>
      <span role="alert">{words.frame.mayHaveStopped}</span>
      <Link class="button" address={address} to={{ path: MY_PATIENTS, query: { patient: undefined } }}>
        {words.frame.backToPatients}
      </Link>
    </Empty>
  )
}

/** For staff, where the service answers only with a reason: they came by a link, or left the reason out. */
function AskReason({ patientUid, address }: Pick<Props, 'patientUid' | 'address'>) {
  return (
    <section class="panel choose" aria-label={words.frame.giveReason}>
      <div role="alert">
        <h2>{words.frame.whyOpen}</h2>
        <p class="muted">{words.frame.onlyWithReason}</p>
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
  const isRequired = access.isReasonRequired()
  const submit = (event: Event) => {
    event.preventDefault()
    const [patient, why] = [uid.trim(), reason.replace(/\s+/g, ' ').trim()]
    if (patient === '' || (isRequired && why.length < MIN_REASON)) return
    if (why !== '') access.giveReason(patient, why)
    address.go({ query: { patient } })
    onDone?.()
  }
  return (
    <form class="stack" onSubmit={submit}>
      <TextField label={words.frame.patientId} value={uid} set={setUid} maxLength={128} isRequired isId />
      <TextField
        label={words.frame.why(isRequired)}
        hint={`${words.frame.suchAs} ${words.frame.patientSees}`}
        value={reason}
        set={setReason}
        minLength={MIN_REASON}
        maxLength={MAX_REASON}
        isRequired={isRequired}
        isFocused={typed !== undefined}
      />
      <div class="row">
        <button class="button primary" type="submit">
          {words.frame.openRecord}
        </button>
      </div>
    </form>
  )
}
