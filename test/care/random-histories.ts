// Histories of patients with rules, in an order that a seed repeats: readings in order, late, ahead of the clock and at one instant, in several units
// and without a number; readings withdrawn and restored; rules set, changed and removed.
import type { Random } from '../../tools/simulate/random.ts'
import { DAY, durationOf, HOUR, MINUTE, type Reading, type Span, type Terms } from './alerts-model.ts'

type List<Item> = readonly [Item, ...Item[]]
/** A version of a rule. */
export type Version = {
  versionId: string
  ruleId: string
  terms: Terms
  setAt: number
  endedAt: number | null
  /** Its alerts when it was last evaluated. */
  spans: Span[]
  /** Of its acknowledgements. */
  points: number[]
}
export type TypedReading = Reading & { readingType: string }
export type Operation =
  | { kind: 'add'; readings: TypedReading[] }
  | { kind: 'correct'; reading: TypedReading }
  | { kind: 'set'; version: Version }
  | { kind: 'remove'; version: Version; at: number }

/** Beside each other: what is beyond the rules below, at their bounds, and clear; and what becomes a bound in another unit. */
const VALUES: Record<string, Record<string, List<number>>> = {
  heartRate: { '/min': [44, 49, 50, 51, 60, 72, 99, 100, 101, 119, 120, 121, 129, 130, 131, 150, 160] },
  bloodGlucose: {
    'mmol/L': [3.2, 3.8, 3.9, 4, 5.5, 9.9, 10, 10.1, 12, 13.8, 13.9, 14, 20],
    'mg/dL': [60, 69, 70, 71, 100, 179, 180, 181, 216, 250, 251, 360],
  },
  bloodPressure: { 'mm[Hg]': [118, 129, 130, 131, 134, 135, 136, 150, 151, 178] },
  bodyWeight: {
    kg: [61, 62.1, 62.2, 63, 64, 64.1, 64.2, 65.6, 63.6, 70],
    g: [62_100, 62_149, 62_150, 64_100, 64_149],
    '[lb_av]': [137, 141.3, 141.4],
  },
}
const TYPES = Object.keys(VALUES) as unknown as List<string>

type Subject = Pick<Terms, 'readingType' | 'field' | 'unit'>
const VALUE = { field: 'value' }
/** What rules compare: bounds above and below, and differences. */
const SUBJECTS: List<{ of: Subject; above: List<number>; below: List<number>; by: List<number> }> = [
  {
    of: { readingType: 'heartRate', ...VALUE, unit: '/min' },
    above: [120, 130],
    below: [50, 100],
    by: [30, -30, 1],
  },
  {
    of: { readingType: 'bloodGlucose', ...VALUE, unit: 'mmol/L' },
    above: [10, 13.9],
    below: [3.9, 5.5],
    by: [2, -2, 0.1],
  },
  {
    of: { readingType: 'bloodGlucose', ...VALUE, unit: 'mg/dL' },
    above: [180, 250],
    below: [70, 100],
    by: [36, -36],
  },
  {
    of: { readingType: 'bloodPressure', field: 'systolic', unit: 'mm[Hg]' },
    above: [130, 150],
    below: [130],
    by: [20, -15],
  },
  {
    of: { readingType: 'bloodPressure', field: 'pulse', unit: '/min' },
    above: [100],
    below: [60],
    by: [20],
  },
  { of: { readingType: 'bodyWeight', ...VALUE, unit: 'kg' }, above: [64.1], below: [62.1], by: [2, -2] },
]

