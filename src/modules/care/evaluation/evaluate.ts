// Evaluates the rules of a patient and type: folds the readings, finds the alerts that they give among those that are stored, and decides
// what is announced.
import { setImmediate } from 'node:timers/promises'
import { announce } from './announce.ts'
import { foldOf, lookBackOf } from './fold.ts'
import { type Asked, type ReadReading, seenBy } from './load-readings.ts'
import type { Loaded } from './load-rules.ts'
import { endAlerts, matchAlerts } from './match-alerts.ts'
import { BEFORE_SET, type Fold, type Micros, type Outage, type Span } from './span.ts'
import type { AlertEvent, Evaluated, EvaluatedRule, StoredAlert } from './stored-alert.ts'

/** What is to be written of a patient and type. */
export type Outcome = {
  loaded: Loaded
  saved: StoredAlert[]
  dropped: StoredAlert[]
  events: AlertEvent[]
  /** When rules look at the clock next; null for never. */
  clocks: { ruleId: string; dueAt: Micros | null }[]
  /** How many readings were read for it. */
  readings: number
}

/** Readings that rules look at between two requests that the process serves: some milliseconds. */
const MAX_WORK = 5_000

export function askedFor({ task, now, from, rules }: Loaded): Asked | undefined {
  const set = rules.filter((rule) => looksAt(rule, task))
  if (set.length === 0) return undefined
  const backs = set.map(({ terms }) => lookBackOf(terms))
  const readingsOf = Map.groupBy(set, ({ field }) => field)
  return {
    patientUid: task.patientUid,
    readingType: task.readingType,
    fields: [...readingsOf.keys()].filter((field) => field !== null),
    now,
    from,
    notBefore: Math.min(...set.map(beginOf)),
    backTo: [...readingsOf].map(([field, ofField]) => ({
      field,
      readings: Math.max(...ofField.map(({ terms }) => lookBackOf(terms).readings)),
    })),
    backMicros: Math.max(...backs.map(({ micros }) => micros)),
  }
}

/** Not one that was removed, or changed to another type: its alerts end. */
const looksAt = ({ state, readingType }: EvaluatedRule, task: Loaded['task']) =>
  state === 'set' && readingType === task.readingType

/** From when on a rule looks at readings. Those that are missing are missing since it was set. */
const beginOf = ({ terms, changedAt }: EvaluatedRule): Micros =>
  terms.missing ? changedAt : changedAt - BEFORE_SET

/** One rule while its readings come in. */
class RuleInProgress {
  readonly rule: EvaluatedRule
  readonly fold: Fold
  readonly #from: Micros
  readonly #fields: readonly string[]

  constructor(
    rule: EvaluatedRule,
    { alerts, from }: Loaded,
    fields: readonly string[],
    outages: readonly Outage[],
  ) {
    this.rule = rule
    this.#fields = fields
    this.#from = Math.max(from, beginOf(rule))
    const carried = alerts.find(
      ({ versionId, condition, since, until }) =>
        versionId === rule.versionId &&
        condition !== 'pending' &&
        since < this.#from &&
        (until ?? Infinity) >= this.#from,
    )
    this.fold = foldOf(
      rule.terms,
      { setAt: rule.changedAt, carried: carried ? spanOf(carried) : null },
      outages,
    )
  }

  take(reading: ReadReading) {
    if (reading.at < beginOf(this.rule)) return
    const seen = seenBy(this.rule, reading, this.#fields)
    if (!seen) return
    if (reading.at < this.#from) this.fold.lookBack(seen)
    else this.fold.push(seen)
  }

  finish({ alerts, acknowledgements, now }: Loaded) {
    const { rule } = this
    const folded = this.fold.finish(now)
    const stored = alerts.filter(
      ({ versionId, condition, until }) =>
        versionId === rule.versionId && (condition === 'pending' || (until ?? Infinity) >= this.#from),
    )
    const matched = matchAlerts({
      rule,
      folded,
      stored,
      acknowledgements: acknowledgements.filter(({ ruleId }) => ruleId === rule.ruleId),
    })
    return { ...matched, dueAt: folded.dueAt }
  }
}

function spanOf(alert: StoredAlert): Span {
  const { since, sinceId, openedAt } = alert
  return {
    since,
    sinceId,
    until: null,
    openedAt,
    resolvedAt: null,
    endedWith: null,
    readings: null,
    isFresh: alert.quiet !== 'late',
  }
}

export async function evaluate(
  loaded: Loaded,
  outages: readonly Outage[],
  parts: Iterable<ReadReading[]> | AsyncIterable<ReadReading[]>,
): Promise<Outcome> {
  const { task, rules, alerts, now } = loaded
  const fields = askedFor(loaded)?.fields ?? []
  const inProgress = rules
    .filter((rule) => looksAt(rule, task))
    .map((rule) => new RuleInProgress(rule, loaded, fields, outages))
  let count = 0
  let work = 0
  for await (const readings of parts) {
    for (const reading of readings) {
      for (const one of inProgress) one.take(reading)
      work += inProgress.length
      if (work < MAX_WORK) continue
      work = 0
      await setImmediate()
    }
    count += readings.length
  }
  const evaluated: Evaluated[] = []
  const dropped: StoredAlert[] = []
  const clocks: Outcome['clocks'] = []
  for (const one of inProgress) {
    const { dueAt, ...matched } = one.finish(loaded)
    evaluated.push(...matched.evaluated)
    dropped.push(...matched.dropped)
    if (one.rule.terms.missing && mustSetClock(one.rule.dueAt, dueAt, now))
      clocks.push({ ruleId: one.rule.ruleId, dueAt })
  }
  for (const rule of rules) {
    const why = rule.state === 'set' ? 'The rule was changed.' : 'The rule was removed.'
    const old = alerts.filter(
      ({ ruleId, versionId }) =>
        ruleId === rule.ruleId && (!looksAt(rule, task) || versionId !== rule.versionId),
    )
    const ended = endAlerts(old, { at: rule.changedAt, why })
    evaluated.push(...ended.evaluated)
    dropped.push(...ended.dropped)
    if (rule.dueAt !== null && (rule.state === 'removed' || !rule.terms.missing))
      clocks.push({ ruleId: rule.ruleId, dueAt: null })
  }
  const known = new Set(evaluated.map(({ is }) => is.alertId))
  const others = alerts.filter(({ alertId }) => !known.has(alertId))
  const events = announce(evaluated, others, now)
  const saved = evaluated.filter(({ was, is }) => isChanged(was, is)).map(({ is }) => is)
  return { loaded, saved, dropped, events, clocks, readings: count }
}

/** A clock may be too early, never too late: it is set again when it is due, and not with each reading. */
function mustSetClock(was: Micros | null, dueAt: Micros | null, now: Micros): boolean {
  if (was === null || dueAt === null) return was !== dueAt
  return was <= now || dueAt < was
}

function isChanged(was: StoredAlert | null, is: StoredAlert): boolean {
  return was === null || printed(was) !== printed(is)
}

/** In an order of its own: the database gives the fields in another one. */
function printed({ readings, acknowledged, ...others }: StoredAlert): string {
  return JSON.stringify([
    Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    readings.map(({ readingId, measuredAt, value, unit }) => [readingId, measuredAt, value, unit]),
    acknowledged && [acknowledged.point, acknowledged.by, acknowledged.doctorId],
  ])
}
