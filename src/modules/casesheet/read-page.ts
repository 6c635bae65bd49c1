// Pages of ranges and their access-log rows, in one statement: either both are committed or neither.
import { plainArray, textArray } from '../../db/array.ts'
import { type IsGone, shareStatements } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import type { AllowedAs } from './access.ts'
import { countReads } from './count-reads.ts'
import { instantOf } from './epoch-time.ts'
import { type PrintReadings, READINGS_AS_TEXT } from './print-readings.ts'
import { readingsOfAllTypes, readingsOfTypes } from './walk-readings.ts'

// A get costs the database about as much as it costs us: with two statements, each side works while the other does.
const LANES = 2
// A page's readings are not known before it is read, so its weight is what it may hold: this is 128 pages of 250.
const MAX_WEIGHT = 32_000
// A page of large readings is asked for again with fewer, so that neither it nor a statement of many outgrows memory.
const MAX_PAGE_BYTES = 1_048_576

/** After which reading a page begins, by the number that was sent. */
export type Position = { timestamp: number; readingId: string }

export type Range = {
  patientUid: string
  from: number | undefined
  to: number | undefined
  readingTypes: string[] | null
  order: 'asc' | 'desc'
  after: Position | null
}

/** Who reads, under which request, and why that is allowed: what the access log says beside the range. */
export type Reader = { readBy: string; allowedAs: AllowedAs; requestId: string }

/**
 * A page to read, and its row of the access log. All rows of one answer bear the time at which it began, `beganAt` for
 * pages after the first: by that they are found, and shown as one.
 */
type PageRequest = {
  range: Range
  reader: Reader
  page: number
  beganAt: string | null
  size: number
  print: PrintReadings
}

/** Readings as printed, where to go on, if there are more, and with what size; and when it was read. */
export type Page = { text: string; next: Position | null; size: number; at: string }

/** `readings` is null where they would be too large for a page. */
type Row = { found: number; bytes: number; readings: string | null; at: string }

export type ReadPage = (request: PageRequest, isGone: IsGone) => Promise<Page>

/** Reads a page in a statement that concurrent requests of the same kind share. */
export function createReadPage(db: Db): ReadPage {
  const reads = countReads(db.metrics, 'readings/get')
  const share = (kind: Kind) =>
    shareStatements<PageRequest, Row, Row>(db, {
      kind: 'get',
      statementFor: (requests) => pagesStatement(kind, requests),
      answersFrom: (rows) => rows,
      weightOf: ({ size, range }) => size * (range.readingTypes?.length ?? 1),
      hasBegun: ({ page }) => page > 0,
      maxWeight: MAX_WEIGHT,
      lanes: LANES,
    })
  const ask = {
    asc: share('asc'),
    desc: share('desc'),
    'of-types-asc': share('of-types-asc'),
    'of-types-desc': share('of-types-desc'),
  }
  return async (request, isGone) => {
    let { size } = request
    for (;;) {
      const { found, bytes, readings, at } = await ask[kindOf(request.range)]({ ...request, size }, isGone)
      if (readings !== null) {
        const shown = Math.min(found, size)
        reads.rows++
        reads.readings += shown
        const { text, last } = request.print(readings, shown, request.range.patientUid)
        return { text, next: found > shown ? last : null, size, at }
      }
      size = Math.max(1, Math.floor((size * MAX_PAGE_BYTES) / bytes / 2))
    }
  }
}

/** Whether the walk is along all readings of the patient or along those of some types, and in which order. */
type Kind = `${'' | 'of-types-'}${Range['order']}`

function kindOf({ readingTypes, order }: Range): Kind {
  return readingTypes ? `of-types-${order}` : order
}

// Ids below and above every id there is (ours have version 8): a range without a cursor begins beside its first reading.
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function pagesStatement(kind: Kind, requests: PageRequest[]) {
  const ranges = requests.map(({ range }) => boundsOf(range))
  return {
    name: `read-pages-${kind}`,
    text: TEXT_OF[kind],
    values: [
      textArray(requests.map(({ range }) => range.patientUid)),
      plainArray(ranges.map(({ begin }) => begin.at)),
      plainArray(ranges.map(({ begin }) => begin.id)),
      plainArray(ranges.map(({ from }) => from)),
      plainArray(ranges.map(({ to }) => to)),
      // Types hold no comma; an array of arrays could not be taken apart again.
      textArray(requests.map(({ range }) => range.readingTypes?.join() ?? null)),
      plainArray(requests.map(({ size }) => size)),
      textArray(requests.map(({ reader }) => reader.requestId)),
      plainArray(requests.map(({ page }) => page)),
      textArray(requests.map(({ reader }) => reader.readBy)),
      plainArray(requests.map(({ reader }) => reader.allowedAs)),
      textArray(requests.map(({ beganAt }) => beganAt)),
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

const TEXT_OF: Record<Kind, string> = {
  asc: pagesText('asc', readingsOfAllTypes('asc')),
  desc: pagesText('desc', readingsOfAllTypes('desc')),
  'of-types-asc': pagesText('asc', readingsOfTypes('asc')),
  'of-types-desc': pagesText('desc', readingsOfTypes('desc')),
}

// One row for each request, its readings as one text that print-readings.ts turns into the answer: for 100 readings that
// takes a quarter of the time of making JSON here, and the driver has one value to decode instead of six for each.
function pagesText(order: Range['order'], readings: string): string {
  return `
    with asked as (
      select *
      from unnest(
        $1::text[], $2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::integer[],
        $8::text[], $9::integer[], $10::text[], $11::text[], $12::timestamptz[]
      ) with ordinality as asked (
        patient_uid, begin_at, begin_id, range_from, range_to, reading_types, size,
        request_id, page, read_by, allowed_as, began_at, number
      )
    ), pages as materialized (
      select asked.number, page.found, octet_length(page.readings) as bytes,
        case when octet_length(page.readings) <= ${MAX_PAGE_BYTES} or asked.size = 1 then page.readings end as readings
      from asked
      cross join lateral (
        select
          count(*)::integer as found,
          ${READINGS_AS_TEXT} as readings
        from (${readings}
          order by measured_at ${order}, reading_id ${order}
          limit asked.size + 1
        ) as readings
      ) as page
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, at, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as,
          readings_count)
      select asked.patient_uid, coalesce(asked.began_at, now()), 'readings/get', string_to_array(asked.reading_types, ','),
        asked.range_from, asked.range_to, asked.request_id, asked.page, asked.read_by, asked.allowed_as, least(pages.found, asked.size)
      from asked
      join pages using (number)
      where pages.readings is not null
    )
    select found, bytes, readings, now()::text as at
    from pages
    order by number`
}
