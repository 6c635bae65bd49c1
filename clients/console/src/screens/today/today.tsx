// Today: the newest reading of each type, as it arrives.
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice } from '../../design/notice.tsx'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { readingText } from '../../words/reading-text.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import { Card } from './card.tsx'
import './today.css'
import { inOrder, useLatest } from './use-latest.ts'

export function Today(props: ScreenProps) {
  const { rounds, patientUid, zone, address } = props
  const { data, error, isLoading, reload, arrived } = useLatest(rounds, patientUid)
  const { session } = useApp()
  const now = useNow()
  if (!data) return error === undefined ? <Skeleton /> : <ErrorNotice error={error} onRetry={reload} />
  const { catalogue, newest, future } = data
  const announced = arrived && readingText(arrived.reading, catalogue.get(arrived.reading.readingType), zone)
  return (
    <>
      {error !== undefined && !isLoading && <ErrorNotice error={error} onRetry={reload} />}
      <p class="unseen" role="status">
        {arrived &&
          announced &&
          `New reading: ${nameOf(arrived.reading.readingType)} ${announced.value} ${announced.unit}`}
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
      <div class="cards">
        {inOrder(newest, catalogue).map((reading) => (
          <Card
            key={reading.readingType}
            {...props}
            reading={reading}
            entry={catalogue.get(reading.readingType)}
            now={now}
            isNew={arrived?.reading.readingId === reading.readingId}
          />
        ))}
      </div>
      {future.length > 0 && (
        <section>
          <h2>Dated in the future</h2>
          <p class="muted small">The clock of the device that sent these was probably wrong.</p>
          <div class="cards below">
            {inOrder(future, catalogue).map((reading) => (
              <Card
                key={reading.readingType}
                {...props}
                reading={reading}
                entry={catalogue.get(reading.readingType)}
                now={now}
                isNew={false}
              />
            ))}
          </div>
        </section>
      )}
    </>
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
          <div class="skeleton" style={{ width: '50%', height: 16 }} />
          <div class="skeleton" style={{ width: '65%', height: 30 }} />
          <div class="skeleton" style={{ height: 40 }} />
          <div class="skeleton" style={{ width: '40%', height: 14 }} />
        </div>
      ))}
    </div>
  )
}
