// Everyone: all patients of a carer's token with their newest readings, on one screen.
import { useId } from 'preact/hooks'
import type { StoredReading, Target } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { judgedNow, rangesOf } from '../../care/in-target.ts'
import { PlaceMark } from '../../care/place-mark.tsx'
import { useTargetsOfPatients } from '../../care/targets.ts'
import { errorText } from '../../format/error-text.ts'
import { countText } from '../../format/numbers.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { ageOf, fullText, sinceText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useOnline } from '../../hooks/use-online.ts'
import { EVERY_MS, type PatientNewest } from '../../patients/newest-of-patients.ts'
import { usePatientNames } from '../../patients/sharing-patients.ts'
import { useNewestOfPatients } from '../../patients/use-newest-of-patients.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice, Loading } from '../../ui/notice.tsx'
import './everyone.css'

/** So many fit into a card beside others; the rest is a link away. */
const MAX_TYPES = 5

export function Everyone({ zone, address }: ScreenProps) {
  const { catalogue, newestOfPatients, session } = useApp()
  const { data: types, error, reload } = useLoad('catalogue', () => catalogue())
  const patients = useNewestOfPatients()
  const shown = patients.map(({ patientUid }) => patientUid)
  const targets = useTargetsOfPatients(shown)
  const nameOfPatient = usePatientNames(shown)
  const now = useNow()
  const { patientUids } = session.person
  const { notListed } = newestOfPatients
  if (!types && error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
  return (
    <>
      <p class="muted small everyone-note">
        Read again every minute. Times in {zone}.
        {targets.error !== undefined && ' The targets could not be read.'}
      </p>
      <div class="everyone">
        {patients.map((patient) => (
          <PatientCard
            key={patient.patientUid}
            patient={patient}
            name={nameOfPatient(patient.patientUid)}
            types={types}
            targetOf={(readingType) => targets.of(patient.patientUid, readingType)}
            now={now}
            zone={zone}
            address={address}
          />
        ))}
      </div>
      {notListed > 0 && (
        <NotListed patientUids={patientUids} count={notListed} shown={patients.length} address={address} />
      )}
    </>
  )
}

type CardProps = {
  patient: PatientNewest
  /** The id where none is known. */
  name: string
  types: Catalogue | undefined
  targetOf: (readingType: string) => Target | undefined
  now: number
  zone: string
  address: Address
}

function PatientCard(props: CardProps) {
  const { patient, name, types, now, zone, address } = props
  const { patientUid, last, error } = patient
  const isOnline = useOnline()
  const id = useId()
  const isOld = last !== undefined && (error !== undefined || !isOnline || now - last.atMs > 3 * EVERY_MS)
  const more = (last?.readings.length ?? 0) - MAX_TYPES
  return (
    <article class="panel patient-card" aria-labelledby={id}>
      <h2 id={id}>
        <Link address={address} to={{ path: 'today', query: { patient: patientUid } }}>
          <bdi>{name}</bdi>
        </Link>
        {name !== patientUid && <bdi class="muted small"> {patientUid}</bdi>}
      </h2>
      {error !== undefined && (
        <p class="wrong" role="alert" dir="auto">
          {errorText(error).title}
        </p>
      )}
      {isOld && <p class="as-of">As of {sinceText(last.atMs, now, zone)}</p>}
      {!last || !types ? (
        error === undefined && <Loading lines={3} height={24} />
      ) : last.readings.length === 0 ? (
        <p class="muted">No readings yet.</p>
      ) : (
        <table>
          <thead class="unseen">
            <tr>
              <th>What</th>
              <th>Newest value</th>
              <th>When</th>
            </tr>
          </thead>
          <tbody>
            {last.readings.slice(0, MAX_TYPES).map((reading) => (
              <Newest key={reading.readingType} {...props} reading={reading} types={types} />
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p class="muted small">and {countText(more, 'more type')}</p>}
      <p class="patient-foot">
        <Link class="button" address={address} to={{ path: 'today', query: { patient: patientUid } }}>
          Open<span class="unseen"> {patientUid}</span>
        </Link>
        <Link class="button" address={address} to={{ path: 'add', query: { patient: patientUid } }}>
          <span class="clamp one" dir="auto">
            Add for {patientUid}
          </span>
        </Link>
      </p>
    </article>
  )
}

type NewestProps = Pick<CardProps, 'targetOf' | 'now' | 'zone'> & {
  reading: StoredReading
  types: Catalogue
}

function Newest({ reading, types, targetOf, now, zone }: NewestProps) {
  const { readingType, measuredAt } = reading
  const { hasCare } = useApp()
  const entry = types.get(readingType)
  const { value, unit, measured } = readingText(reading, entry, zone)
  const age = ageOf(measuredAt, now, zone)
  const judged = judgedNow(reading, entry, { ranges: rangesOf(targetOf(readingType), entry), now })
  // There is room for the words before the targets are read: nothing moves when they come.
  const mayBeJudged = hasCare && entry !== undefined && measured.length > 0 && !age.mark
  return (
    <tr class={mayBeJudged ? 'has-place' : undefined}>
      <th scope="row">
        <bdi class="clamp">{nameOf(readingType)}</bdi>
      </th>
      <td class="said">
        <bdi class="clamp">
          <b>{value}</b> {unit}
        </bdi>
        {judged && <PlaceMark judged={judged} />}
      </td>
      <td class="age">
        <time dateTime={measuredAt} title={fullText(measuredAt, zone)}>
          {age.text}
        </time>
        {age.mark === 'old' && <span class="flag old">old</span>}
      </td>
    </tr>
  )
}

type NotListedProps = { patientUids: string[]; count: number; shown: number; address: Address }

function NotListed({ patientUids, count, shown, address }: NotListedProps) {
  const id = useId()
  return (
    <section class="panel stack not-listed">
      <p>
        These are the first {shown}. {countText(count, 'more patient is', 'more patients are')} not shown
        here.
      </p>
      <div class="field">
        <label for={id}>Open another patient</label>
        <select
          id={id}
          class="input"
          value=""
          onChange={({ currentTarget }) =>
            address.go({ path: 'today', query: { patient: currentTarget.value } })
          }
        >
          <option value="" disabled>
            Choose
          </option>
          {patientUids.slice(shown).map((uid) => (
            <option key={uid} value={uid}>
              {uid}
            </option>
          ))}
        </select>
      </div>
    </section>
  )
}
