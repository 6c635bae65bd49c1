// An alert as it is stored, and as the evaluation changes it.
import type { RuleTerms } from '../rules/rule.ts'
import type { Micros, Seen } from './span.ts'

export type Severity = 'notice' | 'warning' | 'urgent'

export const RANKS: Record<Severity, number> = { notice: 0, warning: 1, urgent: 2 }

/** One version of a rule. */
export type EvaluatedRule = {
  ruleId: string
  versionId: string
  state: 'set' | 'removed'
  readingType: string
  field: string | null
  severity: Severity
  terms: RuleTerms
  changedAt: Micros
  /** When the clock is looked at next. */
  dueAt: Micros | null
}

export type Acknowledgement = {
  point: Micros
  at: string
  by: string
  doctorId: string
  note: string | null
}

/** How a reading that opened an alert is shown. */
export type ShownReading = {
  readingId: string
  measuredAt: string
  value: number | null
  unit: string | null
}

export type StoredAlert = {
  alertId: string
  ruleId: string
  versionId: string
  readingType: string
  field: string | null
  severity: Severity
  condition: 'pending' | 'open' | 'resolved' | 'retracted'
  since: Micros
  sinceId: string
  until: Micros | null
  openedAt: Micros
  resolvedAt: Micros | null
  readings: ShownReading[]
  why: string
  announcedAt: Micros | null
  quiet: 'late' | 'inhibited' | null
  acknowledged: Acknowledgement | null
}

export type AlertEvent = {
  alertId: string
  ruleId: string
  event: 'recorded' | 'opened' | 'reopened' | 'resolved' | 'retracted'
  isAnnounced: boolean
  severity: Severity
  readingType: string
  why: string
}

/** An alert after the evaluation, beside what was stored of it. */
export type Evaluated = {
  was: StoredAlert | null
  is: StoredAlert
  /** Whether a reading that arrived in time keeps it. */
  isFresh: boolean
  /** Why it is over; null where it is not. */
  endedBy: string | null
}

export function shown({ id, sent }: Seen): ShownReading {
  return { readingId: id, measuredAt: sent.measuredAt, value: sent.value, unit: sent.unit }
}
