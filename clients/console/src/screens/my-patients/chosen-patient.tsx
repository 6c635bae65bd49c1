// Where the panel of the chosen patient stands: a column of its own in a wide window, else above the list until it is closed.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { KeyList } from './key-list.tsx'
import { nameOfPatient } from './list-view.ts'
import type { ListedPatient } from './listed-patient.ts'
import { Sheet } from './sheet.tsx'
import { SidePanel } from './side-panel.tsx'
import type { Chosen } from './use-chosen.ts'

type Props = {
  chosen: Chosen
  patient: ListedPatient | undefined
  /** Whether the list is known, so that one who is not in it does not share. */
  isKnown: boolean
  rounds: RoundsClient
  zone: string
  address: Address
  isPanelAbove: boolean
  onReviewed: () => void
}

export function ChosenPatient({ chosen, patient, isKnown, isPanelAbove, ...rest }: Props) {
  const panel = patient ? (
    <SidePanel key={patient.patientUid} {...rest} patient={patient} onClose={chosen.closePanel} />
  ) : undefined
  const name = patient ? nameOfPatient(patient) : 'The chosen patient'
  return (
    <>
      {isPanelAbove ? (
        chosen.isPanelOpen &&
        panel && (
          <Sheet name={name} onClose={chosen.closePanel}>
            {panel}
          </Sheet>
        )
      ) : (
        <aside class="list-panel" aria-label="The chosen patient">
          {panel ?? <Nobody isGone={chosen.uid !== undefined && isKnown} />}
        </aside>
      )}
    </>
  )
}

function Nobody({ isGone }: { isGone: boolean }) {
  return (
    <div class="list-nobody muted">
      <p>
        {isGone ? 'This patient no longer shares readings with you.' : 'Choose a patient to see more here.'}
      </p>
      <KeyList
        keys={[
          [['↑', '↓'], 'previous, next'],
          [['↵'], 'open the record'],
          [['Space'], 'go to the panel'],
          [['Esc'], 'leave'],
        ]}
      />
    </div>
  )
}
