// Which readings are asked for, and where a page of them ended, as text for the caller to send back. A cursor holds no secret
// and gives no right; one that was made up, belongs to the other order or lies outside the range is refused.
import { cursorIsInvalid } from '../../../http/answers/paging.ts'
import { END_OF_9999, microsecondsOf } from '../epoch-time.ts'

/** After which reading a page begins, by the number that was sent. */
export type Position = { timestamp: number; readingId: string }

export type Range = {
  patientUid: string
  from: number | undefined
  to: number | undefined
  readingTypes: string[] | null
  order: 'asc' | 'desc'
  after: Position | null
}

type Within = Pick<Range, 'order' | 'from' | 'to'>

export function cursorOf({ timestamp, readingId }: Position, { order }: Within): string {
  return Buffer.from(`${order} ${timestamp} ${readingId}`).toString('base64url')
}

export function positionOf(cursor: string, within: Within): Position {
  const [, timestamp = '', readingId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const position = { timestamp: Number(timestamp), readingId }
  const isOurs =
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(readingId) &&
    cursorOf(position, within) === cursor &&
    // So that a made-up cursor cannot reach outside the range that the access log names.
    isWithin(position.timestamp, within)
  if (!isOurs) throw cursorIsInvalid()
  return position
}

function isWithin(timestamp: number, { from = 0, to = END_OF_9999 }: Within): boolean {
  if (!(timestamp >= 0 && timestamp <= END_OF_9999)) return false
  const at = microsecondsOf(timestamp)
  return at >= microsecondsOf(from) && at <= microsecondsOf(to)
}
