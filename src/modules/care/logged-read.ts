// What the statements that read targets, reviews, rules or alerts share: who asks, whether the grant still holds, and the row of the
// access log.
import { textArray } from '../../db/array.ts'
import {
  isStillGranted,
  LOGGED_READER,
  READER_COLUMNS,
  type Reader,
  readerArrays,
  readerValues,
} from '../casesheet/reader.ts'

const FIRST_OF_READER = 3

/** The first eight values: the patient, the types to which the grant is limited, and the reader. */
export function askedValues(patientUid: string, reader: Reader) {
  const { limitedTo } = reader
  return [patientUid, limitedTo && textArray(limitedTo), ...readerValues([reader])]
}

/** The number of the first parameter behind those. */
export const NEXT_PARAMETER = FIRST_OF_READER + readerValues([]).length

/** SQL: `asked`, one row, which says whether the caller may read. */
export function askedBy(): string {
  return `asked as materialized (
    select asked.*, ${isStillGranted('asked')} as is_granted
    from unnest(array[$1::text], ${readerArrays(FIRST_OF_READER)}) as asked (patient_uid, ${READER_COLUMNS})
  )`
}

type Operation =
  | 'targets/list'
  | 'targets/history'
  | 'reviews/list'
  | 'rules/list'
  | 'alerts/list'
  | 'alerts/history'

/** SQL: the row of the access log. Targets, reviews, rules and alerts are no readings, so none are counted. */
export function logRead(operation: Operation): string {
  return `logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, ${LOGGED_READER}, readings_count)
    select patient_uid, '${operation}', $2::text[], '-infinity', 'infinity', 0, ${LOGGED_READER}, 0
    from asked
    where is_granted
  )`
}
