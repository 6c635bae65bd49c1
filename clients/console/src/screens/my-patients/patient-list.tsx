// The list of a doctor's patients, a line each. It is read again every few seconds; no row moves while somebody works with it.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { ListedPatient, MyPatientsAnswer, RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { besideOf, lineOf, type WordOptions } from '../../care/reason-text.ts'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { Pages } from '../../design/pages.tsx'
import { TypedField } from '../../design/typed-field.tsx'
import { ageOf, sinceText } from '../../format/times.ts'
import { useAtWork, useHeldOrder } from '../../hooks/use-held-order.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow } from '../../hooks/use-now.ts'
import { ZoneSwitch } from '../../layout/zone.tsx'
import type { ScreenProps } from '../../screen.ts'
import { Undo, type Undoable } from './done.tsx'
import { NewestValue, OpenedPatient } from './opened-patient.tsx'

const EVERY_MS = 15_000

/** In the order in which they are worked through: a shape and a word. */
const QUEUES = {
  actNow: ['■', 'Act now'],
  thisWeek: ['◆', 'This week'],
  silent: ['◌', 'Silent'],
  seen: ['◉', 'Seen'],
  fine: ['○', 'No reason'],
  notJudged: ['–', 'Not judged'],
} as const
const NAMES = Object.keys(QUEUES) as ListedPatient['queue'][]

export function PatientList({ rounds, zone, address }: ScreenProps) {
  const { doctorId, zone: ownZone } = useApp().session.person
  const options = { zone, now: useNow(EVERY_MS), doctorId }
  const list = useRef<HTMLDivElement>(null)
  const [done, setDone] = useState<Undoable>()
  const uid = address.query.get('selected') ?? undefined
  const { page, isOfView, view, error, reload } = usePage(rounds, address, options.now)
  const patients = useMemo(() => new Map(page?.data.map((one) => [one.patientUid, one])), [page])
  const wanted = useMemo(() => [...patients.keys()], [patients])
  const urgent = new Set(wanted.filter((one) => patients.get(one)?.queue === 'actNow'))
  const isAtWork = useAtWork(list, uid !== undefined)
  const held = useHeldOrder(wanted, { view, isComplete: isOfView, isAtWork, urgent })
  if (!page)
    return error === undefined ? <Loading lines={12} /> : <ErrorNotice error={error} onRetry={reload} />
  const { counts, behindSince } = page
  const onDone = (undoable: Undoable, isNext: boolean) => {
    setDone(undoable)
    reload()
    const next = held.order[held.order.indexOf(undoable.patientUid) + 1]
    if (isNext) address.go({ query: { selected: next } }, { replace: true })
  }
  return (
    <div class={uid === undefined ? 'doctors-list' : 'doctors-list is-open'}>
      <Queues counts={counts} address={address} />
      <div class="row">
        <TypedField label="Find by name" name="find" maxLength={100} address={address} />
        {done && <Undo key={done.reviewId} {...{ done, rounds }} now={options.now} onUndone={reload} />}
        {held.changed > 0 && (
          <button type="button" class={held.urgent > 0 ? 'button severe' : 'button'} onClick={held.apply}>
            {held.urgent > 0
              ? `${held.urgent} more to act on now: show`
              : `${held.changed} changed: sort again`}
          </button>
        )}
        <span class="small muted" role="status">
          {behindSince !== null && `Readings up to ${sinceText(behindSince, options.now, zone)}.`}
          {counts.beyond > 0 && ` ${counts.beyond} more patients than a list holds.`}
        </span>
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div class="list-and-opened">
        <div ref={list} class="list-lines">
          <ul class="panel">
            {held.order.map((one) => (
              <li key={one}>
                <Line {...{ address, options }} patient={patients.get(one)} isOpen={one === uid} />
              </li>
            ))}
          </ul>
          {counts.all === 0 && <Empty title="No patient shares readings with you yet." />}
          {counts.all > 0 && isOfView && held.order.length === 0 && <NobodyHere address={address} />}
          <Pages address={address} next={page.nextCursor} />
          <p class="small muted">
            A notification aid, not a monitor. Every patient in this list sees, once a day, that you opened
            this list. <ZoneSwitch zone={zone} patientZone={ownZone} address={address} />
          </p>
        </div>
        {uid !== undefined && (
          <OpenedPatient
            key={uid}
            {...{ uid, rounds, address, options, onDone }}
            listed={patients.get(uid)}
          />
        )}
      </div>
    </div>
  )
}

