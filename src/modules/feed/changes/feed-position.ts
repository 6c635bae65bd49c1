// Where a consumer of readings/changes has got to, as text for it to send back: a place in the sequence of one database. It holds no
// secret and gives no right.

import { createCursors } from '../../../http/pages.ts'
import { UUID_FORM } from '../../casesheet/reading-id.ts'
import type { History, Place } from './change-history.ts'

/** The last change that was delivered, and the position in the WAL up to which those stand: see read-changes.ts. */
export type FeedPosition = History & Place & { lsn: string }

/** It says how the rest is written. */
const VERSION = '1'

export const { cursorOf: feedCursorOf, positionOf: feedPositionOf } = createCursors<FeedPosition>({
  form: 'words',
  partsOf: ({ generation, timeline, lsn, xid, id }) => [VERSION, [generation, timeline, lsn, xid, id].join()],
  positionFrom([, word = '']) {
    const [generation = '', timeline = '', lsn = '', xid = '', id = ''] = word.split(',')
    const isPosition =
      UUID_FORM.test(generation) &&
      TIMELINE.test(timeline) &&
      LSN.test(lsn) &&
      XID.test(xid) &&
      UUID_FORM.test(id)
    return isPosition ? { generation, timeline: Number(timeline), lsn, xid, id } : undefined
  },
})

const TIMELINE = /^[1-9]\d{0,8}$/
const LSN = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/
// PostgreSQL stops at 2^64 - 1; no cluster gets near to a number of nineteen digits.
const XID = /^(0|[1-9]\d{0,17})$/

const GENERATION_DIGITS = 8

/** The id of an event of a stream. A patient may move to another database, so it begins with the first digits of the generation. */
export function eventIdOf({ generation, timeline, xid, id }: History & Place): string {
  return `${generation.slice(0, GENERATION_DIGITS)}.${timeline}.${xid}.${id}`
}

/** The place that the id of an event names; undefined where it is none of ours. */
export function placeOfEvent(eventId = ''): (History & Place) | undefined {
  const [, generation, timeline, xid, id] =
    /^([\da-f]{8})\.(\d{1,9})\.(\d{1,18})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(eventId) ?? []
  return generation && timeline && xid && id ? { generation, timeline: Number(timeline), xid, id } : undefined
}
