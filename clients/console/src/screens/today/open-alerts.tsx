// The alerts of the patient that are open, in words, with who has acknowledged them. Shown above everything else: somebody set a rule,
// and it holds.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Alert, AlertsAnswer } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { occasionText } from '../../format/times.ts'
import { type Loaded, useLoad } from '../../hooks/use-load.ts'
import { useTick } from '../../hooks/use-now.ts'
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
  const tick = useTick(AGAIN_EVERY_MS)
  const readSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setVersion((before) => before + 1)
    }, EVALUATED_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges({ onChange: readSoon, onReset: readSoon })
  const loaded = useLoad(
    [patientUid, hasAlerts],
    async (signal) =>
      hasAlerts
        ? Promise.all(
            // What a doctor has seen holds still.
            (['open', 'acknowledged'] as const).map((state) =>
              rounds.alerts.list({ patientUid, state, limit: MAX_SHOWN }, { signal }),
            ),
          )
        : undefined,
    [version, tick],
  )
  const { data, error, isLoading } = loaded
  return { ...loaded, isAwaited: hasAlerts && isLoading && data === undefined && error === undefined }
}

type Props = ScreenProps & { loaded: Loaded<AlertsAnswer[] | undefined>; now: number; isOnline: boolean }

export function OpenAlerts({ loaded, patientUid, zone, now, isOnline }: Props) {
  const { patientUids } = useApp().session.person
  const isOwn = patientUids.includes(patientUid)
  const isOnlyOwn = isOwn && patientUids.length === 1
  const alerts = (loaded.data ?? []).flatMap(({ data }) => data)
  const isUnknown = loaded.error !== undefined && !loaded.isLoading && isOnline
  if (alerts.length === 0)
    return isUnknown ? (
      <p class="open-alerts-unknown muted">Whether alerts are open cannot be shown now.</p>
    ) : null
  return (
    <section class="open-alerts" aria-labelledby="open-alerts-heading">
      <h2 id="open-alerts-heading">Open alerts</h2>
      {isUnknown && <p class="small muted">Whether they are still open cannot be shown now.</p>}
      <ul>
        {alerts.map((alert) => (
          <li key={alert.alertId} data-severity={alert.severity}>
            <p>
              <SeverityMark severity={alert.severity} /> <span dir="auto">{alert.why}</span>
            </p>
            <p class="small muted">
              Since {occasionText(alert.openedAt, now, { zone })}. <Seen {...{ alert, zone, now }} />
            </p>
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

type SeenProps = Pick<Props, 'zone' | 'now'> & { alert: Alert }

/** "Dr Willow Sample acknowledged it today, 07:50." */
function Seen({ alert: { acknowledged }, zone, now }: SeenProps) {
  if (!acknowledged) return <>No doctor has acknowledged it yet.</>
  return (
    <strong>
      <bdi>{acknowledged.by}</bdi> acknowledged it {occasionText(acknowledged.at, now, { zone })}.
    </strong>
  )
}
