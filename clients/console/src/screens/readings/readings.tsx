// All readings of a type, newest first: to look one up, to withdraw one that is wrong, and to restore it.
import { useState } from 'preact/hooks'
import type { StoredReading } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { Link } from '../../frame/link.tsx'
import type { ScreenProps } from '../../screen.ts'
import { nameOf } from '../../words/type-names.ts'
import { useNow } from '../use-now.ts'
import { ReadingRow } from './reading-row.tsx'
import './readings.css'
import { useReadings } from './use-readings.ts'
import { RestoreDialog, WithdrawDialog } from './withdraw-dialog.tsx'

type Doing = { what: 'withdraw' | 'restore'; reading: StoredReading }

export function Readings({ rounds, patientUid, zone, address }: ScreenProps) {
  const type = address.query.get('type')
  const cursor = address.query.get('cursor')
  const { session } = useApp()
  const { data, error, reload, put } = useReadings(rounds, { patientUid, type, cursor })
  const [doing, setDoing] = useState<Doing>()
  const [said, setSaid] = useState('')
  const now = useNow()
  const { person } = session
  const mayWithdraw = person.mayWithdraw || person.patientUids.includes(patientUid)
  const done = (reading: StoredReading, words: string) => {
    put(reading)
    setDoing(undefined)
    setSaid(words)
  }
  const name = type === null ? 'All types' : nameOf(type)
  return (
    <>
      <div class="row readings-head">
        <h2 dir="auto">{name}</h2>
        {type !== null && (
          <Link address={address} to={{ path: 'charts', query: { type } }}>
            Chart
          </Link>
        )}
      </div>
      <p class="unseen" role="status">
        {said}
      </p>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading lines={8} />}
      {data && data.readings.length === 0 && (
        <Empty title="No readings here.">
          <span>Readings of this type appear here as they arrive.</span>
        </Empty>
      )}
      {data && data.readings.length > 0 && (
        <ul class="panel reading-list">
          {data.readings.map((reading) => (
            <ReadingRow
              key={reading.readingId}
              reading={reading}
              entry={data.types.get(reading.readingType)}
              showType={type === null}
              zone={zone}
              now={now}
              subject={person.subject}
              {...(mayWithdraw ? { onAct: (what) => setDoing({ what, reading }) } : {})}
            />
          ))}
        </ul>
      )}
      <nav class="pages" aria-label="Pages">
        {cursor !== null && (
          <Link class="button" address={address} to={{ query: { cursor: undefined } }}>
            Newest
          </Link>
        )}
        {data?.page.nextCursor && (
          <Link class="button" address={address} to={{ query: { cursor: data.page.nextCursor } }}>
            Older
          </Link>
        )}
      </nav>
      {doing?.what === 'withdraw' && (
        <WithdrawDialog
          rounds={rounds}
          reading={doing.reading}
          entry={data?.types.get(doing.reading.readingType)}
          subject={person.subject}
          zone={zone}
          onDone={(reading) => done(reading, 'The reading was withdrawn.')}
          onClose={() => setDoing(undefined)}
        />
      )}
      {doing?.what === 'restore' && (
        <RestoreDialog
          rounds={rounds}
          reading={doing.reading}
          entry={data?.types.get(doing.reading.readingType)}
          zone={zone}
          onDone={(reading) => done(reading, 'The reading was restored.')}
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  )
}
