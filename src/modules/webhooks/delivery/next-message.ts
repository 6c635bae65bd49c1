// The next message of an endpoint: its page of changes, the access-log rows of that page and the end of it, in one statement.
//
// A page has one type of event; it is cut where the type changes, so that the order is that of the sequence. Changes that the
// endpoint does not get are walked over. Where the page ends is stored with the endpoint before it is sent. A repeated attempt reads
// the page again up to there: a patient who was erased meanwhile is no longer in it, and the same content has the same webhook-id.
// The access log is written once for each page, not for each attempt.
//
// An endpoint that gets few of the changes would walk over all the others. So where it had everything, and the watch has reported what
// changed since, the readings are found by their keys instead. Erasures and grants are few, and are found by walking in any case.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { charOf, READING_END } from '../../casesheet/get/print-readings.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { isOurs, isStillServed, type ServedHere } from '../../casesheet/served-here.ts'
import type { ReadingKey } from '../../feed/changes/change-history.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'
import { pageOfChanges } from '../../feed/changes/page-of-changes.ts'
import { ERASURE_CHANGE, printChanges, printThin, READING_CHANGE } from '../../feed/changes/print-changes.ts'
import { TIMELINE } from '../../feed/changes/read-changes.ts'
import type { SeenPosition } from '../../feed/followers/advance.ts'
import type { FollowerPosition } from '../../feed/followers/hold-followers.ts'

/**
 * With PART_BYTES of the text of a change a message grows by at most 163 bytes, so MAX_PARTS of them are less than 256 KiB. A change that is
 * walked over is one part.
 */
const PART_BYTES = 80
const MAX_PARTS = 1_600
const WITHIN_MS = 10_000

type Event = 'readings.changed' | 'patient.erased' | 'grant.changed' | 'feed.reset'

export type Held = { name: string; endpointId: string; processId: string; readBy: string }

export type Message = {
  url: string
  event: Event
  body: string
  changes: number
  /** Encrypted: the current one and, while it is valid too, the one before. */
  secrets: Buffer[]
  failures: number
  replays: number
  /** From where to where the position moves when it is delivered. */
  from: FollowerPosition
  to: FollowerPosition
  hasMore: boolean
  /** When it was read, by the clock of the database. */
  readAt: string
}

/** The keys of all readings for the endpoint behind its position, up to a place. It was replayed `replays` times when they were collected. */
export type Reported = { upTo: SeenPosition; keys: readonly ReadingKey[]; replays: number }

/** `notDue`: another process holds the endpoint, or it is paused, or it is not time yet. `nothing`: no change up to `position`. */
export type Next =
  | { kind: 'message'; message: Message }
  | { kind: 'nothing'; position: FollowerPosition; hasMore: boolean }
  | { kind: 'notDue' }

type Row = {
  url: string
  is_thin: boolean
  secret: Buffer
  previous_secret: Buffer | null
  failures: number
  replays: number
  is_of_this_database: boolean
  generation: string
  feed_generation: string
  xid: string
  id: string
  to_xid: string
  to_id: string
  event: Event | null
  items: string | null
  changes: number
  at: string | null
  has_more: boolean
  read_at: string
}

export function createNextMessage(db: Db, servedHere: ServedHere) {
  async function read(
    statement: { name: string; text: string },
    held: Held,
    others: unknown[],
  ): Promise<Next> {
    const { name, endpointId, processId, readBy } = held
    const [row] = await servedHere.decide(async () => {
      const { version, elsewhere } = await servedHere.ofAll()
      const values = [name, processId, endpointId, version, elsewhere, readBy, ...others]
      return db.query<Row>({ ...statement, values }, { on: 'follow', withinMs: WITHIN_MS })
    })
    if (!row) return { kind: 'notDue' }
    if (!row.is_of_this_database) throw new Error(COPIED)
    return nextFrom(row)
  }
  return {
    next: (held: Held) => read({ name: 'next-webhook', text: BY_WALKING }, held, []),
    /** `notDue` also where the keys do not say everything: a page is in flight, or the endpoint was moved. */
    nextReported: (held: Held, { upTo, keys, replays }: Reported) =>
      read({ name: 'next-reported-webhook', text: BY_KEYS }, held, [
        upTo.generation,
        upTo.timeline,
        upTo.xid,
        upTo.id,
        replays,
        textArray(keys.map(({ patientUid }) => patientUid)),
        plainArray(keys.map(({ measuredAt }) => `"${measuredAt}"`)),
        plainArray(keys.map(({ id }) => id)),
        plainArray(keys.map(({ xid }) => xid)),
      ]),
  }
}

const COPIED = 'The tables were copied from another database, and "rounds migrate" has not been run since.'

function nextFrom(row: Row): Next {
  const { generation, xid, id, url, failures, replays, has_more: hasMore } = row
  const from = { generation, xid, id }
  const secrets = [row.secret, ...(row.previous_secret ? [row.previous_secret] : [])]
  const of = { url, secrets, failures, replays, from, readAt: row.read_at }
  if (row.feed_generation !== generation) {
    const to = { generation: row.feed_generation, xid: '0', id: LOWEST_ID }
    const body = JSON.stringify({
      type: 'feed.reset',
      timestamp: new Date().toISOString(),
      data: { reason: RESET_SENTENCE },
    })
    return { kind: 'message', message: { ...of, event: 'feed.reset', body, changes: 0, to, hasMore: true } }
  }
  const to = { generation, xid: row.to_xid, id: row.to_id }
  if (row.event === null || row.items === null) return { kind: 'nothing', position: to, hasMore }
  const { event, changes } = row
  const body = bodyOf(event, row.at ?? '', printItems(row, row.items))
  return { kind: 'message', message: { ...of, event, body, changes, to, hasMore } }
}

