// One version of a rule over the readings of a patient, in order: the spans of time in which it holds. It depends on the readings, the
// rule and the clock alone. So it may begin at any time, given the alert that was open then and the readings that the rule looks back on.
import type { RuleTerms } from '../rules/rule.ts'
import { GapFold } from './gaps.ts'
import { type Fold, type Micros, microsOf, type Outage, type Start } from './span.ts'
import { ValueFold } from './value-fold.ts'

export function foldOf(terms: RuleTerms, start: Start, outages: readonly Outage[]): Fold {
  return terms.missing
    ? new GapFold(microsOf(terms.missing.for), start, outages)
    : new ValueFold(terms, start)
}

/** How far a rule looks back: so many readings, and from the first of these so much time. */
export function lookBackOf(terms: RuleTerms): { readings: number; micros: Micros } {
  const { sustained, change } = terms
  const clears = terms.clear?.count ?? 1
  if (change) return { readings: clears, micros: microsOf(change.within) }
  if (!sustained) return { readings: clears, micros: 0 }
  if (sustained.for === undefined) return { readings: Math.max(clears, sustained.of), micros: 0 }
  return { readings: clears, micros: 2 * microsOf(sustained.for) }
}
