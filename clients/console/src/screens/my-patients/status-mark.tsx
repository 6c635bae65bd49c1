// The status of a patient: a mark and a word, and a colour only where a rule found something.
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

export function StatusMark({ patient: { status, rule } }: { patient: ListedPatient }) {
  const { mark, word } = STATUSES[status]
  return (
    <span class={`list-status ${status}`} title={rule?.text}>
      <span aria-hidden="true">{mark}</span>
      <span>{word}</span>
    </span>
  )
}
