// SQL: where the buckets of a range begin, from the one that holds $3 to beyond the one that holds $4, on the calendar of
// the time zone $6. Each begins once, in order, and ends where the next begins, so every instant is in exactly one.

/**
 * Days, weeks (from Monday on) or months, as $5 says: they begin when the local clock first shows their first date. A
 * midnight that comes twice counts the first time, where PostgreSQL takes the second: it is the one by the offset of half
 * a day earlier. For a midnight that clocks leave out, PostgreSQL takes the instant at which they do.
 */
export const DAY_STARTS = `
  select distinct
    case when first_time < usual and first_time at time zone $6 = midnight then first_time else usual end as start_at
  from generate_series(
    date_trunc($5, $3::timestamptz at time zone $6),
    $4::timestamptz at time zone $6 + 2 * ('1 ' || $5)::interval,
    ('1 ' || $5)::interval
  ) as midnight
  cross join lateral (select midnight at time zone $6 as usual) as by_postgres
  cross join lateral (
    select midnight at time zone 'UTC' - ${offsetAt("(usual - interval '12 hours')")} as first_time
  ) as by_earlier_offset`

/**
 * Hours, with days as $5: they begin when the local clock comes to a full hour, also if it is put forward or back in that
 * moment. Only days on which it is put are looked through more closely, by quarters of an hour.
 */
export const HOUR_STARTS = `
  select instant as start_at
  from (
    select start_at as day_start, lead(start_at) over (order by start_at) as day_end
    from (${DAY_STARTS}) as days
  ) as days
  cross join lateral generate_series(
    day_start,
    day_end - interval '1 microsecond',
    case when ${offsetAt('day_start')} = ${offsetAt('day_end')} then interval '1 hour' else interval '15 minutes' end
  ) as instant
  where extract(minute from instant at time zone $6) = 0
    or extract(minute from (instant - interval '15 minutes') at time zone $6 + interval '15 minutes') = 0`

/** How far the local clock is ahead of UTC. */
export function offsetAt(instant: string): string {
  return `(${instant} at time zone $6 - ${instant} at time zone 'UTC')`
}
