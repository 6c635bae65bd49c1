// What the spans of a slice change of the stored alerts, and what is said of it. Plain: no clock and no database.
//
// An alert keeps its id while its span overlaps with what was known of it: a late reading that lets it begin earlier makes no other alert, and
// what a doctor said of it stays with it. Ended ones follow their spans too, without a word: the next fold begins with them.
import { randomUUID } from 'node:crypto'
import { kindOf } from '../rules/rule.ts'
import { heldBy, looksFrom, matched, timesOf } from './alert-spans.ts'
import { type Fold, LATE, type Shown, type Span, severityRank } from './fold.ts'
import type { EvaluatedRule, Loaded, StoredAlert } from './load-rules.ts'
import type { Micros } from './micros.ts'
import { overBy } from './why.ts'

/** `reopened`: whose acknowledgement is taken back, as it was seen. */
export type SavedAlert = StoredAlert & { reopened: string | null }

export type AlertEvent = Omit<StoredAlert, 'worst' | 'newest' | 'acknowledged' | 'why'> & {
  event: 'opened' | 'reopened' | 'ended'
  isAnnounced: boolean
  value: number | null
  measuredAt: string | null
  receivedAt: string | null
  why: string | null
}

/** What changes of the alerts of a patient and type, and what is said of it. */
export class Changes {
  readonly alerts: SavedAlert[] = []
  readonly events: AlertEvent[] = []
  readonly #places = new Map<string, number>()
  dueAt: Micros | null = null
  readonly #loaded: Loaded
  readonly #to: Micros | null

  /** `to`: where the slice ends; null of the last. */
  constructor(loaded: Loaded, to: Micros | null) {
    this.#loaded = loaded
    this.#to = to
  }

  ofRule(rule: EvaluatedRule, alerts: readonly StoredAlert[], fold: Fold | undefined) {
    const { now } = this.#loaded
    let open = alerts.find(({ endedAt }) => endedAt === null)
    if (open && (!fold || open.kind !== kindOf(rule.terms) || open.field !== rule.field)) {
      const because =
        rule.state === 'removed' ? 'ruleRemoved' : rule.setAt === null ? 'grantEnded' : 'ruleChanged'
      this.#end(open, because, now)
      open = undefined
    }
    const { missing } = rule.terms
    const isLast = this.#to === null
    if (!fold || (missing && !isLast)) return
    if (isLast) this.#dueAt(fold.finish(now))
    const { spans, open: held } = fold
    if (held ?? open) this.#dueAt(rule.sharedUntil)

    const isHere = ({ since }: StoredAlert) => this.#to === null || since < this.#to
    const isOfVersion = ({ versionId }: StoredAlert) => versionId === rule.versionId
    const ended = alerts.filter((alert) => alert.endedAt !== null && isOfVersion(alert) && isHere(alert))
    const { alertOf, parts, gone } = matched(
      spans,
      ended,
      open && isOfVersion(open) && isHere(open) ? open : undefined,
    )
    const isFound = open && [...alertOf.values()].includes(open)
    if (open && isLast && !isFound) {
      if (isOfVersion(open)) this.#end(open, missing ? 'values' : 'withdrawn', now)
      else if (held) alertOf.set(held, open)
      else if (fold.isHeldByNewest(now, open.newest)) this.#save(open, { ...open, ...namesOf(rule) })
      else this.#end(open, 'ruleChanged', now)
    }
    for (const span of spans) this.#ofSpan(rule, span, alertOf.get(span))
    this.#retract(rule, parts, gone)
  }

