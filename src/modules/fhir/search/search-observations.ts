// GET Observation?…: pages of a patient's readings, read as readings/get reads them, in the same statements and with the same
// rows in the access log. What the database cannot decide (codes that depend on a unit, periods) is decided here, and further
// pages are read until the answer is full, up to a bound: beyond it the answer is short, and its next page goes on.
import type { IsGone } from '../../../db/batch.ts'
import { microsecondsOf } from '../../casesheet/epoch-time.ts'
import type { ListedReading } from '../../casesheet/get/print-readings.ts'
import { cursorOf, type Position, positionOf, type Range } from '../../casesheet/get/range.ts'
import type { ReadPage } from '../../casesheet/get/read-page.ts'
import type { Reader } from '../../casesheet/reader.ts'
import type { ReadingOperations } from '../../casesheet/reading-operations.ts'
import { type IdentifiedReading, identifiedFrom, type ParsedReading } from '../observation/listed-readings.ts'
import type { ObservationIds } from '../observation/observation-id.ts'
import { observationPrinter } from '../observation/print-observation.ts'
import { isStartOf } from '../observation/reading-to-observation.ts'
import { withdrawalOf } from '../observation/stored-observation.ts'
import { PERIOD_TYPES } from '../observation/type-mapping.ts'
import { areExactForInstants, datesHold, type Time } from '../time/date-search.ts'
import { dateFrom } from '../time/fhir-date.ts'
import type { Entry, Found } from './bundle.ts'
import type { ObservationQuery } from './observation-query.ts'
import { PAGE_COST, placesOf, readListed } from './read-observation.ts'
import { searchUpdated } from './search-updated.ts'
import { rangeOf, type Segment, segmentBehind, segmentsOf, timeTestOf, wholeRangeOf } from './segments.ts'

const MAX_PAGES = 8
/** Readings of a further page: what is looked for is rare there. */
const FURTHER_SIZE = 250
const MAX_SIZE = 500

export type Asking = { base: string; ids: ObservationIds; reader: Reader; isGone: IsGone }

export async function findObservations(
  { readPage, readUpdated }: Pick<ReadingOperations, 'readPage' | 'readUpdated'>,
  query: ObservationQuery & { patientUid: string },
  asking: Asking,
): Promise<Found> {
  if (query.isByUpdate && !query.ids && segmentsOf(query).length > 0)
    return searchUpdated(readUpdated, query, { ...asking, entryFor: entryPrinter(query, asking, false) })
  let hasRead = false
  const readAndNote: ReadPage = (...page) => {
    hasRead = true
    return readPage(...page)
  }
  const found = query.ids
    ? await findById(readAndNote, { ...query, ids: query.ids }, asking)
    : await searchObservations(readAndNote, query, asking)
  if (!hasRead && asking.reader.grantId !== null) await noteRead(readPage, query.patientUid, asking)
  return found
}

/**
 * A page of no types: a row of the access log, and the proof of a doctor's grant. A search that can find nothing reads nothing, but
 * only a doctor with a grant is told so.
 */
export async function noteRead(
  readPage: ReadPage,
  patientUid: string,
  { reader, isGone }: Pick<Asking, 'reader' | 'isGone'>,
) {
  const range: Range = {
    patientUid,
    order: 'asc',
    from: undefined,
    to: undefined,
    readingTypes: [],
    withdrawn: 'left-out',
    after: null,
  }
  await readPage({ range, reader, page: 0, beganAt: null, size: 1, ...PAGE_COST, isLarge: false }, isGone)
}

/** Each of the ids that is of this patient and matches the rest of the search, in the order of any other search. */
async function findById(
  readPage: ReadPage,
  { ids, ...query }: ObservationQuery & { patientUid: string; ids: string[] },
  asking: Asking,
): Promise<Found> {
  const { patientUid, order, count } = query
  const within = { order, from: undefined, to: undefined }
  const direction = order === 'asc' ? 1 : -1
  const compare = (one: Position, other: Position) => direction * comparePositions(one, other)
  const after = positionOf(query.cursor, within)
  const places = ids
    .flatMap((id) => placesOf(id, [patientUid], asking.ids))
    .filter((place) => place.patientUid === patientUid && (!after || compare(place, after) > 0))
    .toSorted(compare)
  const entries: Entry[] = []
  const entryFor = entryPrinter(query, asking)
  for (const [index, place] of places.entries()) {
    const found = await readListed(readPage, place, asking)
    const entry = found && entryFor({ ...found, id: place.id })
    if (entry !== undefined) entries.push(entry)
    const isLast = index === places.length - 1
    if (entries.length === count && !isLast) return { entries, nextCursor: cursorOf(place, within) }
  }
  return { entries, nextCursor: null }
}

