// The entry of a patient in the answer: the status, with each reason by its figures, and what is shown beside.
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { termsFrom } from '../../casesheet/grants/grant.ts'
import type { Field, Lack, Target } from '../status/facts.ts'
import type { Code, Reason, Status } from '../status/reason.ts'
import { judgingTargets } from '../status/targets.ts'
import { authorOf } from '../targets/stored-target.ts'
import { daysWithData, type PatientFacts } from './facts-of-patient.ts'
import type { EvidenceRow, PatientRow } from './facts-statement.ts'
import type { ListedPatient, ListedReason } from './listed-patient.ts'
import type { ShownRow, ToShow } from './page-statement.ts'

export type Judged = { row: PatientRow; facts: PatientFacts; status: Status; now: number }

/** Which days are shown: those of the first reason that has a target, else of the first target. */
function trendOf({ facts, status, now }: Judged): { target: Target; field: Field } | undefined {
  const reason = status.reasons.find(({ target }) => target !== undefined)
  const target = reason?.target ?? judgingTargets(facts.targets, now)[0]?.target
  const field = reason?.field ?? (target && inOrder(target.readingType, target.fields)[0])
  return target && field && { target, field }
}

export function toShow(judged: Judged): ToShow {
  const { row, facts } = judged
  const { target, field } = trendOf(judged) ?? {}
  const stored = target && facts.rowOf.get(target)
  return {
    patientUid: row.patient_uid,
    grantId: row.grant_id,
    trend: stored && {
      targetId: stored.target_id,
      field: target.fields.findIndex((each) => each === field) + 1,
    },
  }
}

export function entryOf(judged: Judged, shown: ShownRow): ListedPatient {
  const { row, status, now } = judged
  const { last_look: lastLook } = shown
  return {
    patientUid: row.patient_uid,
    ...termsFrom(row),
    sharedSince: instantFrom(row.given_at, 6),
    queue: status.queue,
    reasons: status.reasons.map((reason) => LISTED[reason.code](reason as Full, judged)),
    notJudged: status.lacks.map(lackFrom),
    newest: newestOf(judged),
    trend: shown.trend ?? [],
    symptoms: (shown.symptoms ?? []).map(({ measuredAt, ...symptom }) => ({
      ...symptom,
      measuredAt: instant(measuredAt),
    })),
    daysWithData: daysWithData(row, now),
    lookAgainAt: status.lookAgainAt === undefined ? null : instant(status.lookAgainAt),
    lastLook: lastLook && { ...lastLook, at: instant(lastLook.at) },
    look: { seenUpTo: seenUpTo(row), saw: status.saw },
  }
}

/** With a grant of some types, what was judged last of these: how often others were judged is not to be seen. */
function seenUpTo({ reading_types: limitedTo, judged, evidence }: PatientRow): string {
  if (limitedTo === null) return judged ?? '0'
  return String(Math.max(0, ...(evidence ?? []).map(({ position }) => position)))
}

function newestOf(judged: Judged): ListedPatient['newest'] {
  const first = trendOf(judged)?.target.readingType
  const types = Object.keys(CATALOGUE)
  const rank = (readingType: string) => (readingType === first ? -1 : types.indexOf(readingType))
  return (judged.row.newest ?? [])
    .filter(([readingType]) => types.includes(readingType))
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([readingType, , measuredAt, receivedAt, unit, values]) => ({
      readingType,
      values,
      unit,
      ...timesOf({ measuredAt, receivedAt }),
    }))
}

function lackFrom({ why, readingType, have, need }: Lack): ListedPatient['notJudged'][number] {
  return {
    why,
    ...(readingType !== undefined && { readingType }),
    ...(have !== undefined && { have: rounded(have) }),
    ...(need !== undefined && { need: rounded(need) }),
  }
}

// Reasons.

/** A reason that has all that one of its code has. */
type Full = Required<Reason> & { target: Target; field: Field }
type Listed<Of extends Code> = Extract<ListedReason, { code: Of }>
type Listings = { [Of in Code]: (reason: Full, judged: Judged) => ListedReason }

