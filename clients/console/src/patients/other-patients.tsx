// On the screens of one patient: the newest reading of the others whom the reader cares for, the one with something new first.
import type { Address } from '../address.ts'
import { useApp } from '../app.ts'
import { judgedNow } from '../care/in-target.ts'
import { PlaceMark } from '../care/place-mark.tsx'
import { useTargetsOfPatients } from '../care/targets.ts'
import { Link } from '../design/link.tsx'
import { countText } from '../format/numbers.ts'
import { type Catalogue, readingText } from '../format/reading-text.ts'
import { ageOf, sinceText } from '../format/times.ts'
import { nameOf } from '../format/type-names.ts'
import { useLoad } from '../hooks/use-load.ts'
import { useNow } from '../hooks/use-now.ts'
import type { PatientNewest } from './newest-of-patients.ts'
import './other-patients.css'
import { usePatientNames } from './sharing-patients.ts'
import { useNewestOfPatients } from './use-newest-of-patients.ts'

/** Of a row; a narrow window shows the first. */
const MAX_SHOWN = 3

type Props = { patientUid: string; zone: string; address: Address }

export function OtherPatients({ patientUid, zone, address }: Props) {
  const { catalogue, session } = useApp()
  const { data: types } = useLoad('catalogue', () => catalogue())
  const others = useNewestOfPatients({ besides: patientUid }).toSorted(newFirst)
  const uids = others.map((other) => other.patientUid)
  const targets = useTargetsOfPatients(uids)
  const nameOfPatient = usePatientNames(uids.toSorted())
  const now = useNow()
  const arrived = others.filter(({ newCount }) => newCount > 0)
  return (
    <div class="others">
      <p class="unseen" role="status">
        {types &&
          arrived
            .map((other) => `${nameOfPatient(other.patientUid)}: ${newText(other, types, zone)}`)
            .join('. ')}
      </p>
      {others.slice(0, MAX_SHOWN).map((other) => (
        <Link
          key={other.patientUid}
          class={`other${other.newCount > 0 ? ' has-new' : ''}`}
          address={address}
          to={{ path: 'today', query: { patient: other.patientUid } }}
        >
          <bdi class="other-name" title={other.patientUid}>
            {nameOfPatient(other.patientUid)}
          </bdi>
          {types && <Newest other={other} types={types} targets={targets} zone={zone} now={now} />}
          {other.newCount > 0 && <span class="flag new">{other.newCount} new</span>}
        </Link>
      ))}
      <Link class="other all" address={address} to={{ path: 'everyone' }}>
        All {session.person.patientUids.length}
        <span class="unseen"> patients</span>
      </Link>
    </div>
  )
}

type NewestProps = {
  other: PatientNewest
  types: Catalogue
  targets: Pick<ReturnType<typeof useTargetsOfPatients>, 'of'>
  zone: string
  now: number
}

/** The value first: what is said after it may be cut. */
function Newest({ other, types, targets, zone, now }: NewestProps) {
  const { last, error } = other
  const [newest] = last?.readings ?? []
  if (!last) return <span class="other-said">{error === undefined ? '…' : 'could not be read'}</span>
  if (!newest) return <span class="other-said">no readings yet</span>
  const entry = types.get(newest.readingType)
  const { value, unit } = readingText(newest, entry, zone)
  const judged = judgedNow(newest, entry, {
    targets: targets.of(other.patientUid, newest.readingType),
    now,
  })
  const isOutside = judged?.some(({ place }) => place !== 'in')
  return (
    <span class="other-said">
      <bdi>
        <b>
          {value} {unit}
        </b>
      </bdi>{' '}
      {judged && isOutside && <PlaceMark judged={judged} />} <bdi>{nameOf(newest.readingType)}</bdi>,{' '}
      {ageOf(newest.measuredAt, now, zone).text}
      {error !== undefined && `, as of ${sinceText(last.atMs, now, zone)}`}
    </span>
  )
}

function newText({ last, newCount }: PatientNewest, types: Catalogue, zone: string): string {
  const [newest] = last?.readings ?? []
  if (!newest) return ''
  const { value, unit } = readingText(newest, types.get(newest.readingType), zone)
  return `${countText(newCount, 'new reading')}, ${nameOf(newest.readingType)} ${value} ${unit}`
}

function newFirst(one: PatientNewest, other: PatientNewest): number {
  return Number(other.newCount > 0) - Number(one.newCount > 0) || newestMs(other) - newestMs(one)
}

const newestMs = ({ last }: PatientNewest) => Date.parse(last?.readings[0]?.measuredAt ?? '') || 0
