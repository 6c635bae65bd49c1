// The list of a doctor's patients, a line each. It is read again every few seconds; no row moves while somebody works with it.
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ListedPatient, MyPatientsAnswer, RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { type Queue, QueueMark, Queues, queueOf } from '../../care/queues.tsx'
import { besideOf, lineOf, type WordOptions } from '../../care/reason-text.ts'
import { UndoLook } from '../../care/undo-look.tsx'
import { Trend } from '../../chart/trend.tsx'
import { agoText, sinceText } from '../../format/times.ts'
import { useAtWork, useHeldOrder } from '../../hooks/use-held-order.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { useNow, useTick } from '../../hooks/use-now.ts'
import { ZoneSwitch } from '../../layout/zone.tsx'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Awaited, Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Pages } from '../../ui/pages.tsx'
import { TypedField } from '../../ui/typed-field.tsx'
import { words } from '../../words/words.ts'
import { NewestValue } from '../overview/last-days.tsx'
import { PatientPanel } from '../overview/overview.tsx'
import { planOf } from '../plan/plan-address.ts'

const EVERY_MS = 15_000

export function PatientList(props: ScreenProps) {
  const { rounds, zone, address } = props
  const { session, worklist, lastLook } = useApp()
  const { doctorId, zone: ownZone } = session.person
  const options = { zone, now: useNow(), doctorId }
  const list = useRef<HTMLDivElement>(null)
  const uid = address.query.get('selected') ?? undefined
  const { page, isOfView, view, error, reload } = usePage(rounds, address)
  const patients = useMemo(() => new Map(page?.data.map((one) => [one.patientUid, one])), [page])
  // Each in the queue in which it was when the order was made.
  const wanted = useMemo(() => page?.data.map((one) => `${one.queue} ${one.patientUid}`) ?? [], [page])
  const urgent = new Set(wanted.filter((row) => row.startsWith('actNow ')))
  const isAtWork = useAtWork(list, uid !== undefined)
  const held = useHeldOrder(wanted, { view, isComplete: isOfView, isAtWork, urgent })
  useEffect(() => worklist.set(held.order.map(uidOf)), [held.order])
  const looked = lastLook.get()?.reviewId
  useEffect(() => {
    if (looked !== undefined) reload()
  }, [looked])
  if (!page) return <Awaited {...{ error, reload }} lines={12} />
  const { counts, behindSince } = page
  return (
    <div class={uid === undefined ? 'doctors-list' : 'doctors-list is-open'}>
      <div class="list-top">
        <TypedField
          label={words.patients.findByName}
          placeholder={words.patients.findByName}
          name="find"
          maxLength={100}
          address={address}
        />
        <UndoLook now={options.now} onUndone={reload} />
        {held.changed > 0 && (
          <button type="button" class={held.urgent > 0 ? 'button severe' : 'button'} onClick={held.apply}>
            {held.urgent > 0 ? words.patients.moreUrgent(held.urgent) : words.patients.changed(held.changed)}
          </button>
        )}
        <span class="small muted" role="status">
          {behindSince !== null && words.patients.upTo(sinceText(behindSince, options.now, zone))}
          {counts.beyond > 0 && ` ${words.patients.beyond(counts.beyond)}`}
        </span>
      </div>
      <div class="list-queues">
        <Queues counts={counts} address={address} hasAll />
      </div>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      <div ref={list} class="list-lines">
        {view.trim() === '' && isFirstDay(page) && <FirstDay address={address} />}
        {held.order.length > 0 && (
          <Groups order={held.order} chosen={uid} {...{ patients, counts, address, options }} />
        )}
        {counts.all === 0 && (
          <Empty title={words.patients.nobodyShares}>
            <span>{words.patients.patientsChoose}</span>
          </Empty>
        )}
        {counts.all > 0 && isOfView && held.order.length === 0 && <NobodyHere address={address} />}
        <Pages address={address} next={page.nextCursor} />
        <p class="small muted list-foot">
          {words.patients.aid} <ZoneSwitch zone={zone} patientZone={ownZone} address={address} />
        </p>
      </div>
      {uid !== undefined && <PatientPanel key={uid} {...props} patientUid={uid} />}
    </div>
  )
}

const uidOf = (row: string) => row.slice(row.indexOf(' ') + 1)

/** No target of anybody judges a patient of the first page. */
const isFirstDay = ({ data, counts }: MyPatientsAnswer) =>
  data.length > 0 &&
  counts.fine === 0 &&
  data.every(({ trend, reasons }) => trend.length === 0 && !reasons.some((reason) => 'author' in reason))

