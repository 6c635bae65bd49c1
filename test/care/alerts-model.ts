// What the alerts of a rule must be, worked out from all readings anew. Simple and slow: for each reading it looks at all readings before it.
// Times are microseconds since 1970, as the database keeps them.
import { CATALOGUE } from '../../src/modules/casesheet/catalogue/catalogue.ts'
import { inUnit } from './in-unit.ts'

const SECOND = 1_000_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** A reading whose clock is wrong by more is not looked at. */
const MOST_AHEAD = DAY
const AFTER_OUTAGES = 30 * MINUTE
/** So long before it was set a rule looks at what was measured. */
export const BEFORE_SET = DAY
const KEPT_READINGS = 20
/** Where a gap begins without a reading. */
export const NO_READING = '00000000-0000-0000-0000-000000000000'

type Bounds = { above?: number; below?: number }
export type Terms = {
  readingType: string
  field?: string
  unit?: string
  severity: 'notice' | 'warning' | 'urgent'
  threshold?: Bounds
  sustained?: Bounds & ({ count: number; of: number } | { for: string })
  change?: { by: number; within: string }
  missing?: { for: string }
  clear?: { above?: number; below?: number; atMost?: number; atLeast?: number; count: number }
  maxAge?: string
}
export type Reading = {
  readingId: string
  measuredAt: number
  receivedAt: number
  details: Record<string, unknown>
  isWithdrawn: boolean
}
export type Outage = { beganAt: number; endedAt: number }
export type Span = {
  condition: 'pending' | 'open' | 'resolved'
  since: number
  /** The reading at which it began. */
  sinceId: string
  until: number | null
  openedAt: number
  /** Those by which it opened, oldest first. */
  readings: string[]
  /** All of it was received later than the rule's maxAge allows. */
  isLate: boolean
}
type Timed = Reading & { at: number }
type Valued = Timed & { value: number }

/** The alerts of a rule that was set at this time, oldest first. The readings are all of its type. */
export function alertsOf(
  rule: { terms: Terms; setAt: number },
  readings: Reading[],
  clock: { now: number; outages: Outage[] },
): Span[] {
  const timed = readings
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .filter(({ measuredAt, receivedAt }) => measuredAt <= receivedAt + MOST_AHEAD)
    .map((reading) => ({ ...reading, at: timeOf(reading) }))
    .filter(({ at }) => at >= (rule.terms.missing ? rule.setAt : rule.setAt - BEFORE_SET))
    .toSorted((a, b) => a.at - b.at || (a.readingId < b.readingId ? -1 : 1))
  if (rule.terms.missing) return gapsOf(rule, timed, clock)
  const valued = timed.flatMap((reading) => {
    const value = valueOf(reading, rule.terms)
    return value === null ? [] : [{ ...reading, value }]
  })
  return spansOf(rule, valued)
}

/** What is left of alerts once their rule is changed or removed. */
export function endedBy(spans: Span[], endedAt: number): Span[] {
  return spans
    .filter(({ condition }) => condition !== 'pending')
    .map((span) => (span.condition === 'open' ? { ...span, condition: 'resolved', until: endedAt } : span))
}

/** A reading is not from the future. */
export const timeOf = ({ measuredAt, receivedAt }: Pick<Reading, 'measuredAt' | 'receivedAt'>) =>
  Math.min(measuredAt, receivedAt)

/** Whether one of these acknowledgements is of this alert. The point of one is the newest reading that the doctor could have seen. */
export function isAcknowledged({ since, until }: Pick<Span, 'since' | 'until'>, points: number[]): boolean {
  return points.some((point) => point >= since && point <= (until ?? Infinity))
}

/** The number of a field as it is compared with the rule: in its unit, and rounded as people are shown it if it was converted. */
export function valueOf({ details }: Reading, { readingType, field = '', unit = '' }: Terms): number | null {
  const { units = [], quantities = {} } = CATALOGUE[readingType] ?? {}
  const number = details[field]
  const ofReading = details['unit'] ?? units[0]
  const own = units.find((known) => known === ofReading)
  if (typeof number !== 'number' || own === undefined) return null
  return quantities[field]?.unit === undefined ? inUnit(number, own, unit) : number
}

function spansOf({ terms, setAt }: { terms: Terms; setAt: number }, readings: Valued[]): Span[] {
  const spans: Span[] = []
  let open: Span | undefined
  let clearInARow = 0
  for (const [nth, reading] of readings.entries()) {
    const upToThis = readings.slice(0, nth + 1)
    const opening = readingsByWhichItHolds(terms, upToThis)
    if (open) {
      clearInARow = isClear(terms, reading, opening !== null) ? clearInARow + 1 : 0
      const keepsIt = terms.change ? opening !== null : isBeyond(boundsOf(terms), reading)
      if (keepsIt && !isTooOld(terms, reading.at, reading.receivedAt)) open.isLate = false
      if (clearInARow >= (terms.clear?.count ?? 1)) {
        Object.assign(open, { condition: 'resolved', until: reading.at })
        // Known to be over before the rule was set.
        if (reading.receivedAt < setAt) spans.pop()
        open = undefined
      }
    } else if (opening) {
      open = spanFrom({ terms, setAt }, 'open', { since: reading, opening })
      spans.push(open)
      clearInARow = 0
    }
  }
  const begun = open ? null : begunBy(terms, readings)
  const first = begun?.[0]
  return begun && first
    ? [...spans, spanFrom({ terms, setAt }, 'pending', { since: first, opening: begun })]
    : spans
}

