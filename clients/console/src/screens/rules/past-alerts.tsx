// What alerted, in words: since when, for how long, and who acknowledged it with which note.
import type { Alert } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { ErrorNotice, Loading } from '../../design/notice.tsx'
import { ShowOlder } from '../../design/show-older.tsx'
import { type NamedDoctor, useDoctorNames } from '../../directory/doctor-names.ts'
import { lengthText } from '../../format/iso-duration.ts'
import { momentText, occasionText } from '../../format/times.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePages } from '../../hooks/use-pages.ts'
import type { ScreenProps } from '../../screen.ts'

const PAGE = 50

export function PastAlerts({ rounds, patientUid, zone }: ScreenProps) {
  const { subject } = useApp().session.person
  const now = useNow()
  const { items, error, reload, older } = usePages([patientUid], (page, signal) =>
    rounds.alerts.list({ patientUid, state: 'all', limit: PAGE, ...page }, { signal }),
  )
  const nameOfDoctor = useDoctorNames(
    (items ?? []).flatMap(({ acknowledged }) => acknowledged?.doctorId ?? []),
  )
  return (
    <section class="past-alerts" aria-labelledby="past-alerts-heading">
      <h2 id="past-alerts-heading">What alerted, and who acknowledged it</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {!items && error === undefined && <Loading lines={3} />}
      {items?.length === 0 && <p class="muted">Nothing yet.</p>}
      {items && items.length > 0 && (
        <ul class="panel moments">
          {items.map((alert) => (
            <li key={alert.alertId}>
              <time dateTime={alert.since}>{momentText(alert.since, now, zone)}</time>
              <span class="past-alert">
                <span>
                  <SeverityMark severity={alert.severity} /> {alert.why}
                </span>
                {sentencesOf(alert, { zone, now, subject, nameOfDoctor }).map((sentence) => (
                  <span key={sentence} class="small muted">
                    {sentence}
                  </span>
                ))}
                {typeof alert.acknowledged?.note === 'string' && (
                  <q class="past-alert-note" dir="auto">
                    {alert.acknowledged.note}
                  </q>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <ShowOlder {...older} />
    </section>
  )
}

type Options = {
  zone: string
  now: number
  /** The reader, who is called "you". */
  subject: string
  nameOfDoctor: (doctorId: string) => NamedDoctor
}

const QUIET = {
  late: 'It was recorded and not announced, because its readings arrived late.',
  inhibited: 'It was not announced, because a more urgent alert about the same value was open.',
}

function sentencesOf(alert: Alert, { zone, now, subject, nameOfDoctor }: Options): string[] {
  const { state, since, until, acknowledged, quiet } = alert
  const at = (instant: string) => occasionText(instant, now, { zone })
  if (state === 'retracted') return ['Retracted: as is known now, the rule never held.']
  if (state === 'pending') return ['No alert yet: the rule begins to hold.']
  const length = lengthText(Date.parse(until ?? new Date(now).toISOString()) - Date.parse(since))
  return [
    until === null ? `Open for ${length}.` : `Ended ${at(until)}, after ${length}.`,
    quiet === null ? '' : QUIET[quiet],
    acknowledged
      ? `${acknowledged.by === subject ? 'You' : nameOfDoctor(acknowledged.doctorId).name} acknowledged it ${at(acknowledged.at)}${acknowledged.note === null ? '.' : ':'}`
      : until === null
        ? 'Nobody has acknowledged it yet.'
        : 'Nobody acknowledged it.',
  ].filter((sentence) => sentence !== '')
}
