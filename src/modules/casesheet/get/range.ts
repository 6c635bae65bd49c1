// Which readings are asked for, and where a page of them ended. A cursor that was made up, belongs to the other order or lies
// outside the range is refused.
import { createCursors } from '../../../http/pages.ts'
import { END_OF_9999, microsecondsOf } from '../epoch-time.ts'

/** Whether withdrawn readings are left out, or shown with a field that says so. */
export type Withdrawn = 'left-out' | 'shown'

/** After which reading a page begins, by the number that was sent. */
export type Position = { timestamp: number; readingId: string }

export type Range = {
  patientUid: string
  from: number | undefined
  to: number | undefined
  readingTypes: string[] | null
  order: 'asc' | 'desc'
  withdrawn: Withdrawn
  after: Position | null
}

type Within = Pick<Range, 'order' | 'from' | 'to'>

export const { cursorOf, positionOf } = createCursors<Position, [within: Within]>({
  form: 'words',
  partsOf: ({ timestamp, readingId }, { order }) => [order, String(timestamp), readingId],
  positionFrom: ([, timestamp = '', readingId = ''], within) => {
    const position = { timestamp: Number(timestamp), readingId }
    const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(readingId)
    // So that a made-up cursor cannot reach outside the range that the access log names.
    return isId && isWithin(position.timestamp, within) ? position : undefined
  },
})

function isWithin(timestamp: number, { from = 0, to = END_OF_9999 }: Within): boolean {
  if (!(timestamp >= 0 && timestamp <= END_OF_9999)) return false
  const at = microsecondsOf(timestamp)
  return at >= microsecondsOf(from) && at <= microsecondsOf(to)
}
