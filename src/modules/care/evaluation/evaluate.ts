// Evaluates the rules of a patient and type over a slice of readings: which of the stored alerts are the spans that the readings give now, and
// what is announced of it. Plain: no clock and no database.
//
// An alert keeps its id while its span overlaps with what was known of it: a late reading that lets it begin earlier makes no other alert, and
// what a doctor said of it stays with it.
import { randomUUID } from 'node:crypto'
import { kindOf } from '../rules/rule.ts'
import { HOUSE } from '../status/house.ts'
import { Fold, LATE, type Shown, type Span, severityRank, withinOf } from './fold.ts'
import type { Asked, Slice } from './load-readings.ts'
import type { EvaluatedRule, Loaded, StoredAlert } from './load-rules.ts'
import { DAY, type Micros } from './micros.ts'
import type { Carried } from './next-tasks.ts'
import type { Outage } from './outages.ts'
import { countedAt, countedOnce, seenOf } from './seen.ts'
import { overBy } from './why.ts'

/** A rule that is set anew looks at what was measured so long before. */
const LOOKS_BACK: Micros = LATE

type AlertEvent = Pick<
  StoredAlert,
  'alertId' | 'ruleId' | 'authorKind' | 'authorId' | 'severity' | 'label' | 'readingType' | 'field'
> & {
  event: 'opened' | 'reopened' | 'ended'
  isAnnounced: boolean
  endedBecause: string | null
  value: number | null
  unit: string | null
  measuredAt: string | null
  receivedAt: string | null
  why: string | null
}

/** `reopened`: whose acknowledgement is taken back, as it was seen. */
type SavedAlert = StoredAlert & { reopened: string | null }

/** What is to be written of a patient and type. */
export type Outcome = {
  loaded: Loaded
  alerts: SavedAlert[]
  events: AlertEvent[]
  /** Where the next slice begins; null if all is evaluated. */
  next: { from: Micros; carried: Carried } | null
  /** When rules look at the clock next: null for never, undefined to leave what is set. */
  dueAt: Micros | null | undefined
}

/** Undefined where no rule looks at readings. */
export function askedFor({ task, now, from, rules }: Loaded, size: number): Asked | undefined {
  const set = rules.filter((rule) => isInForce(rule, task.readingType))
  if (set.length === 0) return undefined
  return {
    patientUid: task.patientUid,
    readingType: task.readingType,
    fields: [...new Set(set.flatMap(({ field }) => field ?? []))],
    now,
    from,
    backTo: from - Math.max(...set.map(({ terms }) => withinOf(terms))),
    goesOn: task.carried !== null,
    size,
  }
}

const isInForce = ({ state, setAt, readingType }: EvaluatedRule, type: string) =>
  state === 'set' && setAt !== null && readingType === type

export function evaluate(
  loaded: Loaded,
  slice: Slice,
  stored: readonly StoredAlert[],
  outages: readonly Outage[],
): Outcome {
  const ofRules = loaded.rules.map((rule) => {
    const alerts = stored.filter(({ ruleId }) => ruleId === rule.ruleId)
    return { rule, alerts, fold: foldedOver(rule, alerts, { loaded, slice, outages }) }
  })
  const { to } = slice
  // What is behind it was evaluated before, and nothing that changed reaches so far.
  const isConverged =
    to !== null &&
    ofRules.every(
      ({ rule, alerts, fold }) =>
        !fold ||
        (to > loaded.measuredTo + withinOf(rule.terms) &&
          // Nothing is missing where more readings come.
          (rule.terms.missing ||
            isAsStored(
              fold.open,
              alerts.find((alert) => isOpenAt(alert, to)),
            ))),
    )
  const done = new Changes(loaded, to === null)
  const carried: Record<string, Carried[string]> = {}
  for (const { rule, alerts, fold } of ofRules) {
    done.ofRule(rule, alerts, fold)
    if (fold?.open && !rule.terms.missing)
      carried[rule.ruleId] = { versionId: rule.versionId, span: fold.open }
  }
  return {
    loaded,
    alerts: done.alerts,
    events: done.events,
    next: to === null || isConverged ? null : { from: to, carried },
    dueAt: to === null ? clockFor(loaded, done.dueAt) : undefined,
  }
}

/** A clock may be too early, never too late: it is set again when it is due, and not with each reading. */
function clockFor({ dueAt: was, now }: Loaded, dueAt: Micros | null): Micros | null | undefined {
  if (was === null || dueAt === null) return was === dueAt ? undefined : dueAt
  return was <= now || dueAt < was ? dueAt : undefined
}

