// A page of the sequence of changes, its access-log rows and the mark that it was delivered, in one statement.
//
// Why nothing can appear behind a cursor. Each row keeps the id of the transaction that changed it last (`changed_xid`), and a
// page ends below `pg_snapshot_xmin` of its own snapshot: the oldest transaction that is still running. Every transaction
// below that has ended: what it committed is visible in this snapshot, and it can change nothing more. Every transaction that
// is running now, or begins later, has a higher id. A sequence or a clock could not promise that: a later number may commit
// before an earlier one. A change may get a lower id than an earlier one of the same reading, when its transaction began
// before; but then nothing from that id on had been delivered yet.
//
// What delays it: any transaction with an id that stays open, in any database of the cluster (an erasure, an import, a session
// left idle after a write, a prepared transaction). Transactions that only read have no id. A commit that waits for its
// standby counts as running until the standby has it.
//
// What a failover may undo. The page's own commit waits for the standby as adds do, so that all it shows is there too when it
// is sent. The cursor stands at the last change delivered, never at the horizon: ids above it that were used on the lost
// primary may be used again. Only the first page has a cursor without a change, and it writes a row, so that its own id, which
// is no lower than the horizon, is known to the standby.
//
// What a restore may undo. `casesheet.feed_deliveries` holds how far in the WAL, on which timeline, each reader was
// served. A cursor whose page is not covered there was served from a history that no longer exists, and is refused. So is a
// cursor of another generation: that of a database into which the tables were copied.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { countReads } from '../../casesheet/access-log/access-entry.ts'
import { charOf, READING_END } from '../../casesheet/get/print-readings.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { countDelivered } from './count-delivered.ts'
import type { FeedDelay, Horizon } from './feed-delay.ts'
import { HAS_IDS_OF_ANOTHER_CLUSTER, IS_OF_THIS_DATABASE } from './feed-identity.ts'
import type { FeedPosition } from './feed-position.ts'
import { pageOfChanges } from './page-of-changes.ts'
import { ERASURE_CHANGE, printChanges, READING_CHANGE } from './print-changes.ts'

/** From which place a page is read: behind a cursor's, from the first change on, or from now on. */
export type Start = FeedPosition | 'beginning' | 'now'

/** `readingTypes` are those of the readings that are shown; null for all. Erasures always are. */
export type ChangesRequest = {
  start: Start
  limit: number
  readingTypes: string[] | null
  readBy: string
  requestId: string
}

/** `items` are printed as JSON, with commas between them. */
export type ChangesPage = { items: string; count: number; hasMore: boolean; position: FeedPosition }

const PART_BYTES = 512
const MAX_PARTS = 2_048

type Row = Horizon & {
  is_of_this_database: boolean
  is_covered: boolean
  lsn: string
  xid: string
  id: string
  items: string | null
  /** The last change of the page, shown or not. */
  last_xid: string | null
  last_id: string | null
  has_more: boolean
}

export function createReadChanges(db: Db, delay: FeedDelay) {
  const reads = countReads(db.metrics, 'readings/changes')
  const delivered = countDelivered(db.metrics, 'readings/changes')
  return async (request: ChangesRequest, withinMs = db.deadlineMs): Promise<ChangesPage | 'lost'> => {
    const [row] = await db.query<Row>(changesStatement(request), { on: 'feed', withinMs })
    if (!row?.is_of_this_database)
      throw new Error(
        'The tables were copied from another database, and "rounds migrate" has not been run since.',
      )
    delay.note(row)
    if (!row.is_covered) return 'lost'
    const { generation, timeline, lsn } = row
    const changes = printChanges(row.items)
    const readings = changes.filter(({ state }) => state !== 'erased')
    reads.rows += new Set(readings.map(({ patientUid }) => patientUid)).size
    reads.readings += readings.length
    delivered.changes += changes.length
    const position =
      row.last_xid !== null && row.last_id !== null
        ? { generation, timeline, lsn, xid: row.last_xid, id: row.last_id }
        : positionWithout(request.start, row)
    return {
      items: changes.map(({ json }) => json).join(),
      count: changes.length,
      hasMore: row.has_more,
      position,
    }
  }
}

