// My patients: who shares readings with the doctor who is signed in.
import { useEffect } from 'preact/hooks'
import type { SharingPatient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { countText } from '../../format/numbers.ts'
import { dateText } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { MANAGES, untilText, whatText } from '../sharing/grant-text.ts'
import './my-patients.css'
import { PatientList } from './patient-list.tsx'

const PAGE = 100

/** With targets, a doctor sees who needs attention; else who shares. */
export function MyPatients(props: ScreenProps) {
  const { session, hasCare } = useApp()
  const { doctorId } = session.person
  if (doctorId === undefined) return <Empty title="Your sign-in names no doctor of the directory." />
  return hasCare ? <PatientList {...props} /> : <SharingPatientsList {...props} />
}

function SharingPatientsList({ rounds, zone, address }: ScreenProps) {
  const { session, sharingPatients, access } = useApp()
  const { person } = session
  const cursor = address.query.get('cursor')
  const { data, error, reload } = useLoad([cursor], async (signal) => {
    const page = await rounds.patients.list({ limit: PAGE, cursor: cursor ?? undefined }, { signal })
    sharingPatients.keep(page.data)
    return page
  })
  // A patient who did not share may share again.
  useEffect(() => access.startAnew(), [])
  if (!data)
    return error === undefined ? (
      <Loading lines={8} height={64} />
    ) : (
      <ErrorNotice error={error} onRetry={reload} />
    )
  const isPart = cursor !== null || data.nextCursor !== null
  return (
    <>
      {data.data.length === 0 ? (
        <Empty title="No patient shares readings with you yet.">
          <span>Patients choose you in the directory, under “Shared with”.</span>
        </Empty>
      ) : (
        <>
          <p class="muted small my-patients-count" role="status">
            {countText(data.data.length, 'patient shares', 'patients share')} readings with you
            {isPart ? ', on this page.' : '.'} Each of them sees when you read.
          </p>
          <ul class="panel my-patients">
            {data.data.map((patient) => (
              <PatientRow key={patient.patientUid} patient={patient} zone={zone} address={address} />
            ))}
          </ul>
        </>
      )}
      <nav class="row more" aria-label="Pages">
        {cursor !== null && (
          <Link class="button" address={address} to={{ query: { cursor: undefined } }}>
            First page
          </Link>
        )}
        {data.nextCursor !== null && (
          <Link class="button" address={address} to={{ query: { cursor: data.nextCursor } }}>
            Next page
          </Link>
        )}
      </nav>
      {person.isStaff && (
        <p class="more">
          <Link address={address} to={{ path: 'today', query: { patient: undefined } }}>
            Open another patient by id
          </Link>
        </p>
      )}
    </>
  )
}

type RowProps = { patient: SharingPatient; zone: string; address: Address }

function PatientRow({ patient, zone, address }: RowProps) {
  const { patientUid, sharedAs, permission, sharedSince } = patient
  const facts = [
    `since ${dateText(sharedSince, zone)}`,
    untilText(patient, zone),
    permission === 'manage' ? `you ${MANAGES}` : '',
  ].filter((fact) => fact !== '')
  return (
    <li>
      <Link class="my-patient" address={address} to={{ path: 'today', query: { patient: patientUid } }}>
        <bdi class="clamp one">{sharedAs ?? patientUid}</bdi>
      </Link>
      <span dir="auto">Shares {whatText(patient)}</span>
      <span class="small muted">{facts.join(' · ')}</span>
    </li>
  )
}
