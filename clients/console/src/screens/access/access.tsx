// Who has read and who has corrected: the access log, newest first.
import { useState } from 'preact/hooks'
import { useApp } from '../../app.ts'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { momentText, timeText } from '../../format/times.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePages } from '../../hooks/use-pages.ts'
import { useWhoseReadings } from '../../patients/whose-readings.ts'
import type { ScreenProps } from '../../screen.ts'
import { Choice } from '../../ui/fields.tsx'
import { Awaited, Empty } from '../../ui/notice.tsx'
import { ShowOlder } from '../../ui/show-older.tsx'
import './access.css'
import { words } from '../../words/words.ts'
import { deedsOf, type NameOfDoctor, readerOf, reasonOf, type Visit, visitsOf } from './sentences.ts'

const PAGE = 200

export function WhoHasRead({ rounds, patientUid, zone }: ScreenProps) {
  const { session } = useApp()
  const { subject } = session.person
  const [onlyOthers, setOnlyOthers] = useState(false)
  const now = useNow()
  const whose = useWhoseReadings(patientUid)
  const {
    items: entries,
    error,
    reload,
    older,
  } = usePages([patientUid], (page, signal) =>
    rounds.accessLog({ patientUid, limit: PAGE, ...page }, { signal }),
  )
  const nameOfDoctor = useDoctorNames((entries ?? []).flatMap(({ doctorId }) => doctorId ?? []))
  if (!entries) return <Awaited {...{ error, reload }} lines={8} />
  const visits = visitsOf(entries, zone).filter(({ readBy }) => !onlyOthers || readBy !== subject)
  return (
    <>
      <div class="row access-head">
        <p class="muted">{words.access.intro}</p>
        <Choice
          aria-label={words.access.whose}
          value={onlyOthers}
          set={setOnlyOthers}
          options={[
            [false, words.access.everyone],
            [true, words.access.others],
          ]}
        />
      </div>
      {visits.length === 0 ? (
        <Empty title={onlyOthers ? words.access.nobodyElse : words.access.nobodyYet}>
          {older.isMore && <span>{words.access.mayBeOlder}</span>}
        </Empty>
      ) : (
        <ul class="panel moments">
          {visits.map((visit) => (
            <VisitRow
              key={`${visit.to} ${visit.readBy}`}
              visit={visit}
              subject={subject}
              nameOfDoctor={nameOfDoctor}
              whose={whose}
              zone={zone}
              now={now}
            />
          ))}
        </ul>
      )}
      <ShowOlder {...older} />
    </>
  )
}

type RowProps = {
  visit: Visit
  subject: string
  nameOfDoctor: NameOfDoctor
  whose: string
  zone: string
  now: number
}

function VisitRow({ visit, subject, nameOfDoctor, whose, zone, now }: RowProps) {
  const { name, role } = readerOf(visit, subject, nameOfDoctor)
  const reason = reasonOf(visit)
  const [start, end] = [timeText(visit.from, zone), timeText(visit.to, zone)]
  return (
    <li>
      <time dateTime={visit.to}>
        {momentText(visit.from, now, zone)}
        {start === end ? '' : `–${end}`}
      </time>
      <span>
        {words.access.sentence(
          { name: <bdi class="subject">{name}</bdi>, role },
          deedsOf(visit.entries, { zone, whose }),
          reason === undefined ? undefined : <bdi>{reason}</bdi>,
        )}
      </span>
    </li>
  )
}
