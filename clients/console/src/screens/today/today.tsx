// Today: how the readings stand against their targets in one sentence, and the newest reading of each type, as it arrives.
import type { StoredReading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { useTargets } from '../../care/targets.ts'
import { countText } from '../../format/numbers.ts'
import { type Catalogue, readingText } from '../../format/reading-text.ts'
import { sinceText } from '../../format/times.ts'
import { nameOf } from '../../format/type-names.ts'
import { useLasting } from '../../hooks/use-lasting.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useOnline } from '../../hooks/use-online.ts'
import type { ScreenProps } from '../../screen.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { EndingSoon } from '../sharing/ending-soon.tsx'
import { Card } from './card.tsx'
import { Looks, useIsAbove, useLooks } from './looks.tsx'
import { OpenAlerts, useActiveAlerts } from './open-alerts.tsx'
import { Rule, Summary } from './summary.tsx'
import './today.css'
import { isOf, useCards } from './use-cards.ts'
import { useKeptLatest } from './use-kept-latest.ts'
import { type Announced, inOrder, useLatest } from './use-latest.ts'

/** The cards wait so long for the targets, by which they are ordered, and for the looks above them. */
const ORDERED_WITHIN_MS = 300

export function Today(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const now = useNow()
  const latest = useLatest(rounds, patientUid)
  const { error, isLoading, reload, arrivedId, announced, revisionOf } = latest
  const { data, asOfMs, isSlow } = useKeptLatest(patientUid, latest, now)
  const isOnline = useOnline()
  const { session, hasCare } = useApp()
  const hasReadings = data && data.newest.length + data.future.length > 0
  const targets = useTargets(patientUid)
  const looks = useLooks(props)
  const alerts = useActiveAlerts(props)
  const isWaiting = (targets.data === undefined && targets.isLoading) || looks.isAwaited || alerts.isAwaited
  const isLate = useLasting(data !== undefined && isWaiting, ORDERED_WITHIN_MS)
  const isOrdered = !isWaiting || isLate
  const areLooksAbove = useIsAbove(looks, data !== undefined && isOrdered)
  const cards = useCards(props, { data, targets, now, isOrdered })
  if (data && hasReadings && !isOrdered) return <Skeleton />
  if (!data) {
    if (!isOnline) return <NothingKept />
    if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />
    return isSlow ? <Slow onRetry={reload} /> : <Skeleton />
  }
  const { catalogue, newest, future } = data
  const isOwn = session.person.patientUids.includes(patientUid)
  const cardOf = (reading: StoredReading, more: Partial<ReturnType<typeof cards.ofType>> = {}) => (
    <Card
      key={reading.readingType}
      {...props}
      reading={reading}
      entry={catalogue.get(reading.readingType)}
      now={now}
      isNew={reading.readingId === arrivedId}
      revision={revisionOf(reading.readingType)}
      {...more}
    />
  )
  const seen = <Looks {...props} loaded={looks} now={now} isOnline={isOnline} />
  return (
    <>
      {asOfMs !== undefined && (
        <p class="as-of" role="status">
          As of <strong>{sinceText(asOfMs, now, zone)}</strong>. What came later is not shown.
        </p>
      )}
      {error !== undefined && !isLoading && isOnline && <ErrorNotice error={error} onRetry={reload} />}
      <p class="unseen" role="status">
        {announced && announcement(announced, catalogue, zone)}
      </p>
      {isOwn && <EndingSoon {...props} now={now} />}
      <OpenAlerts {...props} loaded={alerts} now={now} isOnline={isOnline} />
      {!hasReadings && <NoReadings isOwn={isOwn} isStaff={session.person.isStaff} address={address} />}
      {hasCare && hasReadings && (
        <Summary
          parts={cards.sentence}
          hasTargets={targets.data && targets.data.length > 0}
          isFailed={targets.error !== undefined}
          patientUid={patientUid}
          address={address}
        />
      )}
      {areLooksAbove && seen}
      <div class="cards">
        {cards.order.flatMap((type) =>
          newest.filter(isOf(type)).map((reading) => cardOf(reading, cards.ofType(type))),
        )}
      </div>
      {!areLooksAbove && seen}
      {targets.data && targets.data.length > 0 && hasReadings && <Rule address={address} />}
      {future.length > 0 && (
        <section>
          <h2>Dated in the future</h2>
          <p class="muted small">The clock of the device that sent these was probably wrong.</p>
          <div class="cards below">{inOrder(future, catalogue).map((reading) => cardOf(reading))}</div>
        </section>
      )}
    </>
  )
}

type NoReadingsProps = { isOwn: boolean; isStaff: boolean; address: Address }

function NoReadings({ isOwn, isStaff, address }: NoReadingsProps) {
  return (
    <Empty title={isOwn ? 'No readings yet.' : 'No readings.'}>
      {isOwn ? (
        <>
          <span>Devices send them by themselves. You can also type one in, or import a file.</span>
          <span class="row">
            <Link class="button primary" address={address} to={{ path: 'add' }}>
              Add the first reading
            </Link>
            <Link class="button" address={address} to={{ path: 'bring-in' }}>
              Import a file
            </Link>
          </span>
        </>
      ) : (
        <span>
          {isStaff
            ? 'Nothing is stored for this id, or all of it was withdrawn. Check that the id is written as it was given.'
            : 'There are none that this patient shares with you, or all were withdrawn.'}
        </span>
      )}
    </Empty>
  )
}

function announcement({ reading, count }: Announced, catalogue: Catalogue, zone: string): string {
  const { readingType } = reading
  const { value, unit } = readingText(reading, catalogue.get(readingType), zone)
  const what = count === 1 ? 'New reading' : `${countText(count, 'new reading')}, the newest`
  return `${what}: ${nameOf(readingType)} ${value} ${unit}`
}

function NothingKept() {
  return (
    <Empty title="The newest readings are not on this device.">
      <span>They come by themselves when the network is back.</span>
    </Empty>
  )
}

function Slow({ onRetry }: { onRetry: () => void }) {
  return (
    <Empty title="The server has not answered yet.">
      <span role="status">This page goes on trying. The network may be slow.</span>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </Empty>
  )
}

function Skeleton() {
  return (
    <div class="cards" aria-busy="true">
      <span class="unseen" role="status">
        Loading the newest readings
      </span>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} class="card skeleton-card">
          <div class="skeleton" style={{ width: '50%', height: '16px' }} />
          <div class="skeleton" style={{ width: '65%', height: '30px' }} />
          <div class="skeleton" style={{ height: '57px' }} />
          <div class="skeleton" style={{ height: '51px' }} />
          <div class="skeleton" style={{ width: '40%', height: '14px' }} />
        </div>
      ))}
    </div>
  )
}
