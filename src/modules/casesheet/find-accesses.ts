// The entries of the access log behind a position, and the row that says that they were read: either both or neither.
import type { Db } from '../../db/db.ts'
import type { AccessPosition } from './access-cursor.ts'
import type { Access } from './access-log.ts'
import { instantFrom } from './print-readings.ts'
import type { Reader } from './read-page.ts'

type Search = { patientUid: string; after: AccessPosition; size: number; reader: Reader }

export type AccessRow = {
  at: string
  read_by: string
  allowed_as: Access['allowedAs']
  operation: string
  range_from: string
  range_to: string
  reading_types: string[] | null
  readings_count: number
  request_id: string
}

export async function findAccesses(db: Db, { patientUid, after, size, reader }: Search) {
  const rows = await db.query<AccessRow>({
    name: 'find-accesses',
    text: FIND_ACCESSES,
    values: [
      patientUid,
      after.at,
      after.requestId,
      after.seen,
      size,
      reader.requestId,
      reader.readBy,
      reader.allowedAs,
    ],
  })
  return rows.map(accessFrom)
}

export function accessFrom(row: AccessRow): Access {
  return {
    at: instantFrom(row.at, 6),
    readBy: row.read_by,
    allowedAs: row.allowed_as,
    operation: row.operation,
    from: instantUnlessOpen(row.range_from),
    to: instantUnlessOpen(row.range_to),
    readingTypes: row.reading_types,
    readingsCount: row.readings_count,
    requestId: row.request_id,
  }
}

function instantUnlessOpen(text: string): string | null {
  return text.endsWith('infinity') ? null : instantFrom(text, 6)
}

// The index gives the rows by time; those of one instant are sorted and summed as they come, so no more is read than the
// page shows. The columns after request_id only make the order total.
export const FIND_ACCESSES = `
  with found as (
    select at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types,
      sum(readings_count)::float8 as readings_count
    from casesheet.access_log
    where patient_uid = $1
      and (at, request_id) <= ($2::timestamptz, $3::text)
    group by at, request_id, read_by, allowed_as, operation, range_from, range_to, reading_types
    order by at desc, request_id desc, read_by, allowed_as, operation, range_from, range_to, reading_types
    offset $4::integer
    limit $5::integer
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    values ($1, 'readings/access-log', '-infinity', 'infinity', $6, 0, $7, $8, 0)
  )
  select at::text as at, read_by, allowed_as, operation, range_from::text as range_from, range_to::text as range_to,
    reading_types, readings_count, request_id
  from found
  order by found.at desc, request_id desc, read_by, allowed_as, operation, found.range_from, found.range_to, reading_types`
