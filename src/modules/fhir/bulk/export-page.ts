// A page of a file of an export, and the rows of the access log, in one statement: no reading leaves before it is committed who read it.
//
// A file is a partition of the readings, walked along an index in pages. Between two pages nothing is held in the database: no
// transaction, no cursor, no connection. A page is bounded in readings that were looked at, and in bytes as pages of readings/get are
// (cut-page.ts).
//
// - The whole of a partition is walked by patient: each patient is in one place, and gets one row a page. The place of a reading in this
//   order never changes, so each is met once.
// - What changed since another export is walked by change, as the feed is. A reading that is corrected after it was given is met again at
//   its new place; one that was not given yet is met there alone. The walk goes on to the last change of all.
import type { Db } from '../../../db/db.ts'
import {
  charOf,
  DETAILS_WITH_WITHDRAWN,
  FIELD_END,
  LISTED_COLUMNS,
  READING_END,
} from '../../casesheet/get/print-readings.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { EXPORT, type ExportState, type Named, PARTITIONS } from './export.ts'

const MAX_WALKED = 1_000
const PART_BYTES = 512
const MAX_PARTS = 2_048

export type Walk = 'by-patient' | 'by-change' | 'erasures'

/** Where a walk has come to: the values of its key. */
export type Position = string[]

/** The rows of a patient that go over several pages are of one entry of the access log: the patient, its time, and how many there are. */
export type Entry = { patientUid: string; at: string; pages: number }

export type PageRequest = Named & {
  walk: Walk
  partition: number
  after: Position
  entry: Entry | undefined
  requestId: string
}

export type Page = ExportState & {
  at: string
  items: string | null
  shown: number
  last: Position | null
  /** Whether the last patient of a walk by patient has a row in the access log for this page. */
  is_last_logged: boolean
  patients: number
  has_more: boolean
}

const KEYS: Record<Walk, readonly (readonly [column: string, type: string])[]> = {
  'by-patient': [
    ['patient_uid', 'text'],
    ['measured_at', 'timestamptz'],
    ['reading_id', 'uuid'],
  ],
  'by-change': [
    ['changed_xid', 'xid8'],
    ['reading_id', 'uuid'],
  ],
  erasures: [
    ['changed_xid', 'xid8'],
    ['erasure_id', 'uuid'],
  ],
}

/** Before the first of a walk; `sinceXid` is the first transaction that may matter. */
export function startOf(walk: Walk, sinceXid: string): Position {
  return walk === 'by-patient' ? ['', '-infinity', LOWEST_ID] : [sinceXid, LOWEST_ID]
}

/** Undefined where there is no such export any more. It is a statement of the server itself: one that has begun keeps its place. */
export async function readExportPage(db: Db, request: PageRequest): Promise<Page | undefined> {
  const { exportId, subject, walk, partition, after, entry, requestId } = request
  const log = walk === 'erasures' ? [] : [requestId]
  const continued =
    walk === 'by-patient' ? [entry?.patientUid ?? null, entry?.at ?? null, entry?.pages ?? null] : []
  const [page] = await db.query<Page>(
    {
      name: `read-export-${walk}-${partition}`,
      text: TEXT_OF[walk][partition] ?? '',
      values: [exportId, subject, ...after, ...log, ...continued],
    },
    { on: 'feed' },
  )
  return page
}

const ofExport = (column: string) => `(select ${column} from export)`

/** SQL: whether a row is of a patient of the export, was changed since, and is shown by its snapshot. */
const belongs = ({ orIsShown, orIsLater }: { orIsShown: string; orIsLater: string }) => `(
          (${ofExport('slots')} = '{[0,4096)}' or ${ofExport('slots')} @> casesheet.slot_of(patient_uid))
          and (
            ${ofExport('since_snapshot')} is null
            or not pg_visible_in_snapshot(changed_xid, ${ofExport('since_snapshot')})
          )
          and (pg_visible_in_snapshot(changed_xid, ${ofExport('snapshot')})${orIsShown})
          and (${ofExport('changed_from')} is null or ${orIsLater})
        )`

/** SQL: whether a reading has corrections. An aggregate, because `exists` may be planned as one look at all of them. */
const hasCorrections = (partition: number, condition = '') => `(
              select count(*) > 0
              from casesheet.corrections
              where corrections.patient_uid = readings_${partition}.patient_uid
                and corrections.measured_at = readings_${partition}.measured_at
                and corrections.reading_id = readings_${partition}.reading_id${condition}
            )`

