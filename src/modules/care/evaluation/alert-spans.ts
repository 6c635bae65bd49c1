// Stored alerts as the spans that they are. Plain: no clock and no database.
import { LATE, type Shown, type Span } from './fold.ts'
import type { EvaluatedRule, StoredAlert } from './load-rules.ts'
import type { Micros } from './micros.ts'
import { countedAt } from './seen.ts'

/** One that is set anew looks at what was measured a day before; for what is missing, at all. */
export const looksFrom = ({ setAt, terms }: EvaluatedRule): Micros =>
  terms.missing ? -Infinity : (setAt ?? Infinity) - LATE

/** Whether its span goes on at this time, by what was known. */
export const isOpenAt = ({ since, until, endedBecause }: StoredAlert, at: Micros) =>
  since < at && (until ?? Infinity) >= at && endedBecause !== 'withdrawn'

export function spanOf(alert: StoredAlert): Span {
  const { since, sinceId, worst, newest, beyond, why, isLate } = alert
  const holdingAt = (shown: Shown | null, factor: number | null) => ({
    ...timesOf(shown, since),
    shown,
    beyond: factor,
    why,
  })
  return {
    since,
    sinceId,
    until: null,
    because: null,
    endedBy: null,
    worst: holdingAt(worst, beyond),
    last: holdingAt(newest, null),
    newest,
    isFresh: !isLate,
  }
}

export function timesOf(shown: Shown | null, otherwise: Micros) {
  if (!shown) return { at: otherwise, receivedAt: otherwise }
  const receivedAt = Date.parse(shown.receivedAt) * 1_000
  return { at: countedAt(Date.parse(shown.measuredAt) * 1_000, receivedAt), receivedAt }
}

/** What readings say of it. Whether it is told of does not change once it has ended. */
export function heldBy(alert: StoredAlert, { since, sinceId, worst, newest, isFresh }: Span): StoredAlert {
  return {
    ...alert,
    since,
    sinceId,
    worst: worst.shown,
    newest,
    beyond: worst.beyond,
    why: worst.why,
    isLate: alert.isLate && (alert.endedAt !== null || !isFresh),
  }
}

/** Up to the newest that was looked at for it. Nothing is looked at for what is missing. */
function overlaps(alert: StoredAlert, { since, until }: Span): boolean {
  const known =
    alert.until ??
    (alert.kind === 'missing' ? Infinity : Math.max(alert.since, timesOf(alert.newest, alert.since).at))
  return alert.since <= (until ?? Infinity) && known >= since
}

type Matched = {
  alertOf: Map<Span, StoredAlert>
  /** These overlap with a span that is another alert. */
  parts: StoredAlert[]
  /** These overlap with none. */
  gone: StoredAlert[]
}

/**
 * Which alert each span is: the open one the last that overlaps with it, an ended one that which began with it, else the first that overlaps.
 * All are in order of time, and no two spans overlap.
 */
export function matched(
  spans: readonly Span[],
  ended: readonly StoredAlert[],
  open: StoredAlert | undefined,
): Matched {
  const alertOf = new Map<Span, StoredAlert>()
  const ofOpen = open && spans.findLast((span) => overlaps(open, span))
  if (ofOpen) alertOf.set(ofOpen, open)
  const bySince = new Map(spans.map((span) => [span.since, span]))
  const others = ended.filter((alert) => {
    const span = bySince.get(alert.since)
    if (!span || alertOf.has(span)) return true
    alertOf.set(span, alert)
    return false
  })
  const parts: StoredAlert[] = []
  const gone: StoredAlert[] = []
  let first = 0
  for (const alert of others) {
    while ((spans[first]?.until ?? Infinity) < alert.since) first++
    let nth = first
    let span = spans[nth]
    while (span && alertOf.has(span) && overlaps(alert, span)) span = spans[++nth]
    if (span && overlaps(alert, span)) alertOf.set(span, alert)
    else if (nth > first) parts.push(alert)
    else gone.push(alert)
  }
  return { alertOf, parts, gone }
}
