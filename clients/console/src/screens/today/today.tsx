// Today: the newest reading of each type, as it arrives.
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice } from '../../design/notice.tsx'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { countText } from '../../words/numbers.ts'
import { type Catalogue, readingText } from '../../words/reading-text.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import { Card } from './card.tsx'
import './today.css'
import { type Announced, inOrder, useLatest } from './use-latest.ts'

export function Today(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const { data, error, isLoading, reload, arrivedId, announced } = useLatest(rounds, patientUid)
  const { session } = useApp()
  const now = useNow()
  if (!data) return error === undefined ? <Skeleton /> : <ErrorNotice error={error} onRetry={reload} />
  const { catalogue, newest, future } = data
  const cardsOf = (readings: StoredReading[]) =>
    inOrder(readings, catalogue).map((reading) => (
      <Card
        key={reading.readingType}
        {...props}
        reading={reading}
        entry={catalogue.get(reading.readingType)}
        now={now}
        isNew={reading.readingId === arrivedId}
      />
    ))
  return (
    <>
      {error !== undefined && !isLoading && <ErrorNotice error={error} onRetry={reload} />}
      <p class="unseen" role="status">
        {announced && announcement(announced, catalogue, zone)}
      </p>
      {newest.length === 0 && future.length === 0 && (
        <Empty title="No readings yet.">
          {session.person.patientUids.includes(patientUid) ? (
            <>
              <span>Devices send them by themselves. You can also type one in.</span>
              <Link class="button primary" address={address} to={{ path: 'add' }}>
                Add the first reading
              </Link>
            </>
          ) : (
            <span>
              Nothing was sent for this patient id. Check that it is written exactly as it was given.
            </span>
          )}
        </Empty>
      )}
      <div class="cards">{cardsOf(newest)}</div>
      {future.length > 0 && (
        <section>
          <h2>Dated in the future</h2>
          <p class="muted small">The clock of the device that sent these was probably wrong.</p>
          <div class="cards below">{cardsOf(future)}</div>
        </section>
      )}
    </>
  )
}

function announcement({ reading, count }: Announced, catalogue: Catalogue, zone: string): string {
  const { readingType } = reading
  const { value, unit } = readingText(reading, catalogue.get(readingType), zone)
  const what = count === 1 ? 'New reading' : `${countText(count, 'new reading')}, the newest`
  return `${what}: ${nameOf(readingType)} ${value} ${unit}`
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
          <div class="skeleton" style={{ height: '40px' }} />
          <div class="skeleton" style={{ width: '40%', height: '14px' }} />
        </div>
      ))}
    </div>
  )
}
