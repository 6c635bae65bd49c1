// Where a consumer of readings/changes has got to, as text for it to send back. A cursor names a position in each of several
// database clusters, because patients may be divided between clusters; one cluster is a list of one. It holds no secret and
// gives no right.
import { cursorIsInvalid } from '../../../http/answers/paging.ts'

export type FeedPosition = {
  /** Which sequence it is a position of. Transaction ids mean nothing in another cluster. */
  generation: string
  /** The timeline and the position in the WAL up to which the delivered changes stand: see read-changes.ts. */
  timeline: number
  lsn: string
  /** The last change that was delivered: its transaction, and the reading or the erasure. */
  xid: string
  id: string
}

const VERSION = 1

export function feedCursorOf(positions: FeedPosition[]): string {
  const parts = positions.map(({ generation, timeline, lsn, xid, id }) => [
    generation,
    timeline,
    lsn,
    xid,
    id,
  ])
  return Buffer.from(JSON.stringify([VERSION, ...parts])).toString('base64url')
}

/** The one position of a cursor; this service has one cluster. */
export function feedPositionOf(cursor: string): FeedPosition {
  const [, part, ...others] = listFrom(Buffer.from(cursor, 'base64url').toString())
  const [generation, timeline, lsn, xid, id] = Array.isArray(part) ? part : []
  const position = { generation, timeline, lsn, xid, id }
  if (others.length > 0 || !isPosition(position) || feedCursorOf([position]) !== cursor)
    throw cursorIsInvalid()
  return position
}

function listFrom(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const LSN = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/
// PostgreSQL stops at 2^64 - 1; no cluster gets near to a number of nineteen digits.
const XID = /^(0|[1-9]\d{0,17})$/

function isPosition(position: Record<keyof FeedPosition, unknown>): position is FeedPosition {
  const { generation, timeline, lsn, xid, id } = position
  return (
    matches(generation, UUID) &&
    Number.isInteger(timeline) &&
    Number(timeline) > 0 &&
    Number(timeline) < 2 ** 31 &&
    matches(lsn, LSN) &&
    matches(xid, XID) &&
    matches(id, UUID)
  )
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
