// One alert: why it is there, by which rule of whom, what was done, and the readings around it. What can be pressed stands in one
// place, whatever is loading above it.
import { useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { ReviewNote } from '../../care/reviews.tsx'
import { clearText, lateText, ruleText } from '../../care/rule-text.ts'
import { SeverityMark } from '../../care/severity-mark.tsx'
import { Link } from '../../design/link.tsx'
import { occasionText } from '../../format/times.ts'
import { nameWithin } from '../../format/type-names.ts'
import { AlertChart } from './alert-chart.tsx'
import { AlertHistory } from './alert-history.tsx'
import { actorOf, lastingText, nameOfPatient, ruleOf, stateText, type TextOptions } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'

type Props = {
  alert: Alert
  rounds: RoundsClient
  text: TextOptions
  address: Address
  /** Why nothing can be done with it; undefined where something can. */
  obstacle: string | undefined
  onAcknowledge: () => void
  onClose: () => void
}

/** Of another alert it is another panel: its key is the alert. */
export function AlertPanel(props: Props) {
  const { alert, rounds, text, onClose } = props
  const { patientUid, sharedAs, readingType } = alert
  /** Found by a read that was refused; the list finds it too. */
  const [isGone, setGone] = useState(false)
  return (
    <section class="side-panel" aria-labelledby="side-panel-heading" data-severity={alert.severity}>
      <header>
        <h2 id="side-panel-heading" tabIndex={-1}>
          <bdi class="clamp">{nameOfPatient(alert)}</bdi>
        </h2>
        <button type="button" class="side-panel-close" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
        <p class="small muted">
          {typeof sharedAs === 'string' && (
            <>
              <bdi>{patientUid}</bdi> ·{' '}
            </>
          )}
          {nameWithin(readingType)}
        </p>
      </header>
      {isGone ? (
        <p class="notice" role="status">
          <strong>
            <bdi>{nameOfPatient(alert)}</bdi> no longer shares readings with you.
          </strong>
          <span>Nothing of this record can be shown any more.</span>
        </p>
      ) : (
        <>
          <Status alert={alert} text={text} />
          <AlertChart alert={alert} rounds={rounds} text={text} />
          <Rule alert={alert} text={text} />
          <AlertHistory alert={alert} rounds={rounds} text={text} onGone={() => setGone(true)} />
          <Actions {...props} />
        </>
      )}
    </section>
  )
}

function Status({ alert, text }: Pick<Props, 'alert' | 'text'>) {
  const { severity, since, until, state, why, acknowledged } = alert
  const endMs = until === null ? text.now : Date.parse(until)
  const done = stateText(alert, text)
  return (
    <div class="panel-status alert-status">
      <p class="alert-status-top">
        <SeverityMark severity={severity} />
        {state !== 'retracted' && (
          <span class="small muted">
            {until === null ? 'for' : 'lasted'} {lastingText(endMs - Date.parse(since))}
          </span>
        )}
      </p>
      <p dir="auto">{why}</p>
      {done !== '' && <p class="small">{done}</p>}
      {acknowledged && <ReviewNote note={acknowledged.note} />}
      {state === 'open' && done === '' && <p class="small">Nobody has acknowledged it.</p>}
    </div>
  )
}

/** "Rule: sensor glucose above 13.9 mmol/L for 2 hours. It ends with …". */
function Rule({ alert, text }: Pick<Props, 'alert' | 'text'>) {
  const { rule } = alert
  const author = actorOf({ by: rule.setBy, doctorId: rule.doctorId }, text)
  return (
    <section class="alert-rule">
      <h3>Rule</h3>
      <p>
        Alerts at {ruleText(ruleOf(alert))}. Ends with {clearText(ruleOf(alert))}. {lateText(rule)}
      </p>
      <p class="muted">
        {rule.label !== null && <bdi>“{rule.label}”. </bdi>}
        Set by <bdi>{author === 'You' ? 'you' : author}</bdi>{' '}
        {occasionText(rule.setAt, text.now, { zone: text.zone, isDayOnly: true })}.
      </p>
    </section>
  )
}

function Actions({ alert, address, obstacle, onAcknowledge }: Props) {
  const why = useRef<HTMLParagraphElement>(null)
  const isActive = alert.state === 'open' || alert.state === 'acknowledged'
  const mayAcknowledge = obstacle === undefined && alert.state === 'open'
  const explain = () => why.current?.focus()
  return (
    <footer>
      {isActive && (
        <button
          type="button"
          class="button primary"
          aria-describedby="alert-hint"
          aria-disabled={!mayAcknowledge}
          onClick={mayAcknowledge ? onAcknowledge : explain}
        >
          {alert.state === 'open' ? 'Acknowledge' : 'Acknowledged'}
        </button>
      )}
      <Link class="button" address={address} to={{ path: 'today', query: { patient: alert.patientUid } }}>
        Open the record
      </Link>
      {isActive && (
        <p id="alert-hint" class="small muted" ref={why} tabIndex={-1}>
          {obstacle ??
            (alert.state === 'open'
              ? 'The patient sees that you acknowledged it, and what you note.'
              : 'It stays here until the readings end it.')}
        </p>
      )}
    </footer>
  )
}
