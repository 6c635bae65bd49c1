// What a fold of a rule over readings takes and gives.
import { durationMs } from '../rules/duration.ts'

/** Microseconds since 1970. */
export type Micros = number

/** A reading as a rule sees it. */
export type Seen = {
  id: string
  /** When it was measured, or when it arrived where its clock was ahead. */
  at: Micros
  receivedAt: Micros
  /** In the unit of the rule. */
  value: number
  /** As it was sent. */
  sent: { measuredAt: string; value: number | null; unit: string | null }
}

export type Span = {
  since: Micros
  sinceId: string
  until: Micros | null
  openedAt: Micros
  resolvedAt: Micros | null
  /** Those by which it opened; null where it was open when the fold began. */
  readings: Seen[] | null
  /** The value that ended it; null where none did, or none is needed. */
  endedWith: number | null
  /** Whether a reading that arrived in time keeps it: only then is it announced. */
  isFresh: boolean
}

/** What a fold that begins in the middle must know. */
export type Start = {
  /** When the rule was set. */
  setAt: Micros
  /** The alert that was open when the fold begins. */
  carried: Span | null
}

export type Folded = {
  spans: Span[]
  /** What may become an alert with the next reading. */
  pending: Span | null
  /** When a look at the clock is due, though nothing arrives. */
  dueAt: Micros | null
}

export type Fold = {
  /** A reading before the fold begins. */
  lookBack: (reading: Seen) => void
  push: (reading: Seen) => void
  finish: (now: Micros) => Folded
}

export type Outage = { began: Micros; ended: Micros }

export const microsOf = (duration: string): Micros => durationMs(duration) * 1_000

const DAY: Micros = 86_400_000_000

/** A rule that was set a moment ago looks at what was measured in the day before: what holds then, opens at once. */
export const BEFORE_SET: Micros = DAY
export const BEFORE_SET_SQL = `interval '${BEFORE_SET} microseconds'`

/** Readings that were measured longer before are not looked back on. */
export const MOST_BACK_DAYS = 180
export const MOST_BACK: Micros = MOST_BACK_DAYS * DAY
