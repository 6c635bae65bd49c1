// The readings that changed, for the streams that may show them, and a row of the access log for each stream, in one statement.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Reader } from '../access.ts'
import { countReads } from '../access-log/access-entry.ts'
import { type Cell, isVersion } from '../cell/cell.ts'
import { type PrintedChange, printChanges, READING_CHANGE } from '../changes/print-changes.ts'
import type { Key } from '../changes/watch-changes.ts'
import { charOf, READING_END } from '../get/print-readings.ts'

/** A change that one stream is to show. */
export type Due = { reader: Reader; key: Key }

/** PostgreSQL's bigint is a text here. */
type Row = { number: string; change: string }

/** The changes in the order of `due`; undefined for a reading that is no longer there. */
export function createReadStreamed(db: Db, cell: Cell) {
  const reads = countReads(db.metrics, 'readings/stream')
  return async (due: Due[]): Promise<(PrintedChange | undefined)[]> => {
    const rows = await db.query<Row>(streamedStatement(due, cell.version()))
    const changes: (PrintedChange | undefined)[] = due.map(() => undefined)
    for (const { number, change } of rows) {
      const [printed] = printChanges(change)
      changes[Number(number) - 1] = printed
    }
    reads.rows += new Set(due.map(({ reader }) => reader.requestId)).size
    reads.readings += rows.length
    return changes
  }
}

function streamedStatement(due: Due[], version: string | null) {
  return {
    name: 'read-streamed',
    text: TEXT,
    values: [
      textArray(due.map(({ key }) => key.patientUid)),
      textArray(due.map(({ key }) => key.measuredAt ?? null)),
      plainArray(due.map(({ key }) => key.id)),
      textArray(due.map(({ reader }) => reader.requestId)),
      textArray(due.map(({ reader }) => reader.readBy)),
      plainArray(due.map(({ reader }) => reader.allowedAs)),
      version,
    ],
  }
}

const TEXT = `
  with due as (
    select *
    from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[]) with ordinality
      as due (patient_uid, measured_at, reading_id, request_id, read_by, allowed_as, number)
    where ${isVersion('$7')}
  ), found as materialized (
    select due.*, reading.change
    from due
    cross join lateral (
      select ${READING_CHANGE} as change
      from casesheet.readings
      where readings.patient_uid = due.patient_uid
        and readings.measured_at = due.measured_at
        and readings.reading_id = due.reading_id
    ) as reading
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select patient_uid, 'readings/stream', null, min(measured_at), max(measured_at), request_id, 0, read_by, allowed_as, count(*)
    from found
    group by patient_uid, request_id, read_by, allowed_as
  )
  select number, replace(change, ${charOf(READING_END)}, ' ') as change
  from found
  order by number`
