// When a rule holds: folds what it sees, in order of time, into spans. Plain: no clock and no database.
//
//   kind      begins                                               ends
//   value     so many values beyond the bound, the newest too      at the first value clear of `clear`, or that no longer holds
//   change    a value so far from the least or greatest before     at the first value that is not
//   symptom   one of at least the severity                         72 hours after the last, by the clock
//   missing   nothing for so long                                  with the next reading
import type { Bound, Terms } from '../rules/rule.ts'
import { isMore, MOST_BEYOND, timesBeyond } from '../status/beyond.ts'
import { HOUSE } from '../status/house.ts'
import { zeroOf } from '../targets/stored-target.ts'
import { DAY, HOUR, instantAt, type Micros, microsOf } from './micros.ts'
import { deadlineOf, type Outage } from './outages.ts'
import type { RuleOfFold } from './rule-of-fold.ts'
import type { Mark, Seen } from './seen.ts'
import { whyOf } from './why.ts'

/** A reading that arrives later than this after its time is late. */
export const LATE: Micros = DAY
const SYMPTOM_LASTS: Micros = HOUSE.urgentHours * HOUR
/** Where no reading came before. */
const NO_READING = '00000000-0000-0000-0000-000000000000'
/** The differences of decimals have digits that nobody measured. */
const STEPS = 1e9

/** As alerts show a reading: of a change the difference in place of the value. */
export type Shown = {
  readingId: string
  value: number | null
  unit: string | null
  measuredAt: string
  receivedAt: string
  outOfRange?: Mark
  symptom?: string
  severity?: string
}

/** A reading at which the rule holds. `beyond`: how many times its limit it is; null of a symptom. */
export type Holding = {
  at: Micros
  receivedAt: Micros
  shown: Shown | null
  beyond: number | null
  why: string
}

export type Span = {
  since: Micros
  sinceId: string
  until: Micros | null
  because: 'values' | 'symptomOver' | null
  /** The reading that ended it. */
  endedBy: (Shown & { arrivedAt: Micros }) | null
  worst: Holding
  /** The last at which it held: of a symptom, from when on its time runs. */
  last: Holding
  /** The newest that it looked at. */
  newest: Shown | null
  /** Whether a reading that arrived in time holds it. */
  isFresh: boolean
}

export type Start = {
  /** The span that is open where the fold begins. */
  open: Span | null
  /** From when on readings can be missing. */
  setAt: Micros
  /** None are missing of one who has measured nothing since. */
  measuredSince?: Micros
}

export class Fold {
  readonly #rule: RuleOfFold
  readonly #outages: readonly Outage[]
  readonly #setAt: Micros
  readonly #measuredSince: Micros
  readonly #spans: Span[] = []
  readonly #window: Window
  #open: Span | null
  /** The newest that was seen, whether it holds or not. */
  #newest: Seen | undefined
  #newestHolds = false

