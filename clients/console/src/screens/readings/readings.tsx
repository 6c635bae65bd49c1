// All readings of a type, newest first: to look one up, to withdraw one that is wrong, and to restore it.
import { useState } from 'preact/hooks'
import type { StoredReading } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { Link } from '../../design/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { nameOf } from '../../format/type-names.ts'
import { useNow } from '../../hooks/use-now.ts'
import type { ScreenProps } from '../../screen.ts'
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
  const ChangeDialog = doing?.what === 'withdraw' ? WithdrawDialog : RestoreDialog
  const done = (reading: StoredReading) => {
    put(reading)
    setDoing(undefined)
    setSaid(doing?.what === 'withdraw' ? 'The reading was withdrawn.' : 'The reading was restored.')
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
              mayRestoreAll={person.mayWithdraw}
              {...(mayWithdraw ? { onAct: (what) => setDoing({ what, reading }) } : {})}
            />
          ))}
        </ul>
      )}
      <Pages address={address} isFirst={cursor === null} next={data?.page.nextCursor} />
      {doing && (
        <ChangeDialog
          rounds={rounds}
          reading={doing.reading}
          entry={data?.types.get(doing.reading.readingType)}
          person={person}
          zone={zone}
          onDone={done}
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  )
}

function Pages(props: { address: Address; isFirst: boolean; next: string | null | undefined }) {
  const { address, isFirst, next } = props
  return (
    <nav class="pages" aria-label="Pages">
      {!isFirst && (
        <Link class="button" address={address} to={{ query: { cursor: undefined } }}>
          Newest
        </Link>
      )}
      {next && (
        <Link class="button" address={address} to={{ query: { cursor: next } }}>
          Older
        </Link>
      )}
    </nav>
  )
}
