// Pages of a patient's readings by when they were received or last withdrawn or restored. A page goes through as many readings as it may hold, so that it costs the same however long the history is; those of
// other types, or withdrawn ones, are walked over. So a page may be empty although there are more.
//
// The times are those at which transactions began: a reading may become visible a little after a later one. Who must miss nothing
// follows readings/changes.
import { plainArray, textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import type { Reads } from '../access-log/access-entry.ts'
import { logEach, OF_ALL_TIME, type Proved, type Read } from '../access-log/log-reads.ts'
import { instantFrom } from '../epoch-time.ts'
import { typesFor } from '../grants/limited-to.ts'
import { mustStillBeGranted } from '../grants/reading-grants.ts'
import type { Reader } from '../reader.ts'
import { HIGHEST_ID, LOWEST_ID } from '../reading-id.ts'
import { cutPage, PART_BYTES } from './cut-page.ts'
import {
  DETAILS_WITH_CORRECTIONS,
  FIELD_END,
  type ListedReading,
  READING_END,
  readingsIn,
} from './print-readings.ts'
import type { Withdrawn } from './range.ts'

const MAX_BYTES = 128 * 1_024
const MAX_WEIGHT = 8_192
const MAX_IN_FLIGHT = 1

/** After which reading a page begins: when it was updated, in RFC 3339 to the microsecond. */
export type UpdatedPosition = { updatedAt: string; readingId: string }

export type UpdatedRequest = {
  patientUid: string
  /** RFC 3339, both included; undefined where it is open. */
  from: string | undefined
  to: string | undefined
  readingTypes: string[] | null
  order: 'asc' | 'desc'
  withdrawn: Withdrawn
  after: UpdatedPosition | null
  reader: Reader
  page: number
  beganAt: string | null
  /** Readings that are gone through. */
  size: number
}

export type UpdatedPage = { readings: ListedReading[]; next: UpdatedPosition | null; at: string }

type Row = Proved & { walked: number; has_more: boolean; readings: string }

export type ReadUpdated = ReturnType<typeof createReadUpdated>

export function createReadUpdated(db: Db, reads: Reads) {
  const share = (order: UpdatedRequest['order'], withdrawn: Withdrawn) =>
    shareStatements<UpdatedRequest, Row, Row>(db, {
      kind: 'get',
      statementFor: (requests) =>
        logEach(updatedStatement(order, withdrawn, requests), (row, index) =>
          readOf(requests[index] as UpdatedRequest, row as Row),
        ),
      answersFrom: (rows) => rows,
      subjectOf: ({ reader }) => reader.readBy,
      weightOf: () => MAX_BYTES / PART_BYTES,
      hasBegun: ({ page }) => page > 0,
      maxWeight: MAX_WEIGHT,
      maxInFlight: MAX_IN_FLIGHT,
    })
  const ask = {
    asc: { 'left-out': share('asc', 'left-out'), shown: share('asc', 'shown') },
    desc: { 'left-out': share('desc', 'left-out'), shown: share('desc', 'shown') },
  }
  return async (asked: UpdatedRequest, isGone: IsGone): Promise<UpdatedPage> => {
    const request = { ...asked, readingTypes: typesFor(asked.reader, asked.readingTypes) }
    const row = await ask[request.order][request.withdrawn](request, isGone)
    mustStillBeGranted(row)
    const walked = readingsIn(row.readings, row.walked)
    const shown = walked.filter(isWanted)
    reads.rows++
    reads.readings += shown.length
    const last = row.has_more ? walked.at(-1) : undefined
    return {
      readings: shown,
      next: last
        ? { updatedAt: instantFrom(last.updatedAt, 6), readingId: Buffer.from(last.readingId).toString() }
        : null,
      at: row.at,
    }
  }
}

const isWanted = ({ readingType }: ListedReading) => readingType !== ''

/** Its range is that of updates, and the log's is that of measurements. */
function readOf(
  { patientUid, readingTypes, page, beganAt, reader }: UpdatedRequest,
  { readings, walked }: Row,
): Read {
  const listed = readings.split(READING_END).slice(0, walked)
  const count = listed.filter((reading) => !reading.startsWith(FIELD_END)).length
  return { patientUid, operation: 'readings/get', readingTypes, ...OF_ALL_TIME, page, beganAt, reader, count }
}

export function updatedStatement(
  order: UpdatedRequest['order'],
  withdrawn: Withdrawn,
  requests: UpdatedRequest[],
) {
  const bounds = requests.map(boundsOf)
  return {
    name: `read-updated-${order}${withdrawn === 'shown' ? '-with-withdrawn' : ''}`,
    text: TEXT_OF[order][withdrawn],
    values: [
      textArray(requests.map(({ patientUid }) => patientUid)),
      plainArray(bounds.map(({ beginAt }) => beginAt)),
      plainArray(bounds.map(({ beginId }) => beginId)),
      plainArray(bounds.map(({ end }) => end)),
      textArray(requests.map(({ readingTypes }) => readingTypes?.join() ?? null)),
      plainArray(requests.map(({ size }) => size)),
    ],
  }
}

function boundsOf({ from = '-infinity', to = 'infinity', order, after }: UpdatedRequest) {
  const [first, end] = order === 'asc' ? [from, to] : [to, from]
  return {
    beginAt: after?.updatedAt ?? first,
    beginId: after?.readingId ?? (order === 'asc' ? LOWEST_ID : HIGHEST_ID),
    end,
  }
}

const UPDATED_AT = 'coalesce(changed_at, withdrawn_at, received_at)'
const WALK = { asc: { beyond: '>', within: '<=' }, desc: { beyond: '<', within: '>=' } }

// Of one that is walked over, the place is all that leaves the database.
function readingsByUpdate(order: UpdatedRequest['order'], withdrawn: Withdrawn): string {
  const { beyond, within } = WALK[order]
  const isShown = `(asked.reading_types is null or reading_type = any (string_to_array(asked.reading_types, ',')))${
    withdrawn === 'shown' ? '' : ' and withdrawn_by is null'
  }`
  const details = withdrawn === 'shown' ? DETAILS_WITH_CORRECTIONS : 'details::text'
  return `
          select case when ${isShown} then reading_type else '' end as reading_type, sent_timestamp, reading_id, measured_at,
            received_at, ${UPDATED_AT} as changed_at, case when ${isShown} then ${details} else '{}' end as details
          from casesheet.readings
          where patient_uid = asked.patient_uid
            and (${UPDATED_AT}, reading_id) ${beyond} (asked.begin_at, asked.begin_id)
            and ${UPDATED_AT} ${within} asked.end_at
          order by ${UPDATED_AT} ${order}, reading_id ${order}
          limit asked.size + 1
        `
}

const TEXT_OF = {
  asc: { 'left-out': updatedText('asc', 'left-out'), shown: updatedText('asc', 'shown') },
  desc: { 'left-out': updatedText('desc', 'left-out'), shown: updatedText('desc', 'shown') },
}

function updatedText(order: UpdatedRequest['order'], withdrawn: Withdrawn): string {
  const columns = 'begin_at, begin_id, end_at, reading_types, size'
  return `
    with asked as (
      select patient_uid, ${columns}, number, ${MAX_BYTES / PART_BYTES} as budget
      from unnest(
        $1::text[], $2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::text[], $6::integer[]
      ) with ordinality as asked (patient_uid, ${columns}, number)
    )
    select walked, begun > walked as has_more, readings
    from (
      select asked.number, page.begun, page.readings, least(page.begun - page.is_cut::integer, asked.size) as walked
      from asked
      cross join lateral (${cutPage(readingsByUpdate(order, withdrawn))}
      ) as page
    ) as pages
    order by number`
}
