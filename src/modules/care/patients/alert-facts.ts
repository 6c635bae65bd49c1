// An alert as the judgement takes it: the worst of the readings by which it opened, against the bound of its rule.
import { conversionBetween, convert, type Unit } from '../../casesheet/catalogue/units.ts'
import { durationMs } from '../rules/duration.ts'
import type { MeasuredTerms } from '../rules/rule.ts'
import { timesBeyond } from '../status/beyond.ts'
import type { Alert } from '../status/facts.ts'
import { zeroOf } from '../targets/stored-target.ts'
import { comparedIn } from '../unit-sql.ts'
import type { AlertRow } from './facts-statement.ts'

/** A look sends it back with at most four digits before the point. What is further beyond is not worse for it. */
const MAX_BEYOND = 1_000

/** What the answer shows beside. */
export type AlertFact = Alert & {
  value: number | null
  unit: Unit | null
  limit: number | null
  row: AlertRow
}

export function alertFact(row: AlertRow, now: number): AlertFact {
  const { alertId, severity, terms, why, openedAt, acknowledgedAt, endedAt } = row
  const found = terms.missing ? missingSince(row, durationMs(terms.missing.for), now) : worstOf(row, terms)
  return {
    alertId,
    label: terms.label ?? why,
    isUrgent: severity === 'urgent',
    shown: '',
    position: 0,
    receivedAt: openedAt,
    ...found,
    // It was acknowledged as it is: the readings by which it opened stay the same.
    ...(acknowledgedAt !== null && { acknowledged: { at: acknowledgedAt, beyond: found.beyond } }),
    ...(endedAt !== null && { endedAt }),
    row,
  }
}

/** It began to be missing when the time of the rule was over. No reading is shown, so none is named. */
function missingSince({ since }: AlertRow, expected: number, now: number) {
  const none = { value: null, unit: null, limit: null, readingId: '' }
  return {
    ...none,
    kind: 'missing' as const,
    measuredAt: since,
    beyond: Math.min(MAX_BEYOND, 1 + Math.max(0, now - since) / expected),
  }
}

function worstOf({ readings, since, readingType }: AlertRow, terms: MeasuredTerms) {
  const { unit, change, threshold, sustained } = terms
  const values = readings.flatMap(({ readingId, measuredAt, value, unit: own }) =>
    value === null
      ? []
      : [{ readingId, measuredAt: Date.parse(measuredAt), value: inUnit(value, own, unit) }],
  )
  const kind = change ? ('change' as const) : ('value' as const)
  const unknown = { kind, unit, limit: null, value: null, readingId: '', measuredAt: since, beyond: 1 }
  if (change) {
    const last = values.at(-1)
    if (!last) return unknown
    const others = values.map(({ value }) => value)
    const value = last.value - (change.by > 0 ? Math.min(...others) : Math.max(...others))
    const beyond = Math.min(MAX_BEYOND, Math.max(1, value / change.by))
    return { ...last, kind, unit, value, limit: change.by, beyond }
  }
  const { above, below } = threshold ?? sustained ?? {}
  const [worst] = values.toSorted((a, b) => (above === undefined ? a.value - b.value : b.value - a.value))
  const limit = above ?? below
  if (!worst || limit === undefined) return unknown
  const zero = zeroOf(readingType, unit)
  const beyond = Math.min(MAX_BEYOND, timesBeyond(worst.value, limit, zero))
  return { ...worst, kind, unit, limit, beyond }
}

function inUnit(value: number, from: string | null, to: Unit): number {
  return from === null || from === to
    ? value
    : comparedIn(to, convert(value, conversionBetween(from as Unit, to)))
}
