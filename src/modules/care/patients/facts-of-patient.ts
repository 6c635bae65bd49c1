// What the judgement is given of a patient, made of the row that was read. It has nothing of a type that is not shared: the statement left
// that out.
import { DAY, timeOf } from '../status/beyond.ts'
import type { Evidence, Facts, Field, Look, Sums, Target, Who } from '../status/facts.ts'
import { HOUSE } from '../status/house.ts'
import { judgingTargets, valuesBeyond } from '../status/targets.ts'
import { KEPT_DAYS } from '../summaries/what-is-summarised.ts'
import { judgedTarget, type ReadAs, whoOf } from '../targets/stored-target.ts'
import { type AlertFact, alertFact } from './alert-facts.ts'
import type { EvidenceRow, LookRow, NewestRow, PatientRow, SumsRow } from './facts-statement.ts'

type StoredTarget = NonNullable<PatientRow['targets']>[number]

export type PatientFacts = Omit<Facts, 'alerts'> & {
  alerts: AlertFact[]
  /** Of which row each target was made. */
  rowOf: Map<Target, StoredTarget>
}

const VITAL_SIGNS = new Set([
  'bloodPressure',
  'heartRate',
  'oxygenSaturation',
  'bodyTemperature',
  'respiratoryRate',
  'bloodGlucose',
  'interstitialGlucose',
  'bloodKetone',
  'bodyWeight',
])

type Reader = ReadAs & { now: number }

export function factsOf(row: PatientRow, reader: Reader): PatientFacts {
  const { now } = reader
  const evidence = placedEvidence(row, reader)
  const rowOf = new Map(
    (row.targets ?? []).map((target) => [targetFrom(target, row, evidence, reader), target]),
  )
  const withTarget = new Set([...rowOf.keys()].map(({ readingType }) => readingType))
  const whose = ({ doctorId }: LookRow): Who => ({
    name: '',
    is: doctorId === reader.doctorId ? 'me' : 'practice',
    manages: row.permission === 'manage',
  })
  return {
    targets: [...rowOf.keys()],
    rowOf,
    untargeted: (row.newest ?? [])
      .map((each) => ({ readingType: each[0], newest: newestReading(each) }))
      .filter(({ readingType }) => VITAL_SIGNS.has(readingType) && !withTarget.has(readingType))
      .filter(({ newest }) => now - timeOf(newest) <= HOUSE.windowDays.fortnight * DAY),
    symptoms: evidence.flatMap((each) =>
      each.kind === 'symptom' ? [{ ...readingOf(each), severity: each.severity ?? '' }] : [],
    ),
    strange: evidence.filter(({ kind }) => kind === 'clock').map(readingOf),
    alerts: (row.alerts ?? []).map((alert) => alertFact(alert, now)),
    looks: (row.looks ?? []).map((look) => lookFrom(look, whose(look), evidence)),
    ...(row.valid_until !== 'infinity' && { sharedUntil: Date.parse(row.valid_until) }),
  }
}

/**
 * The evidence at the positions by which it is judged. One counter serves all types and targets. A look with a grant of some types saw nothing of the
 * others, and a colleague's look saw the values that were beyond a limit in the colleague's list: what no look covers stands behind all that was
 * seen, in its order. The row keeps the real position, which the answer sends.
 */
function placedEvidence(row: PatientRow, reader: Reader): EvidenceRow[] {
  const { evidence, looks } = row
  const upTo = Math.max(0, ...(looks ?? []).map(({ seenUpTo }) => seenUpTo))
  const shownTo = new Map<string, Evidence[]>()
  function isShown({ readingId }: EvidenceRow, { doctorId, seenUpTo }: LookRow) {
    const shown = shownTo.get(doctorId) ?? valuesShownTo(doctorId, row, reader)
    shownTo.set(doctorId, shown)
    return shown.some((each) => each.readingId === readingId && each.position <= seenUpTo)
  }
  const isCovered = (each: EvidenceRow) =>
    looks?.some(
      (look) =>
        each.position <= look.seenUpTo &&
        (look.readingTypes?.includes(each.readingType) ?? true) &&
        (each.kind !== 'value' || look.doctorId === reader.doctorId || isShown(each, look)),
    )
  return (evidence ?? []).map((each) =>
    isCovered(each) ? each : { ...each, position: upTo + 1 + each.position },
  )
}

