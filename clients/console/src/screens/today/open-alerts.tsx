// The alerts of the patient that are open, in words, with who has acknowledged them. Shown above everything else: somebody set a rule,
// and it holds.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Alert, AlertsAnswer } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { Link } from '../../design/link.tsx'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { occasionText } from '../../format/times.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import { useWaker } from '../../hooks/waker.ts'
import { useChanges } from '../../live/live.ts'
import type { ScreenProps } from '../../screen.ts'

/** A rule is evaluated within two seconds of a reading. */
const EVALUATED_MS = 4_000
/** Time alone opens an alert too, and a doctor acknowledges it: no reading says so. */
const AGAIN_EVERY_MS = 30_000
/** As many as somebody reads. */
const MAX_SHOWN = 20

/** None where the server has no alerts. */
export function useActiveAlerts({ rounds, patientUid }: Pick<ScreenProps, 'rounds' | 'patientUid'>) {
  const { hasAlerts } = useApp()
  const [version, setVersion] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waker = useWaker(AGAIN_EVERY_MS)
  const readSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setVersion((before) => before + 1)
    }, EVALUATED_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!hasAlerts) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const follow = async () => {
      while (!signal.aborted) {
        await waker.pause()
        if (!signal.aborted) setVersion((before) => before + 1)
      }
    }
    void follow()
    return () => {
      leaving.abort()
      waker.wake()
    }
  }, [hasAlerts, waker])
  useChanges({ onChange: readSoon, onReset: readSoon })
  const loaded = useLoad(
    [patientUid, hasAlerts],
    async (signal) =>
      hasAlerts
        ? rounds.alerts.list({ patientUid, state: 'active', limit: MAX_SHOWN }, { signal })
        : undefined,
    [version],
  )
  const { data, error, isLoading } = loaded
  return { ...loaded, isAwaited: hasAlerts && isLoading && data === undefined && error === undefined }
}

type Props = ScreenProps & { loaded: Loaded<AlertsAnswer | undefined>; now: number; isOnline: boolean }

export function OpenAlerts({ loaded, address, patientUid, zone, now, isOnline }: Props) {
  const { patientUids, doctorId } = useApp().session.person
  const isOwn = patientUids.includes(patientUid)
  const isOnlyOwn = isOwn && patientUids.length === 1
  const alerts = loaded.data?.data ?? []
  const doctorIds = alerts.flatMap(({ rule, acknowledged }) =>
    [rule, acknowledged].flatMap((one) => one?.doctorId ?? []),
  )
  const nameOfDoctor = useDoctorNames([...new Set(doctorIds)])
  if (loaded.error !== undefined && !loaded.isLoading && isOnline)
    return <p class="open-alerts-unknown muted">Whether alerts are open cannot be shown now.</p>
  if (alerts.length === 0) return null
  return (
    <section class="open-alerts" aria-labelledby="open-alerts-heading">
      <h2 id="open-alerts-heading">Open alerts</h2>
      <ul>
        {alerts.map((alert) => (
          <li key={alert.alertId} data-severity={alert.severity}>
            <p>
              <SeverityMark severity={alert.severity} /> <span dir="auto">{alert.why}</span>
            </p>
            <p class="small muted">
              Since {occasionText(alert.since, now, { zone })}, by a rule of{' '}
              <bdi>{nameOfDoctor(alert.rule.doctorId).name}</bdi>.{' '}
              <Seen {...{ alert, zone, now, nameOfDoctor }} />
            </p>
            <ReviewNote note={alert.acknowledged?.note ?? null} />
            {doctorId !== undefined && (
              <Link address={address} to={{ path: 'alerts', query: { selected: alert.alertId } }}>
                Open the alert
              </Link>
            )}
          </li>
        ))}
      </ul>
      <p class="small">
        Rounds is a notification aid and no monitor: nobody may be looking now.
        {isOwn && ` If ${isOnlyOwn ? 'you feel' : 'the patient feels'} unwell, do not wait for an answer.`}
      </p>
    </section>
  )
}

type SeenProps = Pick<Props, 'zone' | 'now'> & {
  alert: Alert
  nameOfDoctor: ReturnType<typeof useDoctorNames>
}

/** "Dr Willow Sample acknowledged it today, 07:50." */
function Seen({ alert: { acknowledged }, zone, now, nameOfDoctor }: SeenProps) {
  const { subject } = useApp().session.person
  if (!acknowledged) return <>No doctor has acknowledged it yet.</>
  const name = acknowledged.by === subject ? 'You' : nameOfDoctor(acknowledged.doctorId).name
  return (
    <strong>
      <bdi>{name}</bdi> acknowledged it {occasionText(acknowledged.at, now, { zone })}
      {acknowledged.note === null ? '.' : ' and noted:'}
    </strong>
  )
}
