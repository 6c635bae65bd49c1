// Pages of ranges. Their rows of the access log are written behind them (log-reads.ts).
//
// A page is bounded in bytes and not only in readings, and a statement by the sum of what its pages may bring. A page is first asked
// for with a budget for readings of ordinary size, so that many pages share a statement. One that needs more is asked for once more
// with the budget of a full page: so its length never depends on who else is asking.
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import type { Reads } from '../access-log/access-entry.ts'
import { logEach, type Proved, type Read } from '../access-log/log-reads.ts'
import { instantOf } from '../epoch-time.ts'
import { typesFor } from '../grants/limited-to.ts'
import { mustStillBeGranted } from '../grants/reading-grants.ts'
import type { Reader } from '../reader.ts'
import { HIGHEST_ID, LOWEST_ID } from '../reading-id.ts'
import { cutPage, ordinaryPage, PART_BYTES } from './cut-page.ts'
import type { Listed } from './print-page.ts'
import { type ListedReading, lastReadingIn, readingsIn } from './print-readings.ts'
import type { Position, Range } from './range.ts'
import { readingsOfAllTypes, readingsOfTypes } from './walk-readings.ts'

// A get costs the database about as much as it costs us: with two statements, each side works while the other does.
const MAX_IN_FLIGHT = { ordinary: 2, any: 1, 'any-with-withdrawn': 1 }
// In parts of 512 bytes: 8 MiB in one statement of ordinary pages (32 of 250 readings, 78 of 100), 4 MiB in one of large pages.
const MAX_WEIGHT = { ordinary: 16_384, any: 8_192, 'any-with-withdrawn': 8_192 }
// Readings of types that do not come to be shown are fetched all the same: two of them count like a part.
const FETCHED_PER_PART = 2

/**
 * A page to read, and its row of the access log. All rows of one answer bear the time at which it began, `beganAt` for
 * pages after the first: by that they are found, and shown as one.
 */
type PageRequest = {
  range: Range
  reader: Reader
  page: number
  beganAt: string | null
  /** Maximum number of readings. */
  size: number
  /** Maximum number of bytes, beyond which the page ends early. A first reading that is larger is a page by itself. */
  maxBytes: number
  /** How much longer a byte takes to print than in JSON. */
  costOfByte: number
  /** Whether large readings are expected, because the page before held them. */
  isLarge: boolean
}

/** With a copy of the id: V8 makes a part of a text keep the whole text, and a stream keeps its position while nobody reads. */
export function positionAt({ timestamp, readingId }: ListedReading): Position {
  return { timestamp: Number(timestamp), readingId: Buffer.from(readingId).toString() }
}

/** A page with the bytes that it may take in this statement, in parts. */
type PageAttempt = PageRequest & { budget: number }

/** Readings, where to go on, if there are more; when it was read, and whether it was cut because they are large. */
export type Page = {
  listed: Listed
  /** The same, taken apart. */
  readonly readings: ListedReading[]
  next: Position | null
  at: string
  isLarge: boolean
}

/** `readings` is null where the budget was too small, and the page is to be asked for again. */
type Row = Proved & { shown: number; has_more: boolean; readings: string | null }

export type ReadPage = (request: PageRequest, isGone: IsGone) => Promise<Page>

/** Reads a page in a statement that concurrent requests of the same kind share. */
export function createReadPage(db: Db, reads: Reads): ReadPage {
  const share = (kind: Kind, sizes: Sizes) =>
    shareStatements<PageAttempt, Row, Row>(db, {
      kind: 'get',
      statementFor: (requests) =>
        logEach(pagesStatement(kind, sizes, requests), (row, index) =>
          readOf(requests[index] as PageAttempt, row as Row),
        ),
      answersFrom: (rows) => rows,
      subjectOf: ({ reader }) => reader.readBy,
      weightOf,
      hasBegun: ({ page }) => page > 0,
      maxWeight: MAX_WEIGHT[sizes],
      maxInFlight: MAX_IN_FLIGHT[sizes],
    })
  const ask = (sizes: Sizes) => ({
    asc: share('asc', sizes),
    desc: share('desc', sizes),
    'of-types-asc': share('of-types-asc', sizes),
    'of-types-desc': share('of-types-desc', sizes),
  })
  const [askOrdinary, askAny] = [ask('ordinary'), ask('any')]
  const askWithWithdrawn = ask('any-with-withdrawn')
  async function readRow(request: PageRequest, isGone: IsGone) {
    const kind = kindOf(request.range)
    const hasWithdrawn = request.range.withdrawn === 'shown'
    const askAll = hasWithdrawn ? askWithWithdrawn : askAny
    let row =
      request.isLarge || hasWithdrawn ? null : await askOrdinary[kind](ordinaryAttempt(request), isGone)
    const wasOrdinary = row !== null && row.readings !== null
    if (row === null || row.readings === null) row = await askAll[kind](fullAttempt(request), isGone)
    return { row, wasOrdinary }
  }
  return async (asked, isGone) => {
    const request = { ...asked, range: withinGrant(asked) }
    const { row, wasOrdinary } = await readRow(request, isGone)
    mustStillBeGranted(row)
    const { shown, has_more, at } = row
    reads.rows++
    reads.readings += shown
    const text = row.readings ?? ''
    return {
      listed: { text, count: shown },
      get readings() {
        return readingsIn(text, shown)
      },
      next: has_more && shown > 0 ? positionAt(lastReadingIn(text, shown)) : null,
      at,
      isLarge: !wasOrdinary && shown < request.size,
    }
  }
}

