// GET Observation?_lastUpdated=…: pages of a patient's readings in the order in which they were received, withdrawn or restored. What
// the database cannot decide is decided here, as in search-observations.ts, and further pages are read up to a bound.
import type { IsGone } from '../../../db/batch.ts'
import { createCursors } from '../../../http/pages.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { ReadUpdated, UpdatedPosition } from '../../casesheet/get/read-updated.ts'
import type { Reader } from '../../casesheet/reader.ts'
import { type IdentifiedReading, identifiedFrom } from '../observation/listed-readings.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { type DateChoice, reachOf } from '../time/date-search.ts'
import { dateFrom } from '../time/fhir-date.ts'
import type { Entry, Found } from './bundle.ts'
import type { ObservationQuery } from './observation-query.ts'

const MAX_PAGES = 8
const MAX_SIZE = 250

const { cursorOf, positionOf } = createCursors<UpdatedPosition, [order: 'asc' | 'desc']>({
  form: 'words',
  partsOf: ({ updatedAt, readingId }, order) => ['updated', order, updatedAt, readingId],
  positionFrom: ([, , updatedAt = '', readingId = '']) => {
    const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(updatedAt) && dateFrom(updatedAt)
    const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(readingId)
    return isInstant && isId ? { updatedAt, readingId } : undefined
  },
})

type Asking = {
  ids: ObservationIds
  reader: Reader
  isGone: IsGone
  /** Undefined for what does not match. */
  entryFor: (one: IdentifiedReading) => Entry | undefined
}

type Wanted = ObservationQuery & { patientUid: string }

export async function searchUpdated(
  readUpdated: ReadUpdated,
  query: Wanted,
  { ids, reader, isGone, entryFor }: Asking,
): Promise<Found> {
  const { patientUid, order, count, types, statuses } = query
  // A page may end at a reading that was walked over, of which the caller may learn neither the time nor the id.
  const hiddenCursorOf = (position: UpdatedPosition) => ids.hide(cursorOf(position, order), patientUid)
  let after = positionOf(query.cursor && (ids.textIn(query.cursor, patientUid) ?? ''), order)
  let beganAt: string | null = null
  const entries: Entry[] = []
  for (let page = 0; ; page++) {
    const read = await readUpdated(
      {
        patientUid,
        ...boundsOf(query.updates),
        readingTypes: types && [...types],
        order,
        withdrawn: statuses.isErrorWanted ? 'shown' : 'left-out',
        after,
        reader,
        page,
        beganAt,
        size: page === 0 ? Math.min(count, MAX_SIZE) : MAX_SIZE,
      },
      isGone,
    )
    beganAt ??= read.at
    const identified = identifiedFrom(read.readings, patientUid, ids)
    for (const [index, listed] of read.readings.entries()) {
      const one = identified[index]
      const entry = one && entryFor(one)
      if (entry) entries.push(entry)
      const isLast = read.next === null && index === read.readings.length - 1
      if (entries.length < count || isLast) continue
      const position = { updatedAt: instantFrom(listed.updatedAt, 6), readingId: listed.readingId }
      return { entries, nextCursor: hiddenCursorOf(position) }
    }
    if (read.next === null) return { entries, nextCursor: null }
    if (page === MAX_PAGES - 1) return { entries, nextCursor: hiddenCursorOf(read.next) }
    after = read.next
  }
}

/** In whole milliseconds, as `lastUpdated` is shown: a little more than is asked for, which is then left out by the exact time. */
function boundsOf(updates: readonly DateChoice[]) {
  const { from, until } = reachOf(updates)
  const [whole, open] = [reachOf([]), undefined]
  return {
    from: from === whole.from ? open : new Date(Number(from / 1_000n)).toISOString(),
    to: until === whole.until ? open : new Date(Number((until + 999n) / 1_000n)).toISOString(),
  }
}
