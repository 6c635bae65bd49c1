// Pages of ranges and their access-log rows, in one statement: either both are committed or neither.
import { type IsGone, shareStatements } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import type { AllowedAs } from './access.ts'
import { instantOf } from './epoch-time.ts'

// Two statements of gets at a time: enough for two cores, few enough that requests gather.
const LANES = 2
// A page's readings are not known before it is read, so its weight is what it may hold: this is 128 pages of 250.
const MAX_WEIGHT = 32_000
// A page ends early when its readings are large, so that neither a page nor a statement of many outgrows memory.
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

/** A page to read, and its row of the access log. */
type PageRequest = { range: Range; reader: Reader; page: number; size: number }

/** Readings as the JSON text of a list without its brackets, and where to go on, if there are more. */
export type Page = { readings: string; next: Position | null }

type Row = { found: number; shown: number; readings: string | null; last_timestamp: number; last_id: string }

export type ReadPage = (request: PageRequest, isGone: IsGone) => Promise<Page>

/** Reads a page in a statement that concurrent requests of the same order share. */
export function createReadPage(db: Db): ReadPage {
  const share = (order: Range['order']) =>
    shareStatements<PageRequest, Row, Page>(db, {
      statementFor: (requests) => pagesStatement(order, requests),
      answersFrom: (rows, requests) => requests.map((_, index) => pageFrom(rows[index])),
      weightOf: ({ size }) => size,
      hasBegun: ({ page }) => page > 0,
      maxWeight: MAX_WEIGHT,
      lanes: LANES,
    })
  const ask = { asc: share('asc'), desc: share('desc') }
  return (request, isGone) => ask[request.range.order](request, isGone)
}

function pageFrom(row: Row | undefined): Page {
  return {
    readings: row?.readings ?? '',
    next: row && row.found > row.shown ? { timestamp: row.last_timestamp, readingId: row.last_id } : null,
  }
}

// Ids below and above every id there is (ours have version 8): a range without a cursor begins beside its first reading.
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function pagesStatement(order: Range['order'], requests: PageRequest[]) {
  const ranges = requests.map(({ range }) => boundsOf(range))
  return {
    name: `read-pages-${order}`,
    text: order === 'asc' ? PAGES_ASCENDING : PAGES_DESCENDING,
    values: [
      requests.map(({ range }) => range.patientUid),
      ranges.map(({ begin }) => begin.at),
      ranges.map(({ begin }) => begin.id),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
      // Types hold no comma; an array of arrays could not be taken apart again.
      requests.map(({ range }) => range.readingTypes?.join() ?? null),
      requests.map(({ size }) => size),
      requests.map(({ reader }) => reader.requestId),
      requests.map(({ page }) => page),
      requests.map(({ reader }) => reader.readBy),
      requests.map(({ reader }) => reader.allowedAs),
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

// To the millisecond, or to the microsecond where the instant is that fine.
const MEASURED_AT = `replace(to_char(measured_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z', 'Z')`

const PAGES_ASCENDING = pagesText('asc', '>', 'measured_at <= asked.range_to')
const PAGES_DESCENDING = pagesText('desc', '<', 'measured_at >= asked.range_from')

// One row for each request. The answer's JSON is made here: the stored text of a reading's fields is spliced in, neither
// parsed nor printed again, and the driver has one value to decode instead of five for each reading.
function pagesText(order: Range['order'], beyond: '>' | '<', isWithin: string): string {
  return `
    with asked as (
      select *
      from unnest(
        $1::text[], $2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::integer[],
        $8::text[], $9::integer[], $10::text[], $11::text[]
      ) with ordinality as asked (
        patient_uid, begin_at, begin_id, range_from, range_to, reading_types, size,
        request_id, page, read_by, allowed_as, number
      )
    ), pages as materialized (
      select asked.number, page.found, page.shown, page.readings, page.last_timestamp, page.last_id
      from asked
      cross join lateral (
        select
          count(*)::integer as found,
          count(*) filter (where is_shown)::integer as shown,
          (array_agg(sent_timestamp) filter (where is_shown))[count(*) filter (where is_shown)] as last_timestamp,
          (array_agg(reading_id) filter (where is_shown))[count(*) filter (where is_shown)] as last_id,
          -- In the order of the rows below: nothing stands between that could change it.
          string_agg(
            concat(
              '{"patientUid":', to_json(asked.patient_uid),
              ',"readingType":"', reading_type,
              '","timestamp":', sent_timestamp,
              ',"readingId":"', reading_id,
              '","measuredAt":"', ${MEASURED_AT},
              '","receivedAt":"', to_char(received_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              case details when '{}' then '"}' else '",' || substr(details, 2) end
            ),
            ','
          ) filter (where is_shown) as readings
        from (
          select measured_at, reading_id, reading_type, sent_timestamp, details::text as details, received_at,
            row_number() over page <= asked.size
              and (row_number() over page = 1 or sum(octet_length(details::text)) over page <= ${MAX_PAGE_BYTES}) as is_shown
          from casesheet.readings
          where patient_uid = asked.patient_uid
            and (measured_at, reading_id) ${beyond} (asked.begin_at, asked.begin_id)
            and ${isWithin}
            and (asked.reading_types is null or reading_type = any(string_to_array(asked.reading_types, ',')))
          window page as (order by measured_at ${order}, reading_id ${order} rows unbounded preceding)
          order by measured_at ${order}, reading_id ${order}
          limit asked.size + 1
        ) as readings
      ) as page
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
      select asked.patient_uid, 'readings/get', string_to_array(asked.reading_types, ','), asked.range_from, asked.range_to,
        asked.request_id, asked.page, asked.read_by, asked.allowed_as, pages.shown
      from asked
      join pages using (number)
    )
    select found, shown, readings, last_timestamp, last_id
    from pages
    order by number`
}