/** By time, then by id, as the database orders readings. */
function comparePositions(one: Position, other: Position): number {
  const [time, otherTime] = [microsecondsOf(one.timestamp), microsecondsOf(other.timestamp)]
  if (time !== otherTime) return time < otherTime ? -1 : 1
  return Number(one.readingId > other.readingId) - Number(one.readingId < other.readingId)
}

async function searchObservations(
  readPage: ReadPage,
  query: ObservationQuery & { patientUid: string },
  asking: Asking,
): Promise<Found> {
  const { reader, isGone } = asking
  const segments = segmentsOf(query)
  if (segments.length === 0) return { entries: [], nextCursor: null }
  const { patientUid, order, count } = query
  const within = { order, ...wholeRangeOf(segments) }
  const place = positionOf(query.cursor, within)
  const first = segmentBehind(segments, place)
  const found = createCollector(query, asking)
  let beganAt: string | null = null
  let pages = 0
  for (const [index, segment] of segments.entries()) {
    if (index < first) continue
    let after = index === first ? place : null
    do {
      const { readingTypes } = segment
      const read = await readPage(
        {
          range: {
            patientUid,
            order,
            ...rangeOf(segment),
            readingTypes,
            withdrawn: withdrawnIn(query),
            after,
          },
          reader,
          page: pages,
          beganAt,
          size: Math.min(MAX_SIZE, pages === 0 ? count : Math.max(count, FURTHER_SIZE)),
          ...PAGE_COST,
          isLarge: false,
        },
        isGone,
      )
      found.collect(read.readings, segment)
      beganAt ??= read.at
      pages++
      const isEnd = read.next === null && index === segments.length - 1
      const filledAt = found.filledAt()
      if (filledAt) return answer(isEnd && found.isAtEnd() ? null : filledAt)
      if (read.next && (read.isLarge || pages >= MAX_PAGES)) return answer(read.next)
      after = read.next
    } while (after)
  }
  return answer(null)

  function answer(next: Position | null): Found {
    return { entries: found.entries, nextCursor: next && cursorOf(next, within) }
  }
}

/** Collects up to `count` entries, and where the last of them stands. */
function createCollector(query: ObservationQuery & { patientUid: string }, asking: Asking) {
  const { count } = query
  const entryFor = entryPrinter(query, asking, areExactForInstants(query.dates))
  const entries: Entry[] = []
  let filledAt: Position | null = null
  let last: Position = { timestamp: 0, readingId: '' }

  function collect(readings: ListedReading[], segment: Segment) {
    const isWithin = query.dates.length === 0 ? () => true : timeTestOf(segment)
    for (const one of identifiedFrom(readings, query.patientUid, asking.ids)) {
      last = one
      const entry = entries.length < count && isWithin(one.timestamp) ? entryFor(one) : undefined
      if (entry === undefined) continue
      entries.push(entry)
      if (entries.length === count) filledAt = last
    }
  }

  return { entries, collect, filledAt: () => filledAt, isAtEnd: () => filledAt === last }
}

/** Prints the entry of a reading; undefined where it does not match. Dates of instants may have been compared before. */
export function entryPrinter(
  query: Omit<ObservationQuery, 'ids'> & { patientUid: string },
  { base }: Pick<Asking, 'base'>,
  areInstantsCompared = query.dates.length === 0,
) {
  const print = observationPrinter(query.patientUid)
  const { isErrorWanted, isFinalWanted } = query.statuses
  return (one: IdentifiedReading): Entry | undefined => {
    const isCompared = areInstantsCompared && !PERIOD_TYPES.includes(one.readingType)
    if (!isCompared && !datesHold(query.dates, timeOf(one))) return undefined
    if (query.updates.length > 0 && !datesHold(query.updates, updatedAt(one))) return undefined
    const { text, about } = print(one)
    const isStatusWanted = about.status === 'final' ? isFinalWanted : isErrorWanted
    return isStatusWanted && query.hasMatchingCodes(about)
      ? { fullUrl: `${base}/Observation/${one.id}`, text }
      : undefined
  }
}

function withdrawnIn({ statuses }: ObservationQuery) {
  return statuses.isErrorWanted ? ('shown' as const) : ('left-out' as const)
}

/** When a reading was updated, as its Observation says. */
function updatedAt({ updatedAt: at, fields }: ParsedReading): Time {
  const time = dateFrom(withdrawalOf(fields['withdrawn'])?.at ?? at)?.from ?? 0n
  return { start: time, end: time }
}

/** When a reading took place, as its Observation says. */
function timeOf({ readingType, timestamp, fields: { startedAt } }: ParsedReading): Time {
  const end = microsecondsOf(timestamp)
  const hasPeriod = PERIOD_TYPES.includes(readingType) && isStartOf(timestamp, startedAt)
  return { start: hasPeriod ? microsecondsOf(startedAt) : end, end }
}