const LISTED: Listings = {
  severe: symptomFrom,
  moderate: symptomFrom,
  value: (reason, judged) => {
    const { value, limit } = reason
    const { shown } = evidenceOf('value', reason, judged)
    const outOfRange = shown['outOfRange'] as 'low' | 'high' | undefined
    return {
      code: 'value',
      ...lateOf(reason),
      ...judgedBy(reason, judged),
      ...inField(reason, judged),
      value: outOfRange === undefined ? value : null,
      ...(outOfRange !== undefined && { outOfRange }),
      limit,
      beyond: rounded(reason.beyond),
      ...readingFrom(reason, shown),
      alerts: reason.alerts,
    }
  },
  alert: (reason, { facts }): Listed<'alert'> => {
    const { alertId, label, endedAt, beyond } = reason
    const alert = facts.alerts.find((each) => each.alertId === alertId)
    if (!alert) throw new Error('A reason names an alert that is no fact.')
    const { kind, row } = alert
    const value = kind === 'missing' ? null : (row.worst?.value ?? null)
    return {
      code: 'alert',
      isSeen: reason.isSeen,
      alertId,
      label,
      severity: row.severity,
      kind,
      readingType: row.readingType,
      value: value === null ? null : rounded(value),
      unit: row.unit,
      limit: row.limit,
      ...(kind !== 'symptom' && { beyond: rounded(beyond) }),
      endedAt: endedAt === undefined ? null : instant(endedAt),
      ...timesOf(alert),
    }
  },
  goal: (reason, judged): Listed<'goal'> => {
    const { field, part, days } = reason
    const bounds = { below: field.low, farBelow: field.farLow, above: field.high, farAbove: field.farHigh }
    return {
      code: 'goal',
      ...judgedBy(reason, judged),
      ...inField(reason, judged),
      part,
      bound: part === 'inRange' ? null : (bounds[part] ?? null),
      ...figuresOf(reason),
      days,
    }
  },
  mean: (reason, judged) => ({
    code: 'mean',
    ...judgedBy(reason, judged),
    ...inField(reason, judged),
    ...figuresOf(reason),
    days: reason.days,
  }),
  fall: (reason, judged) => ({
    code: 'fall',
    ...judgedBy(reason, judged),
    field: reason.field.name,
    ...figuresOf(reason),
  }),
  silent: (reason, judged) => ({
    code: 'silent',
    ...judgedBy(reason, judged),
    since: instant(reason.since),
    expectEvery: judged.facts.rowOf.get(reason.target)?.expect_every ?? '',
    beyond: rounded(reason.beyond),
  }),
  lookAgain: dateFrom,
  sharingEnds: dateFrom,
  clock: (reason, judged) => {
    const { readingType, shown } = evidenceOf('clock', reason, judged)
    return { code: 'clock', isSeen: reason.isSeen, readingType, ...readingFrom(reason, shown) }
  },
}

function symptomFrom(reason: Full, judged: Judged): ListedReason {
  return {
    code: reason.code === 'moderate' ? 'moderate' : 'severe',
    ...lateOf(reason),
    severity: reason.severity ?? 'MODERATE',
    ...readingFrom(reason, evidenceOf('symptom', reason, judged).shown),
    alerts: reason.alerts,
  }
}

function dateFrom({ code, isSeen, since }: Full): ListedReason {
  return { code: code === 'lookAgain' ? 'lookAgain' : 'sharingEnds', isSeen, since: instant(since) }
}

const lateOf = ({ isSeen, isLate }: Reason) => ({ isSeen, isLate: isLate === true })

function judgedBy({ isSeen, target }: Full, { facts }: Judged) {
  const stored = facts.rowOf.get(target)
  if (!stored) throw new Error('A reason names a target that is no fact.')
  return { isSeen, readingType: target.readingType, author: authorOf(stored) }
}

function inField({ target, field }: Full, { facts }: Judged) {
  const own = CATALOGUE[target.readingType]?.quantities[field.name]?.unit
  return { field: field.name, unit: own ?? facts.rowOf.get(target)?.unit ?? '' }
}

const figuresOf = ({ value, limit, beyond }: Full) => ({
  value: rounded(value),
  limit: rounded(limit),
  beyond: rounded(beyond),
})

function evidenceOf(kind: EvidenceRow['kind'], { readingId }: Full, { row }: Judged): EvidenceRow {
  const found = row.evidence?.find((each) => each.kind === kind && each.readingId === readingId)
  if (!found) throw new Error('A reason names a reading that is no evidence.')
  return found
}

const readingFrom = (reading: Full, shown: Record<string, unknown>) => ({
  readingId: reading.readingId,
  shown,
  ...timesOf(reading),
})

const timesOf = ({ measuredAt, receivedAt }: { measuredAt: number; receivedAt: number }) => ({
  measuredAt: instant(measuredAt),
  receivedAt: instant(receivedAt),
})

const instant = (time: number) => new Date(time).toISOString()
const rounded = (value: number) => Number(value.toFixed(3))

/** As the catalogue has them, which the database does not keep. */
function inOrder(readingType: string, fields: Field[]): Field[] {
  const known = Object.keys(CATALOGUE[readingType]?.quantities ?? {})
  return fields.toSorted((a, b) => known.indexOf(a.name) - known.indexOf(b.name))
}
