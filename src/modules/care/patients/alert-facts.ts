// An alert as the judgement takes it, and what the answer shows beside.
import { durationMs } from '../rules/duration.ts'
import type { Kind } from '../rules/rule.ts'
import { MOST_BEYOND } from '../status/beyond.ts'
import type { Alert } from '../status/facts.ts'

/** As the statement prints it. */
export type AlertRow = {
  alertId: string
  readingType: string
  severity: 'urgent' | 'warning'
  kind: Kind
  label: string | null
  why: string
  limit: number | null
  /** Null for missing and symptom. */
  beyond: number | null
  unit: string | null
  worst: { readingId: string; value: number | null; measuredAt: string; receivedAt: string } | null
  /** Of missing readings, for how long, as the rule says it. */
  missingFor: string | null
  since: number
  openedAt: number
  acknowledgedAt: number | null
  acknowledgedBeyond: number | null
  endedAt: number | null
}

export type AlertFact = Alert & { row: AlertRow }

export function alertFact(row: AlertRow, now: number): AlertFact {
  const { alertId, severity, kind, label, why, acknowledgedAt, acknowledgedBeyond, endedAt } = row
  return {
    alertId,
    label: label ?? why,
    kind,
    isUrgent: severity === 'urgent',
    shown: '',
    position: 0,
    ...readingOf(row),
    beyond: row.missingFor === null ? (row.beyond ?? 1) : timesMissing(row, row.missingFor, now),
    ...(acknowledgedAt !== null && {
      acknowledged: { at: acknowledgedAt, beyond: acknowledgedBeyond ?? 1 },
    }),
    ...(endedAt !== null && { endedAt }),
    row,
  }
}

/** Where readings are missing, the one before is shown nowhere, so none is named. */
function readingOf({ kind, worst, since, openedAt }: AlertRow) {
  if (kind === 'missing' || worst === null) return { readingId: '', measuredAt: since, receivedAt: openedAt }
  const { readingId, measuredAt, receivedAt } = worst
  return { readingId, measuredAt: Date.parse(measuredAt), receivedAt: Date.parse(receivedAt) }
}

/** It began when the time of the rule was over. */
function timesMissing({ since }: AlertRow, missingFor: string, now: number) {
  return Math.min(MOST_BEYOND, 1 + Math.max(0, now - since) / durationMs(missingFor))
}
