// Where the panel of the chosen alert stands: a column of its own in a wide window, else above the list until it is closed. And the
// dialog that acknowledges it.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { useApp } from '../../app.ts'
import { Dialog } from '../../design/dialog.tsx'
import { useLoad } from '../../hooks/use-load.ts'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { AlertPanel } from './alert-panel.tsx'
import { nameOfPatient, stateText, type TextOptions, titleOf } from './alert-text.ts'
import { KeyList } from './key-list.tsx'
import type { Alert } from './listed-alert.ts'
import { Sheet } from './sheet.tsx'
import type { ChosenAlert as Chosen } from './use-chosen-alert.ts'

type Props = {
  chosen: Chosen
  rounds: RoundsClient
  text: TextOptions
  address: Address
  isPanelAbove: boolean
  /** Whether the list is known, so that an alert that is not in it is over. */
  isKnown: boolean
  onDone: (said: string) => void
}

export function ChosenAlert({ chosen, isPanelAbove, isKnown, onDone, ...rest }: Props) {
  const { rounds, text } = rest
  const { alert } = chosen
  const obstacle = useObstacle(alert)
  const panel = alert && (
    <AlertPanel
      key={alert.alertId}
      {...rest}
      {...{ alert, obstacle }}
      onAcknowledge={chosen.acknowledge}
      onClose={chosen.closePanel}
    />
  )
  return (
    <>
      {isPanelAbove ? (
        chosen.isPanelOpen &&
        alert && (
          <Sheet name={titleOf(alert)} onClose={chosen.closePanel}>
            {panel}
          </Sheet>
        )
      ) : (
        <aside class="list-panel" aria-label="The chosen alert">
          {panel ?? <None isGone={chosen.alertId !== undefined && isKnown} />}
        </aside>
      )}
      {alert && chosen.isAcknowledging && (
        <Acknowledging {...{ alert, obstacle, rounds, text, onDone }} onClose={chosen.stop} />
      )}
    </>
  )
}

type AcknowledgingProps = Pick<Props, 'rounds' | 'text' | 'onDone'> & {
  alert: Alert
  obstacle: string | undefined
  onClose: () => void
}

/** What cannot be done is said, and not tried. */
function Acknowledging({ alert, obstacle, text, onClose, ...rest }: AcknowledgingProps) {
  const why = obstacle ?? (alert.state === 'open' ? undefined : stateText(alert, text))
  if (why !== undefined)
    return (
      <Dialog title="This alert cannot be acknowledged." question={why} onClose={onClose}>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  return <AcknowledgeDialog {...rest} {...{ alert, onClose }} />
}

/** A patient may share for reading only. */
function useObstacle(alert: Alert | undefined): string | undefined {
  const { sharingPatients } = useApp()
  const patientUid = alert?.patientUid
  const { data } = useLoad([patientUid], async () =>
    patientUid === undefined ? undefined : sharingPatients.find(patientUid),
  )
  if (!alert || data?.permission !== 'view') return undefined
  return `${nameOfPatient(alert)} lets you see readings, and not change the record. The patient can let you, under “Shared with”.`
}

function None({ isGone }: { isGone: boolean }) {
  return (
    <div class="list-nobody muted">
      <p>
        {isGone
          ? 'This alert is no longer in the list: it was resolved or retracted, or the patient no longer shares with you.'
          : 'Choose an alert to see more here.'}
      </p>
      <KeyList
        keys={[
          [['↑', '↓'], 'previous, next'],
          [['↵'], 'open the alert'],
          [['Esc'], 'leave'],
        ]}
      />
    </div>
  )
}
