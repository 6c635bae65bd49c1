// SQL: the summary of each field of a bucket ("buckets" in the statement around it), from the readings of patient $1 and type
// $2 in it that lie between $3 and $4. Each reading is counted with one of its fields. Every "offset 0" is a fence: what is
// made below it is made once, not for every use above it.
import { LOWEST_ID } from './read-page.ts'

/** As many readings as a bucket may hold. */
export const MAX_READINGS_OF_BUCKET = 500_000

// A JSON number as it is written begins with a digit or a minus, as no other value does. Exponents of three digits are
// left out: sums of such numbers, and of their squares, could not be held.
const IS_NUMBER = `ascii(written) between ascii('-') and ascii('9') and written not like '%e____'`

const PERCENTILES = 'percentile_cont(array[0, 0.5, 0.95, 1]) within group (order by number)'

// In order of time. Written like this, the planner follows the index by type: it does not know the limit beforehand, so it
// does not sort; and of the two bounds it makes no narrow range, for which it would take the primary key for as good.
const READINGS_OF_BUCKET = `
  select details, measured_at, reading_id
  from casesheet.readings
  where patient_uid = $1
    and reading_type = $2
    and (measured_at, reading_id) >= (greatest(buckets.start_at, $3), '${LOWEST_ID}')
    and measured_at < least(buckets.end_at, $4 + interval '1 microsecond')
  order by measured_at, reading_id
  limit (select ${MAX_READINGS_OF_BUCKET + 1})`

export const SUMMARIES = {
  // The quantities of the catalogue, brought from the reading's unit to the one that is wanted.
  measured: `
    select name, case when position = 1 then readings end as readings, mean, percentiles, series
    from unnest($10::text[], $11::boolean[]) with ordinality as field (name, has_own_unit, position)
    cross join lateral (
      select count(*) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
        -- In the order of the readings: nothing stands between that could change it.
        array_agg(number) filter (where number is not null) as series
      from (
        select
          case when ${IS_NUMBER} then
            case when has_own_unit or unit = $13::integer then written::float8
              else (written::float8 + ($14::float8[])[unit]) * ($15::float8[])[unit] + ($16::float8[])[unit]
            end
          end as number
        from (
          select (details -> name)::text as written,
            -- Most name no unit, which is told without reading their JSON once more.
            case when details::text like '%"unit"%'
              then array_position($12::text[], coalesce(details ->> 'unit', ($12::text[])[1]))
              else 1
            end as unit
          from (${READINGS_OF_BUCKET}) as readings
          offset 0
        ) as fields
        offset 0
      ) as numbers
    ) as summary`,
  // Every field of any reading, in order of their names.
  other: `
    select name, count(*) filter (where position = 1) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
      array_agg(number order by measured_at, reading_id) filter (where number is not null) as series
    from (
      select name, position, measured_at, reading_id, case when ${IS_NUMBER} then written::float8 end as number
      from (
        select name, coalesce(position, 1) as position, measured_at, reading_id, value::text as written
        from (${READINGS_OF_BUCKET}) as readings
        left join lateral json_each(details) with ordinality as field (name, value, position) on true
        offset 0
      ) as fields
      offset 0
    ) as numbers
    group by name`,
}
