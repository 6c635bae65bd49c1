// The entries of the access log behind a position.
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { createCursors } from '../../../http/pages.ts'
import { isRequestId } from '../../../http/request-head.ts'
import { instantFrom } from '../epoch-time.ts'
import type { Reader } from '../reader.ts'
import {
  type Access,
  type AccessRow,
  accessFrom,
  type CorrectionRow,
  correctionFrom,
} from './access-entry.ts'
import { OF_ALL_TIME, queryLogged } from './log-reads.ts'

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
export function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}){1,2}Z$/.test(text)) return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

type Search = { patientUid: string; after: AccessPosition; limit: number; reader: Reader }

type FoundRow = AccessRow & CorrectionRow & { digest: string; has_more: boolean }
/** Where a search for the reads of one doctor has looked at as many rows as it may: the last instant, and its lowest request id. */
type Looked = { looked_to: string | null; looked_to_id: string | null }
/** The entry is null throughout where nothing was found. */
type Row = Looked & (FoundRow | { at: null })

/** Up to `limit` entries, and where to go on, if there may be more. */
export async function findAccesses(
  db: Db,
  search: Search,
): Promise<{ entries: Access[]; next: AccessPosition | null }> {
  const { patientUid, reader } = search
  const answered = await queryLogged<Row>(db, findAccessesStatement(search), {
    patientUid,
    operation: 'readings/access-log',
    readingTypes: null,
    ...OF_ALL_TIME,
    reader,
    count: 0,
  })
  const rows = answered.filter((row) => row.at !== null)
  const entries = rows.map((found) => {
    const correction = correctionFrom(found)
    return { ...accessFrom(found), ...(correction && { correction }) }
  })
  const [last, row] = [entries.at(-1), rows.at(-1)]
  if (last && row?.has_more)
    return { entries, next: { at: last.at, requestId: last.requestId, digest: row.digest } }
  const { looked_to: lookedTo = null, looked_to_id: lookedToId = null } = answered[0] ?? {}
  const isCutShort = lookedTo !== null && lookedToId !== null
  return {
    entries,
    next: isCutShort ? { at: instantFrom(lookedTo, 6), requestId: lookedToId, digest: HIGHEST_DIGEST } : null,
  }
}

/** Behind everything of its instant and request id. */
const HIGHEST_DIGEST = 'f'.repeat(32)

/** Exported for the test that asks PostgreSQL how it would answer. */
export function findAccessesStatement({ patientUid, after, limit, reader }: Search): Statement {
  const values = [patientUid, after.at, after.requestId, after.digest, limit]
  // A grant of some types shows no reads of others.
  return reader.limitedTo === null
    ? { name: 'find-accesses', text: FIND_ACCESSES, values }
    : { name: 'find-accesses-of-doctor', text: FIND_ACCESSES_OF_DOCTOR, values: [...values, reader.doctorId] }
}

// What makes an entry another one than those of its instant and request id. Our sessions print instants alike.
const DIGEST = `left(
      encode(
        sha256(convert_to(
          concat((read_by, allowed_as, operation, range_from, range_to, reading_types)::text, correction_id, doctor_id, reason), 'UTF8'
        )),
        'hex'
      ),
      32
    )`

const ACCESSES = `
    select at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types, correction_id,
      doctor_id, reason, readings_count
    from casesheet.access_log
    where patient_uid = $1
      and (at, request_id) <= ($2::timestamptz, $3::text)
      and case when at = $2::timestamptz and request_id = $3::text then ${DIGEST} > $4::text else true end
    order by at desc
    fetch first ${MAX_ROWS} rows with ties`

// The index gives the rows by time; those of one instant are sorted and summed as they come, so no more is read than the
// page shows. All rows of an entry are of one instant, so it is summed whole, because the last instant is (`with ties`).
const FIND_ACCESSES = findAccessesText(`accesses as (${ACCESSES}
  ), looked as (
    select null::timestamptz as looked_to, null::text as looked_to_id
  )`)

// No index knows doctors. So a page looks at as many rows as any other, and goes on from there, also where it shows nothing.
const FIND_ACCESSES_OF_DOCTOR = findAccessesText(`all_accesses as materialized (${ACCESSES}
  ), accesses as (
    select all_accesses.*
    from all_accesses
    where doctor_id = $6::text
  ), looked as (
    select at as looked_to, min(request_id) as looked_to_id
    from all_accesses
    where at = (select min(at) from all_accesses)
      and (select count(*) from all_accesses) >= ${MAX_ROWS}
    group by at
  )`)

function findAccessesText(accesses: string): string {
  return `
  with ${accesses}, found as materialized (
    select at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types, correction_id,
      doctor_id, reason as access_reason, sum(readings_count)::float8 as readings_count, count(*) as row_count, ${DIGEST} as digest
    from accesses
    group by at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types, correction_id, doctor_id,
      reason
    order by at desc, request_id desc, digest
    limit $5::integer + 1
  ), sized as (
    select found.*, action, reading_id, reading_type, measured_at, reason,
      row_number() over in_order as nth,
      -- Names of fields, instants, ids, the operation and the type of a corrected reading take at most 800.
      sum(
        octet_length(to_json(read_by)::text) + coalesce(octet_length(to_json(reading_types)::text), 0)
          + coalesce(octet_length(to_json(doctor_id)::text), 0)
          + coalesce(octet_length(to_json(reason)::text), 0) + coalesce(octet_length(to_json(access_reason)::text), 0) + 800
      ) over in_order as bytes,
      count(*) over () as found_count,
      sum(row_count) over () as all_rows
    from found
    left join lateral (
      select action, reading_id, reading_type, measured_at, reason
      from casesheet.corrections
      join casesheet.readings using (patient_uid, measured_at, reading_id)
      where patient_uid = $1
        and corrections.correction_id = found.correction_id
    ) as correction on true
    window in_order as (order by at desc, request_id desc, digest)
  ), shown as (
    select *, count(*) over () as shown_count
    from sized
    where nth <= $5::integer
      and (nth = 1 or bytes <= ${MAX_BYTES})
  )
  select looked_to::text as looked_to, looked_to_id, at::text as at, shown.read_by, shown.allowed_as, operation, range_from::text as range_from,
    range_to::text as range_to, reading_types, readings_count, shown.request_id, shown.doctor_id, digest, action, reading_id, reading_type,
    measured_at::text as measured_at, shown.reason, access_reason,
    found_count > shown_count or all_rows >= ${MAX_ROWS} as has_more
  from (select) as one
  left join looked on true
  left join shown on true
  order by nth`
}
