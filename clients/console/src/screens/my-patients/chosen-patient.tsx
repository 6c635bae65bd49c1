// Where the panel of the chosen patient stands: a column of its own in a wide window, else above the list until it is closed. And
// the dialog of a review, which a key opens too.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { Dialog } from '../../design/dialog.tsx'
import { KeyList } from './key-list.tsx'
import { nameOfPatient } from './list-view.ts'
import type { ListedPatient } from './listed-patient.ts'
import { ReviewDialog } from './review-dialog.tsx'
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
  const { rounds, zone, address, onReviewed } = rest
  const panel = patient ? (
    <SidePanel
      key={patient.patientUid}
      {...{ patient, rounds, zone, address, onReviewed }}
      onClose={chosen.closePanel}
    />
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
      {chosen.isReviewing && patient && (
        <Review patient={patient} chosen={chosen} rounds={rounds} onReviewed={onReviewed} />
      )}
      {chosen.hasKeys && (
        <Dialog title="Keys of this list" onClose={chosen.hideKeys}>
          <Keys />
          <div class="actions">
            <button type="button" class="button" onClick={chosen.hideKeys}>
              Close
            </button>
          </div>
        </Dialog>
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
      <Keys />
    </div>
  )
}

const Keys = () => (
  <KeyList
    keys={[
      [['J', 'K'], 'next, previous'],
      [['↵'], 'open the record'],
      [['R'], 'mark as reviewed'],
      [['/'], 'find'],
      [['Esc'], 'leave'],
      [['?'], 'show these keys'],
    ]}
  />
)

type ReviewProps = Pick<Props, 'chosen' | 'rounds' | 'onReviewed'> & { patient: ListedPatient }

/** One who shares for reading only gets no review: nothing is stored in their record. */
function Review({ patient, chosen, rounds, onReviewed }: ReviewProps) {
  const close = () => chosen.setReviewing(false)
  if (patient.permission === 'manage')
    return <ReviewDialog {...{ patient, rounds, onReviewed }} onClose={close} />
  return (
    <Dialog
      title="You may read this record, and not change it."
      question={`${nameOfPatient(patient)} lets you see readings. A review is stored in the record, so it needs the right to change it. The patient can give it, under “Shared with”.`}
      onClose={close}
    >
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
