// What became of an alert, step by step: who did what, when and why.
import { useEffect } from 'preact/hooks'
import { type RoundsClient, RoundsError } from '../../../../typescript/src/client.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { momentText } from '../../format/times.ts'
import { useLasting } from '../../hooks/use-lasting.ts'
import { useLoad } from '../../hooks/use-load.ts'
import { eventText, type TextOptions } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'

const RESTED_MS = 300

type Props = { alert: Alert; rounds: RoundsClient; text: TextOptions; onGone: () => void }

export function AlertHistory({ alert, rounds, text, onGone }: Props) {
  const { patientUid, alertId, state, acknowledged } = alert
  const isRested = useLasting(true, RESTED_MS)
  const { data, error, reload } = useLoad(
    [patientUid, alertId],
    async (signal) => (isRested ? rounds.alerts.history({ patientUid, alertId }, { signal }) : undefined),
    [isRested, state, acknowledged?.at, alert.announcedAt],
  )
  const isGone = error instanceof RoundsError && error.code === 'NotShared'
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone])
  const events = data?.data ?? []
  const nameOfDoctor = useDoctorNames(events.flatMap(({ doctorId }) => doctorId ?? []))
  if (error !== undefined && !isGone) return <ErrorNotice error={error} onRetry={reload} />
  return (
    <section class="alert-history" aria-busy={data === undefined}>
      <h3>History</h3>
      {data === undefined ? (
        <div class="skeleton alert-history-waiting" />
      ) : (
        <ol>
          {events.map((event) => (
            <li key={`${event.event} ${event.at}`}>
              <span dir="auto">{eventText(event, { ...text, nameOfDoctor })}</span>{' '}
              <time class="muted" dateTime={event.at}>
                {momentText(event.at, text.now, text.zone)}
              </time>
              <ReviewNote note={event.note} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
