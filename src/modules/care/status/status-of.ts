// The queue of one patient in one doctor's list, and why. Pure: no clock, no database.
import { DAY, HOUR, isMore, isStrange, limitCrossed, timeOf, timesBeyond } from './beyond.ts'
import type { Alert, Evidence, Facts, Field, Part, Symptom, Target } from './facts.ts'
import { HOUSE } from './house.ts'
import { inDays, keyOf, type Seen, seenBy } from './looks.ts'
import {
  type Class,
  type Code,
  queueOf,
  type Reason,
  reasonOrder,
  type Status,
  withoutRepeats,
} from './reason.ts'
import {
  hasShares,
  type Judging,
  judgingTargets,
  lackOf,
  lacksBeside,
  meanWindow,
  shareOf,
  shareWindow,
  valuesBeyond,
} from './targets.ts'

/** What the looks cover, and the clock. */
type Now = { seen: Seen; now: number }
type Found = Reason & Evidence

export function statusOf(facts: Facts, now: number): Status {
  const seen = seenBy(facts.looks, now)
  const at = { seen, now }
  const judging = judgingTargets(facts.targets, now)
  const all = [
    ...severeReasons(facts.symptoms, at),
    ...moderateReasons(facts.symptoms, at),
    ...judging.flatMap((each) => valueReasons(each, at)),
    ...facts.alerts.flatMap((alert) => alertReasons(alert, at)),
    ...judging.flatMap(({ target }) => target.fields.flatMap((field) => goalReasons(target, field, at))),
    ...judging.flatMap(({ target }) => target.fields.flatMap((field) => meanReasons(target, field, at))),
    ...judging.flatMap(({ target }) => target.fields.flatMap((field) => fallReasons(target, field, at))),
    ...judging.flatMap(({ target }) => silentReasons(target, at)),
    ...lookAgainReasons(at),
    ...sharingReasons(facts, at),
    ...clockReasons(facts, at),
  ]
  const reasons = withoutRepeats(all).sort(reasonOrder)
  const lacks = judging.map((each) => lackOf(each, now))
  const queueWithout = lacks.includes(undefined) ? 'fine' : 'notJudged'
  return {
    queue: reasons[0] ? queueOf(reasons[0]) : queueWithout,
    reasons,
    lacks: [...lacks.filter((lack) => lack !== undefined), ...lacksBeside(facts, judging)],
    saw: all.flatMap(({ key }) => key ?? []),
    ...(seen.lookAgainAt !== undefined && { lookAgainAt: seen.lookAgainAt }),
  }
}

/** A reason as it is where `more` says nothing else. */
function reason(code: Code, of: Class, more: Partial<Reason>): Reason {
  return { code, class: of, isSeen: false, beyond: 1, since: 0, ...more }
}

// Single readings: seen by position.

type SingleCode = 'severe' | 'moderate' | 'value'
/** A reading as a reason. */
function found(code: SingleCode, reading: Evidence, { seen }: Now, more: Partial<Reason> = {}): Found {
  const isSeen = reading.position <= seen.upTo
  return { ...reading, ...reason(code, code, { isSeen, since: reading.receivedAt, ...more }) }
}

/** Of readings that need somebody now: the worst recent one, unseen before seen; and the worst older one that nobody looked at. */
function urgentOf(readings: Found[], late: Class, { now }: Now): Reason[] {
  const isRecent = (each: Found) => now - timeOf(each) <= HOUSE.urgentHours * HOUR
  const isKept = (each: Found) => now - each.receivedAt <= HOUSE.lateDays * DAY
  readings.sort(
    (a, b) => Number(a.isSeen) - Number(b.isSeen) || b.beyond - a.beyond || b.position - a.position,
  )
  const recent = readings.filter(isRecent).slice(0, 1)
  const missed = readings.filter((each) => !isRecent(each) && !each.isSeen && isKept(each)).slice(0, 1)
  return [...recent, ...missed.map((each) => ({ ...each, class: late, isLate: true }))]
}

function severeReasons(symptoms: Symptom[], at: Now) {
  const severe = symptoms.filter(({ severity }) => severity !== 'MILD' && severity !== 'MODERATE')
  const readings = severe.map((each) => found('severe', each, at, { severity: each.severity }))
  return urgentOf(readings, 'lateSevere', at)
}

function moderateReasons(symptoms: Symptom[], at: Now) {
  const isRecent = (each: Symptom) => at.now - timeOf(each) <= HOUSE.moderateDays * DAY
  const moderate = symptoms.filter((each) => each.severity === 'MODERATE' && isRecent(each))
  return moderate.map((each) => found('moderate', each, at))
}

function valueReasons(judging: Judging, at: Now) {
  const values = valuesBeyond(judging).map(({ reading, target, field, limit }) => {
    const { value } = reading
    const beyond = timesBeyond(value, limit, field.zero)
    return found('value', reading, at, { target, field, value, limit, beyond })
  })
  return urgentOf(values, 'late', at)
}

// Alerts: seen by acknowledgement, for a time while they stay open.

