// A rule that looks at values, over the readings of a patient, in order.
//
//   watching --the rule holds at a reading--> open
//   open     --so many clear readings in a row--> watching
//
// No reading, no change: data that is missing never resolves an alert.
import type { ClearBound, MeasuredTerms } from '../rules/rule.ts'
import {
  type Fold,
  type Folded,
  type Micros,
  MOST_BACK,
  microsOf,
  type Seen,
  type Span,
  type Start,
} from './span.ts'

const MAX_WINDOW = 5_000
const MAX_SHOWN = 20

/** Whether the rule holds at a reading, and by which readings. */
type Condition = {
  /** Whether it holds, with this reading as the newest. */
  holdsAt: (reading: Seen) => boolean
  /** The readings by which it holds now, the newest last. */
  by: () => Seen[]
  /** The readings by which it begins to hold, if it does. */
  begins: () => Seen[]
}

export class ValueFold implements Fold {
  readonly #terms: MeasuredTerms
  readonly #start: Start
  readonly #condition: Condition
  readonly #maxAge: Micros
  readonly #spans: Span[] = []
  #open: Span | null
  /** When the clear readings in a row since it opened were measured: the last ones that count. */
  #clears: Micros[] = []

  constructor(terms: MeasuredTerms, start: Start) {
    this.#terms = terms
    this.#start = start
    this.#condition = conditionOf(terms)
    this.#maxAge = microsOf(terms.maxAge)
    this.#open = start.carried && { ...start.carried, until: null, resolvedAt: null }
    if (this.#open) this.#spans.push(this.#open)
  }

  lookBack(reading: Seen) {
    const holds = this.#condition.holdsAt(reading)
    if (this.#open && isAfter(reading, this.#open)) this.#countClear(reading, holds)
  }

  push(reading: Seen) {
    const holds = this.#condition.holdsAt(reading)
    if (this.#open) this.#keepOrResolve(this.#open, reading, holds)
    else if (holds) this.#openAt(reading)
  }

  finish(): Folded {
    const begins = this.#open ? [] : this.#condition.begins()
    const [first] = begins
    const pending = first ? this.#spanFrom(first, begins) : null
    return { spans: this.#spans, pending, dueAt: null }
  }

  #countClear(reading: Seen, holds: boolean) {
    const isClear = this.#terms.change ? !holds : isClearOf(this.#terms.clear, reading.value)
    this.#clears = isClear ? [...this.#clears, reading.at].slice(-this.#terms.clear.count) : []
  }

  #keepOrResolve(open: Span, reading: Seen, holds: boolean) {
    this.#countClear(reading, holds)
    const keeps = this.#terms.change ? holds : isBeyond(this.#terms, reading.value)
    if (keeps && reading.receivedAt - reading.at <= this.#maxAge) open.isFresh = true
    if (!this.#isClear(reading)) return
    // What was over before the rule was set is none of its alerts.
    if (reading.receivedAt < this.#start.setAt) this.#spans.pop()
    open.until = reading.at
    open.endedWith = reading.value
    open.resolvedAt = Math.max(reading.receivedAt, open.openedAt)
    this.#open = null
  }

  #isClear({ at }: Seen): boolean {
    const [first = -Infinity] = this.#clears
    return this.#clears.length === this.#terms.clear.count && first >= at - MOST_BACK
  }

  #openAt(reading: Seen) {
    this.#open = this.#spanFrom(reading, this.#condition.by())
    this.#clears = []
    this.#spans.push(this.#open)
  }

  #spanFrom(first: Seen, by: Seen[]): Span {
    const arrivedAt = by.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), -Infinity)
    return {
      since: first.at,
      sinceId: first.id,
      until: null,
      openedAt: Math.max(arrivedAt, this.#start.setAt),
      resolvedAt: null,
      endedWith: null,
      readings: by.slice(-MAX_SHOWN),
      isFresh: arrivedAt - first.at <= this.#maxAge,
    }
  }
}

function isAfter(reading: Seen, { since, sinceId }: Span): boolean {
  return reading.at > since || (reading.at === since && reading.id > sinceId)
}

function boundsOf({ threshold, sustained }: MeasuredTerms): {
  above?: number | undefined
  below?: number | undefined
} {
  return threshold ?? sustained ?? {}
}

export function isBeyond(terms: MeasuredTerms, value: number): boolean {
  const { above, below } = boundsOf(terms)
  return (above !== undefined && value > above) || (below !== undefined && value < below)
}

function isClearOf(clear: ClearBound, value: number): boolean {
  return (
    (clear.below !== undefined && value < clear.below) ||
    (clear.above !== undefined && value > clear.above) ||
    (clear.atMost !== undefined && value <= clear.atMost) ||
    (clear.atLeast !== undefined && value >= clear.atLeast)
  )
}

function conditionOf(terms: MeasuredTerms): Condition {
  const { sustained, change } = terms
  if (change) return changes(change.by, microsOf(change.within))
  if (!sustained) return isBeyondOnce(terms)
  if (sustained.for === undefined) return isBeyondOften(terms, sustained)
  return isBeyondThroughout(terms, microsOf(sustained.for))
}

function isBeyondOnce(terms: MeasuredTerms): Condition {
  let newest: Seen | undefined
  return {
    holdsAt(reading) {
      newest = reading
      return isBeyond(terms, reading.value)
    },
    by: () => (newest ? [newest] : []),
    begins: () => [],
  }
}

function isBeyondOften(terms: MeasuredTerms, { count, of }: { count: number; of: number }): Condition {
  const last: Seen[] = []
  const beyond = () => last.filter(({ value }) => isBeyond(terms, value))
  return {
    holdsAt(reading) {
      last.push(reading)
      while (last.length > of || (last[0]?.at ?? Infinity) < reading.at - MOST_BACK) last.shift()
      return isBeyond(terms, reading.value) && beyond().length >= count
    },
    by: beyond,
    begins() {
      const newest = last.at(-1)
      return newest && isBeyond(terms, newest.value) ? beyond() : []
    },
  }
}

/** The run of readings beyond the bound, as far as it lies within twice the duration. */
function isBeyondThroughout(terms: MeasuredTerms, duration: Micros): Condition {
  let run: Seen[] = []
  /** Those before it are out of the window. */
  let head = 0
  /** The latest that is long enough ago, or before `head`. */
  let long = -1

  function add(reading: Seen) {
    run.push(reading)
    while ((run[head]?.at ?? Infinity) < reading.at - 2 * duration) head++
    if (run.length - head > MAX_WINDOW) head = run.length - MAX_WINDOW
    while ((run[long + 1]?.at ?? Infinity) <= reading.at - duration) long++
    // The readings before the head are let go from time to time.
    if (head > MAX_WINDOW) {
      run = run.slice(head)
      long = Math.max(long - head, -1)
      head = 0
    }
  }
  const isFull = () => run.length - head === MAX_WINDOW

  return {
    holdsAt(reading) {
      if (!isBeyond(terms, reading.value)) {
        run = []
        head = 0
        long = -1
        return false
      }
      add(reading)
      return long >= head || isFull()
    },
    by: () => run.slice(long >= head ? long : head),
    begins: () => run.slice(head),
  }
}

/** The differences of decimals have digits that nobody measured. */
const DIFFERENCE_STEPS = 1e9

function changes(by: number, within: Micros): Condition {
  const sign = Math.sign(by)
  /** Candidates for the extreme of the window: each is farther than those behind it. */
  let extremes: { reading: Seen; nth: number }[] = []
  /** Those before it are out of the window. */
  let head = 0
  let seen = 0
  let newest: Seen | undefined
  return {
    holdsAt(reading) {
      newest = reading
      seen++
      while (extremes.length > head && sign * (extremes.at(-1)?.reading.value ?? 0) >= sign * reading.value)
        extremes.pop()
      extremes.push({ reading, nth: seen })
      while (
        (extremes[head]?.reading.at ?? Infinity) < reading.at - within ||
        (extremes[head]?.nth ?? Infinity) <= seen - MAX_WINDOW
      )
        head++
      if (head > MAX_WINDOW) {
        extremes = extremes.slice(head)
        head = 0
      }
      const extreme = extremes[head]?.reading.value ?? reading.value
      const difference = Math.round(sign * (reading.value - extreme) * DIFFERENCE_STEPS) / DIFFERENCE_STEPS
      return difference >= Math.abs(by)
    },
    by() {
      const extreme = extremes[head]?.reading
      return [extreme, newest].filter((reading) => reading !== undefined)
    },
    begins: () => [],
  }
}
