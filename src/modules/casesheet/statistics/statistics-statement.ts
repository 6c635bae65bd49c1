// Statistics of a range, bucket by bucket. What would be too much is refused, and is logged too, since readings were looked at.
import { plainArray, textArray } from '../../../db/array.ts'
import type { CatalogueType } from '../catalogue/catalogue.ts'
import { conversionBetween, type Unit } from '../catalogue/units.ts'
import { instantOf } from '../epoch-time.ts'
import { charOf, FIELD_END, READING_END } from '../get/print-readings.ts'
import type { Withdrawn } from '../get/range.ts'
import type { Reader } from '../reader.ts'
import { type Bucket, DAY_STARTS, HOUR_STARTS, offsetAt } from './buckets.ts'
import { countWork, type FieldsOf, readingsBetween, workFor } from './statistics-work.ts'
import type { SummaryRow } from './summaries.ts'

// The answer is below 2 MB. A longer one is made before it is refused: the work, which was counted, bounds that too. A bucket takes its
// bounds and count beside its fields.
const MAX_ANSWER_BYTES = 1_990_000
const BUCKET_BYTES = 140

/** Maximum number of fields of a bucket: a type outside the catalogue may bring any. */
export const MAX_FIELDS = 50

/** A type of the catalogue, and the unit that its values are wanted in. */
export type Measured = { type: CatalogueType; unit: Unit }

export type StatisticsRequest = {
  patientUid: string
  readingType: string
  from: number
  to: number
  bucket: Bucket
  /** How many of them the range has. */
  buckets: number
  timeZone: string
  /** Null for a type that is not in the catalogue: then every number that stands in a reading by itself is a field. */
  measured: Measured | null
  withdrawn: Withdrawn
  reader: Reader
}

/** The buckets as text, null where the request is refused; where the last of them ends, in epoch seconds. */
export type StatisticsRow = SummaryRow & {
  has_too_many_fields: boolean
  last_end: number
  buckets: string | null
}

export function statisticsStatement(request: StatisticsRequest) {
  const { patientUid, readingType, from, to, bucket, buckets, timeZone, measured, withdrawn } = request
  const [starts, fields] = [bucket === 'hour' ? 'hours' : 'days', measured ? 'measured' : 'other'] as const
  return {
    name: `statistics-${starts}-${fields}${withdrawn === 'shown' ? '-with-withdrawn' : ''}`,
    text: TEXT_OF[withdrawn][starts][fields],
    values: [
      patientUid,
      readingType,
      instantOf(from),
      instantOf(to),
      bucket === 'hour' ? 'day' : bucket,
      timeZone,
      workFor(fields, { buckets, quantities: Object.keys(measured?.type.quantities ?? { any: {} }).length }),
      ...(measured ? fieldsOf(measured) : []),
    ],
  }
}

function fieldsOf({ type: { quantities, units }, unit: wanted }: Measured): string[] {
  const fields = Object.entries(quantities)
  const conversions = units.map((unit) => conversionBetween(unit, wanted))
  return [
    textArray(fields.map(([name]) => name)),
    plainArray(fields.map(([, { unit }]) => String(unit !== undefined))),
    textArray(units),
    String(units.indexOf(wanted) + 1),
    plainArray(conversions.map(({ shift }) => shift)),
    plainArray(conversions.map(({ factor }) => factor)),
    plainArray(conversions.map(({ offset }) => offset)),
  ]
}

// A JSON number as it is written begins with a digit or a minus, as no other value does. Exponents of three digits are
// left out: sums of such numbers, and of their squares, could not be held.
export const IS_NUMBER = `ascii(written) between ascii('-') and ascii('9') and written not like '%e____'`

const PERCENTILES = 'percentile_cont(array[0, 0.5, 0.95, 1]) within group (order by number)'

const readingsOfBucket = (withdrawn: Withdrawn) =>
  readingsBetween(
    'greatest(buckets.start_at, $3)',
    "least(buckets.end_at, $4 + interval '1 microsecond')",
    withdrawn,
  )

/**
 * The summary of each field of a bucket, from the readings of patient $1 and type $2 in it that lie between $3 and $4. Each reading is
 * counted with one of its fields. Every "offset 0" is a fence: what is made below it is made once, not for every use above it.
 */