/** The values beyond a limit by which a colleague's list judges: of the colleague's own target, where there is one. */
function valuesShownTo(doctorId: string, row: PatientRow, { practiceIds, now }: Reader): Evidence[] {
  const targets = (row.targets ?? []).map((target) =>
    targetFrom(target, row, row.evidence ?? [], { doctorId, practiceIds }),
  )
  return judgingTargets(targets, now)
    .flatMap(valuesBeyond)
    .map(({ reading }) => reading)
}

function targetFrom(target: StoredTarget, row: PatientRow, all: EvidenceRow[], reader: ReadAs): Target {
  const newest = row.newest?.find(([readingType]) => readingType === target.reading_type)
  const evidence = all.filter(({ targetId }) => targetId === target.target_id)
  const sums = (row.sums ?? []).filter(([targetId]) => targetId === target.target_id)
  const judged = judgedTarget(target)
  return {
    ...judged,
    author: whoOf(target, reader, target.manages),
    ...(newest && { newest: newestReading(newest) }),
    fields: judged.fields.map((field, index) => ({
      ...field,
      sums: sumsOf(sums.filter(([, nth]) => nth === index + 1)),
      beyond: evidence.flatMap((each) =>
        each.field === field.name && each.value !== null ? [{ ...readingOf(each), value: each.value }] : [],
      ),
    })),
  }
}

/** Of three disjoint parts of the days. */
function sumsOf(rows: SumsRow[]): Field['sums'] {
  const ofPart = (part: number) => rows.filter(([, , of]) => of === part)
  const week = added(ofPart(0))
  return { week, fortnight: added([...ofPart(0), ...ofPart(1)]), before: added(ofPart(2)) }
}

function added(rows: SumsRow[]): Sums {
  const all: Sums = {
    values: 0,
    days: 0,
    sum: 0,
    total: 0,
    inRange: 0,
    below: 0,
    farBelow: 0,
    above: 0,
    farAbove: 0,
  }
  for (const [, , , values, days, sum, total, inRange, below, farBelow, above, farAbove] of rows) {
    all.values += values
    all.days += days
    all.sum += sum
    all.total += total
    all.inRange += inRange
    all.below += below
    all.farBelow += farBelow
    all.above += above
    all.farAbove += farAbove
  }
  return all
}

const readingOf = ({ readingId, measuredAt, receivedAt, position }: EvidenceRow): Evidence => ({
  readingId,
  shown: '',
  measuredAt,
  receivedAt,
  position,
})

export const newestReading = ([, readingId, measuredAt, receivedAt]: NewestRow): Evidence => ({
  readingId,
  shown: '',
  measuredAt,
  receivedAt,
  position: 0,
})

/**
 * One key serves the clocks of all types. A look with a grant of some saw it only where there is none of another. A colleague's look saw when the
 * patient's sharing with the colleague ends.
 */
function lookFrom(look: LookRow, by: Who, evidence: EvidenceRow[]): Look {
  const { at, seenUpTo, readingTypes, lookAgainAt, dateSays } = look
  const isClockSeen = evidence.every(
    ({ kind, readingType }) => kind !== 'clock' || (readingTypes?.includes(readingType) ?? true),
  )
  const saw = look.saw.filter(
    (key) =>
      (isClockSeen || !key.startsWith('clock=')) && (by.is === 'me' || !key.startsWith('sharingEnds ')),
  )
  return { by, at, seenUpTo, saw, ...(dateSays !== 'keep' && { lookAgainAt }) }
}

/** On how many of the last 30 UTC days there was a reading of any type. */
export function daysWithData({ newest }: PatientRow, now: number): number {
  const today = Math.floor(now / DAY)
  let days = 0
  for (const [, , , , , , dataDays, countedOn] of newest ?? []) {
    const passed = today - countedOn
    if (passed < KEPT_DAYS) days |= dataDays << Math.max(0, passed)
  }
  return bitsOf(days & (2 ** KEPT_DAYS - 1))
}

function bitsOf(days: number): number {
  let count = 0
  for (let left = days; left !== 0; left &= left - 1) count++
  return count
}
