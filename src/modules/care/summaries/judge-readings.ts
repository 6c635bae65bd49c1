// What the judgement of a patient needs of the readings of one type: the sums of each day for each target, the readings that are evidence,
// and on which days there were any. Plain: no clock, no database. Readings come in order of measured_at; one counts at its time (status/beyond.ts).
import { conversionBetween, convert, type Unit } from '../../casesheet/catalogue/units.ts'
import { DAY, isStrange, limitCrossed, timeOf, timesBeyond } from '../status/beyond.ts'
import { comparedIn } from '../unit-sql.ts'
import { DayOfField, type DaySums } from './day-sums.ts'

type Bounds = { low?: number; high?: number; farLow?: number; farHigh?: number }
export type JudgedField = Bounds & {
  name: string
  actBelow?: number | null
  actAbove?: number | null
  /** Where distance starts: see status/facts.ts. */
  zero?: number
}
export type JudgedTarget = {
  targetId: string
  unit: Unit
  isSensor: boolean
  fields: readonly JudgedField[]
  /** Of the fields that have a unit of their own, such as the pulse beside a blood pressure. */
  ownUnits: Readonly<Record<string, Unit>>
}

/** `unit`: of a type with several, that of the reading. */
export type TypedReading = {
  readingId: string
  measuredAt: number
  receivedAt: number
  unit: Unit | null
  details: Readonly<Record<string, unknown>>
}

export type DayRow = { targetId: string; day: number; fields: (DaySums | undefined)[] }
export type EvidenceRow = Pick<TypedReading, 'readingId' | 'measuredAt' | 'receivedAt'> & {
  kind: 'value' | 'symptom' | 'clock'
  targetId: string | null
  field: string | null
  value: number | null
  severity: string | null
  shown: Record<string, unknown>
}

/** Of a target, or of the symptoms of a patient, so many are kept: the worst, and the last to arrive. */
const MOST_WORST = 25
const MOST_NEWEST = 25
/** Evidence is cut to what is kept before there is more of it. */
const MOST_HELD = 5_000
const SECOND = 1_000

type Timed = { at: number; value: number }
/** Days are summed from the one on, and what arrived from the other on is evidence. */
type Since = { summed: number; arrived: number }

/** Held of few days at a time, and once for all targets with the same unit, however many doctors have one. */
export class Judging {
  readonly #targets: readonly JudgedTarget[]
  readonly #since: Since
  /** What is measured: each field in each unit of a target. */
  readonly #measures: Map<string, { target: JudgedTarget; field: string }>
  /** Values of the days that are open, by what was measured. */
  readonly #open = new Map<number, Map<string, Timed[]>>()
  readonly #days: DayRow[] = []
  #evidence: EvidenceRow[] = []
  readonly #dataDays = new Set<number>()

  constructor(targets: readonly JudgedTarget[], since: Since = { summed: -Infinity, arrived: -Infinity }) {
    this.#targets = targets
    this.#since = since
    this.#measures = new Map(
      targets.flatMap((target) =>
        target.fields.map(({ name }) => [measureOf(target, name), { target, field: name }]),
      ),
    )
  }

  take(reading: TypedReading) {
    const at = timeOf(reading)
    const day = Math.floor(at / DAY)
    this.#dataDays.add(day)
    if (isStrange(reading)) this.#note(reading, { kind: 'clock' })
    this.#takeSymptom(reading)
    const values = new Map<string, number>()
    for (const [measure, { target, field }] of this.#measures) {
      const value = valueIn(target, field, reading)
      if (value === undefined) continue
      values.set(measure, value)
      if (at >= this.#since.summed) this.#valuesOf(day, measure).push({ at, value })
    }
    for (const target of this.#targets)
      for (const field of target.fields) {
        const value = values.get(measureOf(target, field.name))
        if (value !== undefined) this.#takeValue(reading, target, field, value)
      }
  }

  /** No more readings come that were measured before: a reading counts less than a day before that, so the days before are whole. */
  closeBefore(measuredAt: number) {
    for (const day of this.#open.keys()) if (day < Math.floor(measuredAt / DAY) - 1) this.#close(day)
  }

  finish(): { days: DayRow[]; evidence: EvidenceRow[]; dataDays: number[] } {
    for (const day of this.#open.keys()) this.#close(day)
    return {
      days: this.#days,
      evidence: keptEvidence(this.#evidence, this.#targets),
      dataDays: [...this.#dataDays],
    }
  }

  #close(day: number) {
    for (const target of this.#targets) {
      const { isSensor, targetId } = target
      const fields = target.fields.map((field) =>
        sumsOf(this.#valuesOf(day, measureOf(target, field.name)), field, isSensor),
      )
      if (fields.some((sums) => sums !== undefined)) this.#days.push({ targetId, day, fields })
    }
    this.#open.delete(day)
  }

  #valuesOf(day: number, measure: string): Timed[] {
    const ofDay = this.#open.get(day) ?? new Map<string, Timed[]>()
    this.#open.set(day, ofDay)
    const values = ofDay.get(measure) ?? []
    ofDay.set(measure, values)
    return values
  }

  #takeSymptom(reading: TypedReading) {
    const worst = worstSymptomIn(reading.details)
    if (worst && worst.severity !== 'MILD')
      this.#note(reading, {
        kind: 'symptom',
        severity: worst.severity,
        shown: { symptom: worst.symptom },
      })
  }

  #takeValue(reading: TypedReading, target: JudgedTarget, field: JudgedField, value: number) {
    if (limitCrossed(value, field.actBelow, field.actAbove) === undefined) return
    this.#note(reading, { kind: 'value', targetId: target.targetId, field: field.name, value })
  }

  #note(reading: TypedReading, more: Partial<EvidenceRow> & Pick<EvidenceRow, 'kind'>) {
    const { readingId, measuredAt, receivedAt, details } = reading
    if (receivedAt < this.#since.arrived) return
    const about = { readingId, measuredAt, receivedAt, shown: details }
    this.#evidence.push({
      targetId: null,
      field: null,
      value: null,
      severity: null,
      ...about,
      ...more,
    })
    if (this.#evidence.length > MOST_HELD) this.#evidence = keptEvidence(this.#evidence, this.#targets)
  }
}