function spanFrom(
  { terms, setAt }: { terms: Terms; setAt: number },
  condition: Span['condition'],
  { since, opening }: { since: Valued; opening: Valued[] },
): Span {
  const arrivedAt = Math.max(...opening.map(({ receivedAt }) => receivedAt))
  return {
    condition,
    since: since.at,
    sinceId: since.readingId,
    until: null,
    openedAt: Math.max(setAt, arrivedAt),
    readings: opening.slice(-KEPT_READINGS).map(({ readingId }) => readingId),
    isLate: isTooOld(terms, since.at, arrivedAt),
  }
}

const isTooOld = ({ maxAge = 'P1D' }: Terms, at: number, knownAt: number) => knownAt - at > durationOf(maxAge)

/** The readings by which the rule holds at the last of these, oldest first; null if it does not hold. */
function readingsByWhichItHolds(terms: Terms, readings: Valued[]): Valued[] | null {
  const last = readings.at(-1)
  if (!last) return null
  if (terms.change) return changeAt(terms.change, readings, last)
  const bounds = boundsOf(terms)
  if (!isBeyond(bounds, last)) return null
  const { sustained } = terms
  if (!sustained) return [last]
  if ('of' in sustained) {
    const beyond = readings.slice(-sustained.of).filter((reading) => isBeyond(bounds, reading))
    return beyond.length >= sustained.count ? beyond : null
  }
  // The shortest run that proves it: from the newest reading that is old enough.
  const lasting = durationOf(sustained.for)
  const first = readings.findLastIndex(({ at }) => at <= last.at - lasting)
  const run = readings.slice(Math.max(first, 0))
  const isProved = first >= 0 && (readings[first]?.at ?? 0) >= last.at - 2 * lasting
  return isProved && run.every((reading) => isBeyond(bounds, reading)) ? run : null
}

function changeAt(
  { by, within }: { by: number; within: string },
  readings: Valued[],
  last: Valued,
): Valued[] | null {
  const window = readings.filter(({ at }) => at >= last.at - durationOf(within))
  const values = window.map(({ value }) => value)
  const extreme = by > 0 ? Math.min(...values) : Math.max(...values)
  const from = window.findLast(({ value }) => value === extreme)
  // As decimals: 64.1 - 62.1 is 2, and not 1.999999999999993.
  const difference = Number(Math.abs(last.value - extreme).toFixed(6))
  return from && difference >= Math.abs(by) ? [from, last] : null
}

/** At the end, the readings by which a rule begins to hold. */
function begunBy({ sustained }: Terms, readings: Valued[]): Valued[] | null {
  const last = readings.at(-1)
  if (!sustained || !last || !isBeyond(sustained, last)) return null
  if ('of' in sustained)
    return readings.slice(-sustained.of).filter((reading) => isBeyond(sustained, reading))
  const run = readings.slice(readings.findLastIndex((reading) => !isBeyond(sustained, reading)) + 1)
  return run.filter(({ at }) => at >= last.at - 2 * durationOf(sustained.for))
}

const boundsOf = ({ threshold, sustained }: Terms): Bounds => threshold ?? sustained ?? {}

function isBeyond({ above, below }: Bounds, { value }: Valued): boolean {
  return (above !== undefined && value > above) || (below !== undefined && value < below)
}

function isClear({ change, clear }: Terms, { value }: Valued, holds: boolean): boolean {
  if (change) return !holds
  if (clear?.below !== undefined) return value < clear.below
  if (clear?.above !== undefined) return value > clear.above
  if (clear?.atMost !== undefined) return value <= clear.atMost
  return clear?.atLeast !== undefined && value >= clear.atLeast
}

function gapsOf(
  { terms, setAt }: { terms: Terms; setAt: number },
  readings: Timed[],
  { now, outages }: { now: number; outages: Outage[] },
): Span[] {
  const spans: Span[] = []
  let open: Span | undefined
  let last = { at: setAt, readingId: NO_READING }
  for (const next of [...readings, null]) {
    const deadline = deadlineOf(last.at, durationOf(terms.missing?.for ?? ''), outages)
    if (!open && (next?.at ?? now) > deadline) {
      open = {
        condition: 'open',
        since: deadline,
        sinceId: last.readingId,
        until: null,
        openedAt: deadline,
        readings: last.readingId === NO_READING ? [] : [last.readingId],
        isLate: false,
      }
      spans.push(open)
    }
    if (open && next) {
      Object.assign(open, { condition: 'resolved', until: next.at })
      open = undefined
    }
    last = next ?? last
  }
  return spans
}

/** When a reading is missing. While Rounds was out of service none could arrive: the time stands still, and devices get half an hour. */
function deadlineOf(from: number, lasting: number, outages: Outage[]): number {
  let deadline = from + lasting
  let hadOutage = false
  for (const { beganAt, endedAt } of outages.toSorted((a, b) => a.beganAt - b.beganAt)) {
    if (beganAt >= deadline || endedAt <= from) continue
    deadline += endedAt - Math.max(beganAt, from)
    hadOutage = true
  }
  return hadOutage ? deadline + AFTER_OUTAGES : deadline
}

/** Such as P1D, PT2H30M. */
export function durationOf(text: string): number {
  const [, days = 0, hours = 0, minutes = 0] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(text) ?? [
    text,
  ]
  const duration = Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE
  if (!(duration > 0)) throw new Error(`${text} is no duration.`)
  return duration
}
