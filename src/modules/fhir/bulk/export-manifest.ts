// The status of an export: what it consists of. Its files exist as soon as it has begun, because they are made when they are read.
import type { Db } from '../../../db/db.ts'
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { EXPORT, type ExportState, mustBeReadable, type Named, PARTITIONS } from './export.ts'
import { ERASURE_BELONGS } from './export-page.ts'

type Row = ExportState & {
  request: string
  at: string
  expires: string
  partitions: number[]
  has_erasures: boolean
}

export type Status = {
  request: string
  transactionTime: string
  expiresAt: Date
  files: string[]
  hasDeleted: boolean
}

/** Undefined while it cannot be said, because patients are perhaps moving to another cell. */
export async function statusOf(db: Db, { exportId, subject }: Named): Promise<Status | undefined> {
  const [row] = await db.query<Row>(
    { name: 'find-export', text: STATUS, values: [exportId, subject] },
    { subject },
  )
  const found = mustBeReadable(row)
  if (!found.is_served) return undefined
  return {
    request: found.request,
    transactionTime: instantFrom(found.at, 3),
    expiresAt: new Date(instantFrom(found.expires, 3)),
    files: found.partitions.map(fileOf),
    hasDeleted: found.has_erasures,
  }
}

export const DELETED_FILE = 'deleted.ndjson'

const fileOf = (partition: number) => `Observation-${partition + 1}.ndjson`

/** The partition of a file; undefined where no file has this name. */
export function partitionOf(file: string): number | undefined {
  const number = Number(/^Observation-([1-9]\d?)\.ndjson$/.exec(file)?.[1])
  return number <= PARTITIONS ? number - 1 : undefined
}

/** Nothing but Observations is exported, and what cannot be exported fails its file. */
export function manifestOf(status: Status, address: string, base: string): string {
  const { request, transactionTime, files, hasDeleted } = status
  const itemOf = (type: string, file: string) => ({ type, url: `${address}/${file}` })
  return JSON.stringify({
    transactionTime,
    request: `${base}${request}`,
    requiresAccessToken: true,
    output: files.map((file) => itemOf('Observation', file)),
    deleted: hasDeleted ? [itemOf('Bundle', DELETED_FILE)] : [],
    error: [],
  })
}

/** SQL: whether a partition has readings that may belong to it, by its index of changes. */
const mayHoldSome = (partition: number) => `(
        select changed_xid
        from casesheet.readings_${partition}
        order by changed_xid desc
        limit 1
      ) >= (select coalesce(pg_snapshot_xmin(since_snapshot), '0') from export)`

const STATUS = `
  with export as materialized (
    ${EXPORT}
  )
  select is_of_this_history, is_served, is_perhaps_served, request, transaction_time::text as at, expires_at::text as expires,
    array(
      select number
      from (values ${Array.from({ length: PARTITIONS }, (_, at) => `(${at}, ${mayHoldSome(at)})`).join()}) as partition (number, has_some)
      where has_some
      order by number
    ) as partitions,
    since is not null and exists (
      select
      from casesheet.erasure_notices
      where ${ERASURE_BELONGS}
    ) as has_erasures
  from export`
