// Where a page of the access log ended, as text for the caller to send back. Rows have no number of their own: many may be
// of one instant, and callers choose request ids. So a position is an instant, a request id, and how many entries of just
// these two were shown already. A cursor holds no secret and gives no right; one that was made up is refused.
import { Refusal } from '../../refusal.ts'

export type AccessPosition = { at: string; requestId: string; seen: number }

/** Before everything: no row is of that time. */
export const NEWEST: AccessPosition = { at: 'infinity', requestId: '', seen: 0 }

/** Behind the last entry of a page that began behind another position. */
export function positionBehind(
  entries: Pick<AccessPosition, 'at' | 'requestId'>[],
  begin: AccessPosition,
): AccessPosition {
  const { at, requestId } = entries.at(-1) ?? begin
  const isAlike = (entry: Pick<AccessPosition, 'at' | 'requestId'>) =>
    entry.at === at && entry.requestId === requestId
  return { at, requestId, seen: entries.filter(isAlike).length + (isAlike(begin) ? begin.seen : 0) }
}

export function accessCursorOf({ at, requestId, seen }: AccessPosition): string {
  return Buffer.from(`${at} ${seen} ${requestId}`).toString('base64url')
}

export function accessPositionOf(cursor: string): AccessPosition {
  const [at = '', seen = '', requestId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const position = { at, requestId, seen: Number(seen) }
  const isOurs =
    accessCursorOf(position) === cursor &&
    isInstant(at) &&
    /^[1-9]\d{0,8}$/.test(seen) &&
    /^[\w.:-]{1,128}$/.test(requestId)
  if (!isOurs) throw new Refusal('InvalidCursor', 'The cursor is not one that this query was given.')
  return position
}

/** As answers print them, and a day that there is: the database would stumble over the 30th of February. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}){1,2}Z$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}
