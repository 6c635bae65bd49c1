// What answers most questions about one patient of the list without opening the record. What can be pressed stands in one place,
// whatever is loading above it.
import { useRef, useState } from 'preact/hooks'
import type { RoundsClient } from '../../../../typescript/src/client.ts'
import type { Address } from '../../address.ts'
import { Link } from '../../design/link.tsx'
import { untilText, whatText } from '../sharing/grant-text.ts'
import type { ListedPatient } from './listed-patient.ts'
import { PanelRecord } from './panel-record.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { StatusMark } from './status-mark.tsx'
import '../reports/reports.css'
import './side-panel.css'

export type SidePanelProps = {
  patient: ListedPatient
  rounds: RoundsClient
  zone: string
  address: Address
  /** After a review was stored. */
  onReviewed: () => void
  onClose: () => void
}

/** Of another patient it is another panel: its key is the patient. */
export function SidePanel(props: SidePanelProps) {
  const { patient, rounds, zone, onReviewed, onClose } = props
  const { patientUid, sharedAs } = patient
  /** Found by a read that was refused; the list finds it too. */
  const [isGone, setGone] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  return (
    <section class="side-panel" aria-labelledby="side-panel-heading">
      <header>
        <h2 id="side-panel-heading" tabIndex={-1}>
          <bdi class="clamp">{sharedAs ?? patientUid}</bdi>
        </h2>
        <button type="button" class="side-panel-close" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
        {!isGone && <Shared patient={patient} zone={zone} />}
      </header>
      {isGone ? (
        <p class="notice" role="status">
          <strong>
            <bdi>{sharedAs ?? patientUid}</bdi> no longer shares readings with you.
          </strong>
          <span>Nothing of this record can be shown any more.</span>
        </p>
      ) : (
        <>
          <Status patient={patient} />
          <PanelRecord patient={patient} rounds={rounds} zone={zone} onGone={() => setGone(true)} />
          <Actions {...props} onReview={() => setReviewing(true)} />
        </>
      )}
      {isReviewing && !isGone && (
        <ReviewDialog
          patient={patient}
          rounds={rounds}
          onReviewed={onReviewed}
          onClose={() => setReviewing(false)}
        />
      )}
    </section>
  )
}

/** "child-1 · shares sensor glucose with you until 31 Mar 2027". */
function Shared({ patient, zone }: { patient: ListedPatient; zone: string }) {
  const { patientUid, sharedAs } = patient
  const until = untilText(patient, zone)
  return (
    <p class="small muted">
      {sharedAs !== null && (
        <>
          <bdi>{patientUid}</bdi> ·{' '}
        </>
      )}
      Shares {whatText(patient)} with you{until === '' ? ', without an end date' : ` ${until}`}.
    </p>
  )
}

/** Coloured only where a rule found something. */
function Status({ patient }: { patient: ListedPatient }) {
  const { status, reason, rule } = patient
  return (
    <div class={rule ? `panel-status ${status}` : 'panel-status'}>
      <StatusMark patient={patient} />
      <p dir="auto">{reason}</p>
      {rule && (
        <p class="small muted" dir="auto">
          {rule.text}
        </p>
      )}
    </div>
  )
}

function Actions({ patient, address, onReview }: SidePanelProps & { onReview: () => void }) {
  const { patientUid, permission, rule } = patient
  const mayReview = permission === 'manage'
  const query = { patient: patientUid }
  const why = useRef<HTMLParagraphElement>(null)
  return (
    <footer>
      {rule?.alertId != null && (
        <Link
          class="button primary"
          address={address}
          to={{ path: 'alerts', query: { selected: rule.alertId } }}
        >
          Open the alert
        </Link>
      )}
      <button
        type="button"
        class={rule?.alertId == null ? 'button primary' : 'button'}
        aria-describedby="review-hint"
        aria-disabled={!mayReview}
        onClick={() => (mayReview ? onReview() : why.current?.focus())}
      >
        Mark as reviewed
      </button>
      <Link class="button" address={address} to={{ path: 'today', query }}>
        Open the record<kbd aria-hidden="true">↵</kbd>
      </Link>
      <Link class="button" address={address} to={{ path: 'targets', query }}>
        Targets
      </Link>
      <p id="review-hint" class="small muted" ref={why} tabIndex={-1}>
        {mayReview
          ? `The patient sees that you looked, and what you note.${rule?.kind === 'openAlert' ? ' The alert stays open.' : ''}`
          : 'You may see these readings, and not mark them as reviewed. The patient can let you, under “Shared with”.'}
      </p>
    </footer>
  )
}
