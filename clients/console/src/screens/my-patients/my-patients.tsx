// My patients: who shares readings with the doctor who is signed in, those who need somebody first, and why.
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { useLoad } from '../../hooks/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { Pages } from '../../ui/pages.tsx'
import './my-patients.css'
import { words } from '../../words/words.ts'
import { PatientList } from './patient-list.tsx'

export function MyPatients(props: ScreenProps) {
  const { session, hasCare, access } = useApp()
  // A patient who did not share may share again.
  useEffect(() => access.startAnew(), [])
  if (session.person.doctorId === undefined) return <Empty title={words.patients.noDoctor} />
  return hasCare ? <PatientList {...props} /> : <SharingPatients {...props} />
}

/** Where the server judges nothing. */
function SharingPatients({ rounds, address }: ScreenProps) {
  const cursor = address.query.get('cursor') ?? undefined
  const { data, ...awaited } = useLoad([cursor], (signal) =>
    rounds.patients.list({ cursor, limit: 100 }, { signal }),
  )
  if (!data) return <Awaited {...awaited} lines={8} />
  return (
    <div class="list-lines">
      <ul class="panel my-patients">
        {data.data.map(({ patientUid, sharedAs }) => (
          <li key={patientUid}>
            <Link class="link" address={address} to={{ path: 'today', query: { patient: patientUid } }}>
              <bdi>{sharedAs ?? patientUid}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {data.data.length === 0 && <Empty title={words.patients.nobodyShares} />}
      <Pages address={address} next={data.nextCursor} />
    </div>
  )
}
