// The severity of an alert: a shape of its own and a word; the colour only adds to them.
import './severity-mark.css'
import { words } from '../words/words.ts'

export type Severity = 'warning' | 'urgent'

/** An octagon, a triangle. */
const SHAPES: Readonly<Record<Severity, string>> = {
  urgent: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z',
  warning: 'M8 1.8 15 14.2H1Z',
}

const SIGNS: Readonly<Record<Severity, string>> = {
  urgent: 'M8 4.2v4.6M8 11.6v.2',
  warning: 'M8 6.2v3.6M8 12v.2',
}

export function SeverityMark({ severity }: { severity: Severity }) {
  return (
    <span class="severity" data-severity={severity}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path class="severity-shape" d={SHAPES[severity]} />
        <path class="severity-sign" d={SIGNS[severity]} />
      </svg>
      {words.ruleWords.severities[severity]}
    </span>
  )
}