  #dueAt(at: Micros | null) {
    if (at !== null) this.dueAt = Math.min(this.dueAt ?? Infinity, at)
  }

  /** So that what is stored are the spans as they are known now: the next fold begins with the one that is open there. */
  #ofSpan(rule: EvaluatedRule, span: Span, alert: StoredAlert | undefined) {
    const { until } = span
    const because = span.because ?? 'values'
    if (until === null) {
      if (this.#to === null) this.#hold(rule, span, alert)
      else if (alert) {
        const { since, sinceId } = span
        this.#save(alert, { ...alert, since, sinceId, until: alert.until && Math.max(alert.until, this.#to) })
      }
    } else if (alert?.endedAt === null) this.#end(heldBy(alert, span), because, until, { rule, span })
    else if (alert)
      this.#save(alert, {
        ...heldBy(alert, span),
        until,
        endedBecause: alert.endedBecause === 'withdrawn' ? because : alert.endedBecause,
      })
    else if (!rule.terms.missing && isOverSince(span, rule.setAt ?? 0))
      this.#end(this.#open(rule, span), because, until, { rule, span })
  }

  /** The readings that held them were withdrawn, or late ones show that they did not hold, or not by themselves. */
  #retract(rule: EvaluatedRule, parts: readonly StoredAlert[], gone: readonly StoredAlert[]) {
    const mayBeWrong = ({ since, endedBecause }: StoredAlert) =>
      since >= looksFrom(rule) && endedBecause !== 'withdrawn'
    const byReadings = ({ kind, endedBecause }: StoredAlert) =>
      kind !== 'missing' && (endedBecause === 'values' || endedBecause === 'symptomOver')
    const wrong = gone.filter(mayBeWrong)
    for (const alert of wrong.filter(byReadings)) this.#end(alert, 'withdrawn', alert.until ?? alert.since)
    for (const alert of [...parts.filter(mayBeWrong), ...wrong.filter((one) => !byReadings(one))])
      this.#save(alert, { ...alert, until: alert.since })
  }

  #open(rule: EvaluatedRule, span: Span): StoredAlert {
    const { value, change } = rule.terms
    const found = heldBy(
      {
        alertId: randomUUID(),
        ruleId: rule.ruleId,
        authorKind: rule.authorKind,
        authorId: rule.authorId,
        readingType: rule.readingType,
        field: rule.field,
        kind: kindOf(rule.terms),
        ...namesOf(rule),
        since: span.since,
        sinceId: span.sinceId,
        until: null,
        openedAt: this.#loaded.now,
        endedAt: null,
        endedBecause: null,
        isLate: !span.isFresh,
        worst: null,
        newest: null,
        beyond: null,
        why: '',
        limit: value?.above ?? value?.below ?? change?.by ?? null,
        acknowledged: null,
      },
      span,
    )
    // Of what was over for a day nobody is told.
    const isLongOver = span.until !== null && span.until < this.#loaded.now - LATE
    const alert = { ...found, isLate: found.isLate || isLongOver }
    this.#add({ ...alert, reopened: null })
    this.#say('opened', alert, alert.worst)
    return alert
  }

  #hold(rule: EvaluatedRule, span: Span, was: StoredAlert | undefined) {
    if (!was) {
      this.#open(rule, span)
      return
    }
    const isOver = was.endedAt !== null
    const is = heldBy({ ...was, ...namesOf(rule), until: null, endedAt: null, endedBecause: null }, span)
    const isWorse = was.acknowledged !== null && isWorseThan(was, was.acknowledged, span)
    this.#save(was, is, (isOver || isWorse) && was.acknowledged ? was.acknowledged.at : null)
    if (isOver || isWorse) this.#say('reopened', is, is.worst)
    else if (was.isLate && !is.isLate) this.#say('opened', is, is.worst)
  }

  #end(was: StoredAlert, because: string, until: Micros, by?: { rule: EvaluatedRule; span: Span }) {
    const endedBy = by?.span.endedBy ?? null
    const is = {
      ...was,
      until: Math.max(until, was.since),
      endedAt: was.endedAt ?? this.#loaded.now,
      endedBecause: because,
      newest: endedBy ? shownOf(endedBy) : was.newest,
    }
    this.#save(was, is)
    const why = by ? overBy(by.rule, endedBy) : WHY_ENDED[because]
    this.#say(
      'ended',
      is,
      because === 'grantEnded' ? null : endedBy,
      because === 'grantEnded' ? null : (why ?? is.why),
    )
  }

  /** Once for each alert: the last that was found. */
  #save(was: StoredAlert, is: StoredAlert, reopened: string | null = null) {
    const nth = this.#places.get(was.alertId)
    if (nth !== undefined)
      this.alerts[nth] = { ...is, reopened: reopened ?? this.alerts[nth]?.reopened ?? null }
    else if (reopened !== null || printed(was) !== printed(is)) this.#add({ ...is, reopened })
  }

  #add(alert: SavedAlert) {
    this.#places.set(alert.alertId, this.alerts.length)
    this.alerts.push(alert)
  }

  #say(event: AlertEvent['event'], alert: StoredAlert, shown: Shown | null, why: string | null = alert.why) {
    const { worst: _worst, newest: _newest, acknowledged: _acknowledged, ...of } = alert
    this.events.push({
      ...of,
      event,
      isAnnounced: !alert.isLate,
      endedBecause: event === 'ended' ? alert.endedBecause : null,
      value: shown?.value ?? null,
      unit: shown?.unit ?? null,
      measuredAt: shown?.measuredAt ?? null,
      receivedAt: shown?.receivedAt ?? null,
      why,
    })
  }
}

const WHY_ENDED: Record<string, string> = {
  ruleChanged: 'The rule was changed.',
  ruleRemoved: 'The rule was removed.',
  withdrawn: 'As is known now, it did not hold: a reading was withdrawn, or others arrived late.',
  values: 'A reading arrived.',
}

const namesOf = ({ versionId, severity, label, terms }: EvaluatedRule) => ({
  versionId,
  severity,
  label,
  unit: terms.unit ?? null,
})

function shownOf(endedBy: Shown & { arrivedAt: Micros }): Shown {
  const { arrivedAt: _arrivedAt, ...shown } = endedBy
  return shown
}

/** What was over before the rule was set is none of its alerts. */
const isOverSince = ({ endedBy, until }: Span, setAt: Micros) => (endedBy?.arrivedAt ?? until ?? 0) >= setAt

function isWorseThan(
  { kind, worst }: StoredAlert,
  { beyond }: { beyond: number | null },
  span: Span,
): boolean {
  if (kind === 'symptom')
    return (
      severityRank(span.worst.shown?.severity) > 2 &&
      span.worst.shown?.readingId !== worst?.readingId &&
      // Where the other one was withdrawn, an earlier one is the worst again.
      span.worst.receivedAt > timesOf(worst, 0).receivedAt
    )
  return span.worst.beyond !== null && span.worst.beyond > (beyond ?? Infinity)
}

/** In an order of its own: the database gives what readings are in another one. */
const printed = ({ worst, newest, acknowledged: _acknowledged, ...others }: StoredAlert) =>
  JSON.stringify([
    Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...[worst, newest].map(
      (shown) => shown && Object.entries(shown).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ])
