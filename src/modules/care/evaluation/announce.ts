// What is announced of the alerts of a patient and type, and when. An alert is announced once when it opens, unless
//  - late: no reading that arrived in time keeps it,
//  - inhibited: an alert of the same field with a higher severity is not over,
//  - snoozed: a doctor snoozed an alert of the same field with the same or a higher severity.
// The last two end, and then it is announced if it still holds. So nothing that holds stays unannounced for good but what was late.

import type { RuleTerms } from '../rules/rule.ts'
import { type Micros, microsOf } from './span.ts'
import { type AlertEvent, type Evaluated, RANKS, type StoredAlert } from './stored-alert.ts'

const REOPENED = 'It holds again: a reading that ended it was withdrawn, or another one arrived late.'
const SNOOZE_ENDED = 'The snooze has ended, and it still holds.'
const STILL = 'It still holds, and no doctor has acknowledged it.'
const NEVER_HELD = 'As is known now, it never held: a reading was withdrawn, or others arrived late.'

/** Changes the alerts in place. `others` are further alerts of the patient and type, which do not change. */
export function announce(
  evaluated: readonly Evaluated[],
  {
    others,
    termsOf,
    now,
  }: { others: readonly StoredAlert[]; termsOf: (ruleId: string) => RuleTerms | undefined; now: Micros },
): AlertEvent[] {
  const events: AlertEvent[] = []
  const groups = Map.groupBy([...evaluated.map(({ is }) => is), ...others], ({ field }) => field)
  const grouped = new Map([...groups].map(([field, alerts]) => [field, groupOf(alerts)]))
  for (const one of evaluated.toSorted((a, b) => a.is.since - b.is.since)) {
    const { was, is } = one
    if (is.condition === 'pending') continue
    const say = (event: AlertEvent['event'], isAnnounced: boolean, why = is.why) => {
      const { alertId, ruleId, severity, readingType } = is
      events.push({ alertId, ruleId, event, isAnnounced, severity, readingType, why })
    }
    const wasKnown = was !== null && was.condition !== 'pending'
    const group = grouped.get(is.field) ?? groupOf([])
    if (is.condition === 'retracted') {
      say('retracted', is.announcedAt !== null, NEVER_HELD)
      continue
    }
    const terms = termsOf(is.ruleId)
    const isLongOver = was?.condition === 'resolved' && is.condition === 'resolved'
    if (is.announcedAt === null && !isLongOver && is.acknowledged === null)
      openQuietly(one, { group, now, say, wasKnown })
    else if (is.announcedAt === null && !wasKnown) say('recorded', false)
    else if (
      was?.condition === 'resolved' &&
      is.condition === 'open' &&
      is.announcedAt !== null &&
      quietBy(is, group, now) === null
    ) {
      say('repeated', true, REOPENED)
      is.lastAnnouncedAt = now
    } else if (is.condition === 'open' && terms) remind(is, { group, now, say, terms })
    if (is.condition === 'open') is.nextAt = nextOf(is, { group, now, terms })
    if (is.condition === 'resolved') {
      is.nextAt = null
      if (was?.condition !== 'resolved') say('resolved', is.announcedAt !== null, one.endedBy ?? is.why)
    }
  }
  return events
}

type Say = (event: AlertEvent['event'], isAnnounced: boolean, why?: string) => void
type Context = { group: Group; now: Micros; say: Say }

/** The alerts of one field. There may be thousands, so each kind of question has only those that may answer it. */
type Group = {
  /** Those that may inhibit one of this rank. */
  higherThan: (rank: number) => readonly StoredAlert[]
  snoozed: readonly StoredAlert[]
}

function groupOf(alerts: readonly StoredAlert[]): Group {
  const holding = alerts.filter(({ condition }) => condition === 'open' || condition === 'resolved')
  const higher = Object.values(RANKS).map((rank) => holding.filter(({ severity }) => RANKS[severity] > rank))
  return {
    higherThan: (rank) => higher[rank] ?? [],
    snoozed: alerts.filter(({ snoozedUntil: until }) => until !== null),
  }
}