const readingBelongs = (partition: number) =>
  belongs({
    orIsShown: `
            or received_at <= ${ofExport('transaction_time')}
              and (withdrawn_at is not null or ${hasCorrections(partition)})`,
    orIsLater: `greatest(received_at, withdrawn_at) >= ${ofExport('changed_from')}
            or ${hasCorrections(partition, `\n                and corrections.at >= ${ofExport('changed_from')}`)}`,
  })

/** SQL: whether an erasure belongs to the export. Its patient is known while it is announced. */
export const ERASURE_BELONGS = `patient_uid is not null and ${belongs({
  orIsShown: '',
  orIsLater: `at >= ${ofExport('changed_from')}`,
})}`

const LISTED = `concat_ws(${charOf(FIELD_END)}, to_json(patient_uid), ${LISTED_COLUMNS}, ${DETAILS_WITH_WITHDRAWN})`

function sourceOf(walk: Walk, partition: number) {
  return walk === 'erasures'
    ? {
        table: 'casesheet.erasure_notices',
        item: `case when ${ERASURE_BELONGS} then to_json(patient_uid)::text end`,
      }
    : {
        table: `casesheet.readings_${partition}`,
        item: `case when ${readingBelongs(partition)} then ${LISTED} end`,
      }
}

/** SQL: the rows of the access log. A patient who was on the page before goes on in the same entry. */
function logged(walk: Walk, first: number): string {
  if (walk === 'erasures') return ''
  const isContinued = `patient_uid = $${first + 1}::text`
  const [at, page] =
    walk === 'by-patient'
      ? [
          `case when ${isContinued} then $${first + 2}::timestamptz else now() end`,
          `case when ${isContinued} then $${first + 3}::integer else 0 end`,
        ]
      : ['now()', '0']
  return `, logged as (
    insert into casesheet.access_log
      (patient_uid, at, operation, range_from, range_to, request_id, page, read_by, allowed_as, reason, readings_count)
    select patient_uid, ${at}, 'fhir/export', '-infinity', 'infinity', $${first}::text, ${page}, $2, ${ofExport('allowed_as')},
      ${ofExport('reason')}, count(*)
    from page
    where item is not null
    group by patient_uid
  )`
}

function textOf(walk: Walk, partition: number): string {
  const keys = KEYS[walk]
  const key = keys.map(([column]) => column).join(', ')
  const after = keys.map(([, type], index) => `$${index + 3}::${type}`).join(', ')
  const { table, item } = sourceOf(walk, partition)
  return `
  with export as materialized (
    ${EXPORT}
  ), walked as (
    select patient_uid, ${key.replace('patient_uid, ', '')}, ${item} as item
    from ${table}
    where (${key}) > (${after})
      and (select is_of_this_history and is_served from export)
    order by ${key}
    limit ${MAX_WALKED}
  ), parts as (
    select patient_uid, ${key.replace('patient_uid, ', '')}, item, parts, generate_series(1, parts) as part
    from (
      select *, least(1 + coalesce(octet_length(item), 0) / ${PART_BYTES}, ${MAX_PARTS}) as parts
      from walked
      offset 0
    ) as measured
    limit ${MAX_PARTS} + 1
  ), page as materialized (
    select *
    from (
      select *, row_number() over in_order as nth, sum(parts) over in_order as parts_so_far
      from parts
      where part = parts
      window in_order as (order by ${key})
    ) as ended
    where parts_so_far <= ${MAX_PARTS}
  )${logged(walk, keys.length + 3)}
  select is_of_this_history, is_served, is_perhaps_served, now()::text as at,
    (select string_agg(item, ${charOf(READING_END)} order by nth) from page) as items,
    (select count(item)::integer from page) as shown,
    (select count(distinct patient_uid)::integer from page where item is not null) as patients,
    last.key as last,
    coalesce((select bool_or(item is not null) from page where page.patient_uid = last.patient_uid), false) as is_last_logged,
    (select count(*) from page) = ${MAX_WALKED} or (select count(*) from parts where part = 1) > (select count(*) from page) as has_more
  from export
  left join (
    select patient_uid, array[${keys.map(([column]) => `${column}::text`).join(', ')}] as key
    from page
    order by nth desc
    limit 1
  ) as last on true`
}

const textsOf = (walk: Walk, files = PARTITIONS) =>
  Array.from({ length: files }, (_, partition) => textOf(walk, partition))

const TEXT_OF: Record<Walk, string[]> = {
  'by-patient': textsOf('by-patient'),
  'by-change': textsOf('by-change'),
  erasures: textsOf('erasures', 1),
}
