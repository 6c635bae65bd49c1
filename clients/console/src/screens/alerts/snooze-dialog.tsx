// Snoozes an alert for a while, or ends that. The list stays as it is; nothing is announced meanwhile.
import { useEffect, useRef } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { measureName } from '../../care/rule-text.ts'
import { Dialog } from '../../design/dialog.tsx'
import { ErrorNotice } from '../../design/notice.tsx'
import { instantOfLocal, localInput } from '../../format/times.ts'
import { DAY_MS, HOUR_MS } from '../../format/zone-calendar.ts'
import { useCall } from '../../hooks/use-call.ts'
import { AlertInDialog } from './acknowledge-dialog.tsx'
import { isSnoozed } from './alert-groups.ts'
import { nameOfPatient, ruleOf, type TextOptions, untilText } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'

type Props = {
  alert: Alert
  rounds: RoundsClient
  text: TextOptions
  /** With what the service says about it. */
  onDone: (said: string) => void
  onClose: () => void
}

export function SnoozeDialog({ alert, rounds, text, onDone, onClose }: Props) {
  const { isBusy, error, call } = useCall()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const { patientUid, alertId, snoozed } = alert
  const isOn = snoozed !== null && isSnoozed(alert, text.now)
  const choices = [
    ...(isOn ? [{ key: 'e', words: 'End the snooze now', untilMs: undefined }] : []),
    ...timesFrom(Date.now(), text.zone),
  ]
  const snooze = (untilMs: number | undefined) =>
    call(async () => {
      // What is not in the future ends it.
      const until = new Date(untilMs ?? Date.now() - 1_000).toISOString()
      const { message } = await rounds.alerts.snooze({ patientUid, alertId, until })
      onDone(message)
      onClose()
    })
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const chosen = choices.find(({ key }) => key === event.key.toLowerCase())
    if (!chosen) return
    event.preventDefault()
    void snooze(chosen.untilMs)
  }
  return (
    <Dialog title={isOn ? 'Change the snooze' : 'Snooze this alert'} onClose={onClose}>
      <div class="stack alert-dialog" onKeyDown={onKey}>
        <AlertInDialog alert={alert} />
        {isOn && <p>It is snoozed until {untilText(snoozed.until, text)}.</p>}
        <p class="small muted">
          Until then nothing is announced for <bdi>{measureName(ruleOf(alert))}</bdi> of{' '}
          <bdi>{nameOfPatient(alert)}</bdi>, for you and for others. A more severe alert is.
        </p>
        <div class="alert-snoozes">
          {choices.map(({ key, words, untilMs }, index) => (
            <button
              key={key}
              type="button"
              class="button"
              {...(index === 0 ? { ref: first } : {})}
              aria-disabled={isBusy}
              aria-keyshortcuts={key.toUpperCase()}
              onClick={() => void snooze(untilMs)}
            >
              <span>
                {words}
                {untilMs !== undefined && key !== '3' && (
                  <span class="muted"> until {untilText(untilMs, text)}</span>
                )}
              </span>
              <kbd aria-hidden="true">{key.toUpperCase()}</kbd>
            </button>
          ))}
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  )
}

/** The day after that of the zone, at eight. */
function timesFrom(now: number, zone: string) {
  const tomorrow = localInput(now + DAY_MS, zone).slice(0, 'yyyy-mm-dd'.length)
  return [
    { key: '1', words: '1 hour,', untilMs: now + HOUR_MS },
    { key: '2', words: '4 hours,', untilMs: now + 4 * HOUR_MS },
    { key: '3', words: 'Until tomorrow 08:00', untilMs: instantOfLocal(`${tomorrow}T08:00`, zone) },
  ]
}
