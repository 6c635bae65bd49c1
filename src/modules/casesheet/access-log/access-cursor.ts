// Where a page of the access log ended, as text for the caller to send back. Rows have no number of their own: many may be
// of one instant, and callers choose request ids. So a position is an instant, a request id, and a digest of the rest of
// the entry. It names a place and never an amount of work. A cursor holds no secret and gives no right; one that was made up
// in another form is refused.
import { cursorIsInvalid } from '../../../http/answers/paging.ts'
import { isRequestId } from '../../../http/request-head.ts'

export type AccessPosition = { at: string; requestId: string; digest: string }

/** Before everything: no row is of that time. */
export const NEWEST: AccessPosition = { at: 'infinity', requestId: '', digest: '' }

export function accessCursorOf({ at, requestId, digest }: AccessPosition): string {
  return Buffer.from(`${at} ${digest} ${requestId}`).toString('base64url')
}

export function accessPositionOf(cursor: string): AccessPosition {
  const [at = '', digest = '', requestId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const position = { at, requestId, digest }
  const isOurs =
    accessCursorOf(position) === cursor &&
    isInstant(at) &&
    /^[\da-f]{32}$/.test(digest) &&
    isRequestId(requestId)
  if (!isOurs) throw cursorIsInvalid()
  return position
}

/** As answers print them, and a day that there is: the database would stumble over the 30th of February. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}){1,2}Z$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}
