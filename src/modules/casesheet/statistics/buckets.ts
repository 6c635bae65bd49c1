// The spans of time that statistics are made for: hours, days, weeks and months of a local calendar. Their exact bounds
// come from the database; here is how many a range has, and whether a time zone is one.
import { refuseFields } from '../../../refusal.ts'

/** From the smallest on. Weeks begin on Monday. */
export const BUCKETS = ['hour', 'day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

export const MAX_BUCKETS = 5_000

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export type Span = { fromMs: number; toMs: number; timeZone: string }

/** How many buckets a range has. Refuses one of too many, and names the smallest that fits. */
export function mustBeFewBuckets(bucket: Bucket, span: Span): number {
  const count = countBuckets(bucket, span)
  if (count <= MAX_BUCKETS) return count
  const fitting = BUCKETS.find((larger) => countBuckets(larger, span) <= MAX_BUCKETS)
  const limit = `at most ${MAX_BUCKETS} buckets are answered`
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