/** Announces it, or says why not yet. */
function openQuietly({ was, is, isFresh }: Evaluated, context: Context & { wasKnown: boolean }) {
  const { group, now, say, wasKnown } = context
  is.quiet = isFresh ? quietBy(is, group, now) : (was?.quiet ?? 'late')
  if (is.quiet === null) {
    is.announcedAt = now
    is.lastAnnouncedAt = now
    say('opened', true)
  } else if (!wasKnown) say('recorded', false)
}

function quietBy(is: StoredAlert, group: Group, now: Micros): StoredAlert['quiet'] {
  if (isInhibited(is, group)) return 'inhibited'
  return snoozedUntil(is, group, now) === null ? null : 'snoozed'
}

/** Of one that is over already: at the time when it opened. */
function isInhibited(is: StoredAlert, group: Group): boolean {
  return group
    .higherThan(RANKS[is.severity])
    .some((other) =>
      is.until === null
        ? other.condition === 'open'
        : other.since <= is.since && (other.until ?? Infinity) > is.since,
    )
}

/** The ends of all snoozes of it. */
function endsOf(is: StoredAlert, { snoozed }: Group): Micros[] {
  return snoozed
    .filter((other) => RANKS[other.severity] >= RANKS[is.severity])
    .flatMap(({ snoozedUntil: until }) => until ?? [])
}

function snoozedUntil(is: StoredAlert, group: Group, now: Micros): Micros | null {
  const ends = endsOf(is, group).filter((until) => until > now)
  return ends.length === 0 ? null : Math.max(...ends)
}

/** What time alone brings: it is escalated, repeated, or no longer snoozed. */
function remind(is: StoredAlert, { group, now, say, terms }: Context & { terms: RuleTerms }) {
  if (is.acknowledged || isInhibited(is, group) || snoozedUntil(is, group, now) !== null) return
  const { announcedAt, lastAnnouncedAt } = is
  if (announcedAt === null || lastAnnouncedAt === null) return
  if (
    terms.escalateAfter !== undefined &&
    is.escalatedAt === null &&
    announcedAt + microsOf(terms.escalateAfter) <= now
  ) {
    is.escalatedAt = now
    is.lastAnnouncedAt = now
    say('escalated', true, STILL)
  } else if (endOfSnooze(is, group, now) > lastAnnouncedAt) {
    is.lastAnnouncedAt = now
    say('repeated', true, SNOOZE_ENDED)
  } else if (terms.repeat !== undefined && lastAnnouncedAt + microsOf(terms.repeat) <= now) {
    is.lastAnnouncedAt = now
    say('repeated', true, STILL)
  }
}

/** When the last snooze of it ended. */
function endOfSnooze(is: StoredAlert, group: Group, now: Micros): Micros {
  return Math.max(-Infinity, ...endsOf(is, group).filter((until) => until <= now))
}

/** When it is to be looked at again though nothing changes. */
function nextOf(
  is: StoredAlert,
  { group, now, terms }: { group: Group; now: Micros; terms: RuleTerms | undefined },
): Micros | null {
  const snooze = snoozedUntil(is, group, now)
  if (is.acknowledged || is.quiet === 'late' || isInhibited(is, group)) return null
  if (snooze !== null) return snooze
  const times = [
    terms?.escalateAfter !== undefined && is.escalatedAt === null && is.announcedAt !== null
      ? is.announcedAt + microsOf(terms.escalateAfter)
      : Infinity,
    terms?.repeat !== undefined && is.lastAnnouncedAt !== null
      ? is.lastAnnouncedAt + microsOf(terms.repeat)
      : Infinity,
  ]
  const next = Math.min(...times)
  return next === Infinity ? null : next
}
