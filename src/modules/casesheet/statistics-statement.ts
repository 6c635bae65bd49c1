// Statistics of a range, bucket by bucket, and their access-log row, in one statement: either both are committed or
// neither.
import { plainArray, textArray } from '../../db/array.ts'
import { DAY_STARTS, HOUR_STARTS, offsetAt } from './bucket-starts.ts'
import { SUMMARIES } from './bucket-summaries.ts'
import type { Bucket } from './buckets.ts'
import type { CatalogueType } from './catalogue.ts'
import { instantOf } from './epoch-time.ts'
import { charOf, FIELD_END, READING_END } from './print-readings.ts'
import type { Reader } from './read-page.ts'
import { conversionBetween, type Unit } from './units.ts'

/** As many fields as a bucket may have: a type that nobody listed may bring any. */
export const MAX_FIELDS = 50
// No further bucket is begun after this time, so that the database is not kept busy for a caller who has given up.
const MAX_SECONDS = 4

/** A type of the catalogue, and the unit that its values are wanted in. */
export type Measured = { type: CatalogueType; unit: Unit }

export type StatisticsRequest = {
  patientUid: string
  readingType: string
  from: number
  to: number
  bucket: Bucket
  timeZone: string
  /** Null for a type that is not in the catalogue: then every number that stands in a reading by itself is a field. */
  measured: Measured | null
  reader: Reader
}

/** The buckets as text, null where one has too many fields; where the last of them ends, in epoch seconds. */
export type StatisticsRow = {
  is_whole: boolean
  looked_at: number
  most_readings: number
  last_end: number
  buckets: string | null
}

export function statisticsStatement(request: StatisticsRequest) {
  const { patientUid, readingType, from, to, bucket, timeZone, measured, reader } = request
  const [starts, fields] = [bucket === 'hour' ? 'hours' : 'days', measured ? 'measured' : 'other'] as const
  return {
    name: `statistics-${starts}-${fields}`,
    text: TEXT_OF[starts][fields],
    values: [
      patientUid,
      readingType,
      instantOf(from),
      instantOf(to),
      bucket === 'hour' ? 'day' : bucket,
      timeZone,
      reader.requestId,
      reader.readBy,
      reader.allowedAs,
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

const TEXT_OF = {
  hours: {
    measured: statisticsText(HOUR_STARTS, SUMMARIES.measured),
    other: statisticsText(HOUR_STARTS, SUMMARIES.other),
  },
  days: {
    measured: statisticsText(DAY_STARTS, SUMMARIES.measured),
    other: statisticsText(DAY_STARTS, SUMMARIES.other),
  },
}

function statisticsText(starts: string, summaries: string): string {
  return `
    with buckets as materialized (
      select start_at, end_at
      from (select start_at, lead(start_at) over (order by start_at) as end_at from (${starts}) as starts) as bounds
      where end_at > $3 and start_at <= $4
    ), described as (
      select start_at, end_at, of_bucket.readings, of_bucket.fields
      from (
        select start_at, end_at
        from buckets
        where clock_timestamp() < statement_timestamp() + interval '${MAX_SECONDS} seconds'
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
              ',' order by name
            ) filter (where series is not null),
            ''
          ) end as fields
        from (${summaries}) as summaries
      ) as of_bucket
    ), answer as materialized (
      select count(*) = (select count(*) from buckets) as is_whole,
        coalesce(max(readings), 0) as most_readings,
        coalesce(sum(readings), 0)::integer as looked_at,
        extract(epoch from max(end_at))::float8 as last_end,
        case when bool_and(fields is not null) then string_agg(
          concat_ws(
            ${charOf(FIELD_END)}, extract(epoch from start_at)::bigint, extract(epoch from ${offsetAt('start_at')})::integer,
            readings, fields
          ),
          ${charOf(READING_END)} order by start_at
        ) end as buckets
      from described
    ), logged as (
      insert into casesheet.access_log
        (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
      select $1, 'readings/statistics', array[$2], $3, $4, $7, 0, $8, $9, looked_at
      from answer
    )
    select is_whole, looked_at, most_readings, last_end, buckets
    from answer`
}
