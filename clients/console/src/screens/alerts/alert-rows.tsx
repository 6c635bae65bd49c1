// An alert of the inbox, as a row of the table or, on a phone, as a card.
import { SeverityMark } from '../../care/severity-mark.tsx'
import { lastingText, nameOfPatient, spanText, stateText, type TextOptions } from './alert-text.ts'
import type { Alert } from './listed-alert.ts'
import { idOfRow } from './use-chosen-alert.ts'

export type RowProps = {
  alertId: string
  /** Undefined where it is no longer in the list: the place stays until the list is sorted again. */
  alert: Alert | undefined
  isSelected: boolean
  text: TextOptions
  /** Opens the alert. The way to the record is in its panel. */
  onSelect: () => void
}

const GONE = 'No longer active, or no longer shared with you.'

export function AlertRow({ alertId, alert, isSelected, text, onSelect }: RowProps) {
  return (
    <tr
      role="row"
      id={idOfRow(alertId)}
      class={alert?.state === 'open' ? 'alert-row is-open' : 'alert-row'}
      aria-selected={isSelected}
      onClick={alert && onSelect}
    >
      {alert ? (
        <>
          <td role="gridcell" class="alert-cell">
            <SeverityMark severity={alert.severity} />
          </td>
          <td role="gridcell" class="alert-cell">
            <Patient alert={alert} />
          </td>
          <td role="gridcell" class="alert-cell">
            <Why alert={alert} text={text} />
          </td>
          <td role="gridcell" class="alert-cell alert-when">
            <Lasting alert={alert} text={text} />
          </td>
        </>
      ) : (
        <td role="gridcell" class="alert-cell alert-gone muted">
          {GONE}
        </td>
      )}
    </tr>
  )
}

type CardProps = RowProps & { onAcknowledge: () => void }

export function AlertCard(props: CardProps) {
  const { alertId, alert, isSelected, text, onSelect, onAcknowledge } = props
  if (!alert)
    return (
      <li id={idOfRow(alertId)} class="alert-card muted">
        {GONE}
      </li>
    )
  const name = nameOfPatient(alert)
  return (
    <li
      id={idOfRow(alertId)}
      class={isSelected ? 'alert-card selected' : 'alert-card'}
      data-severity={alert.severity}
      onClick={onSelect}
    >
      <div class="alert-card-top">
        <SeverityMark severity={alert.severity} />
        <span class="alert-when">
          <Lasting alert={alert} text={text} />
        </span>
      </div>
      <Patient alert={alert} />
      <Why alert={alert} text={text} />
      <div class="alert-card-actions">
        {alert.state === 'open' && (
          <button
            type="button"
            class="button primary"
            onClick={alone(onAcknowledge)}
            aria-label={`Acknowledge the alert of ${name}`}
          >
            Acknowledge
          </button>
        )}
        <button type="button" class="button" onClick={onSelect} aria-label={`More of the alert of ${name}`}>
          More
        </button>
      </div>
    </li>
  )
}

/** Does not open the card on which the button stands. */
const alone = (act: () => void) => (event: Event) => {
  event.stopPropagation()
  act()
}

function Patient({ alert }: { alert: Alert }) {
  const { patientUid, sharedAs } = alert
  return (
    <span class="alert-patient">
      <strong>
        <bdi class="clamp" title={nameOfPatient(alert)}>
          {nameOfPatient(alert)}
        </bdi>
      </strong>
      {typeof sharedAs === 'string' && <bdi class="alert-sub clamp one">{patientUid}</bdi>}
    </span>
  )
}

function Why({ alert, text }: { alert: Alert; text: TextOptions }) {
  const state = stateText(alert, text)
  const { acknowledged } = alert
  return (
    <span class="alert-why">
      <span dir="auto">{alert.why}</span>
      {state !== '' && <span class="alert-sub">{state}</span>}
      {acknowledged?.note != null && (
        <span class="alert-sub alert-note clamp one" dir="auto">
          “{acknowledged.note}”
        </span>
      )}
    </span>
  )
}

/** How long it has lasted, and since when. */
function Lasting({ alert, text }: { alert: Alert; text: TextOptions }) {
  const { since, until } = alert
  const endMs = until === null ? text.now : Date.parse(until)
  return (
    <>
      {alert.state !== 'retracted' && <strong>{lastingText(endMs - Date.parse(since))}</strong>}
      <time class="alert-sub" dateTime={since}>
        {spanText(alert, text)}
      </time>
    </>
  )
}
