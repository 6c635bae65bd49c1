// The status of a patient: a mark and a word, and a colour only where a rule found something.
import { SEVERITY_WORDS, type Severity, SeverityMark } from '../../care/severity-mark.tsx'
import type { ListedPatient, ListedStatus } from './listed-patient.ts'

const STATUSES: Record<ListedStatus, { mark: string; word: string }> = {
  attention: { mark: '▲', word: 'Needs attention' },
  review: { mark: '●', word: 'Review' },
  worse: { mark: '↘', word: 'Getting worse' },
  silent: { mark: '◌', word: 'No data' },
  preparing: { mark: '…', word: 'Being prepared' },
  noData: { mark: '–', word: 'Too little data' },
  reviewed: { mark: '○', word: 'Looked at' },
  inTarget: { mark: '✓', word: 'In target' },
  noTarget: { mark: '–', word: 'No target' },
}

const SEVERITIES = Object.keys(SEVERITY_WORDS) as Severity[]

export function StatusMark({
  patient: { status, rule, openAlerts, acknowledgedAlerts },
}: {
  patient: ListedPatient
}) {
  const { mark, word } = STATUSES[status]
  return (
    <>
      <span class={`list-status ${status}`} title={rule?.text}>
        <span aria-hidden="true">{mark}</span>
        <span>{word}</span>
      </span>
      {openAlerts && <OpenAlerts counts={openAlerts} />}
      <AcknowledgedAlerts count={acknowledgedAlerts ?? 0} />
    </>
  )
}

/** The most severe, and how many there are beside it. */
function OpenAlerts({ counts }: { counts: NonNullable<ListedPatient['openAlerts']> }) {
  const severity = SEVERITIES.find((one) => counts[one] > 0)
  if (!severity) return null
  const others = counts.urgent + counts.warning + counts.notice - 1
  return (
    <span class="list-alerts">
      <SeverityMark severity={severity} />
      <span class="unseen"> alert open</span>
      {others > 0 && (
        <span class="muted">
          {' '}
          and {others}
          <span class="unseen"> more</span>
        </span>
      )}
    </span>
  )
}

/** That a doctor has dealt with an alert does not end it: the readings do. */
function AcknowledgedAlerts({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span class="list-sub" title="The readings have not ended it.">
      {count === 1 ? 'alert acknowledged, still active' : `${count} alerts acknowledged, still active`}
    </span>
  )
}