const isOpenAt = ({ since, until, endedBecause }: StoredAlert, at: Micros) =>
  since < at && (until ?? Infinity) > at && endedBecause !== 'withdrawn'

const isAsStored = (open: Span | null, alert: StoredAlert | undefined) =>
  open?.since === alert?.since &&
  (open?.worst.beyond ?? 0) <= (alert?.beyond ?? 0) &&
  !(open?.isFresh && alert?.isLate)

type Given = { loaded: Loaded; slice: Slice; outages: readonly Outage[] }

function foldedOver(rule: EvaluatedRule, alerts: readonly StoredAlert[], { loaded, slice, outages }: Given) {
  const { from, carried, task } = loaded
  const { ruleId, versionId, setAt, sharedSince, terms } = rule
  if (setAt === null || sharedSince === null || !isInForce(rule, task.readingType)) return undefined
  const left = carried[ruleId]
  // Where a slice before has left nothing, nothing is open, whatever was stored.
  const goesOn = task.carried !== null && !terms.missing
  const begin = terms.missing ? -Infinity : setAt - LOOKS_BACK
  // One that is open may have been kept when the rule was changed, and have begun before this version looks at readings.
  const alert = alerts.find(
    (one) =>
      one.versionId === versionId &&
      one.since >= (one.endedAt === null ? sharedSince - LOOKS_BACK : begin) &&
      isOpenAt(one, from),
  )
  const fold = new Fold(
    rule,
    {
      open: left?.versionId === versionId ? left.span : alert && !goesOn ? spanOf(alert) : null,
      setAt,
      ...(rule.isForAll && { measuredSince: setAt - HOUSE.forAllDays * DAY }),
    },
    outages,
  )
  const seen = [...slice.before, ...slice.readings]
    .filter(({ at }) => at >= begin)
    .flatMap((one) => seenOf(rule, one))
  for (const one of countedOnce(seen)) {
    if (one.at < from) fold.lookBack(one)
    else fold.push(one)
  }
  return fold
}

function spanOf(alert: StoredAlert): Span {
  const { since, sinceId, worst, newest, beyond, why, isLate } = alert
  const holdingAt = (shown: Shown | null, factor: number | null) => ({
    ...timesOf(shown, since),
    shown,
    beyond: factor,
    why,
  })
  const worstOne = holdingAt(worst, beyond)
  return {
    since,
    sinceId,
    until: null,
    because: null,
    endedBy: null,
    first: worstOne,
    worst: worstOne,
    last: holdingAt(newest, null),
    newest,
    isFresh: !isLate,
  }
}

function timesOf(shown: Shown | null, otherwise: Micros) {
  if (!shown) return { at: otherwise, receivedAt: otherwise }
  const receivedAt = Date.parse(shown.receivedAt) * 1_000
  return { at: countedAt(Date.parse(shown.measuredAt) * 1_000, receivedAt), receivedAt }
}

/** What changes of the alerts of a patient and type, and what is said of it. */
class Changes {
  readonly alerts: SavedAlert[] = []
  readonly events: AlertEvent[] = []
  readonly #places = new Map<string, number>()
  dueAt: Micros | null = null
  readonly #loaded: Loaded
  readonly #isLast: boolean

  constructor(loaded: Loaded, isLast: boolean) {
    this.#loaded = loaded
    this.#isLast = isLast
  }

