// Evaluates the rules of a patient and type over a slice of readings: folds it, and finds what that changes of the stored alerts, and where
// the next slice begins. Plain: no clock and no database.
import { HOUSE } from '../status/house.ts'
import { isOpenAt, looksFrom, spanOf } from './alert-spans.ts'
import { type AlertEvent, Changes, type SavedAlert } from './changes.ts'
import { Fold, isWorse, LATE, withinOf } from './fold.ts'
import type { Asked, Slice } from './load-readings.ts'
import type { EvaluatedRule, Loaded, StoredAlert } from './load-rules.ts'
import { DAY, type Micros } from './micros.ts'
import type { Carried } from './next-tasks.ts'
import type { Outage } from './outages.ts'
import { countedOnce, seenOf } from './seen.ts'

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
  const alertsOf = Map.groupBy(stored, ({ ruleId }) => ruleId)
  const ofRules = loaded.rules.map((rule) => {
    const alerts = alertsOf.get(rule.ruleId) ?? []
    return { rule, alerts, fold: foldedOver(rule, alerts, { loaded, slice, outages }) }
  })
  const { to } = slice
  const done = new Changes(loaded, to)
  const carried: Record<string, Carried[string]> = {}
  for (const { rule, alerts, fold } of ofRules) {
    done.ofRule(rule, alerts, fold)
    if (fold?.open && !rule.terms.missing)
      carried[rule.ruleId] = { versionId: rule.versionId, span: fold.open }
  }
  const isDone = to === null || ofRules.every((of) => isAsStored(of, loaded, { ...slice, to }))
  return {
    loaded,
    alerts: done.alerts,
    events: done.events,
    next: isDone ? null : { from: to, carried },
    dueAt: to === null ? clockFor(loaded, done.dueAt) : undefined,
  }
}

type OfRule = { rule: EvaluatedRule; alerts: readonly StoredAlert[]; fold: Fold | undefined }

/** Whether nothing that changed reaches beyond the slice: what is behind it was evaluated before. */
function isAsStored(
  { rule, alerts, fold }: OfRule,
  { measuredTo }: Loaded,
  { readings, to }: Slice & { to: Micros },
): boolean {
  if (!fold) return true
  // Nothing is missing where more readings come.
  if (rule.terms.missing) return (readings.at(-1)?.at ?? -Infinity) > measuredTo
  if (to <= measuredTo + withinOf(rule.terms)) return false
  const { open } = fold
  const alert = storedAt(rule, alerts, to)
  if (!open || !alert) return !open && !alert
  const { worst } = spanOf(alert)
  return (
    open.since === alert.since &&
    !(open.isFresh && alert.isLate) &&
    (open.worst.shown?.readingId === worst.shown?.readingId ||
      (worst.at >= to && isWorse(rule, worst, open.worst)))
  )
}

/** The alert whose span goes on at this time, by what is stored. */
function storedAt(rule: EvaluatedRule, alerts: readonly StoredAlert[], at: Micros) {
  // One that is open may have been kept when the rule was changed, and have begun before this version looks at readings.
  const begin = (rule.sharedSince ?? 0) - LATE
  return alerts.find(
    (one) =>
      one.versionId === rule.versionId &&
      one.since >= (one.endedAt === null ? begin : looksFrom(rule)) &&
      isOpenAt(one, at),
  )
}

/** A clock may be too early, never too late: it is set again when it is due, and not with each reading. */
function clockFor({ dueAt: was, now }: Loaded, dueAt: Micros | null): Micros | null | undefined {
  if (was === null || dueAt === null) return was === dueAt ? undefined : dueAt
  return was <= now || dueAt < was ? dueAt : undefined
}

type Given = { loaded: Loaded; slice: Slice; outages: readonly Outage[] }

function foldedOver(rule: EvaluatedRule, alerts: readonly StoredAlert[], { loaded, slice, outages }: Given) {
  const { from, carried, task } = loaded
  const { ruleId, versionId, setAt, terms } = rule
  if (setAt === null || !isInForce(rule, task.readingType)) return undefined
  const left = carried[ruleId]
  const begin = looksFrom(rule)
  // Where a slice before has left nothing, nothing is open, whatever was stored; and the newest reading says what is missing.
  const alert = task.carried || terms.missing ? undefined : storedAt(rule, alerts, from)
  const fold = new Fold(
    rule,
    {
      open: left?.versionId === versionId ? left.span : alert ? spanOf(alert) : null,
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