/** Nothing is judged by a bound that nobody set. */
function FirstDay({ address }: { address: Address }) {
  return (
    <p class="notice">
      <strong>{words.patients.firstDay}</strong>
      <span>{words.patients.oneTarget}</span>
      <Link class="button primary" address={address} to={planOf('set-target', '')}>
        {words.patients.setOneTarget}
      </Link>
    </p>
  )
}

function NobodyHere({ address: { query } }: { address: Address }) {
  if (query.get('find')) return <Empty title={words.patients.notFound} />
  return <Empty title={query.get('queue') ? words.patients.emptyQueue : words.patients.noMore} />
}

/** While another page is on its way, the one before stays. */
function usePage(rounds: RoundsClient, address: Address) {
  const { sharingPatients, queueCounts } = useApp()
  const queue = queueOf(address)
  const [find, cursor] = ['find', 'cursor'].map((name) => address.query.get(name) ?? undefined)
  const view = [queue, find, cursor]
  const load = async (signal: AbortSignal) => {
    const asked = queue === undefined ? [] : [queue]
    const page = await rounds.myPatients.list({ queue: asked, find, cursor }, { signal })
    sharingPatients.keep(page.data)
    return page
  }
  const { data, error, reload } = useLoad(view, load, [useTick(EVERY_MS)])
  const last = useRef<MyPatientsAnswer>(undefined)
  last.current = data ?? last.current
  useEffect(() => queueCounts.set(error === undefined ? last.current?.counts : undefined), [data, error])
  return { page: last.current, isOfView: data !== undefined, view: view.join(' '), error, reload }
}

type GroupsProps = {
  /** Each with the queue in which it was when the order was made. */
  order: readonly string[]
  chosen: string | undefined
  patients: ReadonlyMap<string, ListedPatient>
  counts: MyPatientsAnswer['counts']
  address: Address
  options: WordOptions
}

function Groups({ order, chosen, patients, counts, address, options }: GroupsProps) {
  const groups = Map.groupBy(order, (row) => row.split(' ', 1)[0] as Queue)
  return (
    <div class="panel">
      <div class="list-line list-head" aria-hidden="true">
        <span class="line-name">{words.patients.patient}</span>
        <span>{words.patients.why}</span>
        <span class="line-newest">{words.patients.newest}</span>
        <span>{words.patients.sevenDays}</span>
        <span>{words.patients.looked}</span>
      </div>
      {[...groups].map(([queue, rows]) => (
        <section key={queue} aria-labelledby={`queue-${queue}`}>
          <h2 id={`queue-${queue}`}>
            {words.reasons.queues[queue]} <span class="muted">{counts[queue]}</span>
          </h2>
          <ul>
            {rows.map((row) => (
              <li key={row}>
                <Line
                  {...{ address, options }}
                  patient={patients.get(uidOf(row))}
                  isOpen={uidOf(row) === chosen}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type LineProps = {
  patient: ListedPatient | undefined
  isOpen: boolean
  address: Address
  options: WordOptions
}

function Line({ patient, isOpen, address, options }: LineProps) {
  if (!patient) return <span class="list-line muted">{words.patients.gone}</span>
  const { patientUid, sharedAs, queue, reasons, newest, lastLook, trend } = patient
  const { now, zone } = options
  return (
    <Link
      class={`list-line ${queue}`}
      address={address}
      current={isOpen}
      to={{ query: { selected: patientUid } }}
    >
      <QueueMark queue={queue} />
      <bdi class="line-name">{sharedAs ?? patientUid}</bdi>
      <span class="unseen">{words.reasons.queues[queue]}</span>
      <span class="line-why" dir="auto">
        {reasons.map((reason, index) => (
          <span key={index} class={reason.isSeen ? 'muted' : `is-${reason.code}`}>
            {lineOf(reason, options)}
          </span>
        ))}
        {besideOf(patient).map((text, index) => (
          <span key={`grey ${index}`} class="muted">
            {text}
          </span>
        ))}
      </span>
      <span class="line-newest">
        <NewestValue newest={newest[0]} {...{ now, zone }} />
      </span>
      <span class="line-trend">
        <Trend trend={trend} now={now} />
      </span>
      <span class="line-look muted">
        <span class="unseen">{words.patients.lookedAt}</span>
        {lastLook === null ? words.patients.never : agoText(lastLook.at, now)}
      </span>
    </Link>
  )
}
