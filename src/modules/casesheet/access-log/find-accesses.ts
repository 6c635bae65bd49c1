// The entries of the access log behind a position, and the row that says that they were read: either both or neither.
import type { Db, Statement } from '../../../db/db.ts'
import { createCursors } from '../../../http/answers/cursors.ts'
import { isRequestId } from '../../../http/request-head.ts'
import type { Reader } from '../access.ts'
import { isVersion } from '../cell/cell.ts'
import { type Access, type AccessRow, accessFrom } from './access-entry.ts'

// A page ends after so many rows of the table, so that a thousand streams of many pages each are not added up at once, and
// at so many bytes of the answer, since an entry may name fifty types of 64 characters.
const MAX_ROWS = 20_000
const MAX_BYTES = 1_572_864

/**
 * Rows have no number of their own: many may be of one instant, and callers choose request ids. So a position is an instant, a
 * request id, and a digest of the other columns. It names a place and never an amount of work.
 */
export type AccessPosition = { at: string; requestId: string; digest: string }

/** Before everything: no row is of that time. */
export const NEWEST: AccessPosition = { at: 'infinity', requestId: '', digest: '' }

export const { cursorOf: accessCursorOf, positionOf: accessPositionOf } = createCursors<AccessPosition>({
  form: 'words',
  partsOf: ({ at, requestId, digest }) => [at, digest, requestId],
  positionFrom: ([at = '', digest = '', requestId = '']) =>
    isInstant(at) && /^[\da-f]{32}$/.test(digest) && isRequestId(requestId)
      ? { at, requestId, digest }
      : undefined,
})

/** As answers print them, and a day that there is: the database would stumble over the 30th of February. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}){1,2}Z$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

type Search = { patientUid: string; after: AccessPosition; limit: number; reader: Reader }

type FoundRow = AccessRow & { digest: string; has_more: boolean }

/** Up to `limit` entries, and where to go on, if there may be more. */
export async function findAccesses(
  db: Db,
  search: Search,
  version: string | null,
): Promise<{ entries: Access[]; next: AccessPosition | null }> {
  const rows = await db.query<FoundRow>(findAccessesStatement(search, version))
  const entries = rows.map(accessFrom)
  const [last, row] = [entries.at(-1), rows.at(-1)]
  const next = last && row?.has_more ? { at: last.at, requestId: last.requestId, digest: row.digest } : null
  return { entries, next }
}

/** Exported for the test that asks PostgreSQL how it would answer. */
export function findAccessesStatement(
  { patientUid, after, limit, reader }: Search,
  version: string | null,
): Statement {
  return {
    name: 'find-accesses',
    text: FIND_ACCESSES,
    values: [
      patientUid,
      after.at,
      after.requestId,
      after.digest,
      limit,
      reader.requestId,
      reader.readBy,
      reader.allowedAs,
      version,
    ],
  }
}

// What makes an entry another one than those of its instant and request id. Our sessions print instants alike.
const DIGEST = `left(
      encode(
        sha256(convert_to((read_by, allowed_as, operation, range_from, range_to, reading_types)::text, 'UTF8')),
        'hex'
      ),
      32
    )`

// The index gives the rows by time; those of one instant are sorted and summed as they come, so no more is read than the
// page shows. All rows of an entry are of one instant, so it is summed whole, because the last instant is (`with ties`).
const FIND_ACCESSES = `
  with accesses as (
    select at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types, readings_count
    from casesheet.access_log
    where patient_uid = $1
      and (at, request_id) <= ($2::timestamptz, $3::text)
      and case when at = $2::timestamptz and request_id = $3::text then ${DIGEST} > $4::text else true end
    order by at desc
    fetch first ${MAX_ROWS} rows with ties
  ), found as materialized (
    select at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types,
      sum(readings_count)::float8 as readings_count, count(*) as row_count, ${DIGEST} as digest
    from accesses
    group by at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types
    order by at desc, request_id desc, digest
    limit $5::integer + 1
  ), sized as (
    select *,
      row_number() over in_order as nth,
      -- Names of fields, instants, the request id and the operation take at most 500.
      sum(octet_length(to_json(read_by)::text) + coalesce(octet_length(to_json(reading_types)::text), 0) + 500)
        over in_order as bytes,
      count(*) over () as found_count,
      sum(row_count) over () as all_rows
    from found
    window in_order as (order by at desc, request_id desc, digest)
  ), shown as (
    select *, count(*) over () as shown_count
    from sized
    where nth <= $5::integer
      and (nth = 1 or bytes <= ${MAX_BYTES})
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select $1, 'readings/access-log', '-infinity'::timestamptz, 'infinity'::timestamptz, $6, 0, $7, $8, 0
    where ${isVersion('$9')}
  )
  select at::text as at, read_by, allowed_as, operation, range_from::text as range_from, range_to::text as range_to,
    reading_types, readings_count, request_id, digest,
    found_count > shown_count or all_rows >= ${MAX_ROWS} as has_more
  from shown
  order by nth`