const RESET_SENTENCE =
  'The sequence of changes begins anew, because the database was restored or copied. Discard what you hold: everything follows.'

/** `at` is that of the newest change, so that the body depends on nothing but what is stored. */
function bodyOf(event: Event, at: string, items: string): string {
  return `{"type":"${event}","timestamp":"${instantFrom(at, 3)}","data":{"changes":[${items}]}}`
}

function printItems({ event, is_thin }: Row, items: string): string {
  if (event === 'grant.changed') return items.split(READING_END).join()
  const printed = is_thin ? printChanges(items, printThin) : printChanges(items)
  return printed.map(({ json }) => json).join()
}

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

/** SQL: whether a value is among those of a list of the endpoint, which PostgreSQL hashes once; null is all. */
const isAmong = (value: string, list: string) =>
  `((select ${list} from endpoint) is null or ${value} in (select unnest(${list}) from endpoint))`

/** SQL: whether the endpoint gets a change of its patient. */
const isFor = (event: Event) => `${isOurs('$5')}
          and '${event}' = any ((select events from endpoint)::text[])
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
        ${when(`${isFor('readings.changed')} and ${isAmong('reading_type', 'reading_types')}`, READING_CHANGE)} as item`,
      },
      {
        table: 'casesheet.erasure_notices',
        id: 'erasure_id',
        columns: `'patient.erased', null, null, at, ${when(isFor('patient.erased'), ERASURE_CHANGE)}`,
      },
      {
        table: 'casesheet.grants',
        id: 'grant_id',
        columns: `'grant.changed', patient_uid, null, changed_at, ${when(isFor('grant.changed'), GRANT_CHANGE)}`,
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
const REPORTED_READINGS = `unnest($12::text[], $13::timestamptz[], $14::uuid[], $15::xid8[]) as key (key_patient, key_instant, key_id, key_xid)
      cross join lateral (
        select patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, changed_xid,
          withdrawn_at, withdrawn_by, withdrawn_as, withdrawn_reason
        from casesheet.readings
        where patient_uid = key_patient
          and measured_at = key_instant
          and reading_id = key_id
          and changed_xid = key_xid
      ) as reading`

/** SQL: up to where the page may go. `isBounded`: if nothing more was found, everything up to there is done. */
type Bounds = { xid: string; id: string; isBounded: string; condition: string }

const nextMessage = (readings: string, end: Bounds) => `
  with endpoint as materialized (
    select endpoint_id, url, is_thin, events, reading_types, patient_uids, secret,
      case when previous_until > now() then previous_secret end as previous_secret,
      failures, replays, page_xid, page_id, followers.generation, followers.xid, followers.id
    from casesheet.followers
    join webhooks.endpoints on endpoint_id = $3::uuid
    where followers.name = $1
      and held_by = $2::uuid
      and state = 'active'
      and next_attempt_at <= now()
  ), place as materialized (
    select endpoint.xid, endpoint.id, feed.generation as feed_generation, page_xid is not null as is_repeated,
      ${end.xid} as end_xid, ${end.id} as end_id, ${end.isBounded} as is_bounded,
      endpoint.generation = feed.generation as is_same_generation,
      ${IS_OF_THIS_DATABASE} as is_of_this_database
    from endpoint
    cross join casesheet.feed
    cross join (select pg_current_wal_insert_lsn() as lsn) as now
    where ${isStillServed('$4')}
      and ${end.condition}
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
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select read_of, 'webhooks', (select reading_types from endpoint),
      -- A page of grants has no range.
      coalesce(min(measured_at), '-infinity'), coalesce(max(measured_at), 'infinity'),
      $3::text, 0, $6::text, 'service', count(*) filter (where event = 'readings.changed')
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
  )
  select url, is_thin, secret, previous_secret, failures, replays, is_of_this_database, endpoint.generation, feed_generation,
    place.xid, place.id, reached.xid as to_xid, reached.id as to_id, event, items, shown::integer as changes, at::text as at,
    has_more or is_repeated as has_more, now()::text as read_at
  from endpoint, place, reached, found`

const BY_WALKING = nextMessage('casesheet.readings', {
  xid: 'coalesce(page_xid, pg_snapshot_xmin(pg_current_snapshot()))',
  id: `coalesce(page_id, '${LOWEST_ID}')`,
  isBounded: 'page_xid is not null',
  condition: 'true',
})

const BY_KEYS = nextMessage(REPORTED_READINGS, {
  xid: '$9::xid8',
  id: '$10::uuid',
  isBounded: 'true',
  condition: `page_xid is null
      and (feed.generation, endpoint.generation, endpoint.replays) = ($7::uuid, $7, $11::integer)
      and ${TIMELINE} = $8::integer
      and (endpoint.xid, endpoint.id) < ($9, $10)`,
})
