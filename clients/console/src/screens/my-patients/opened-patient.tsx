// One patient of the list: every reason in full, the newest values, and Done. What is shown stays as it was opened, because Done
// covers what is shown: what arrives meanwhile is offered, and stays unseen.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedPatient, RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { besideOf, restOf, textOf, type WordOptions } from '../../care/reason-text.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { readingText } from '../../format/reading-text.ts'
import { ageOf, momentText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { untilText, whatText } from '../sharing/grant-text.ts'
import { Done, type Undoable } from './done.tsx'

type Props = {
  uid: string
  /** As the list has it now; undefined where it is not on its page. */
  listed: ListedPatient | undefined
  rounds: RoundsClient
  address: Address
  options: WordOptions
  onDone: (undoable: Undoable, isNext: boolean) => void
}

export function OpenedPatient({ uid, listed, rounds, address, options, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [round, setRound] = useState(0)
  const [given, setGiven] = useState(0)
  const load = (signal: AbortSignal) => rounds.myPatients.list({ patientUid: uid }, { signal })
  const { data, error, reload } = useLoad([uid], load, [round])
  const patient = data?.data[0]
  useEffect(() => heading.current?.focus(), [patient === undefined])
  const showNow = () => setRound(round + 1)
  const linkTo = (path: string, word: string) => (
    <Link class="button" address={address} to={{ path, query: { patient: uid } }}>
      {word}
    </Link>
  )
  return (
    <section class="panel opened" aria-labelledby="opened-heading">
      <p class="row">
        <Link class="link" address={address} to={{ query: { selected: undefined } }}>
          Back to the list
        </Link>
        {linkTo('charts', 'Charts')} {linkTo('reports', 'Report')}
      </p>
      <h2 id="opened-heading" tabIndex={-1} ref={heading}>
        <bdi class="clamp">{(patient ?? listed)?.sharedAs ?? uid}</bdi>
      </h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading lines={6} />}
      {data && !patient && <Empty title="This patient no longer shares readings with you." />}
      {patient && (
        <>
          <p class="small muted">
            Shares {whatText(patient)} {untilText(patient, options.zone) || 'without an end'}. Readings on{' '}
            {patient.daysWithData} of 30 days.
          </p>
          {listed && keyOf(listed) !== keyOf(patient) && (
            <p class="notice" role="status">
              Something has changed since you opened this.
              <button type="button" class="button" onClick={showNow}>
                Show it
              </button>
            </p>
          )}
          <Findings patient={patient} options={options} />
          <Done
            // A look that was given, here or elsewhere, begins another form; what else arrives leaves what was typed.
            key={`${given} ${patient.lastLook?.at} ${patient.lookAgainAt}`}
            {...{ patient, rounds, options }}
            onDone={(undoable, isNext) => {
              onDone(undoable, isNext)
              setGiven(given + 1)
              showNow()
            }}
          />
        </>
      )}
    </section>
  )
}

/** What a look covers, and what is said of it. How far beyond it is grows with the clock, and is not said. */
const keyOf = ({ look, reasons }: ListedPatient) =>
  JSON.stringify([look.seenUpTo, reasons.map((reason) => ({ ...reason, beyond: undefined }))])

function Findings({ patient, options }: { patient: ListedPatient; options: WordOptions }) {
  const { reasons, newest, lastLook } = patient
  return (
    <>
      <ul class="opened-reasons" dir="auto">
        {reasons.map((reason, index) => (
          <li key={index} class={reason.isSeen ? 'muted' : `is-${reason.code}`}>
            <b>{textOf(reason, options)}</b>
            {restOf(reason, options)}
          </li>
        ))}
        {reasons.length === 0 && <li>No reason.</li>}
        {besideOf(patient).map((text, index) => (
          <li key={`beside ${index}`} class="muted">
            {text}
          </li>
        ))}
      </ul>
      <dl>
        {newest.map((one) => (
          <div key={one.readingType}>
            <dt class="muted">{nameOf(one.readingType)}</dt>
            <dd>
              <NewestValue newest={one} options={options} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="small muted">
        {lastLook
          ? `You looked ${momentText(lastLook.at, options.now, options.zone)}.`
          : 'You have not looked yet.'}
      </p>
      <ReviewNote note={lastLook?.note ?? null} />
    </>
  )
}

type NewestProps = { newest: ListedPatient['newest'][number] | undefined; options: WordOptions }

/** "224/126 mmHg 35 min ago". */
export function NewestValue({ newest, options: { now, zone } }: NewestProps) {
  const { catalogue } = useApp()
  const { data: types } = useLoad('catalogue', () => catalogue())
  if (!newest || !types) return null
  const { readingType, values, unit, measuredAt } = newest
  const reading = { readingType, ...values, ...(unit !== null && { unit }) }
  const { value, unit: sign } = readingText(reading, types.get(readingType), zone)
  return (
    <>
      <b>{value.replaceAll(' / ', '/')}</b> {sign}{' '}
      <span class="muted">{ageOf(measuredAt, now, zone).text}</span>
    </>
  )
}
