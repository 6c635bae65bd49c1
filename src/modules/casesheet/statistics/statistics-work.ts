// SQL: how much the readings of a range are, counted before any of them is read: a year of a sensor can be summarised. Withdrawn readings that
// are left out count too, since they are walked over all the same.
import { idStart } from '../by-type.ts'
import type { Withdrawn } from '../get/range.ts'

/** A year of a value every five minutes has 105,120. */
const MAX_READINGS = 110_000
// Of their stored texts together. Of a type of the catalogue the database takes the numbers out of them; of another one they are taken apart
// here, as whole as they are.
const MAX_BYTES = { measured: 24_000_000, other: 2_000_000 }
export type FieldsOf = keyof typeof MAX_BYTES

/** SQL: one row, with how many readings are summarised, and whether all that are walked over are too many or too large. */
export function countWork(fieldsOf: FieldsOf, withdrawn: Withdrawn, allReadings: string): string {
  return `
      select (count(*) ${withdrawn === 'left-out' ? 'filter (where withdrawn_by is null)' : ''})::integer as readings,
        count(*) > ${MAX_READINGS} or coalesce(sum(details_bytes), 0) > ${MAX_BYTES[fieldsOf]} as is_too_much
      from (
        select details_bytes, withdrawn_by
        from (${allReadings}) as readings
        limit ${MAX_READINGS + 1}
      ) as readings`
}

/**
 * SQL: the readings of patient $1 from $3 to $4, of a type or of all types, in order of time. Of a type, by the index by type: in that order
 * nothing is sorted, and by the primary key it would be. Readings of one instant are told apart by as much of their ids as the index has.
 */
export function readingsOfRange(withdrawn: Withdrawn, type: string | null): string {
  const idOrStart = type === null ? 'reading_id' : idStart('reading_id')
  return `
  select reading_type, details, details_bytes, measured_at, ${idOrStart} as id_start, withdrawn_by
  from casesheet.readings
  where patient_uid = $1
    ${type === null ? '' : `and reading_type = ${type}`}
    ${withdrawn === 'left-out' ? 'and withdrawn_by is null' : ''}
    and measured_at >= $3::timestamptz
    and measured_at < $4::timestamptz + interval '1 microsecond'
  order by measured_at, id_start
  limit (select ${MAX_READINGS + 1})`
}
