// Which of the stored alerts of a rule are the spans that its readings give now. An alert keeps its id while its span of time overlaps with
// what it was: a late reading that lets it begin earlier makes no other alert, and what a doctor said of it stays with it.
import { randomUUID } from 'node:crypto'
import type { Folded, Micros, Span } from './span.ts'
import {
  type Acknowledgement,
  type Evaluated,
  type EvaluatedRule,
  type StoredAlert,
  shown,
} from './stored-alert.ts'
import { overBy, whyOf } from './why.ts'

type ToMatch = {
  rule: EvaluatedRule
  folded: Folded
  /** Alerts of this version that are not retracted, and were not over when the fold begins. */
  stored: readonly StoredAlert[]
  acknowledgements: readonly Acknowledgement[]
}

type Held = { span: Span; isPending: boolean }

/** `dropped` was pending, and nothing has come of it. */
export function matchAlerts({ rule, folded, stored, acknowledgements }: ToMatch): {
  evaluated: Evaluated[]
  dropped: StoredAlert[]
} {
  const held: Held[] = [
    ...folded.spans.map((span) => ({ span, isPending: false })),
    ...(folded.pending ? [{ span: folded.pending, isPending: true }] : []),
  ].toSorted((a, b) => b.span.since - a.span.since)
  const left = new Set(stored.toSorted((a, b) => b.since - a.since))
  const matched = new Map<Held, StoredAlert>()
  const match = (one: Held, candidates: Iterable<StoredAlert>) => {
    for (const alert of candidates)
      if (left.has(alert) && mayBecome(alert, one)) {
        matched.set(one, alert)
        left.delete(alert)
        return
      }
  }
  // There may be thousands: nearly all of them begin as before, and are found by that.
  const byBeginning = Map.groupBy(left, beginningOf)
  for (const one of held) match(one, byBeginning.get(beginningOf(one.span)) ?? [])
  for (const one of held)
    if (!matched.has(one))
      match(
        one,
        [...left].filter((alert) => overlaps(alert, one.span)),
      )
  const known = [...acknowledgements, ...stored.flatMap(({ acknowledged }) => acknowledged ?? [])]
  const evaluated = held.map((one) => evaluatedFrom(rule, one, matched.get(one) ?? null, known))
  const dropped = [...left].filter(({ condition }) => condition === 'pending')
  const retracted = [...left].filter(({ condition }) => condition !== 'pending').map(retract)
  return { evaluated: [...evaluated, ...retracted], dropped }
}

/** The alerts of a rule that was changed or removed: it holds no longer. */
export function endAlerts(
  stored: readonly StoredAlert[],
  { at, why }: { at: Micros; why: string },
): { evaluated: Evaluated[]; dropped: StoredAlert[] } {
  const open = stored.filter(({ condition }) => condition === 'open')
  return {
    evaluated: open.map((was) => ({
      was,
      is: {
        ...was,
        condition: 'resolved' as const,
        until: Math.max(at, was.since),
        resolvedAt: Math.max(at, was.openedAt),
      },
      isFresh: was.quiet !== 'late',
      endedBy: why,
    })),
    dropped: stored.filter(({ condition }) => condition === 'pending'),
  }
}

const mayBecome = ({ condition }: StoredAlert, { isPending }: Held) => !isPending || condition === 'pending'

const beginningOf = ({ since, sinceId }: Pick<Span, 'since' | 'sinceId'>) => `${since} ${sinceId}`

const overlaps = (alert: StoredAlert, { since, until }: Span) =>
  alert.since < (until ?? Infinity) && since < (alert.until ?? Infinity)

function evaluatedFrom(
  rule: EvaluatedRule,
  { span, isPending }: Held,
  was: StoredAlert | null,
  acknowledgements: readonly Acknowledgement[],
): Evaluated {
  const { ruleId, versionId, readingType, field, severity } = rule
  const { since, sinceId, until, openedAt, resolvedAt, isFresh } = span
  const [readings, why] = span.readings
    ? [span.readings.map(shown), whyOf(rule, span.readings, isPending)]
    : [was?.readings ?? [], was?.why ?? '']
  const acknowledged = acknowledgements
    .filter(({ point }) => point >= since && point <= (until ?? Infinity))
    .toSorted((a, b) => b.point - a.point)[0]
  const is: StoredAlert = {
    announcedAt: null,
    quiet: null,
    ...was,
    alertId: was?.alertId ?? randomUUID(),
    ruleId,
    versionId,
    readingType,
    field,
    severity,
    condition: isPending ? 'pending' : until === null ? 'open' : 'resolved',
    since,
    sinceId,
    until,
    openedAt,
    resolvedAt,
    readings,
    why,
    acknowledged: isPending ? null : (acknowledged ?? null),
  }
  return { was, is, isFresh, endedBy: until === null ? null : overBy(rule, span.endedWith) }
}

function retract(was: StoredAlert): Evaluated {
  const is = { ...was, condition: 'retracted' as const, until: null, resolvedAt: null }
  return { was, is, isFresh: true, endedBy: null }
}