function randomTerms(random: Random): Terms {
  const { of, above, below, by } = random.pick(SUBJECTS)
  const severity = random.pick<Terms['severity']>(['notice', 'warning', 'urgent'])
  const maxAge = random.pick(['PT5M', 'PT2H', 'PT2H', 'P1D', 'P1D', 'P30D'])
  const count = random.pick([1, 1, 2, 3])
  const kind = random.between(0, 1)
  if (kind < 0.15)
    return {
      readingType: of.readingType,
      severity,
      missing: { for: random.pick(['PT1H', 'PT6H', 'P1D', 'P2D']) },
    }
  if (kind < 0.35)
    return {
      ...of,
      severity,
      change: { by: random.pick(by), within: random.pick(['PT10M', 'PT2H', 'P1D', 'P3D']) },
      clear: { count },
      maxAge,
    }
  const bound = random.chance(0.6) ? { above: random.pick(above) } : { below: random.pick(below) }
  const own = bound.above === undefined ? { atLeast: bound.below } : { atMost: bound.above }
  const clear = random.chance(0.5) ? own : farther(random, bound)
  if (kind < 0.6) return { ...of, severity, threshold: bound, clear: { ...clear, count }, maxAge }
  if (kind < 0.8) {
    const least = random.pick([2, 2, 3])
    const sustained = { ...bound, count: least, of: least + random.pick([0, 1, 2]) }
    return {
      ...of,
      severity,
      sustained,
      clear: { ...clear, count: random.chance(0.5) ? least : count },
      maxAge,
    }
  }
  const sustained = { ...bound, for: random.pick(['PT10M', 'PT30M', 'PT2H', 'P1D']) }
  return { ...of, severity, sustained, clear: { ...clear, count: random.pick([1, 2, 2]) }, maxAge }
}

/** A bound for clear readings that is the rule's own, or farther from it. */
function farther(random: Random, { above, below }: { above?: number; below?: number }) {
  const share = random.pick([0, 0.02, 0.08])
  const rounded = (value: number) => Math.round(value * 10) / 10
  return above === undefined
    ? { above: rounded((below ?? 0) * (1 + share)) }
    : { below: rounded(above * (1 - share)) }
}

export class History {
  readonly patientUid: string
  readonly readings: TypedReading[] = []
  /** Of all rules, in the order in which they were set. */
  readonly versions: Version[] = []
  readonly #random: Random
  /** When the time began that `next` is about. */
  #since = 0

  constructor(patientUid: string, random: Random) {
    this.patientUid = patientUid
    this.#random = random
  }

  rulesThatAreSet(): Version[] {
    return this.versions.filter(({ endedAt }) => endedAt === null)
  }