function readOf({ range, page, beganAt, reader }: PageAttempt, { shown, readings }: Row): Read {
  const { patientUid, readingTypes } = range
  const { from, to } = boundsOf(range)
  const count = readings === null ? null : shown
  return { patientUid, operation: 'readings/get', readingTypes, from, to, page, beganAt, reader, count }
}

function withinGrant({ range, reader }: PageRequest): Range {
  return reader.limitedTo ? { ...range, readingTypes: typesFor(reader, range.readingTypes) } : range
}

export function ordinaryAttempt(request: PageRequest): PageAttempt {
  // A kibibyte for each reading: most take a quarter of that.
  return { ...request, budget: Math.min(2 * request.size + 8, partsOf(request.maxBytes)) }
}

function fullAttempt(request: PageRequest): PageAttempt {
  return { ...request, budget: partsOf(request.maxBytes) }
}

function partsOf(bytes: number): number {
  return Math.floor(bytes / PART_BYTES)
}

function weightOf({ budget, costOfByte, size, range }: PageAttempt): number {
  return Math.max(budget * costOfByte, ((range.readingTypes?.length ?? 0) * size) / FETCHED_PER_PART)
}

/** Whether a statement is for pages of readings of ordinary size, or of any; the latter also with withdrawn readings. */
type Sizes = 'ordinary' | 'any' | 'any-with-withdrawn'

/** Whether the walk is along all readings of the patient or along those of some types, and in which order. */
type Kind = `${'' | 'of-types-'}${Range['order']}`

function kindOf({ readingTypes, order }: Range): Kind {
  return readingTypes ? `of-types-${order}` : order
}

export function pagesStatement(kind: Kind, sizes: Sizes, requests: PageAttempt[]) {
  const ranges = requests.map(({ range }) => boundsOf(range))
  return {
    name: `read-pages-${kind}-${sizes}`,
    text: TEXT_OF[sizes][kind],
    values: [
      textArray(requests.map(({ range }) => range.patientUid)),
      plainArray(ranges.map(({ begin }) => begin.at)),
      plainArray(ranges.map(({ begin }) => begin.id)),
      plainArray(ranges.map(({ from }) => from)),
      plainArray(ranges.map(({ to }) => to)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ range }) => range.readingTypes?.join() ?? null)),
      plainArray(requests.map(({ size }) => size)),
      plainArray(requests.map(({ budget }) => budget)),
    ],
  }
}

function boundsOf({ from, to, order, after }: Range) {
  const bounds = {
    from: from === undefined ? '-infinity' : instantOf(from),
    to: to === undefined ? 'infinity' : instantOf(to),
  }
  if (after) return { ...bounds, begin: { at: instantOf(after.timestamp), id: after.readingId } }
  return {
    ...bounds,
    begin: order === 'asc' ? { at: bounds.from, id: LOWEST_ID } : { at: bounds.to, id: HIGHEST_ID },
  }
}

const COLUMNS = 'begin_at, begin_id, range_from, range_to, reading_types, size, budget'

const TEXT_OF: Record<Sizes, Record<Kind, string>> = {
  ordinary: textsOf('ordinary'),
  any: textsOf('any'),
  'any-with-withdrawn': textsOf('any-with-withdrawn'),
}

function textsOf(sizes: Sizes): Record<Kind, string> {
  const withdrawn = sizes === 'any-with-withdrawn' ? 'shown' : 'left-out'
  return {
    asc: pagesText('asc', sizes, readingsOfAllTypes('asc', withdrawn)),
    desc: pagesText('desc', sizes, readingsOfAllTypes('desc', withdrawn)),
    'of-types-asc': pagesText('asc', sizes, readingsOfTypes('asc', withdrawn)),
    'of-types-desc': pagesText('desc', sizes, readingsOfTypes('desc', withdrawn)),
  }
}

// One row for each request, its readings as one text that print-readings.ts takes apart: for 100 readings that
// takes a quarter of the time of making JSON here, and the driver has one value to decode instead of six for each.
function pagesText(order: Range['order'], sizes: Sizes, readings: string): string {
  const inOrder = `${readings}
            order by measured_at ${order}, reading_id ${order}
            limit asked.size + 1
          `
  return `
    with asked as (
      select patient_uid, ${COLUMNS}, number
      from unnest(
        $1::text[], $2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::integer[], $8::integer[]
      ) with ordinality as asked (patient_uid, ${COLUMNS}, number)
    )
    select shown, begun > shown as has_more, readings
    from (
      select asked.number, page.begun, least(page.begun - page.is_cut::integer, asked.size) as shown,
        ${sizes === 'ordinary' ? 'case when not page.is_cut then page.readings end as readings' : 'page.readings'}
      from asked
      cross join lateral (${sizes === 'ordinary' ? ordinaryPage(inOrder) : cutPage(inOrder)}
      ) as page
    ) as pages
    order by number`
}
