// One patient: why they are listed, their last days, what happened, and Done. What is said stays as it was opened, because Done covers what
// is shown: what arrives meanwhile is offered, and stays unseen.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedPatient } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { queueOf } from '../../care/queues.tsx'
import type { WordOptions } from '../../care/reason-text.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { type Undoable, UndoLook } from '../../care/undo-look.tsx'
import { momentText } from '../../format/times.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNarrow } from '../../hooks/use-narrow.ts'
import { useNow, useTick } from '../../hooks/use-now.ts'
import { RecordHead } from '../../layout/record.tsx'
import { MY_PATIENTS } from '../../layout/screen-names.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Done } from './done.tsx'
import './overview.css'
import { words } from '../../words/words.ts'
import { LastDays } from './last-days.tsx'
import { Reasons } from './reasons.tsx'
import { Timeline } from './timeline.tsx'

const EVERY_MS = 15_000
/** Below it, the patient has the window alone, and Done is a sheet. */
const BESIDE_PX = 1_000

export function Overview(props: ScreenProps) {
  const record = useRecord(props)
  return (
    <Opened {...props} {...record}>
      {(patient) => (
        <>
          <Timeline {...props} key={record.round} />
          <p class="row small">
            {[
              ['take-away', words.overview.export],
              ['access', words.overview.whoHasRead],
            ].map(([path = '', text]) => (
              <Link key={path} address={props.address} to={{ path, query: { patient: patient.patientUid } }}>
                {text}
              </Link>
            ))}
          </p>
        </>
      )}
    </Opened>
  )
}

/** Beside the list, without what happened. */
export function PatientPanel(props: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section class="patient-panel" aria-label={words.overview.thePatient}>
      <RecordHead {...props} {...{ heading }} level={2} />
      <Opened {...props} {...useRecord(props)} />
    </section>
  )
}

/** The entry as it was opened, and whether another one has come. */
function useRecord({ rounds, patientUid }: ScreenProps) {
  const now = useNow()
  const tick = useTick(EVERY_MS)
  /** Another one shows what there is by then. */
  const [round, setRound] = useState(0)
  const { data, error, reload } = useLoad(
    [patientUid],
    async (signal) => ({ round, entries: (await rounds.myPatients.list({ patientUid }, { signal })).data }),
    [round, tick],
  )
  const shown = useRef<typeof data>(undefined)
  if (data && data.round !== shown.current?.round) shown.current = data
  const [patient] = shown.current?.entries ?? []
  return {
    now,
    round,
    patient,
    isGone: data !== undefined && data.entries.length === 0,
    isChanged: data?.entries[0] && patient ? keyOf(data.entries[0]) !== keyOf(patient) : false,
    error,
    reload,
    showNow: () => setRound(round + 1),
  }
}

/** What a look covers, and what is said of it. How far beyond it is grows with the clock, and is not said. */
const keyOf = ({ look, reasons }: ListedPatient) =>
  JSON.stringify([look.seenUpTo, reasons.map((reason) => ({ ...reason, beyond: undefined }))])

type OpenedProps = ScreenProps &
  ReturnType<typeof useRecord> & { children?: (patient: ListedPatient) => preact.ComponentChildren }

function Opened(props: OpenedProps) {
  const { rounds, zone, now, round, patient, isGone, isChanged, error, reload, showNow, children } = props
  const { session, lastLook } = useApp()
  const [given, setGiven] = useState(0)
  const goOn = useGoOn(props)
  if (isGone) return <Empty title={words.overview.gone} />
  if (!patient) return <Awaited {...{ error, reload }} lines={6} />
  const options: WordOptions = { zone, now, doctorId: session.person.doctorId }
  const onDone = async (undoable: Undoable, isNext: boolean) => {
    lastLook.set(undoable)
    setGiven(given + 1)
    showNow()
    if (isNext) await goOn(patient)
  }
  return (
    <div class="overview">
      <div class="overview-main">
        {children && <UndoLook now={now} onUndone={showNow} />}
        {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
        {isChanged && (
          <p class="notice" role="status">
            {words.overview.changed}
            <button type="button" class="button" onClick={showNow}>
              {words.overview.showIt}
            </button>
          </p>
        )}
        <section class="panel stack" aria-label={words.overview.reasons}>
          <Reasons patient={patient} options={options} />
          <p class="small muted">
            {patient.lastLook
              ? words.overview.looked(patient.lastLook.by, momentText(patient.lastLook.at, now, zone))
              : words.overview.noLook}{' '}
            {words.overview.daysWithData(patient.daysWithData)}
          </p>
          <ReviewNote note={patient.lastLook?.note ?? null} />
        </section>
        <LastDays key={round} {...props} patient={patient} now={now} />
      </div>
      <div class="overview-side">
        <DoneSheet>
          <Done
            // A look that was given, here or elsewhere, begins another form; what else arrives leaves what was typed.
            key={`${given} ${patient.lastLook?.at} ${patient.lookAgainAt}`}
            {...{ patient, rounds, options, onDone }}
          />
        </DoneSheet>
        {children?.(patient)}
      </div>
    </div>
  )
}

/** Where there is little room, it comes up from below when it is asked for. */
function DoneSheet({ children }: { children: preact.ComponentChildren }) {
  const isNarrow = useNarrow(BESIDE_PX)
  if (!isNarrow)
    return (
      <section class="panel" aria-label={words.overview.done}>
        {children}
      </section>
    )
  return (
    <>
      <div class="done-bar">
        <button type="button" class="button primary" popovertarget="done-sheet">
          {words.overview.doneMore}
        </button>
      </div>
      <div
        id="done-sheet"
        class="panel done-sheet"
        popover="auto"
        role="dialog"
        aria-label={words.overview.done}
      >
        {children}
      </div>
    </>
  )
}

/** Goes on to the next patient of the list as it was shown last, or of the queue where no list was shown; or back to the list. */
function useGoOn({ rounds, address, patientUid }: ScreenProps) {
  const { worklist } = useApp()
  return async ({ queue: own }: ListedPatient) => {
    const order = worklist.get()
    const queue = queueOf(address)
    const isListed = order.includes(patientUid)
    const following = async () =>
      (await rounds.myPatients.list({ queue: [queue ?? own], limit: 2 })).data
        .map((one) => one.patientUid)
        .find((uid) => uid !== patientUid)
    const next = isListed ? order[order.indexOf(patientUid) + 1] : await following()
    if (address.path === MY_PATIENTS) return address.go({ query: { selected: next } }, { replace: true })
    if (next !== undefined) return address.go({ query: { patient: next } }, { replace: true })
    return address.go({ path: MY_PATIENTS, query: { patient: undefined } })
  }
}
