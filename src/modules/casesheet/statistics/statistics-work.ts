// SQL: how much work the statistics of a range are, counted before any of it is done.
//
// A reading is repeated for each value and each stretch of bytes that it brings, and a limit ends that list: the count stops there,
// so it costs little for the largest range too. What is bounded here bounds everything that follows: JSON to parse, values to
// sort, and the memory for that: a sort stays below PostgreSQL's default `work_mem` of 4 MB, so that there are no temporary files.
//
// Withdrawn readings that are left out are walked over all the same, once for each quantity: they count too, without being read.
import { idStart } from '../by-type.ts'
import type { Withdrawn } from '../get/range.ts'

// Chosen so that the worst request takes less than half a second of the database. A value of the catalogue takes 2 to 4 µs, one of
// another type, which has to be sorted by its name first, twice that. A bucket costs as much as some values.
const MAX_WORK = { measured: 110_000, other: 35_000 }
const WORK_OF_BUCKET = { measured: 3, other: 4 }

export type FieldsOf = keyof typeof MAX_WORK

/** How much work the readings of a range may be, where there are so many buckets and, in the catalogue, quantities. */
export function workFor(fields: FieldsOf, { buckets, quantities }: { buckets: number; quantities: number }) {
  return MAX_WORK[fields] - WORK_OF_BUCKET[fields] * buckets * quantities
}

/** SQL: the readings of a range that is summarised, from $3 to $4, of a type, or of all types. */
export function readingsOfRange(withdrawn: Withdrawn, type?: string | null): string {
  return readingsBetween('$3::timestamptz', "$4::timestamptz + interval '1 microsecond'", withdrawn, type)
}

const IS_LEFT_OUT: Record<Withdrawn, string> = { 'left-out': 'withdrawn_by is not null', shown: 'false' }

const COMMAS = `(octet_length(written) - octet_length(replace(written, ',', '')))`

// So small a reading, uncompressed, tells its size without being read: nearly all of the catalogue's are.
const IS_SMALL = 'pg_column_size(details) <= 40 and pg_column_compression(details) is null'

/** How much a reading is: so many times one part, and one more for each so many bytes and commas, which the parser takes apart. */
const SIZE: Record<
  FieldsOf,
  { times: (names: string) => string; bytes: number; commas: number; isOnePart: string }
> = {
  // Each reading is parsed once for each quantity of its type, and for its unit.
  measured: {
    times: (names) => `cardinality(${names}::text[])`,
    bytes: 192,
    commas: 16,
    isOnePart: IS_SMALL,
  },
  // There are at most as many values as commas and one more.
  other: { times: () => '1', bytes: 64, commas: 1, isOnePart: 'false' },
}

/** SQL: one row for each part of the work; the first part of each reading is 1, and those of readings left out are below that. */
function partsOf(fields: FieldsOf, withdrawn: Withdrawn, { readings, names }: Required<Counted>): string {
  const { bytes, commas, isOnePart } = SIZE[fields]
  const times = SIZE[fields].times(names)
  return `
        select generate_series(
          case when is_left_out then 1 - ${times} else 1 end,
          case when is_left_out then 0
            else ${times} * case when written is null then 1 else 1 + octet_length(written) / ${bytes} + ${COMMAS} / ${commas} end
          end
        ) as part
        from (
          select ${IS_LEFT_OUT[withdrawn]} as is_left_out,
            case when not (${IS_LEFT_OUT[withdrawn]} or ${isOnePart}) then details::text end as written
          from (${readings}) as readings
          offset 0
        ) as written`
}

/** Which readings are counted, and the parameter that names their fields. */
type Counted = { readings?: string; names?: string }

/** SQL: one row, with how many of these readings were counted, and whether they are more work than $7. */
export function countWork(
  fields: FieldsOf,
  withdrawn: Withdrawn,
  { readings = readingsOfRange('shown'), names = '$8' }: Counted = {},
): string {
  return `
      select (count(*) filter (where part = 1))::integer as readings, count(*) > $7::integer as is_too_much
      from (${partsOf(fields, withdrawn, { readings, names })}
        limit $7::integer + 1
      ) as parts`
}

/**
 * In order of time. Of a type, by the index by type: in that order nothing is sorted, and by the primary key it would be. Readings of one
 * instant are told apart by as much of their ids as the index has.
 */
export function readingsBetween(
  from: string,
  before: string,
  withdrawn: Withdrawn,
  type: string | null = '$2',
): string {
  const idOrStart = type === null ? 'reading_id' : idStart('reading_id')
  return `
  select reading_type, details, measured_at, ${idOrStart} as id_start, withdrawn_by
  from casesheet.readings
  where patient_uid = $1
    ${type === null ? '' : `and reading_type = ${type}`}
    ${withdrawn === 'left-out' ? 'and withdrawn_by is null' : ''}
    and measured_at >= ${from}
    and measured_at < ${before}
  order by measured_at, id_start
  limit (select ${MAX_WORK.measured + 1})`
}
