// The search parameter `date` by the rules of FHIR R4: a prefix compares the span of the date that was asked for with that of
// the Observation. An Observation of one instant is that instant, however its date is written; one with a period goes from
// its start to its end, both included.
import { END_OF_9999 } from '../../casesheet/epoch-time.ts'
import { MAX_PERIOD_MICROSECONDS } from '../observation/reading-to-observation.ts'
import { dateFrom, type Span } from './fhir-date.ts'

const PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const
type Prefix = (typeof PREFIXES)[number]

/** When something took place, in microseconds since 1970; both are the same for an instant. */
export type Time = { start: bigint; end: bigint }

export type DateCondition = { prefix: Prefix; span: Span }

/** The condition that a text such as `ge2025-11-01` stands for; undefined where it is none. */
export function dateConditionFrom(text: string, nowMs: number): DateCondition | undefined {
  const prefix = PREFIXES.find((known) => text.startsWith(known))
  // A plus sign that was not escaped arrives as a blank; no date has one.
  const span = dateFrom((prefix ? text.slice(2) : text).replace(/ (?=\d\d:\d\d$)/, '+'))
  if (!span) return undefined
  if (prefix !== 'ap') return { prefix: prefix ?? 'eq', span }
  const now = BigInt(nowMs) * 1_000n
  const tenth = (now > span.from ? now - span.from : span.from - now) / 10n
  return { prefix, span: { from: span.from - tenth, until: span.until + tenth } }
}

const HOLDS: Record<Prefix, (time: Time, span: Span) => boolean> = {
  eq: ({ start, end }, { from, until }) => start >= from && end < until,
  ne: ({ start, end }, { from, until }) => start < from || end >= until,
  gt: ({ end }, { until }) => end >= until,
  lt: ({ start }, { from }) => start < from,
  ge: ({ start, end }, { from, until }) => end >= until || (start >= from && end < until),
  le: ({ start, end }, { from, until }) => start < from || (start >= from && end < until),
  sa: ({ start }, { until }) => start >= until,
  eb: ({ end }, { from }) => end < from,
  ap: ({ start, end }, { from, until }) => end >= from && start < until,
}

/** Conditions of one parameter, of which one must hold. */
export type DateChoice = readonly DateCondition[]

export function datesHold(choices: readonly DateChoice[], time: Time): boolean {
  return choices.every((choice) => choice.some(({ prefix, span }) => HOLDS[prefix](time, span)))
}

/** Whether every instant within the reach of the conditions matches them, so that none needs a further look. */
export function areExactForInstants(choices: readonly DateChoice[]): boolean {
  return choices.every((choice) => choice.length === 1 && choice[0]?.prefix !== 'ne')
}

/**
 * Between which times readings must be looked at, in microseconds: `from` up to, and without, `until`. A period may begin
 * within what was asked for and end later, up to `periodsUntil`.
 */
export type Reach = { from: bigint; until: bigint; periodsUntil: bigint }

const EARLIEST = 0n
const LATEST = BigInt(END_OF_9999) * 1_000n + 1_000n

export function reachOf(choices: readonly DateChoice[]): Reach {
  const reach = { from: EARLIEST, until: LATEST, periodsUntil: LATEST }
  for (const choice of choices) {
    const reaches = choice.map(({ prefix, span }) => REACH[prefix](span))
    reach.from = latest(reach.from, reaches.map(({ from }) => from).reduce(earliest))
    reach.until = earliest(reach.until, reaches.map(({ until }) => until).reduce(latest))
    reach.periodsUntil = earliest(
      reach.periodsUntil,
      reaches.map(({ periodsUntil }) => periodsUntil).reduce(latest),
    )
  }
  return reach
}

const ALL = { until: LATEST, periodsUntil: LATEST }
const before = (until: bigint) => ({ until, periodsUntil: until + MAX_PERIOD_MICROSECONDS })

const REACH: Record<Prefix, (span: Span) => Reach> = {
  eq: ({ from, until }) => ({ from, until, periodsUntil: until }),
  ne: () => ({ from: EARLIEST, ...ALL }),
  gt: ({ until }) => ({ from: until, ...ALL }),
  lt: ({ from }) => ({ from: EARLIEST, ...before(from) }),
  ge: ({ from }) => ({ from, ...ALL }),
  le: ({ until }) => ({ from: EARLIEST, ...before(until) }),
  sa: ({ until }) => ({ from: until, ...ALL }),
  eb: ({ from }) => ({ from: EARLIEST, until: from, periodsUntil: from }),
  ap: ({ from, until }) => ({ from, ...before(until) }),
}

const earliest = (a: bigint, b: bigint) => (a < b ? a : b)
const latest = (a: bigint, b: bigint) => (a > b ? a : b)
