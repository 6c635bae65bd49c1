// Pages of ranges and their access-log rows, in one statement: either both are committed or neither.
import { plainArray, textArray } from '../../db/array.ts'
import { type IsGone, shareStatements } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import type { AllowedAs } from './access.ts'
import { instantOf } from './epoch-time.ts'
import { printReadings, READINGS_AS_TEXT } from './print-readings.ts'

// Two statements of gets at a time: enough for two cores, few enough that requests gather.
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

/** A page to read, and its row of the access log. */
type PageRequest = { range: Range; reader: Reader; page: number; size: number }

/** Readings as the JSON text of a list without its brackets, where to go on, if there are more, and with what size. */
export type Page = { readings: string; next: Position | null; size: number }

/** `readings` is null where they would be too large for a page. */
type Row = { found: number; bytes: number; readings: string | null }

export type ReadPage = (request: PageRequest, isGone: IsGone) => Promise<Page>

/** Reads a page in a statement that concurrent requests of the same kind share. */
export function createReadPage(db: Db): ReadPage {
  const share = (kind: Kind) =>
    shareStatements<PageRequest, Row, Row>(db, {
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
      const { found, bytes, readings } = await ask[kindOf(request.range)]({ ...request, size }, isGone)
      if (readings !== null) {
        const shown = Math.min(found, size)
        const { json, last } = printReadings(readings, shown, request.range.patientUid)
        return { readings: json, next: found > shown ? last : null, size }
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

const WALK = {
  asc: { beyond: '>', within: '<=', end: 'asked.range_to' },
  desc: { beyond: '<', within: '>=', end: 'asked.range_from' },
}
const COLUMNS = 'measured_at, reading_id, reading_type, sent_timestamp, details, received_at'

function readingsOfAllTypes(order: Range['order']): string {
  const { beyond, within, end } = WALK[order]
  return `
          select ${COLUMNS}
          from casesheet.readings
          where patient_uid = asked.patient_uid
            and (measured_at, reading_id) ${beyond} (asked.begin_at, asked.begin_id)
            and measured_at ${within} ${end}`
}

// As many of each type as the page may hold. Types are compared by order and not for equality: that leaves no index but
// the one by type, where the planner might else walk along all readings, on the guess that those of this type come soon. The
// end of the range stands outside, because such a comparison cannot end a walk before the type ends.
function readingsOfTypes(order: Range['order']): string {
  const { beyond, within, end } = WALK[order]
  return `
          select of_type.*
          from unnest(string_to_array(asked.reading_types, ',')) as wanted (reading_type)
          cross join lateral (
            select ${COLUMNS}
            from casesheet.readings
            where patient_uid = asked.patient_uid
              and (reading_type, measured_at, reading_id) ${beyond} (wanted.reading_type, asked.begin_at, asked.begin_id)
              and reading_type ${within} wanted.reading_type
            order by reading_type ${order}, measured_at ${order}, reading_id ${order}
            limit asked.size + 1
          ) as of_type
          where measured_at ${within} ${end}`
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
        $8::text[], $9::integer[], $10::text[], $11::text[]
      ) with ordinality as asked (
        patient_uid, begin_at, begin_id, range_from, range_to, reading_types, size,
        request_id, page, read_by, allowed_as, number
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
        (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
      select asked.patient_uid, 'readings/get', string_to_array(asked.reading_types, ','), asked.range_from, asked.range_to,
        asked.request_id, asked.page, asked.read_by, asked.allowed_as, least(pages.found, asked.size)
      from asked
      join pages using (number)
      where pages.readings is not null
    )
    select found, bytes, readings
    from pages
    order by number`
}
