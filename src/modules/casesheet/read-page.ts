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
  reading_id: string
  reading_type: string
  sent_timestamp: number
  details: string
  received_at: Date
}

// Ids below and above every id there is (ours have version 8): a range without a cursor begins beside its first reading.
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Up to `size` readings, each as the JSON text of its answer, and the position to go on from, if there are more. */
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
  const rows = await db.query<Row>({
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
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  const patientUid = JSON.stringify(range.patientUid)
  return {
    readings: shown.map((row) => readingJson(patientUid, row)),
    next: last ? { timestamp: last.sent_timestamp, readingId: last.reading_id } : null,
  }
}

const PAGE_ASCENDING = pageStatement('>', '<=', 'asc')
const PAGE_DESCENDING = pageStatement('<', '>=', 'desc')

function pageStatement(beyond: '>' | '<', upTo: '<=' | '>=', order: 'asc' | 'desc'): string {
  return `
    with page as materialized (
      select measured_at, reading_id, reading_type, sent_timestamp, details, received_at
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
    select reading_id, reading_type, sent_timestamp, details::text as details, received_at
    from page
    order by measured_at ${order}, reading_id ${order}`
}

/** The reading as it was sent: the stored text of its fields is spliced in, not parsed and printed again. */
function readingJson(patientUid: string, row: Row): string {
  const details = row.details === '{}' ? '' : `${row.details.slice(1, -1)},`
  return (
    `{"patientUid":${patientUid},"readingType":"${row.reading_type}","timestamp":${row.sent_timestamp},${details}` +
    `"readingId":"${row.reading_id}","measuredAt":"${instantOf(row.sent_timestamp)}",` +
    `"receivedAt":"${row.received_at.toISOString()}"}`
  )
}
