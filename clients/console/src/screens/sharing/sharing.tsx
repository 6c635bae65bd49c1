// Shared with: the doctors who see this patient's readings, and what was shared before.
import { useState } from 'preact/hooks'
import type { Grant, GrantChange } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { type NamedDoctor, useDoctorNames } from '../../directory/doctor-names.ts'
import { daysBetween, momentText } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePages } from '../../hooks/use-pages.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../ui/notice.tsx'
import { ShowOlder } from '../../ui/show-older.tsx'
import { words } from '../../words/words.ts'
import { deedOf, endsSoonAt, untilText, whatText } from './grant-text.ts'
import { grantsOfPatient } from './grants-of-patient.ts'
import { RulesAboutMe } from './rules-about-me.tsx'
import './sharing.css'

const PAGE = 50

export function Sharing(props: ScreenProps) {
  const { rounds, patientUid, address } = props
  const { session } = useApp()
  const [said, setSaid] = useState('')
  /** The history is read again after each change. */
  const [changes, setChanges] = useState(0)
  const { data, error, reload } = useLoad([patientUid], (signal) =>
    grantsOfPatient(rounds, patientUid, signal),
  )
  const shown = (data ?? []).filter(({ state }) => state !== 'revoked')
  const nameOfDoctor = useDoctorNames(shown.map(({ doctorId }) => doctorId))
  if (!session.person.patientUids.includes(patientUid)) return <OnlyThePatient />
  return (
    <>
      <section aria-labelledby="doctors-heading">
        <div class="row sharing-head">
          <h2 id="doctors-heading">
            Doctors who can see readings of <bdi>{patientUid}</bdi>
          </h2>
          <Link class="button primary" address={address} to={{ path: 'share' }}>
            Share with a doctor
          </Link>
        </div>
        <p class="unseen" role="status">
          {said}
        </p>
        {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
        {!data && error === undefined && <Loading lines={3} height={92} />}
        {data && shown.length === 0 && (
          <Empty title="No doctor can see these readings.">
            <span>You choose with whom they are shared, which of them, and until when.</span>
          </Empty>
        )}
        {shown.length > 0 && (
          <ul class="panel grants">
            {shown.map((grant) => (
              <GrantRow
                key={grant.doctorId}
                {...props}
                grant={grant}
                doctor={nameOfDoctor(grant.doctorId)}
                onChanged={(text) => {
                  setSaid(text)
                  setChanges((count) => count + 1)
                }}
              />
            ))}
          </ul>
        )}
      </section>
      <RulesAboutMe {...props} version={changes} />
      <History key={changes} {...props} />
    </>
  )
}

function OnlyThePatient() {
  return (
    <Empty title="Only the patient can share these readings.">
      <span>So can those who care for the patient and sign in for them.</span>
    </Empty>
  )
}

type RowProps = ScreenProps & { grant: Grant; doctor: NamedDoctor; onChanged: (said: string) => void }

function GrantRow({ rounds, patientUid, zone, address, grant, doctor, onChanged }: RowProps) {
  const [isStopped, setStopped] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const { doctorId, permission, readingTypes, validUntil, sharedAs, contact, state } = grant
  const endsAt = endsSoonAt(grant, Date.now())
  const isCurrent = state === 'given' && !isStopped
  const change = async () => {
    setBusy(true)
    setError(undefined)
    try {
      if (isStopped) await rounds.grants.add(sameGrant(grant))
      else await rounds.grants.revoke({ patientUid, doctorId })
      setStopped(!isStopped)
      onChanged(`${doctor.name} ${isStopped ? 'can see' : 'can no longer see'} readings of ${patientUid}.`)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const facts = [
    untilText({ validUntil }, zone) || 'no end date',
    sharedAs === null ? `shown by the id ${patientUid}` : `shown as “${sharedAs}”`,
    ...(contact === null ? [] : [words.sharing.contactIs(contact)]),
  ]
  return (
    <li>
      <div class={isCurrent ? 'grant' : 'grant over'}>
        <DoctorName doctor={doctor} doctorId={doctorId} />
        {isStopped ? (
          <span>You stopped sharing. This doctor can no longer see any of these readings.</span>
        ) : (
          <>
            <span>
              {isCurrent ? 'Sees' : 'Saw'} <strong>{whatText({ readingTypes })}</strong>
              {permission === 'manage' && `, ${words.sharing.mayManage}`}
            </span>
            {endsAt !== undefined && !isStopped && (
              <strong class="ends-soon">{words.sharing.endsIn(daysBetween(Date.now(), endsAt, zone))}</strong>
            )}
            <span class="small muted" dir="auto">
              {facts.join(' · ')}
            </span>
          </>
        )}
        {error !== undefined && <ErrorNotice error={error} />}
      </div>
      <div class="grant-actions">
        {!isStopped && (
          <EditLink
            address={address}
            doctorId={doctorId}
            label={isCurrent ? 'Change' : 'Share again'}
            name={doctor.name}
          />
        )}
        {state === 'given' && (
          <button
            type="button"
            class={isStopped ? 'button' : 'link'}
            aria-label={`${isStopped ? 'Undo: share again with' : 'Stop sharing with'} ${doctor.name}`}
            aria-disabled={isBusy}
            // The second click of a double click is none on the button that has become “Undo”.
            onClick={({ detail }) => detail < 2 && !isBusy && void change()}
          >
            {isBusy ? 'One moment…' : isStopped ? 'Undo' : 'Stop sharing'}
          </button>
        )}
        {state === 'expired' && <span class="flag">ended</span>}
      </div>
    </li>
  )
}

type EditProps = { address: Address; doctorId: string; label: string; name: string }

function EditLink({ address, doctorId, label, name }: EditProps) {
  return (
    <Link
      class="link"
      address={address}
      to={{ path: 'share', query: { doctor: doctorId } }}
      label={`${label}: ${name}`}
    >
      {label}
    </Link>
  )
}

function DoctorName({ doctor, doctorId }: { doctor: NamedDoctor; doctorId: string }) {
  return (
    <span dir="auto">
      <strong class="grant-doctor">{doctor.name}</strong>
      {doctor.speciality !== undefined && <span class="muted">, {doctor.speciality}</span>}
      {doctor.isGone && <span class="small muted"> (id {doctorId})</span>}
    </span>
  )
}

/** As it was, to give it again. */
function sameGrant(grant: Grant) {
  const { patientUid, doctorId, permission, readingTypes, validUntil, sharedAs, contact } = grant
  return {
    patientUid,
    doctorId,
    permission,
    readingTypes: readingTypes ?? undefined,
    validUntil: validUntil ?? undefined,
    sharedAs: sharedAs ?? undefined,
    contact: contact ?? undefined,
  }
}

function History({ rounds, patientUid, zone }: ScreenProps) {
  const { session } = useApp()
  const now = useNow()
  const { items, error, reload, older } = usePages([patientUid], (page, signal) =>
    rounds.grants.history({ patientUid, limit: PAGE, ...page }, { signal }),
  )
  const nameOfDoctor = useDoctorNames((items ?? []).map(({ doctorId }) => doctorId))
  return (
    <section class="history" aria-labelledby="history-heading">
      <h2 id="history-heading">What was shared, and who decided it</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!items && error === undefined && <Loading lines={3} />}
      {items?.length === 0 && <p class="muted">Nothing yet.</p>}
      {items && items.length > 0 && (
        <ul class="panel moments">
          {items.map((change) => (
            <li key={`${change.at} ${change.doctorId}`}>
              <time dateTime={change.at}>{momentText(change.at, now, zone)}</time>
              <Sentence
                change={change}
                doctor={nameOfDoctor(change.doctorId)}
                patientUid={patientUid}
                subject={session.person.subject}
                zone={zone}
              />
            </li>
          ))}
        </ul>
      )}
      <ShowOlder {...older} />
    </section>
  )
}

type SentenceProps = {
  change: GrantChange
  doctor: NamedDoctor
  patientUid: string
  subject: string
  zone: string
}

const nameWithinSentence = ({ name, isGone }: NamedDoctor) => (isGone ? name.replace(/^A/, 'a') : name)

/** Whom the server names where an operator's import of the directory ended a grant. */
const DOCTOR_LEFT = 'the doctor left the directory'

/** "You shared blood pressure of child-1 with Dr Willow Sample until 1 Mar 2027." */
function Sentence({ change, doctor, patientUid, subject, zone }: SentenceProps) {
  const { before, after } = deedOf(change, patientUid, zone)
  const hasLeft = change.by === DOCTOR_LEFT
  const by = hasLeft ? 'Rounds' : change.by
  return (
    <span>
      <bdi class="subject">{by === subject ? 'You' : by}</bdi> {before}{' '}
      <bdi>{nameWithinSentence(doctor)}</bdi>
      {after}
      {hasLeft && `, because ${DOCTOR_LEFT}`}.
    </span>
  )
}
