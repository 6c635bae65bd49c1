// The readings that changed, for the streams that may show them, and a row of the access log for each stream, in one statement.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { charOf, READING_END } from '../../casesheet/get/print-readings.ts'
import {
  isStillGranted,
  LOGGED_READER,
  READER_COLUMNS,
  type Reader,
  readerArrays,
  readerValues,
} from '../../casesheet/reader.ts'
import type { Key } from '../changes/change-history.ts'
import { type PrintedChange, printChanges, READING_CHANGE } from '../changes/print-changes.ts'

/** A change that one stream is to show. */
export type Due = { reader: Reader; key: Key }

/** PostgreSQL's bigint is a text here. */
type Row = { number: string; change: string | null }

/** The grant of the reader no longer holds. */
type NotGranted = 'not-granted'

/** The changes in the order of `due`; undefined for a reading that is no longer there, or whose type is not shared. */
export function createReadStreamed(db: Db) {
  const reads = countReads(db.metrics, 'readings/stream')
  return async (due: Due[]): Promise<(PrintedChange | NotGranted | undefined)[]> => {
    const rows = await db.query<Row>(streamedStatement(due))
    const changes: (PrintedChange | NotGranted | undefined)[] = due.map(() => undefined)
    const logged = new Set<string>()
    for (const { number, change } of rows) {
      const at = Number(number) - 1
      const [printed] = change === null ? ['not-granted' as const] : printChanges(change)
      changes[at] = printed
      if (change === null) continue
      logged.add(due[at]?.reader.requestId ?? '')
      reads.readings++
    }
    reads.rows += logged.size
    return changes
  }
}

function streamedStatement(due: Due[]) {
  return {
    name: 'read-streamed',
    text: TEXT,
    values: [
      textArray(due.map(({ key }) => key.patientUid)),
      textArray(due.map(({ key }) => key.measuredAt ?? null)),
      plainArray(due.map(({ key }) => key.id)),
      // Types hold no comma.
      textArray(due.map(({ reader }) => reader.limitedTo?.join() ?? null)),
      ...readerValues(due.map(({ reader }) => reader)),
    ],
  }
}

const TEXT = `
  with due as materialized (
    select due.*, ${isStillGranted('due')} as is_granted
    from unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::text[], ${readerArrays(5)}) with ordinality
      as due (patient_uid, measured_at, reading_id, limited_to, ${READER_COLUMNS}, number)
  ), found as materialized (
    select due.*, reading.change
    from due
    cross join lateral (
      select ${READING_CHANGE} as change
      from casesheet.readings
      where readings.patient_uid = due.patient_uid
        and readings.measured_at = due.measured_at
        and readings.reading_id = due.reading_id
        and (due.limited_to is null or readings.reading_type = any (string_to_array(due.limited_to, ',')))
    ) as reading
    where due.is_granted
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, ${LOGGED_READER}, readings_count)
    select patient_uid, 'readings/stream', string_to_array(limited_to, ','), min(measured_at), max(measured_at), 0,
      ${LOGGED_READER}, count(*)
    from found
    group by patient_uid, limited_to, ${LOGGED_READER}
  )
  select number, replace(change, ${charOf(READING_END)}, ' ') as change
  from found
  union all
  select number, null
  from due
  where not is_granted
  order by number`