/** Where there was no change, a cursor stays as it is: it is covered by the page that it came from. */
function positionWithout(start: Start, { generation, timeline, lsn, xid, id }: Row): FeedPosition {
  return typeof start === 'object' ? start : { generation, timeline, lsn, xid, id }
}

export function changesStatement({ start, limit, readingTypes, readBy, requestId }: ChangesRequest) {
  const after = typeof start === 'object' ? start : undefined
  return {
    ...(start === 'beginning' ? FROM_BEGINNING : GOING_ON),
    values: [
      limit,
      readBy,
      requestId,
      start === 'now',
      after?.generation ?? null,
      after?.timeline ?? null,
      after?.lsn ?? null,
      after?.xid ?? '0',
      after?.id ?? LOWEST_ID,
      readingTypes && textArray(readingTypes),
    ],
  }
}

/** SQL: whether a reading is shown. Those that are not are walked over, so that a page costs the same whatever is asked for. */
const IS_SHOWN = '($10::text[] is null or reading_type = any ($10))'

/** SQL: the timeline on which `lsn` was written. */
export const TIMELINE = `('x' || substr(pg_walfile_name(lsn), 1, 8))::bit(32)::integer`

const changesText = (hasForeignIds: string) => `
  with feed as materialized (
    select generation, pg_current_wal_insert_lsn() as lsn, pg_snapshot_xmin(pg_current_snapshot()) as horizon,
      pg_snapshot_xmax(pg_current_snapshot()) as next_xid,
      ${IS_OF_THIS_DATABASE}
        and not ${hasForeignIds} as is_of_this_database
    from casesheet.feed
  ), place as materialized (
    select generation, lsn, horizon, next_xid, is_of_this_database,
      ${TIMELINE} as timeline,
      $5::uuid is null or generation = $5 and exists (
        select
        from casesheet.feed_deliveries
        where feed_deliveries.timeline = $6::integer
          and feed_deliveries.lsn >= $7::pg_lsn
      ) as is_covered,
      case when $4::boolean then horizon else $8::xid8 end as xid,
      $9::uuid as id
    from feed
  ), ${pageOfChanges({
    sources: [
      {
        table: 'casesheet.readings',
        id: 'reading_id',
        columns: `case when ${IS_SHOWN} then patient_uid end as read_of, measured_at, case when ${IS_SHOWN} then ${READING_CHANGE} end as item`,
      },
      {
        table: 'casesheet.erasure_notices',
        id: 'erasure_id',
        columns: `null, null, ${ERASURE_CHANGE}`,
      },
    ],
    names: 'read_of, measured_at',
    upTo: () => 'changed_xid < (select horizon from place)',
    if: 'is_of_this_database and is_covered',
    limit: '$1::integer',
    partBytes: PART_BYTES,
    maxParts: MAX_PARTS,
  })}, page as materialized (
    select *
    from whole
    where nth <= $1::integer
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, request_id, page, read_by, allowed_as, readings_count)
    select read_of, 'readings/changes', $10, min(measured_at), max(measured_at), $3::text, 0, $2::text, 'service', count(*)
    from page
    where read_of is not null
    group by read_of
  ), delivered as (
    insert into casesheet.feed_deliveries (timeline, read_by, lsn)
    select timeline, $2, lsn
    from place
    where is_of_this_database
      and is_covered
      and ($5 is null or exists (select from page))
    on conflict (timeline, read_by) do update
    set lsn = greatest(feed_deliveries.lsn, excluded.lsn)
  )
  select is_of_this_database, is_covered, generation, timeline, lsn, xid, place.id, horizon, next_xid,
    (select string_agg(item, ${charOf(READING_END)} order by nth) from page) as items,
    last.changed_xid as last_xid, last.id as last_id,
    (select count(*) from parts where part = 1) > (select count(*) from page) as has_more
  from place
  left join (select changed_xid, id from page order by nth desc limit 1) as last on true`

const GOING_ON = { name: 'read-changes', text: changesText('false') }
// A consumer that begins would not see readings whose ids are still to come. Once is enough, and costs it a third of a page.
const FROM_BEGINNING = { name: 'read-first-changes', text: changesText(HAS_IDS_OF_ANOTHER_CLUSTER) }