  constructor(
    rule: RuleOfFold,
    { open, setAt, measuredSince = -Infinity }: Start,
    outages: readonly Outage[],
  ) {
    this.#rule = rule
    this.#outages = outages
    this.#setAt = setAt
    this.#measuredSince = measuredSince
    this.#window = new Window(rule)
    this.#open = open && { ...open }
    if (this.#open) this.#spans.push(this.#open)
  }

  /** One before the fold begins. */
  lookBack(seen: Seen) {
    this.#newest = seen
    this.#newestHolds = this.#window.holdsAt(seen) !== null
  }

  push(seen: Seen) {
    const { terms } = this.#rule
    if (terms.missing) this.#endMissing(seen)
    else if (terms.symptom) this.#endSymptom(seen.at)
    const held = this.#window.holdsAt(seen)
    this.#newest = seen
    this.#newestHolds = held !== null
    if (!this.#open) {
      if (held) this.#openAt(seen, held)
      return
    }
    if (terms.missing || (terms.symptom && !held)) return
    this.#open.newest = this.#window.shown(seen)
    if (this.#isOver(seen, held)) this.#end(seen.at, 'values', seen)
    else this.#hold(this.#open, held ?? this.#window.beyond(seen))
  }

  get open(): Span | null {
    return this.#open
  }

  /** Whether the newest is beyond the bound: what keeps an alert whose rule was changed. `known`: the newest of the alert, where none is newer. */
  isHeldByNewest(now: Micros, known: Shown | null): boolean {
    const { terms } = this.#rule
    if (terms.missing) return now >= this.#deadline()
    if (this.#newest) return this.#newestHolds || this.#window.beyond(this.#newest) !== null
    if (!known || known.unit !== (terms.unit ?? null)) return false
    if (terms.change) return !isMore(1, (known.value ?? 0) / terms.change.by)
    return terms.value !== undefined && isBeyond(terms.value, known)
  }

  /** Looks at the clock; returns when to do so again. */
  finish(now: Micros): Micros | null {
    const { missing, symptom } = this.#rule.terms
    if (symptom) this.#endSymptom(now)
    if (symptom && this.#open) return this.#open.last.at + SYMPTOM_LASTS
    if (!missing) return null
    const deadline = this.#deadline()
    if (now < deadline) return deadline === Infinity ? null : deadline
    if (!this.#open) this.#openMissing(deadline)
    return null
  }

  /** Those that ended, and the one that is open. */
  get spans(): readonly Span[] {
    return this.#spans
  }

  #isOver(seen: Seen, held: Holding | null): boolean {
    const { value, clear } = this.#rule.terms
    return value && clear ? isBeyond(clear, seen) : held === null
  }

  #openAt(seen: Seen, held: Holding) {
    this.#open = {
      since: seen.at,
      sinceId: seen.id,
      until: null,
      because: null,
      endedBy: null,
      worst: held,
      last: held,
      newest: this.#window.shown(seen),
      isFresh: isInTime(held),
    }
    this.#spans.push(this.#open)
  }

  #hold(open: Span, held: Holding | null) {
    if (!held) return
    open.last = held
    if (isWorse(this.#rule, held, open.worst)) open.worst = held
    open.isFresh ||= isInTime(held)
  }

  #end(until: Micros, because: 'values' | 'symptomOver', by?: Seen) {
    if (!this.#open) return
    const endedBy = by ? { ...this.#window.shown(by), arrivedAt: by.receivedAt } : null
    Object.assign(this.#open, { until: Math.max(until, this.#open.since), because, endedBy })
    this.#open = null
  }

  #endSymptom(at: Micros) {
    if (this.#open && at >= this.#open.last.at + SYMPTOM_LASTS)
      this.#end(this.#open.last.at + SYMPTOM_LASTS, 'symptomOver')
  }

  #endMissing(seen: Seen) {
    const deadline = this.#deadline()
    if (!this.#open && seen.at >= deadline) this.#openMissing(deadline)
    this.#end(seen.at, 'values', seen)
  }

  #deadline(): Micros {
    const { missing } = this.#rule.terms
    const newest = this.#newest?.at ?? -Infinity
    if (!missing || newest < this.#measuredSince) return Infinity
    return deadlineOf(Math.max(newest, this.#setAt), microsOf(missing.for), this.#outages)
  }

  #openMissing(deadline: Micros) {
    const last = this.#newest
    const shown = last ? this.#window.shown(last) : null
    const held = {
      at: deadline,
      receivedAt: deadline,
      shown,
      beyond: null,
      why: whyOf(this.#rule, { value: null }),
    }
    this.#open = {
      since: deadline,
      sinceId: last?.id ?? NO_READING,
      until: null,
      because: null,
      endedBy: null,
      worst: held,
      last: held,
      newest: shown,
      isFresh: true,
    }
    this.#spans.push(this.#open)
  }
}

const isInTime = ({ at, receivedAt }: Holding) => receivedAt - at <= LATE

const RANKS = ['MILD', 'MODERATE']
/** A word that is not known counts as severe. */
export const severityRank = (severity: string | undefined) =>
  RANKS.indexOf(severity ?? '') + 1 || RANKS.length + 1
const rankOf = ({ shown }: Holding) => severityRank(shown?.severity)

/** Than an earlier one. */
export const isWorse = ({ terms }: RuleOfFold, held: Holding, worst: Holding) =>
  terms.symptom ? rankOf(held) >= rankOf(worst) : (held.beyond ?? 0) > (worst.beyond ?? 0)

/** A sensor's mark is beyond every bound on its side. */
const numberOf = ({ value, outOfRange }: Pick<Shown, 'value' | 'outOfRange'>): number | null =>
  outOfRange === undefined ? value : outOfRange === 'low' ? -Infinity : Infinity

function isBeyond({ above, below }: Bound, seen: Pick<Shown, 'value' | 'outOfRange'>): boolean {
  const value = numberOf(seen)
  if (value === null) return false
  return above === undefined ? isMore(below, value) : isMore(value, above)
}

/** The values by which a rule holds or not: those within its time before the newest. */
class Window {
  readonly #rule: RuleOfFold
  readonly #within: Micros
  /** For several values: when those beyond the bound counted. For a change: those that no later one is farther than. */
  #last: { at: Micros; value: number }[] = []

  constructor(rule: RuleOfFold) {
    this.#rule = rule
    this.#within = withinOf(rule.terms)
  }

  /** Takes the next one. */
  holdsAt(seen: Seen): Holding | null {
    const { terms } = this.#rule
    if (terms.change) return this.#changeAt(seen, terms.change.by)
    const beyond = this.beyond(seen)
    if (!beyond || !terms.value || terms.value.times === 1) return beyond
    this.#last.push({ at: seen.at, value: 0 })
    this.#last = this.#last.filter(({ at }) => at >= seen.at - this.#within).slice(-terms.value.times)
    return this.#last.length < terms.value.times
      ? null
      : this.#holding(seen, beyond.beyond, this.#last.length)
  }

  /** Whether this one alone is beyond the bound. */
  beyond(seen: Seen): Holding | null {
    const { terms, readingType } = this.#rule
    if (terms.symptom)
      return severityRank(seen.severity) >= severityRank(terms.symptom.severity)
        ? this.#holding(seen, null)
        : null
    if (!terms.value || !isBeyond(terms.value, seen)) return null
    const limit = terms.value.above ?? terms.value.below
    return this.#holding(
      seen,
      seen.value === null ? MOST_BEYOND : timesBeyond(seen.value, limit, zeroOf(readingType, terms.unit)),
    )
  }

  #changeAt(seen: Seen, by: number): Holding | null {
    const { value } = seen
    if (value === null) return null
    const sign = Math.sign(by)
    while (sign * (this.#last.at(-1)?.value ?? -sign * Infinity) >= sign * value) this.#last.pop()
    this.#last.push({ at: seen.at, value })
    while ((this.#last[0]?.at ?? Infinity) < seen.at - this.#within) this.#last.shift()
    const from = this.#last[0]?.value ?? value
    const times = this.#difference(value) / by
    return isMore(1, times) ? null : this.#holding(seen, Math.min(MOST_BEYOND, times), 1, from)
  }

  #difference(value: number): number {
    return Math.round((value - (this.#last[0]?.value ?? value)) * STEPS) / STEPS
  }

  #holding(seen: Seen, beyond: number | null, count = 1, from?: number): Holding {
    const { value, outOfRange, symptom, severity } = seen
    const why = whyOf(this.#rule, { value, outOfRange, symptom, severity, count, from })
    return { at: seen.at, receivedAt: seen.receivedAt, shown: this.shown(seen), beyond, why }
  }

  shown({ id, value, measuredAt, receivedAt, outOfRange, symptom, severity }: Seen): Shown {
    const { terms } = this.#rule
    return {
      readingId: id,
      value: terms.change && value !== null ? this.#difference(value) : value,
      unit: terms.unit ?? null,
      measuredAt: instantAt(measuredAt),
      receivedAt: instantAt(receivedAt),
      ...(outOfRange !== undefined && { outOfRange }),
      ...(symptom !== undefined && { symptom, severity: severity ?? '' }),
    }
  }
}

/** How far back a rule looks from a reading, and how far one reaches. */
export function withinOf({ value, change, symptom }: Terms): Micros {
  if (symptom) return SYMPTOM_LASTS
  const within = value?.within ?? change?.within
  return within === undefined ? 0 : microsOf(within)
}