  ofRule(rule: EvaluatedRule, alerts: readonly StoredAlert[], fold: Fold | undefined) {
    let open = alerts.find(({ endedAt }) => endedAt === null)
    if (open && (!fold || open.kind !== kindOf(rule.terms) || open.field !== rule.field)) {
      const because =
        rule.state === 'removed' ? 'ruleRemoved' : rule.setAt === null ? 'grantEnded' : 'ruleChanged'
      this.#end(open, because, this.#loaded.now)
      open = undefined
    }
    if (!fold) return
    const { missing } = rule.terms
    if (missing && !this.#isLast) return
    const { spans, dueAt } = this.#isLast
      ? fold.finish(this.#loaded.now)
      : { spans: [...fold.spans], dueAt: null }
    const held = spans.find(({ until }) => until === null)
    const ended = spans.filter(({ until }) => until !== null)
    const isOfVersion = ({ versionId }: StoredAlert) => versionId === rule.versionId
    const known = alerts.filter((alert) => alert === open || (alert.endedAt !== null && isOfVersion(alert)))

    const same = held && this.#sameAs(rule, held, open, known)
    if (open && same !== open) this.#leave(rule, open, ended, fold)
    for (const span of ended) {
      // One that late readings have divided stays that of its first part.
      const first = known.find((alert) => alert.endedAt !== null && alert.since === span.since)
      if (first && span.until !== null && first.endedBecause === 'values')
        this.#save(first, { ...first, until: span.until })
      const isTold = known.some(
        (alert) =>
          overlaps(alert, span) &&
          (alert.since === span.since || !spans.some(({ since }) => since === alert.since)),
      )
      if (!isTold && !missing && isOverSince(span, rule.setAt ?? 0))
        this.#end(this.#open(rule, span), span.because ?? 'values', span.until ?? 0, { rule, span })
    }
    if (held && this.#isLast) {
      if (same) this.#hold(rule, same, held)
      else this.#open(rule, held)
    }
    if (!missing)
      this.#retract(
        rule,
        known.filter((alert) => alert !== open && !spans.some((span) => overlaps(alert, span))),
      )
    this.#dueAt(dueAt)
    if (held || open) this.#dueAt(rule.sharedUntil)
  }

  #dueAt(at: Micros | null) {
    if (at !== null) this.dueAt = Math.min(this.dueAt ?? Infinity, at)
  }

  #sameAs(rule: EvaluatedRule, held: Span, open: StoredAlert | undefined, known: readonly StoredAlert[]) {
    if (open && (overlaps(open, held) || open.versionId !== rule.versionId)) return open
    return open ? undefined : known.findLast((alert) => overlaps(alert, held))
  }

  /** Of an alert that is open, where no span that is open is the same. */
  #leave(rule: EvaluatedRule, open: StoredAlert, ended: readonly Span[], fold: Fold) {
    if (open.versionId !== rule.versionId) {
      if (!this.#isLast) return
      if (fold.isHeldByNewest(this.#loaded.now, open.newest)) this.#save(open, { ...open, ...namesOf(rule) })
      else this.#end(open, 'ruleChanged', this.#loaded.now)
      return
    }
    const span = ended.findLast((one) => overlaps(open, one))
    if (span) this.#end(heldBy(open, span), span.because ?? 'values', span.until ?? 0, { rule, span })
    else if (this.#isLast) this.#end(open, rule.terms.missing ? 'values' : 'withdrawn', this.#loaded.now)
  }

  /** The readings that held them were withdrawn, or late ones show that they did not hold. */
  #retract(rule: EvaluatedRule, alerts: readonly StoredAlert[]) {
    const begin = Math.max(this.#loaded.from, (rule.setAt ?? 0) - LOOKS_BACK)
    for (const alert of alerts)
      if (alert.since >= begin && (alert.endedBecause === 'values' || alert.endedBecause === 'symptomOver'))
        this.#end(alert, 'withdrawn', alert.until ?? alert.since)
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

  #hold(rule: EvaluatedRule, was: StoredAlert, span: Span) {
    const isOver = was.endedAt !== null
    const is = {
      ...heldBy({ ...was, ...namesOf(rule) }, span),
      until: null,
      endedAt: null,
      endedBecause: null,
    }
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
    const {
      alertId,
      ruleId,
      authorKind,
      authorId,
      severity,
      label,
      readingType,
      field,
      endedBecause,
      isLate,
    } = alert
    this.events.push({
      alertId,
      ruleId,
      authorKind,
      authorId,
      severity,
      label,
      readingType,
      field,
      event,
      isAnnounced: !isLate,
      endedBecause: event === 'ended' ? endedBecause : null,
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

function heldBy(alert: StoredAlert, { since, sinceId, worst, newest, isFresh }: Span): StoredAlert {
  return {
    ...alert,
    since,
    sinceId,
    worst: worst.shown,
    newest,
    beyond: worst.beyond,
    why: worst.why,
    isLate: alert.isLate && !isFresh,
  }
}

function shownOf(endedBy: Shown & { arrivedAt: Micros }): Shown {
  const { arrivedAt: _arrivedAt, ...shown } = endedBy
  return shown
}

/** Up to the newest that was looked at for it. Nothing is looked at for what is missing. */
function overlaps(alert: StoredAlert, { since, until }: Span): boolean {
  const known =
    alert.until ??
    (alert.kind === 'missing' ? Infinity : Math.max(alert.since, timesOf(alert.newest, alert.since).at))
  return alert.since <= (until ?? Infinity) && known >= since
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