function NobodyHere({ address: { query } }: { address: Address }) {
  if (query.get('find')) return <Empty title="No patient with this name or id is here." />
  return <Empty title={query.get('queue') ? 'No patient is in this queue.' : 'No more patients.'} />
}

/** While another page is on its way, the one before stays. */
function usePage(rounds: RoundsClient, { query }: Address, now: number) {
  const { sharingPatients } = useApp()
  const [queue, find, cursor] = ['queue', 'find', 'cursor'].map((name) => query.get(name) ?? undefined)
  const view = [queue, find, cursor]
  const load = async (signal: AbortSignal) => {
    const asked = NAMES.filter((name) => name === queue)
    const page = await rounds.myPatients.list({ queue: asked, find, cursor }, { signal })
    sharingPatients.keep(page.data)
    return page
  }
  const { data, error, reload } = useLoad(view, load, [document.visibilityState === 'visible' && now])
  const last = useRef<MyPatientsAnswer>(undefined)
  last.current = data ?? last.current
  return { page: last.current, isOfView: data !== undefined, view: view.join(' '), error, reload }
}

function Queues({ counts, address }: { counts: MyPatientsAnswer['counts']; address: Address }) {
  const current = address.query.get('queue') ?? undefined
  return (
    <nav class="list-queues" aria-label="Queues">
      {[undefined, ...NAMES].map((queue) => (
        <Link
          key={queue}
          class={`button ${queue}`}
          address={address}
          current={queue === current}
          to={{ query: { queue, cursor: undefined, selected: undefined } }}
        >
          {queue && <Mark queue={queue} />} {queue ? QUEUES[queue][1] : 'All'} <b>{counts[queue ?? 'all']}</b>
        </Link>
      ))}
    </nav>
  )
}

const Mark = ({ queue }: { queue: ListedPatient['queue'] }) => (
  <i aria-hidden="true" class={`queue-mark ${queue}`}>
    {QUEUES[queue][0]}
  </i>
)

type LineProps = {
  patient: ListedPatient | undefined
  isOpen: boolean
  address: Address
  options: WordOptions
}

function Line({ patient, isOpen, address, options }: LineProps) {
  if (!patient) return <span class="list-line muted">No longer in this list.</span>
  const { patientUid, sharedAs, queue, reasons, newest, lastLook } = patient
  const grey = (text: string, index: number) => (
    <span key={`grey ${index}`} class="muted">
      {text}
    </span>
  )
  return (
    <Link class="list-line" address={address} current={isOpen} to={{ query: { selected: patientUid } }}>
      <Mark queue={queue} />
      <bdi class="line-name">{sharedAs ?? patientUid}</bdi>
      <span class="unseen">{QUEUES[queue][1]}</span>
      <span class="line-why" dir="auto">
        {reasons.map((reason, index) => (
          <span key={index} class={reason.isSeen ? 'muted' : undefined}>
            {lineOf(reason, options)}
          </span>
        ))}
        {besideOf(patient).map(grey)}
      </span>
      <span class="line-newest">
        <NewestValue newest={newest[0]} options={options} />
      </span>
      <span class="line-look small muted">
        {lastLook === null ? 'not looked' : `looked ${ageOf(lastLook.at, options.now, options.zone).text}`}
      </span>
    </Link>
  )
}
