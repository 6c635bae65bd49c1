// What answers most questions about one patient of the list without opening the record.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import type { ListedPatient } from './listed-patient.ts'

export type SidePanelProps = {
  patient: ListedPatient
  rounds: RoundsClient
  zone: string
  address: Address
  /** After a review was stored. */
  onReviewed: () => void
  onClose: () => void
}

export function SidePanel({ patient, onClose }: SidePanelProps) {
  return (
    <section aria-label="The chosen patient">
      <h2>
        <bdi>{patient.sharedAs ?? patient.patientUid}</bdi>
      </h2>
      <p>{patient.reason}</p>
      <p class="small muted">{patient.rule?.text}</p>
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </section>
  )
}