  /** What happens next in this span of time, in order. */
  next(from: number, to: number): Operation[] {
    this.#since = from
    const count = Math.ceil(this.#random.between(1, 6))
    const times = Array.from({ length: count }, () => Math.floor(this.#random.between(from, to))).toSorted(
      (a, b) => a - b,
    )
    return times.flatMap((at) => this.#operation(at))
  }

  #operation(at: number): Operation[] {
    const random = this.#random
    const isSet = this.rulesThatAreSet()
    const chosen = random.between(0, 1)
    if (isSet.length === 0 || (chosen < 0.08 && isSet.length < 4)) return this.#setRule(at, this.#id())
    if (chosen < 0.12) {
      const old = random.pick(isSet as [Version, ...Version[]])
      // One that was evaluated.
      if (old.setAt >= this.#since) return []
      old.endedAt = at
      return random.chance(0.4) ? [{ kind: 'remove', version: old, at }] : this.#setRule(at, old.ruleId, old)
    }
    if (chosen < 0.24 && this.readings.length > 0) return this.#correct()
    return [{ kind: 'add', readings: this.#add(at, isSet) }]
  }

  /** A new one, or another version of one that was set; of half of those the severity changes alone. */
  #setRule(at: number, ruleId: string, old?: Version): Operation[] {
    const random = this.#random
    let terms: Terms = old && random.chance(0.5) ? { ...old.terms, severity: 'urgent' } : randomTerms(random)
    while (this.#isTaken(terms)) terms = randomTerms(random)
    const version: Version = {
      versionId: '',
      ruleId,
      terms,
      setAt: at,
      endedAt: null,
      spans: [],
      points: [],
    }
    this.versions.push(version)
    return [{ kind: 'set', version }]
  }

  /** A patient has a rule once. */
  #isTaken(terms: Terms): boolean {
    return this.rulesThatAreSet().some((other) => JSON.stringify(other.terms) === JSON.stringify(terms))
  }

  /** A reading is withdrawn, or restored; often one of the newest. */
  #correct(): Operation[] {
    const some = this.#random.chance(0.6) ? this.readings.slice(-4) : this.readings
    const reading = this.#random.pick(some as [TypedReading, ...TypedReading[]])
    reading.isWithdrawn = !reading.isWithdrawn
    return [{ kind: 'correct', reading }]
  }

  #add(at: number, isSet: Version[]): TypedReading[] {
    const random = this.#random
    const rule = random.pick(isSet as [Version, ...Version[]])
    const readingType = random.chance(0.9) ? rule.terms.readingType : random.pick(TYPES)
    const chosen = random.between(0, 1)
    let times: number[]
    let mood = random.pick(['any', 'high', 'low', 'saw'])
    if (chosen < 0.45) times = [this.#timeOf(at, rule)]
    else if (chosen < 0.93) {
      const every = random.pick([MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 3 * HOUR])
      const end = random.chance(0.7) ? at : this.#timeOf(at, rule)
      const count = Math.ceil(random.between(1, 8))
      times = Array.from({ length: count }, (_, nth) => end - (count - 1 - nth) * every)
    } else {
      // So many that a rule opens more than twenty alerts on a day.
      mood = 'saw'
      const end = random.chance(0.5) ? at : Math.floor(at / DAY) * DAY + random.pick([0, 5, 30]) * MINUTE
      times = Array.from({ length: 46 }, (_, nth) => Math.min(at, end) - (45 - nth) * MINUTE)
    }
    const added = times.map((measuredAt, nth): TypedReading => {
      const isHigh = mood === 'saw' ? nth % 2 === 0 : mood === 'high'
      const details = this.#detailsOf(readingType, mood === 'any' ? null : isHigh)
      const receivedAt = at
      return { readingId: this.#id(), readingType, measuredAt, receivedAt, details, isWithdrawn: false }
    })
    this.readings.push(...added)
    return added
  }

  #timeOf(at: number, { terms }: Version): number {
    const random = this.#random
    const chosen = random.between(0, 1)
    const other = this.readings.findLast(({ readingType }) => readingType === terms.readingType)
    const before = (most: number) => at - random.between(0, most)
    let time = before(MINUTE)
    if (chosen < 0.2) time = before(3 * HOUR)
    else if (chosen < 0.3) time = before(5 * DAY)
    else if (chosen < 0.36) time = at + random.between(0, 30_000_000)
    else if (chosen < 0.4) time = at + random.between(1, 23) * HOUR
    else if (chosen < 0.44) time = at + DAY + random.pick([0, 0, 1, 1, HOUR])
    else if (chosen < 0.46) time = at + random.between(300, 3_000) * DAY
    else if (chosen < 0.54 && other) time = other.measuredAt
    else if (chosen < 0.62 && other) time = this.#atTheEdge(other.measuredAt, terms)
    const exact = Math.floor(time)
    return random.chance(0.6) && chosen < 0.36 ? exact - (exact % 1_000_000) : exact
  }

  /** Where the windows of a rule begin and end, after another reading. */
  #atTheEdge(after: number, { sustained, change, missing }: Terms): number {
    const text = missing?.for ?? change?.within ?? (sustained && 'for' in sustained ? sustained.for : 'PT5M')
    return after + durationOf(text) * this.#random.pick([1, 1, 2]) + this.#random.pick([-1, 0, 0, 1])
  }

  #detailsOf(readingType: string, isHigh: boolean | null): Record<string, unknown> {
    const random = this.#random
    const values = VALUES[readingType] ?? {}
    const unit = random.pick(Object.keys(values) as [string, ...string[]])
    const all = (values[unit] ?? [1]).toSorted((a, b) => a - b)
    const some = isHigh === null ? all : isHigh ? all.slice(-2) : all.slice(0, 2)
    const value = random.pick(some as [number, ...number[]])
    if (readingType === 'bloodPressure')
      return {
        systolic: value,
        diastolic: 80,
        ...(random.chance(0.5) ? { pulse: random.pick([50, 60, 72, 100, 101, 120]) } : {}),
      }
    if (random.chance(0.05)) return { value: random.pick<unknown>(['high', null, true, [value]]), unit }
    if (random.chance(0.02)) return { value, unit: 'furlong' }
    // Where none is named, the first of the type is meant.
    return { value, ...(unit === Object.keys(values)[0] && random.chance(0.2) ? {} : { unit }) }
  }

  #id(): string {
    const hex = (digits: number) =>
      Math.floor(this.#random.between(0, 16 ** digits))
        .toString(16)
        .padStart(digits, '0')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
  }
}

/** How far the clock moves on. */
export function timePasses(random: Random): number {
  const chosen = random.between(0, 1)
  if (chosen < 0.2) return random.between(1, 120) * (MINUTE / 60)
  if (chosen < 0.6) return random.between(5, 60) * MINUTE
  if (chosen < 0.85) return random.between(1, 12) * HOUR
  return random.between(1, 3) * DAY
}
