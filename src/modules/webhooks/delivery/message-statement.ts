// SQL: the next page of an endpoint, and what is written with it.
import { charOf, READING_END } from '../../casesheet/get/print-readings.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'
import { pageOfChanges } from '../../feed/changes/page-of-changes.ts'
import { ERASURE_CHANGE, READING_CHANGE } from '../../feed/changes/print-changes.ts'
import { TIMELINE } from '../../feed/changes/read-changes.ts'

/**
 * With PART_BYTES of the text of a change a message grows by at most 163 bytes, so MAX_PARTS of them are less than 256 KiB. A change that is
 * walked over is one part.
 */
const PART_BYTES = 80
const MAX_PARTS = 1_600
const asInstant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL: a grant as JSON. One that was revoked, or has no end, says so. */
const GRANT_CHANGE = `(
        case
          when (select is_thin from endpoint) then json_build_object(
            'state', state, 'patientUid', patient_uid, 'doctorId', doctor_id, 'changedAt', ${asInstant('changed_at')}
          )
          else json_build_object(
            'state', state, 'patientUid', patient_uid, 'doctorId', doctor_id, 'permission', permission,
            'readingTypes', reading_types,
            'validUntil', case when valid_until < 'infinity' then ${asInstant('valid_until')} end,
            'changedAt', ${asInstant('changed_at')}
          )
        end
      )::text`

/** SQL: the endpoint $3 with its follower $1, if the process $2 holds it and it is time for an attempt. */
export const DUE_ENDPOINT = `
    select endpoint_id, url, is_thin, events, reading_types, patient_uids, secret,
      case when previous_until > now() then previous_secret end as previous_secret,
      failures, replays, page_xid, page_id, followers.generation, followers.xid, followers.id
    from casesheet.followers
    join webhooks.endpoints on endpoint_id = $3::uuid
    where followers.name = $1
      and held_by = $2::uuid
      and state = 'active'
      and next_attempt_at <= now()`

/** SQL: whether a value is among those of a list of the endpoint, which PostgreSQL hashes once; null is all. */
const isAmong = (value: string, list: string) =>
  `((select ${list} from endpoint) is null or ${value} in (select unnest(${list}) from endpoint))`

/** SQL: whether the endpoint gets a change of its patient. */
const isFor = (event: string) => `${event} = any ((select events from endpoint)::text[])
          and ${isAmong('patient_uid', 'patient_uids')}`

const when = (condition: string, value: string) => `case when ${condition} then ${value} end`

/** SQL: the page, from the readings of a table or a join. */
const pageFrom = (readings: string) =>
  pageOfChanges({
    sources: [
      {
        table: readings,
        id: 'reading_id',
        columns: `'readings.changed' as event, patient_uid as read_of, measured_at, greatest(received_at, withdrawn_at) as at,
        ${when(`${isFor("'readings.changed'")} and ${isAmong('reading_type', 'reading_types')}`, READING_CHANGE)} as item`,
      },
      {
        table: 'casesheet.erasure_notices',
        id: 'erasure_id',
        columns: `'patient.erased', null, null, at, ${when(isFor("'patient.erased'"), ERASURE_CHANGE)}`,
      },
      {
        table: 'casesheet.grants',
        id: 'grant_id',
        columns: `'grant.changed', patient_uid, null, changed_at, ${when(isFor("'grant.changed'"), GRANT_CHANGE)}`,
      },
    ],
    names: 'event, read_of, measured_at, at',
    upTo: (id) => `(changed_xid, ${id}) <= ((select end_xid from place), (select end_id from place))`,
    if: 'is_of_this_database and is_same_generation',
    limit: String(MAX_PARTS),
    partBytes: PART_BYTES,
    maxParts: MAX_PARTS,
  })

/** SQL: the readings that the keys name, where they still stand at their place. One that has moved is reported again. */
const REPORTED_READINGS = `unnest($10::text[], $11::timestamptz[], $12::uuid[], $13::xid8[]) as key (key_patient, key_instant, key_id, key_xid)
      cross join lateral (
        select patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, changed_at, changed_xid,
          withdrawn_at, withdrawn_by, withdrawn_as, withdrawn_reason
        from casesheet.readings
        where patient_uid = key_patient
          and measured_at = key_instant
          and reading_id = key_id
          and changed_xid = key_xid
      ) as reading`

