// A patient of the list, as a row of the table or, on a phone, as a card.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Address } from '../../address.ts'
import { Link } from '../../design/link.tsx'
import { listText } from '../../format/list-text.ts'
import type { Catalogue } from '../../format/reading-text.ts'
import { ageOf, sinceText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { AgainstTarget } from './against-target.tsx'
import { Fortnight } from './fortnight.tsx'
import { mainTypeOf, nameOfPatient } from './list-view.ts'
import type { ListedPatient } from './listed-patient.ts'
import { StatusMark } from './status-mark.tsx'

/** A reading takes a second or two; who waits longer is shown as of then. */
const BEHIND_MS = 15_000

export type RowProps = {
  /** Undefined where the patient shares no more: the place stays until the list is sorted again. */
  patient: ListedPatient | undefined
  uid: string
  isSelected: boolean
  types: Catalogue | undefined
  zone: string
  now: number
  address: Address
  onSelect: () => void
  onOpen: () => void
}

export const idOfRow = (uid: string) => `patient-${encodeURIComponent(uid)}`

const GONE = 'No longer shares readings with you.'

export function TableRow(props: RowProps) {
  const { patient, uid, isSelected, onSelect, onOpen } = props
  const cells = useCells(props)
  return (
    <tr
      role="row"
      id={idOfRow(uid)}
      class="list-row"
      aria-selected={isSelected}
      onClick={patient && onSelect}
      onDblClick={patient && onOpen}
    >
      {patient && cells ? (
        <>
          <Cell>{cells.status}</Cell>
          <Cell>{cells.name}</Cell>
          <Cell>{cells.reason}</Cell>
          <Cell>{cells.target}</Cell>
          <Cell name="fortnight">{cells.fortnight}</Cell>
          <Cell name="days">{cells.days}</Cell>
          <Cell name="reading">{cells.lastReading}</Cell>
          <Cell name="look">{cells.lastLook}</Cell>
        </>
      ) : (
        <td role="gridcell" class="list-cell list-gone muted">
          {GONE}
        </td>
      )}
    </tr>
  )
}

const Cell = ({ name = '', children }: { name?: string; children: ComponentChildren }) => (
  <td role="gridcell" class={`list-cell ${name}`}>
    {children}
  </td>
)

export function Card(props: RowProps) {
  const { patient, uid, isSelected, onSelect } = props
  const cells = useCells(props)
  return (
    <li
      id={idOfRow(uid)}
      class={isSelected ? 'list-card selected' : 'list-card'}
      onClick={patient && onSelect}
    >
      {patient && cells ? (
        <>
          <div class="list-card-top">
            {cells.status}
            <span class="list-sub">{cells.lastReading}</span>
          </div>
          {cells.name}
          {cells.reason}
          <div class="list-card-values">
            <div>{cells.target}</div>
            {cells.fortnight}
          </div>
          <div class="list-card-end list-sub">
            <span>data on {cells.days} days</span>
            <span>last look {cells.lastLook}</span>
            <button
              type="button"
              class="link"
              onClick={onSelect}
              aria-label={`More of ${nameOfPatient(patient)}`}
            >
              More
            </button>
          </div>
        </>
      ) : (
        <span class="muted">{GONE}</span>
      )}
    </li>
  )
}

/** What is in a row, made again only where it differs: every move of the selection draws all rows. */
function useCells({ patient, types, zone, now, address }: RowProps) {
  return useMemo(() => {
    if (!patient) return undefined
    const { lastReadingAt, lastReview, daysWithData } = patient
    return {
      status: <StatusMark patient={patient} />,
      name: <Name patient={patient} address={address} zone={zone} now={now} />,
      reason: (
        <span class="list-reason" dir="auto" title={patient.rule?.text}>
          {patient.reason}
        </span>
      ),
      target: <AgainstTarget patient={patient} types={types} zone={zone} now={now} />,
      fortnight: <Fortnight type={mainTypeOf(patient)} zone={zone} now={now} />,
      days: `${daysWithData.withData} of ${daysWithData.days}`,
      lastReading: lastReadingAt === null ? 'none' : ageOf(lastReadingAt, now, zone).text,
      lastLook: lastReview === null ? 'never' : ageOf(lastReview.at, now, zone).text,
    }
    // A link needs of the address what holds for every screen.
  }, [patient, types, zone, now, address.query.get('patient'), address.query.get('zone')])
}

type NameProps = Pick<RowProps, 'address' | 'zone' | 'now'> & { patient: ListedPatient }

function Name({ patient, address, zone, now }: NameProps) {
  const { patientUid, sharedAs, readingTypes, isNew, behindSince } = patient
  const isBehind = behindSince !== null && now - Date.parse(behindSince) > BEHIND_MS
  const facts = [
    isBehind ? `up to ${sinceText(behindSince, now, zone)}` : '',
    sharedAs === null ? '' : patientUid,
    readingTypes === null ? '' : `shares ${listText(readingTypes.map(nameWithin))} only`,
  ].filter((fact) => fact !== '')
  return (
    <span class="list-name">
      <Link address={address} to={{ path: 'today', query: { patient: patientUid } }}>
        <span class="list-name-text" dir="auto" title={nameOfPatient(patient)}>
          {nameOfPatient(patient)}
        </span>
      </Link>
      <span class="list-sub list-facts" title={facts.join(' · ')}>
        {isNew && <span class="list-new">new</span>} <bdi>{facts.join(' · ')}</bdi>
      </span>
    </span>
  )
}