const measureOf = ({ unit, ownUnits }: JudgedTarget, field: string) => `${field} ${ownUnits[field] ?? unit}`

type Symptom = { symptom: string; severity: string }
/** A word that is not known counts as severe. */
const rankOf = ({ severity }: Symptom) => ['MILD', 'MODERATE'].indexOf(severity) + 1 || 3

/** One reading is one reason: of several symptoms those that are the worst, together. */
function worstSymptomIn({ symptoms }: TypedReading['details']): Symptom | undefined {
  if (!Array.isArray(symptoms)) return undefined
  const all = symptoms as Symptom[]
  const rank = Math.max(...all.map(rankOf))
  const worst = all.filter((each) => rankOf(each) === rank)
  const [first] = worst
  return first && { severity: first.severity, symptom: worst.map(({ symptom }) => symptom).join(', ') }
}

/** In the unit of the target; as it is compared, rounded to what people are shown where it was converted. */
function valueIn({ unit, ownUnits }: JudgedTarget, field: string, reading: TypedReading): number | undefined {
  const value = reading.details[field]
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const from = reading.unit
  if (ownUnits[field] !== undefined || from === null || from === unit) return value
  return comparedIn(unit, convert(value, conversionBetween(from, unit)))
}

function sumsOf(values: Timed[], bounds: Bounds, isSensor: boolean) {
  const field = new DayOfField(bounds, isSensor)
  for (const { at, value } of values.toSorted((a, b) => a.at - b.at)) field.take(value, at)
  return field.finish()
}

const byId = (a: EvidenceRow, b: EvidenceRow) =>
  Number(a.readingId > b.readingId) - Number(a.readingId < b.readingId)

/** As values are: see status/counted.ts. Of those that arrived at once always the same one, so that it keeps its position. */
function countedOnce(rows: EvidenceRow[]): EvidenceRow[] {
  const first = new Map<string, EvidenceRow>()
  for (const row of rows.toSorted((a, b) => a.receivedAt - b.receivedAt || byId(a, b))) {
    const { kind, targetId, field, measuredAt, value, severity, shown, readingId } = row
    const what =
      kind === 'clock' ? readingId : [value?.toPrecision(9), severity, severity && shown['symptom']].join(' ')
    const key = `${kind} ${targetId} ${field} ${Math.floor(measuredAt / SECOND)} ${what}`
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}

/** What is kept of these for each target, and of symptoms. It does not depend on their order. */
export function keptEvidence(rows: EvidenceRow[], targets: readonly JudgedTarget[]): EvidenceRow[] {
  const ofOne = Map.groupBy(countedOnce(rows), ({ kind, targetId }) => `${kind} ${targetId}`)
  return [...ofOne.values()].flatMap((ofTarget) => worstAndNewest(ofTarget, targets))
}

function worstAndNewest(rows: EvidenceRow[], targets: readonly JudgedTarget[]): EvidenceRow[] {
  if (rows.length <= MOST_WORST + MOST_NEWEST) return rows
  const newestFirst = rows.toSorted((a, b) => b.receivedAt - a.receivedAt || byId(a, b))
  const distances = new Map(rows.map((row) => [row, distanceOf(row, targets)]))
  const worst = newestFirst
    .toSorted((a, b) => (distances.get(b) ?? 0) - (distances.get(a) ?? 0))
    .slice(0, MOST_WORST)
  return [...new Set([...worst, ...newestFirst.slice(0, MOST_NEWEST)])]
}

function distanceOf(
  { targetId, field, value, severity }: EvidenceRow,
  targets: readonly JudgedTarget[],
): number {
  if (severity !== null) return rankOf({ symptom: '', severity })
  const bounds = targets
    .find((target) => target.targetId === targetId)
    ?.fields.find(({ name }) => name === field)
  if (!bounds || value === null) return 0
  const limit = limitCrossed(value, bounds.actBelow, bounds.actAbove)
  return limit === undefined ? 0 : timesBeyond(value, limit, bounds.zero)
}
