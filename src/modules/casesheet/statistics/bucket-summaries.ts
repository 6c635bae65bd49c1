// SQL: the summary of each field of a bucket ("buckets" in the statement around it), from the readings of patient $1 and type
// $2 in it that lie between $3 and $4. Each reading is counted with one of its fields. Every "offset 0" is a fence: what is
// made below it is made once, not for every use above it.
import { readingsBetween } from './statistics-work.ts'

/** Maximum number of fields of a bucket: a type that nobody listed may bring any. */
export const MAX_FIELDS = 50

// A JSON number as it is written begins with a digit or a minus, as no other value does. Exponents of three digits are
// left out: sums of such numbers, and of their squares, could not be held.
const IS_NUMBER = `ascii(written) between ascii('-') and ascii('9') and written not like '%e____'`

const PERCENTILES = 'percentile_cont(array[0, 0.5, 0.95, 1]) within group (order by number)'

const READINGS_OF_BUCKET = readingsBetween(
  'greatest(buckets.start_at, $3)',
  "least(buckets.end_at, $4 + interval '1 microsecond')",
)

export const SUMMARIES = {
  // The quantities of the catalogue, brought from the reading's unit to the one that is wanted.
  measured: `
    select name, case when position = 1 then readings end as readings, mean, percentiles, series
    from unnest($11::text[], $12::boolean[]) with ordinality as field (name, has_own_unit, position)
    cross join lateral (
      select count(*) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
        -- In the order of the readings: nothing stands between that could change it.
        array_agg(number) filter (where number is not null) as series
      from (
        select
          case when ${IS_NUMBER} then
            case when has_own_unit or unit = $14::integer then written::float8
              else (written::float8 + ($15::float8[])[unit]) * ($16::float8[])[unit] + ($17::float8[])[unit]
            end
          end as number
        from (
          select (details -> name)::text as written,
            array_position($13::text[], coalesce(details ->> 'unit', ($13::text[])[1])) as unit
          from (${READINGS_OF_BUCKET}) as readings
          offset 0
        ) as fields
        offset 0
      ) as numbers
    ) as summary`,
  // Every field of any reading that is a number, in order of their names; all others are one group without a name, the last. No more
  // groups are made than it takes to see that there are too many. `place` stands for time and id, and takes less memory to sort.
  other: `
    select name, count(*) filter (where position = 1) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
      array_agg(number order by place) filter (where number is not null) as series
    from (
      select case when ${IS_NUMBER} then name end collate "C" as name, position, place,
        case when ${IS_NUMBER} then written::float8 end as number
      from (
        select name, coalesce(position, 1) as position, place, value::text as written
        from (
          select details, row_number() over () as place
          from (${READINGS_OF_BUCKET}) as readings
        ) as readings
        left join lateral json_each(details) with ordinality as field (name, value, position) on true
        offset 0
      ) as fields
      offset 0
    ) as numbers
    group by name
    order by name
    limit ${MAX_FIELDS + 2}`,
}