function alertReasons(alert: Alert, { seen, now }: Now): Reason[] {
  const { alertId, acknowledged, kind, isUrgent, endedAt, beyond } = alert
  // Missing readings are missing for longer every hour: that is nothing new.
  const isKnown = acknowledged !== undefined && (kind === 'missing' || !isMore(beyond, acknowledged.beyond))
  const about = { ...alert, since: alert.receivedAt, key: keyOf(`alert ${alertId}`, beyond) }
  if (endedAt !== undefined) {
    const isMissed = isUrgent && !isKnown && now - endedAt <= HOUSE.endedAlertDays * DAY
    return isMissed ? [reason('alert', 'late', about)] : []
  }
  const isSeen = isKnown && seen.isHeld(acknowledged.at, backAt(alert, acknowledged.at))
  const urgentClass = kind === 'symptom' ? 'severe' : kind
  return [reason('alert', isUrgent ? urgentClass : 'warning', { ...about, isSeen })]
}

/** When an acknowledged alert that stays open is unseen again. A symptom is over, whatever its alert says. */
function backAt({ kind, isUrgent }: Alert, acknowledgedAt: number) {
  if (kind === 'symptom') return Infinity
  if (isUrgent) return acknowledgedAt + HOUSE.urgentAlertSeenHours * HOUR
  return inDays(acknowledgedAt, HOUSE.seenDays.warning)
}

// Figures of days and weeks: seen by what a look showed.

function goalReasons(target: Target, field: Field, { seen }: Now) {
  const goals = Object.entries(field.goals ?? {}) as [Part, number][]
  const window = shareWindow(target, field)
  if (!window) return []
  return goals.flatMap(([part, limit]) => {
    const value = shareOf(window.sums, part)
    const isMissed = part === 'inRange' ? isMore(limit, value) : isMore(value, limit)
    if (!isMissed) return []
    const isLow = part === 'below' || part === 'farBelow'
    const beyond = timesBeyond(value, limit)
    const held = isLow ? HOUSE.seenDays.lows : HOUSE.seenDays.goal
    const state = seen.slow(`goal ${nameOf(target, field)}.${part}`, held, beyond, HOUSE.worse.share)
    const about = { target, field, part, value, limit, beyond, days: window.days }
    return [reason('goal', isLow ? 'lows' : 'offTarget', { ...about, ...state })]
  })
}

/** Not of a sensor: its mean hides lows. */
function meanReasons(target: Target, field: Field, { seen }: Now) {
  const window = meanWindow(field)
  if (target.isSensor || !window) return []
  const value = window.sums.sum / window.sums.values
  const limit = limitCrossed(value, field.low, field.high)
  if (limit === undefined) return []
  const beyond = timesBeyond(value, limit, field.zero)
  const state = seen.slow(`mean ${nameOf(target, field)}`, HOUSE.seenDays.mean, beyond, HOUSE.worse.mean)
  return [reason('mean', 'offTarget', { target, field, value, limit, beyond, days: window.days, ...state })]
}

/** Only of a sensor: of 28 values ten points less are chance. */
function fallReasons(target: Target, field: Field, { seen }: Now) {
  const { fortnight, before } = field.sums
  if (!target.isSensor || !hasShares(target, fortnight) || !hasShares(target, before)) return []
  const [value, was] = [shareOf(fortnight, 'inRange'), shareOf(before, 'inRange')]
  if (isMore(HOUSE.fallBy, was - value)) return []
  const beyond = timesBeyond(value, was)
  const state = seen.slow(`fall ${nameOf(target, field)}`, HOUSE.seenDays.fall, beyond, HOUSE.worse.share)
  return [reason('fall', 'fall', { target, field, value, limit: was, beyond, ...state })]
}

const nameOf = (target: Target, field: Field) => `${target.readingType}.${field.name}`

function silentReasons(target: Target, { seen, now }: Now) {
  const { newest, setAt, expectEvery, readingType } = target
  const since = newest ? timeOf(newest) : setAt
  const value = now - since
  if (expectEvery === null || value <= expectEvery) return []
  // Another silence is another reason.
  const state = seen.slow(`silent ${readingType} ${newest?.readingId ?? 'none'}`, HOUSE.seenDays.silent)
  return [reason('silent', 'silent', { target, value, beyond: value / expectEvery, since, ...state })]
}

// Dates and clocks.

function lookAgainReasons({ seen, now }: Now) {
  const date = seen.lookAgainAt
  if (date === undefined) return []
  return now < date
    ? [reason('lookAgain', 'pending', { since: date, isSeen: true })]
    : [reason('lookAgain', 'lookAgain', { since: date })]
}

function sharingReasons({ sharedUntil: since }: Facts, { seen, now }: Now) {
  if (since === undefined || since - now > HOUSE.sharingEndsDays * DAY) return []
  const state = seen.slow(`sharingEnds ${since}`, HOUSE.seenDays.sharingEnds)
  return [reason('sharingEnds', 'sharingEnds', { since, ...state })]
}

function clockReasons({ strange }: Facts, { seen, now }: Now) {
  const isRecent = (each: Evidence) => now - each.receivedAt <= HOUSE.clockDays * DAY
  const last = strange.findLast((each) => isStrange(each) && isRecent(each))
  if (!last) return []
  const state = seen.slow('clock', HOUSE.seenDays.clock)
  return [reason('clock', 'clock', { ...last, since: last.receivedAt, ...state })]
}