/** SQL: up to where the page may go. `isBounded`: if nothing more was found, everything up to there is done. */
type Bounds = { xid: string; id: string; isBounded: string; condition: string }

/** SQL: what is written with the page. */
const WRITES = `logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select read_of, 'webhooks', (select reading_types from endpoint),
      -- A page of grants has no range.
      coalesce(min(measured_at), '-infinity'), coalesce(max(measured_at), 'infinity'),
      $3::text, 0, $4::text, 'service', count(*) filter (where event = 'readings.changed')
    from page
    where item is not null
      and read_of is not null
      and not (select is_repeated from place)
    group by read_of
  ), begun as (
    update webhooks.endpoints
    set page_xid = reached.xid,
      page_id = reached.id
    from reached, endpoint
    where endpoints.endpoint_id = $3
      and endpoints.replays = endpoint.replays
      and endpoints.page_xid is null
      and (select shown from found) > 0
  ), walked as (
    update casesheet.followers
    set xid = reached.xid,
      id = reached.id
    from reached, place
    where name = $1
      and held_by = $2
      and (followers.xid, followers.id) = (place.xid, place.id)
      and (reached.xid, reached.id) <> (place.xid, place.id)
      and is_same_generation
      and (select shown from found) = 0
  ), ended as (
    update webhooks.endpoints
    set page_xid = null,
      page_id = null
    from endpoint
    where endpoints.endpoint_id = $3
      and endpoints.replays = endpoint.replays
      and endpoint.page_xid is not null
      and (select shown from found) = 0
      and (select is_same_generation from place)
  )`

const nextMessage = (readings: string, end: Bounds) => `
  with endpoint as materialized (${DUE_ENDPOINT}
  ), place as materialized (
    select endpoint.xid, endpoint.id, feed.generation as feed_generation, page_xid is not null as is_repeated,
      ${end.xid} as end_xid, ${end.id} as end_id, ${end.isBounded} as is_bounded,
      endpoint.generation = feed.generation as is_same_generation,
      ${IS_OF_THIS_DATABASE} as is_of_this_database
    from endpoint
    cross join casesheet.feed
    cross join (select pg_current_wal_insert_lsn() as lsn) as now
    where ${end.condition}
  ), ${pageFrom(readings)}, cut as materialized (
    select min(nth) as nth
    from whole
    where item is not null
      and event <> (select event from whole where item is not null order by nth limit 1)
  ), page as materialized (
    select changed_xid, id, event, read_of, measured_at, at, item, nth
    from whole
    where nth < coalesce((select nth from cut), ${MAX_PARTS} + 1)
  ), found as materialized (
    select count(*) as walked,
      count(item) as shown,
      min(event) filter (where item is not null) as event,
      max(at) filter (where item is not null) as at,
      string_agg(item, ${charOf(READING_END)} order by nth) as items,
      (select count(*) from parts where part = 1) > count(*) as has_more
    from page
  ), reached as materialized (
    select coalesce(last.changed_xid, place.xid) as xid, coalesce(last.id, place.id) as id
    from place
    left join (
      select changed_xid, id
      from page
      where not (select is_bounded from place)
        or (select has_more from found)
      union all
      select end_xid, end_id
      from place
      where is_bounded
        and not (select has_more from found)
      order by changed_xid desc, id desc
      limit 1
    ) as last on true
  ), ${WRITES}
  select url, is_thin, secret, previous_secret, failures, replays, is_of_this_database, endpoint.generation, feed_generation,
    place.xid, place.id, reached.xid as to_xid, reached.id as to_id, event, items, shown::integer as changes, at::text as at,
    has_more or is_repeated as has_more, now()::text as read_at
  from endpoint, place, reached, found`

export const BY_WALKING = nextMessage('casesheet.readings', {
  xid: 'coalesce(page_xid, pg_snapshot_xmin(pg_current_snapshot()))',
  id: `coalesce(page_id, '${LOWEST_ID}')`,
  isBounded: 'page_xid is not null',
  condition: 'true',
})

export const BY_KEYS = nextMessage(REPORTED_READINGS, {
  xid: '$7::xid8',
  id: '$8::uuid',
  isBounded: 'true',
  condition: `page_xid is null
      and (feed.generation, endpoint.generation, endpoint.replays) = ($5::uuid, $5, $9::integer)
      and ${TIMELINE} = $6::integer
      and (endpoint.xid, endpoint.id) < ($7, $8)`,
})
