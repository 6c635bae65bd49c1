// The parts of a patient's history that a search must look at, in the order of the answer: what was measured between two times,
// and behind it the periods that began before. Both are bounded by the time at which a reading ends, which is what the database
// orders by.
import { END_OF_9999, microsecondsOf } from '../../casesheet/epoch-time.ts'
import type { Position, Range } from '../../casesheet/get/range.ts'
import { PERIOD_TYPES } from '../observation/type-mapping.ts'
import { reachOf } from '../time/date-search.ts'
import { epochTimeOf, isInSeconds } from '../time/effective-time.ts'
import type { ObservationQuery } from './observation-query.ts'

/** From a microsecond up to, and without, another; `readingTypes` is null for all. */
export type Segment = { from: bigint; until: bigint; readingTypes: string[] | null }

export function segmentsOf({ dates, types, statuses, order }: ObservationQuery): Segment[] {
  const isNothingWanted = types?.size === 0 || !(statuses.isErrorWanted || statuses.isFinalWanted)
  if (isNothingWanted) return []
  const { from, until, periodsUntil } = reachOf(dates)
  const periodTypes = PERIOD_TYPES.filter((type) => types?.has(type) ?? true)
  const segments = [
    { from, until, readingTypes: types && [...types] },
    { from: until > from ? until : from, until: periodsUntil, readingTypes: periodTypes },
  ].filter((segment) => segment.from < segment.until && segment.readingTypes?.length !== 0)
  return order === 'asc' ? segments : segments.toReversed()
}

/**
 * The ends of a range for the database, in whole milliseconds: it may hold a little more than the segment, which is then left
 * out by the exact time.
 */
export function rangeOf({ from, until }: Pick<Segment, 'from' | 'until'>): Pick<Range, 'from' | 'to'> {
  const to = Number((until + 999n) / 1_000n)
  return {
    from: from === 0n ? undefined : epochTimeOf(Number(from / 1_000n)),
    to: to > END_OF_9999 ? undefined : epochTimeOf(to),
  }
}

/** The range that all segments lie in: a cursor may not reach beyond it. */
export function wholeRangeOf(segments: readonly Segment[]): Pick<Range, 'from' | 'to'> {
  const [froms, untils] = [segments.map(({ from }) => from), segments.map(({ until }) => until)]
  return rangeOf({
    from: froms.reduce((a, b) => (a < b ? a : b)),
    until: untils.reduce((a, b) => (a > b ? a : b)),
  })
}

function holdsTime({ from, until }: Segment, epochTime: number): boolean {
  const at = microsecondsOf(epochTime)
  return at >= from && at < until
}

/** The same for many times: a whole number of milliseconds is compared as such. */
export function timeTestOf(segment: Segment): (epochTime: number) => boolean {
  const isWhole = segment.from % 1_000n === 0n && segment.until % 1_000n === 0n
  const [fromMs, untilMs] = [Number(segment.from / 1_000n), Number(segment.until / 1_000n)]
  const inMilliseconds = (epochTime: number) => (isInSeconds(epochTime) ? epochTime * 1_000 : epochTime)
  return (epochTime) => {
    if (!isWhole || !Number.isInteger(epochTime)) return holdsTime(segment, epochTime)
    const milliseconds = inMilliseconds(epochTime)
    return milliseconds >= fromMs && milliseconds < untilMs
  }
}

/** The segment at which a page behind this position begins. */
export function segmentBehind(segments: readonly Segment[], position: Position | null): number {
  if (!position) return 0
  const index = segments.findIndex((segment) => holdsTime(segment, position.timestamp))
  return Math.max(0, index)
}
