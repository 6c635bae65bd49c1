// The spans of time that statistics are made for: hours, days, weeks and months of a local calendar. How many a range
// has is counted here, and checked before the database is asked; their exact bounds come from the database.
import { refuseFields } from '../../../refusal.ts'

/** From the smallest on. Weeks begin on Monday. */
export const BUCKETS = ['hour', 'day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

export const MAX_BUCKETS = 5_000

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export type Span = { fromMs: number; toMs: number; timeZone: string }

/** Refuses a range of too many, and names the smallest bucket that fits. */
export function mustBeFewBuckets(bucket: Bucket, span: Span) {
  if (countBuckets(bucket, span) <= MAX_BUCKETS) return
  const fitting = BUCKETS.find((larger) => countBuckets(larger, span) <= MAX_BUCKETS)
  const limit = `an answer has at most ${MAX_BUCKETS} buckets`
  throw fitting
    ? refuseFields([{ pointer: '/bucket', message: `must be ${fitting} or larger for this range: ${limit}` }])
    : refuseFields([{ pointer: '/to', message: `must be nearer to from: ${limit}` }])
}

function countBuckets(bucket: Bucket, { fromMs, toMs, timeZone }: Span): number {
  const offsetMs = offsetReader(timeZone)
  // Hours pass at the same pace when clocks change, so both ends are taken by one offset.
  const toOffset = offsetMs(bucket === 'hour' ? fromMs : toMs)
  return numberOf(bucket, toMs + toOffset) - numberOf(bucket, fromMs + offsetMs(fromMs)) + 1
}

/** The number of the bucket on a local clock, counted from 1970 on. */
function numberOf(bucket: Bucket, localMs: number): number {
  const days = Math.floor(localMs / DAY_MS)
  if (bucket === 'hour') return Math.floor(localMs / HOUR_MS)
  if (bucket === 'day') return days
  // 1970 began on a Thursday.
  if (bucket === 'week') return Math.floor((days + 3) / 7)
  const date = new Date(localMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

// Names without a slash are left out but for UTC: PostgreSQL takes CET or EST for an offset that never changes, and
// +02:00 for two hours west.
const TIME_ZONE = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/

export function mustBeTimeZone(timeZone: string) {
  if (!TIME_ZONE.test(timeZone) || !isKnown(timeZone)) throw notATimeZone()
}

export function notATimeZone() {
  return refuseFields([
    { pointer: '/timeZone', message: 'must be an IANA time zone such as Europe/Berlin, or UTC' },
  ])
}

function isKnown(timeZone: string): boolean {
  try {
    offsetReader(timeZone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** How far the local clock of a zone is ahead of UTC at an instant. */
function offsetReader(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (atMs) => {
    const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(atMs)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
}

/**
 * SQL: where the buckets of a range begin, from the one that holds $3 to beyond the one that holds $4, on the calendar of the time
 * zone $6. Each begins once, in order, and ends where the next begins, so every instant is in exactly one.
 *
 * Days, weeks (from Monday on) or months, as $5 says: they begin when the local clock first shows their first date. A
 * midnight that comes twice counts the first time, where PostgreSQL takes the second: it is the one by the offset of half
 * a day earlier. For a midnight that clocks leave out, PostgreSQL takes the instant at which they do.
 */
export const DAY_STARTS = `
  select distinct
    case when first_time < usual and first_time at time zone $6 = midnight then first_time else usual end as start_at
  from generate_series(
    date_trunc($5, $3::timestamptz at time zone $6),
    $4::timestamptz at time zone $6 + 2 * ('1 ' || $5)::interval,
    ('1 ' || $5)::interval
  ) as midnight
  cross join lateral (select midnight at time zone $6 as usual) as by_postgres
  cross join lateral (
    select midnight at time zone 'UTC' - ${offsetAt("(usual - interval '12 hours')")} as first_time
  ) as by_earlier_offset`

/**
 * SQL: the same for hours, with days as $5. They begin when the local clock comes to a full hour, also if it is put forward or back in that
 * moment. Only days on which it is put are looked through more closely, by quarters of an hour.
 */
export const HOUR_STARTS = `
  select instant as start_at
  from (
    select start_at as day_start, lead(start_at) over (order by start_at) as day_end
    from (${DAY_STARTS}) as days
  ) as days
  cross join lateral generate_series(
    day_start,
    day_end - interval '1 microsecond',
    case when ${offsetAt('day_start')} = ${offsetAt('day_end')} then interval '1 hour' else interval '15 minutes' end
  ) as instant
  where extract(minute from instant at time zone $6) = 0
    or extract(minute from (instant - interval '15 minutes') at time zone $6 + interval '15 minutes') = 0`

/** SQL: how far the local clock is ahead of UTC. */
export function offsetAt(instant: string): string {
  return `(${instant} at time zone $6 - ${instant} at time zone 'UTC')`
}
