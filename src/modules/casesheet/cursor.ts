// Where a page of readings ended, as text for the caller to send back. A cursor holds no secret and gives no right; one
// that was made up, belongs to the other order or lies outside the range is refused.
import { cursorIsInvalid } from '../../http/paging.ts'
import { END_OF_9999, millisecondsOf } from './epoch-time.ts'
import type { Position, Range } from './read-page.ts'

type Within = Pick<Range, 'order' | 'from' | 'to'>

export function cursorOf({ timestamp, readingId }: Position, { order }: Within): string {
  return Buffer.from(`${order} ${timestamp} ${readingId}`).toString('base64url')
}

export function positionOf(cursor: string, within: Within): Position {
  const [, timestamp = '', readingId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const position = { timestamp: Number(timestamp), readingId }
  const at = millisecondsOf(position.timestamp)
  const isOurs =
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(readingId) &&
    cursorOf(position, within) === cursor &&
    // So that a made-up cursor cannot reach outside the range that the access log names.
    at >= millisecondsOf(within.from ?? 0) &&
    at <= millisecondsOf(within.to ?? END_OF_9999)
  if (!isOurs) throw cursorIsInvalid()
  return position
}
