// Where a consumer of readings/changes has got to, as text for it to send back. A cursor names a position in each of several
// database clusters, because patients may be divided between clusters; one cluster is a list of one. It holds no secret and
// gives no right.
import { createCursors } from '../../../http/answers/cursors.ts'

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

/** One word for each cluster. The first word says how the others are written. */
const VERSION = '1'

export const { cursorOf: feedCursorOf, positionOf: feedPositionOf } = createCursors<FeedPosition>({
  form: 'words',
  partsOf: ({ generation, timeline, lsn, xid, id }) => [VERSION, [generation, timeline, lsn, xid, id].join()],
  positionFrom([, word = '']) {
    const [generation = '', timeline = '', lsn = '', xid = '', id = ''] = word.split(',')
    const isPosition =
      UUID.test(generation) && TIMELINE.test(timeline) && LSN.test(lsn) && XID.test(xid) && UUID.test(id)
    return isPosition ? { generation, timeline: Number(timeline), lsn, xid, id } : undefined
  },
})

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const TIMELINE = /^[1-9]\d{0,8}$/
const LSN = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/
// PostgreSQL stops at 2^64 - 1; no cluster gets near to a number of nineteen digits.
const XID = /^(0|[1-9]\d{0,17})$/
