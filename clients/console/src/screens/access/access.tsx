// Who has read: the access log, newest first.
import { useState } from 'preact/hooks'
import type { Access } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { Empty, ErrorNotice, Loading } from '../../design/notice.tsx'
import { useLoad } from '../../design/use-load.ts'
import type { ScreenProps } from '../../screen.ts'
import { momentText, timeText } from '../../words/times.ts'
import { useNow } from '../use-now.ts'
import './access.css'
import { deedsOf, listText, readerOf, type Visit, visitsOf } from './sentences.ts'

const PAGE = 200

export function WhoHasRead({ rounds, patientUid, zone }: ScreenProps) {
  const { session } = useApp()
  const { subject } = session.person
  const [older, setOlder] = useState<{ entries: Access[]; next: string | null }>()
  const [olderError, setOlderError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [onlyOthers, setOnlyOthers] = useState(false)
  const now = useNow()
  const { data, error, reload } = useLoad(
    (signal) => rounds.accessLog({ patientUid, limit: PAGE }, { signal }),
    [patientUid],
  )
  if (!data)
    return error === undefined ? <Loading lines={8} /> : <ErrorNotice error={error} onRetry={reload} />
  const next = older ? older.next : data.nextCursor
  const entries = [...data.data, ...(older?.entries ?? [])]
  const visits = visitsOf(entries).filter(({ readBy }) => !onlyOthers || readBy !== subject)
  const showOlder = async () => {
    setOlderError(undefined)
    setBusy(true)
    try {
      const page = await rounds.accessLog({ patientUid, limit: PAGE, cursor: next ?? undefined })
      setOlder({ entries: [...(older?.entries ?? []), ...page.data], next: page.nextCursor })
    } catch (failure) {
      setOlderError(failure)
    }
    setBusy(false)
  }
  return (
    <>
      <div class="row access-head">
        <p class="muted">Every read of these readings is written down before it is answered, your own too.</p>
        <div class="seg" role="group" aria-label="Whose reads are shown">
          <button type="button" aria-pressed={!onlyOthers} onClick={() => setOnlyOthers(false)}>
            Everyone
          </button>
          <button type="button" aria-pressed={onlyOthers} onClick={() => setOnlyOthers(true)}>
            Others
          </button>
        </div>
      </div>
      {visits.length === 0 ? (
        <Empty
          title={onlyOthers ? 'Nobody else has read these readings.' : 'Nobody has read these readings yet.'}
        >
          {next !== null && <span>There may be older entries.</span>}
        </Empty>
      ) : (
        <ul class="panel accesses">
          {visits.map((visit) => (
            <VisitRow
              key={`${visit.to} ${visit.readBy}`}
              visit={visit}
              subject={subject}
              zone={zone}
              now={now}
            />
          ))}
        </ul>
      )}
      {olderError !== undefined && <ErrorNotice error={olderError} />}
      {next !== null && (
        <p class="more">
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => !isBusy && void showOlder()}
          >
            {isBusy ? 'One moment…' : 'Show older'}
          </button>
        </p>
      )}
    </>
  )
}

type RowProps = { visit: Visit; subject: string; zone: string; now: number }

function VisitRow({ visit, subject, zone, now }: RowProps) {
  const { name, role } = readerOf(visit, subject)
  const [start, end] = [timeText(visit.from, zone), timeText(visit.to, zone)]
  return (
    <li>
      <time dateTime={visit.to}>
        {momentText(visit.from, now, zone)}
        {start === end ? '' : `–${end}`}
      </time>
      <span>
        <bdi class="reader">{name}</bdi>
        {role === '' ? '' : `, ${role},`} {listText(deedsOf(visit.entries, zone))}.
      </span>
    </li>
  )
}