const SUMMARIES: Record<FieldsOf, (withdrawn: Withdrawn) => string> = {
  // The quantities of the catalogue, brought from the reading's unit to the one that is wanted.
  measured: (withdrawn) => `
    select name, case when position = 1 then readings end as readings, mean, percentiles, series
    from unnest($8::text[], $9::boolean[]) with ordinality as field (name, has_own_unit, position)
    cross join lateral (
      select count(*) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
        -- In the order of the readings: nothing stands between that could change it.
        array_agg(number) filter (where number is not null) as series
      from (
        select
          case when ${IS_NUMBER} then
            case when has_own_unit or unit = $11::integer then written::float8
              else (written::float8 + ($12::float8[])[unit]) * ($13::float8[])[unit] + ($14::float8[])[unit]
            end
          end as number
        from (
          select (details -> name)::text as written,
            array_position($10::text[], coalesce(details ->> 'unit', ($10::text[])[1])) as unit
          from (${readingsOfBucket(withdrawn)}) as readings
          offset 0
        ) as fields
        offset 0
      ) as numbers
    ) as summary`,
  // Every field of any reading that is a number, in order of their names; all others are one group without a name, the last. No more
  // groups are made than it takes to see that there are too many. `place` stands for time and id, and takes less memory to sort.
  other: (withdrawn) => `
    select name, count(*) filter (where position = 1) as readings, avg(number) as mean, ${PERCENTILES} as percentiles,
      array_agg(number order by place) filter (where number is not null) as series
    from (
      select case when ${IS_NUMBER} then name end collate "C" as name, position, place,
        case when ${IS_NUMBER} then written::float8 end as number
      from (
        select name, coalesce(position, 1) as position, place, value::text as written
        from (
          select details, row_number() over () as place
          from (${readingsOfBucket(withdrawn)}) as readings
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

const TEXT_OF = { 'left-out': textsOf('left-out'), shown: textsOf('shown') }

function textsOf(withdrawn: Withdrawn) {
  const of = (starts: string) => ({
    measured: statisticsText(starts, 'measured', withdrawn),
    other: statisticsText(starts, 'other', withdrawn),
  })
  return { hours: of(HOUR_STARTS), days: of(DAY_STARTS) }
}

function statisticsText(starts: string, fields: FieldsOf, withdrawn: Withdrawn): string {
  return `
    with work as materialized (${countWork(fields, withdrawn)}
    ), buckets as materialized (
      select start_at, end_at
      from (select start_at, lead(start_at) over (order by start_at) as end_at from (${starts}) as starts) as bounds
      where end_at > $3 and start_at <= $4
      order by start_at
    ), described as (
      select start_at, end_at, of_bucket.readings, of_bucket.fields
      from (
        select start_at, end_at
        from buckets
        where not (select is_too_much from work)
      ) as buckets
      cross join lateral (
        select coalesce(sum(readings), 0)::integer as readings,
          case when count(series) <= ${MAX_FIELDS} then coalesce(
            string_agg(
              concat(
                to_json(name), ':{"count":', cardinality(series), ',"min":', percentiles[1], ',"max":', percentiles[4],
                ',"mean":', mean, ',"p50":', percentiles[2], ',"p95":', percentiles[3],
                ',"first":', series[1], ',"last":', series[cardinality(series)], '}'
              ),
              ',' order by name collate "C"
            ) filter (where series is not null),
            ''
          ) end as fields
        from (${SUMMARIES[fields](withdrawn)}) as summaries
      ) as of_bucket
      offset 0
    ), answer as materialized (
      select coalesce(sum(octet_length(fields) + ${BUCKET_BYTES}), 0) > ${MAX_ANSWER_BYTES} as is_too_long,
        coalesce(bool_or(fields is null), false) as has_too_many_fields,
        extract(epoch from max(end_at))::float8 as last_end,
        -- In the order of the buckets: nothing stands between that could change it, and a sort might need a temporary file.
        string_agg(
          concat_ws(
            ${charOf(FIELD_END)}, extract(epoch from start_at)::bigint, extract(epoch from ${offsetAt('start_at')})::integer,
            readings, fields
          ),
          ${charOf(READING_END)}
        ) as buckets
      from described
    )
    select work.readings as looked_at, is_too_much, has_too_many_fields, last_end, case when not is_too_long then buckets end as buckets
    from answer
    cross join work`
}
