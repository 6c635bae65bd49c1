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
/** So that memory is bounded, whatever a patient has sent. */
const MOST_HELD = 5_000
const SECOND = 1_000

type Timed = { at: number; value: number }
/** Days are summed from the one on, and what arrived from the other on is evidence. */
type Since = { summed: number; arrived: number }

export class Judging {
  readonly #targets: readonly JudgedTarget[]
  readonly #since: Since
  /** Values by day, and by the number of the target and of its field. */
  readonly #values = new Map<number, Timed[][][]>()
  #evidence: EvidenceRow[] = []
  readonly #dataDays = new Set<number>()

  constructor(targets: readonly JudgedTarget[], since: Since = { summed: -Infinity, arrived: -Infinity }) {
    this.#targets = targets
    this.#since = since
  }

  take(reading: TypedReading) {
    const at = timeOf(evidenceOf(reading))
    const day = Math.floor(at / DAY)
    this.#dataDays.add(day)
    if (isStrange(evidenceOf(reading))) this.#note(reading, { kind: 'clock' })
    this.#takeSymptom(reading)
    for (const [nth, target] of this.#targets.entries())
      for (const [index, field] of target.fields.entries()) {
        const value = valueIn(target, field.name, reading)
        if (value === undefined) continue
        if (at >= this.#since.summed) this.#valuesOf(day, nth, index).push({ at, value })
        this.#takeValue(reading, target, field, value)
      }
  }

  finish(): { days: DayRow[]; evidence: EvidenceRow[]; dataDays: number[] } {
    const days = [...this.#values].flatMap(([day, ofTargets]) =>
      this.#targets.flatMap((target, nth): DayRow[] => {
        const fields = target.fields.map((field, index) =>
          sumsOf(ofTargets[nth]?.[index] ?? [], field, {
            isSensor: target.isSensor,
            endsAt: (day + 1) * DAY,
          }),
        )
        return fields.some((sums) => sums !== undefined) ? [{ targetId: target.targetId, day, fields }] : []
      }),
    )
    return { days, evidence: keptEvidence(this.#evidence, this.#targets), dataDays: [...this.#dataDays] }
  }

  #valuesOf(day: number, nth: number, index: number): Timed[] {
    const ofTargets =
      this.#values.get(day) ?? this.#targets.map(({ fields }) => fields.map((): Timed[] => []))
    this.#values.set(day, ofTargets)
    return ofTargets[nth]?.[index] ?? []
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

export const evidenceOf = ({
  readingId,
  measuredAt,
  receivedAt,
}: Pick<TypedReading, 'readingId' | 'measuredAt' | 'receivedAt'>) => ({
  readingId,
  measuredAt,
  receivedAt,
  shown: '',
  position: 0,
})

/** In the unit of the target; as it is compared, rounded to what people are shown where it was converted. */
function valueIn({ unit, ownUnits }: JudgedTarget, field: string, reading: TypedReading): number | undefined {
  const value = reading.details[field]
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const from = reading.unit
  if (ownUnits[field] !== undefined || from === null || from === unit) return value
  return comparedIn(unit, convert(value, conversionBetween(from, unit)))
}

function sumsOf(values: Timed[], bounds: Bounds, day: { isSensor: boolean; endsAt: number }) {
  const field = new DayOfField(bounds, day)
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
