// One page of a range and its access-log row, in one statement: either both are committed or neither.
import type { Db } from '../../db/db.ts'
import type { AllowedAs } from './access.ts'
import { instantOf } from './epoch-time.ts'

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

type Row = {
  found: number
  readings: string | null
  last_timestamp: number
  last_id: string
}

// Ids below and above every id there is (ours have version 8): a range without a cursor begins beside its first reading.
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Up to `size` readings as the JSON text of a list without its brackets, and where to go on, if there are more. */
export async function readPage(
  db: Db,
  range: Range,
  { size, page, ...reader }: Reader & { size: number; page: number },
) {
  const from = range.from === undefined ? '-infinity' : instantOf(range.from)
  const to = range.to === undefined ? 'infinity' : instantOf(range.to)
  const ascending = range.order === 'asc'
  const begin = range.after
    ? [instantOf(range.after.timestamp), range.after.readingId]
    : ascending
      ? [from, LOWEST_ID]
      : [to, HIGHEST_ID]
  const [row] = await db.query<Row>({
    name: `read-page-${range.order}`,
    text: ascending ? PAGE_ASCENDING : PAGE_DESCENDING,
    values: [
      range.patientUid,
      ...begin,
      ascending ? to : from,
      range.readingTypes,
      size,
      from,
      to,
      reader.requestId,
      page,
      reader.readBy,
      reader.allowedAs,
    ],
  })
  return {
    readings: row?.readings ?? '',
    next: row && row.found > size ? { timestamp: row.last_timestamp, readingId: row.last_id } : null,
  }
}

const PAGE_ASCENDING = pageStatement('>', '<=', 'asc')
const PAGE_DESCENDING = pageStatement('<', '>=', 'desc')

// The answer's JSON is made here, in one row: the stored text of a reading's fields is spliced in, neither parsed nor
// printed again, and the driver has one value to decode instead of five for each reading.
function pageStatement(beyond: '>' | '<', upTo: '<=' | '>=', order: 'asc' | 'desc'): string {
  return `
    with page as materialized (
      select measured_at, reading_id, reading_type, sent_timestamp, details::text as details, received_at,
        row_number() over (order by measured_at ${order}, reading_id ${order}) as position
      from casesheet.readings
      where patient_uid = $1
        and (measured_at, reading_id) ${beyond} ($2::timestamptz, $3::uuid)
        and measured_at ${upTo} $4::timestamptz
        and ($5::text[] is null or reading_type = any($5))
      order by measured_at ${order}, reading_id ${order}
      limit $6::integer + 1
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
      select $1, 'readings/get', $5, $7::timestamptz, $8::timestamptz, $9, $10::integer, $11, $12, least(count(*), $6)
      from page
    )
    select
      count(*)::integer as found,
      max(sent_timestamp) filter (where position = $6) as last_timestamp,
      max(reading_id::text) filter (where position = $6) as last_id,
      string_agg(
        '{"patientUid":' || to_json($1::text)
          || ',"readingType":"' || reading_type
          || '","timestamp":' || sent_timestamp
          || ',"readingId":"' || reading_id
          || '","measuredAt":"' || ${rfc3339('measured_at')}
          || '","receivedAt":"' || ${rfc3339('received_at')}
          || case details when '{}' then '"}' else '",' || substr(details, 2) end,
        ','
        order by position
      ) filter (where position <= $6) as readings
    from page`
}

/** To the millisecond, or to the microsecond where the instant is that fine. */
function rfc3339(instant: string): string {
  return `replace(to_char(${instant} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z', 'Z')`
}
