// SQL that the statements of all reports are made of. Each statement counts its work, reads, and makes all figures of its report. It
// answers with one row.
//
// Parameters: $1 patient, $2 type, $3 from, $4 to, $5 the fields that are read, $6 time zone, $7 maximum work. Where values stand for a
// time, $8 is now; where they are compared or converted, $9 to $13 are the units. A report's own parameters follow.
import { textArray } from '../../../db/array.ts'
import { instantOf } from '../../casesheet/epoch-time.ts'
import { countWork, readingsOfRange, workFor } from '../../casesheet/statistics/statistics-work.ts'
import { inUnits } from '../unit-sql.ts'
import type { ReportRange } from './report-query.ts'

/** What every report needs beside its range: its readings' type, their fields, and who reads. */
export type ReportRequest = ReportRange & {
  /** Undefined where the grant does not hold it. */
  readingType: string | undefined
  fields: readonly string[]
}

/** A type that no reading has. */
const NO_TYPE = ''

export function commonValues({ readingType, ...request }: ReportRequest): unknown[] {
  const { patientUid, from, to, timeZone, fields } = request
  return [
    patientUid,
    readingType ?? NO_TYPE,
    instantOf(from),
    instantOf(to),
    textArray(fields),
    timeZone,
    workFor('measured', { buckets: 0, quantities: fields.length }),
  ]
}

/** SQL: the number of the reading's unit, values in other units, and values as they are compared. */
export const { unit: UNIT, converted, compared } = inUnits(9)

/**
 * SQL: a column that leaves each row as it is, and which the planner takes for a thousand rows of each. It expects a few readings; of many
 * it makes sums by hashing, where it would sort a few, and to sort as many as there may be would need a temporary file.
 */
export const AS_IF_MANY = 'generate_series(1, (select 1)) as as_if_many'

/**
 * SQL: the readings in order of time, none where they are too many, each with the seconds for which it stands: until the next one, but
 * no longer than this, and not beyond the range or now.
 */
export function standingReadings(atMost: string): string {
  return `
        select details, measured_at, ${AS_IF_MANY},
          date_part('epoch', greatest(
            least(lead(measured_at) over (order by measured_at, id_start), measured_at + ${atMost}, $4, $8::timestamptz),
            measured_at
          ) - measured_at) as seconds
        from (${readingsOfRange('left-out')}) as readings
        where not (select is_too_much from work)`
}

/** SQL: the local days of the range that there are: a calendar may leave one out. */
export const DAYS = `
      select day::date as date
      from (
        select ($3::timestamptz at time zone $6)::date as of_from, ($4::timestamptz at time zone $6)::date as of_to
      ) as range
      -- Clocks that are put back at midnight may show an earlier date at the end.
      cross join lateral generate_series(
        least(of_from, of_to)::timestamp, greatest(of_from, of_to)::timestamp, interval '1 day'
      ) as day
      where day at time zone $6 < (day + interval '1 day') at time zone $6`

/** SQL: a report's statement, from its work, the queries that it is made of, and the columns of its row. */
export function reportText({
  work,
  queries,
  columns,
  from = '',
}: {
  work: string
  queries: string
  columns: string
  from?: string
}): string {
  return `
    with work as materialized (${work}
    ), ${queries}
    select work.readings as looked_at, work.is_too_much, ${columns}
    from work${from}`
}

/** SQL: how much work the readings of a report are. */
export function countReportWork(readings = readingsOfRange('shown')): string {
  return countWork('measured', 'left-out', { readings, names: '$5' })
}
