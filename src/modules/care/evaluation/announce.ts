// What is announced of the alerts of a patient and type, and when. An alert is announced once when it opens, unless
//  - late: no reading that arrived in time keeps it,
//  - inhibited: an alert of the same field with a higher severity, which is not late itself, is not over.
// When that one is over, it is announced if it still holds. So nothing that holds stays unannounced for good but what was late.
import type { Micros } from './span.ts'
import { type AlertEvent, type Evaluated, RANKS, type StoredAlert } from './stored-alert.ts'

const REOPENED = 'It holds again: a reading that ended it was withdrawn, or another one arrived late.'
const NEVER_HELD = 'As is known now, it never held: a reading was withdrawn, or others arrived late.'

/** Changes the alerts in place. `others` are further alerts of the patient and type, which do not change. */
export function announce(
  evaluated: readonly Evaluated[],
  others: readonly StoredAlert[],
  now: Micros,
): AlertEvent[] {
  const events: AlertEvent[] = []
  const groups = Map.groupBy([...evaluated.map(({ is }) => is), ...others], ({ field }) => field)
  for (const { was, is, isFresh } of evaluated)
    if (isUnannounced(was, is)) is.quiet = isFresh ? null : (was?.quiet ?? 'late')
  const inhibiting = new Map([...groups].map(([field, alerts]) => [field, byRank(alerts)]))
  for (const one of evaluated.toSorted((a, b) => a.is.since - b.is.since)) {
    const { was, is } = one
    if (is.condition === 'pending') continue
    const say = (event: AlertEvent['event'], isAnnounced: boolean, why = is.why) => {
      const { alertId, ruleId, severity, readingType } = is
      events.push({ alertId, ruleId, event, isAnnounced, severity, readingType, why })
    }
    const wasKnown = was !== null && was.condition !== 'pending'
    const higher = inhibiting.get(is.field)?.[RANKS[is.severity]] ?? []
    if (is.condition === 'retracted') {
      say('retracted', is.announcedAt !== null, NEVER_HELD)
      continue
    }
    if (isUnannounced(was, is)) openQuietly(one, { higher, now, say, wasKnown })
    else if (is.announcedAt === null && !wasKnown) say('recorded', false)
    else if (
      was?.condition === 'resolved' &&
      is.condition === 'open' &&
      is.announcedAt !== null &&
      !isInhibited(is, higher)
    )
      say('reopened', true, REOPENED)
    if (is.condition === 'resolved' && was?.condition !== 'resolved')
      say('resolved', is.announcedAt !== null, one.endedBy ?? is.why)
  }
  return events
}

/** Of one that is acknowledged, or over for long, nobody needs to be told. */
function isUnannounced(was: StoredAlert | null, is: StoredAlert): boolean {
  const isLongOver = was?.condition === 'resolved' && is.condition === 'resolved'
  const isHeld = is.condition === 'open' || is.condition === 'resolved'
  return isHeld && is.announcedAt === null && !isLongOver && is.acknowledged === null
}

/** For each rank, the alerts of a field that may inhibit one of it: none that is late itself. There may be thousands. */
function byRank(alerts: readonly StoredAlert[]): StoredAlert[][] {
  const holding = alerts.filter(
    ({ condition, quiet }) => (condition === 'open' || condition === 'resolved') && quiet !== 'late',
  )
  return Object.values(RANKS).map((rank) => holding.filter(({ severity }) => RANKS[severity] > rank))
}

type Context = {
  higher: readonly StoredAlert[]
  now: Micros
  say: (event: AlertEvent['event'], isAnnounced: boolean) => void
  wasKnown: boolean
}

/** Announces it, or says why not yet. */
function openQuietly({ is, isFresh }: Evaluated, { higher, now, say, wasKnown }: Context) {
  if (isFresh && isInhibited(is, higher)) is.quiet = 'inhibited'
  if (is.quiet === null) {
    is.announcedAt = now
    say('opened', true)
  } else if (!wasKnown) say('recorded', false)
}

/** Of one that is over already: at the time when it opened. */
function isInhibited(is: StoredAlert, higher: readonly StoredAlert[]): boolean {
  return higher.some((other) =>
    is.until === null
      ? other.condition === 'open'
      : other.since <= is.since && (other.until ?? Infinity) > is.since,
  )
}
