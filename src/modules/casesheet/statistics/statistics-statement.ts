// The statement of GET readings/statistics: the readings of a type, each as the second in which it was measured and its fields, and where the
// buckets of the calendar begin. What they amount to is a plain function (summarise-readings.ts).

import { textArray } from '../../../db/array.ts'
import { instantOf } from '../epoch-time.ts'
import { charOf, FIELD_END, READING_END } from '../get/print-readings.ts'
import type { Withdrawn } from '../get/range.ts'
import { type Bucket, DAY_STARTS, HOUR_STARTS, offsetAt } from './buckets.ts'
import { countWork, readingsOfRange } from './statistics-work.ts'
import type { SummaryRow } from './summaries.ts'

export type StatisticsRange = {
  patientUid: string
  readingType: string
  from: number
  to: number
  bucket: Bucket
  timeZone: string
  withdrawn: Withdrawn
  /** Those of the catalogue; null for a type that is not in it. */
  quantities: string[] | null
}

export type StatisticsRow = SummaryRow & {
  /** In epoch seconds; the last one ends a bucket, and begins none. */
  starts: number[]
  /** How far the local clock is ahead of UTC at each of them, in seconds. */
  offsets: number[]
  /** Null where there are none, or too many. */
  readings: string | null
}

export function statisticsStatement(range: StatisticsRange) {
  const { patientUid, readingType, from, to, bucket, timeZone, withdrawn, quantities } = range
  const starts = bucket === 'hour' ? 'hours' : 'days'
  const name = ['statistics', starts, quantities?.length ?? 'other', withdrawn].join('-')
  const text =
    TEXTS.get(name) ?? textOf(bucket === 'hour' ? HOUR_STARTS : DAY_STARTS, withdrawn, quantities?.length)
  TEXTS.set(name, text)
  return {
    name,
    text,
    values: [
      patientUid,
      readingType,
      instantOf(from),
      instantOf(to),
      bucket === 'hour' ? 'day' : bucket,
      timeZone,
      ...(quantities ? [textArray(quantities)] : []),
    ],
  }
}

/** As few as the catalogue has numbers of quantities. */
const TEXTS = new Map<string, string>()

/** The unit and each quantity, as they are written in JSON. */
function fieldsText(count: number): string {
  const names = ["'unit'", ...Array.from({ length: count }, (_, nth) => `($7::text[])[${nth + 1}]`)]
  const written = names.map((name) => `coalesce((details -> ${name})::text, '')`)
  return `concat_ws(${charOf(FIELD_END)}, '', ${written.join(', ')})`
}

function textOf(starts: string, withdrawn: Withdrawn, quantities: number | undefined): string {
  const fieldsOf = quantities === undefined ? 'other' : 'measured'
  return `
    with work as materialized (${countWork(fieldsOf, withdrawn, readingsOfRange('shown', '$2'))}
    ), starts as materialized (
      select extract(epoch from start_at)::bigint as at, extract(epoch from ${offsetAt('start_at')})::integer as clock_offset
      from (
        select start_at, lag(start_at) over (order by start_at) as before, lead(start_at) over (order by start_at) as after
        from (${starts}) as starts
      ) as bounds
      where coalesce(after > $3, true)
        and coalesce(before <= $4, true)
    )
    select work.readings as looked_at, is_too_much,
      (select json_agg(at order by at) from starts) as starts,
      (select json_agg(clock_offset order by at) from starts) as offsets,
      (
        -- In the order of the readings: nothing stands between that could change it.
        select string_agg(concat(floor(date_part('epoch', measured_at)), ${quantities === undefined ? 'details' : fieldsText(quantities)}), ${charOf(READING_END)})
        from (${readingsOfRange(withdrawn, '$2')}) as readings
        where not (select is_too_much from work)
      ) as readings
    from work`
}
