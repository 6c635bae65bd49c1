// Marks a patient as reviewed, with a note. The list opens it by key, the side panel by its button.
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import { Dialog } from '../../design/dialog.tsx'
import type { ListedPatient } from './listed-patient.ts'

type Props = {
  patient: ListedPatient
  rounds: RoundsClient
  onReviewed: () => void
  onClose: () => void
}

export function ReviewDialog({ patient, onClose }: Props) {
  return (
    <Dialog title="Mark as reviewed" onClose={onClose}>
      <p>
        <bdi>{patient.sharedAs ?? patient.patientUid}</bdi>
      </p>
    </Dialog>
  )
}
