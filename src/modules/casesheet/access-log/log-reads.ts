// What was read is logged, and the grant on which it relied is proved, behind the statement that read, on the same connection and
// before any of it leaves. A grant that has ended never returns under its id: one that still holds behind the read held at the read.
//
// A read whose grant has ended is not logged, and what was read for it is thrown away.
import type { QueryResultRow } from 'pg'
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { GrantChanged } from '../grants/reading-grants.ts'
import { isStillGranted, type Reader } from '../reader.ts'

/** What was read of one patient, as the access log says it. */
export type Read = {
  patientUid: string
  operation: string
  readingTypes: readonly string[] | null
  /** As PostgreSQL takes them: instants in RFC 3339, or `-infinity` and `infinity`. */
  from: string
  to: string
  page?: number
  /** All rows of one answer bear the time at which it began; null where it begins with this read. */
  beganAt?: string | null
  reader: Reader
  /** Readings that are shown; null where the read shows nothing and is not logged, but relies on the grant all the same. */
  count: number | null
}

/** Of all time: what was read has no range. */
export const OF_ALL_TIME = { from: '-infinity', to: 'infinity' }

/** What the database says of a read: whether its grant still held, and when it was logged. */
export type Proved = { is_granted: boolean; at: string }

/** The statement with what is logged behind it: `readsOf` its rows, and what of them leaves, given what was proved of each read. */
export function logBehind<Row extends QueryResultRow>(
  statement: Statement,
  readsOf: (rows: Row[]) => Read[],
  answersFrom: (rows: Row[], proved: Proved[]) => QueryResultRow[],
): Statement {
  return {
    ...statement,
    behind: {
      statementFor: (rows) => logStatement(readsOf(rows as Row[])),
      answersFrom: (rows, proved) => answersFrom(rows as Row[], proved as Proved[]),
    },
  }
}

/** For a statement each of whose rows is a read: what was proved of it leaves with it. */
export function logEach(
  statement: Statement,
  readOf: (row: QueryResultRow, index: number) => Read,
): Statement {
  return logBehind(
    statement,
    (rows) => rows.map(readOf),
    (rows, proved) => rows.map((row, index) => Object.assign(row, proved[index])),
  )
}

/** The rows of a statement that reads one patient; refuses them where the grant no longer holds. */
export async function queryLogged<Row extends QueryResultRow>(
  db: Db,
  statement: Statement,
  read: Read,
): Promise<Row[]> {
  let isGranted = false
  const logged = logBehind<Row>(
    statement,
    () => [read],
    (rows, [proved]) => {
      isGranted = proved?.is_granted === true
      return rows
    },
  )
  const rows = await db.query<Row>(logged, { subject: read.reader.readBy })
  if (!isGranted) throw new GrantChanged()
  return rows
}

/** A row of the access log where nothing was read: the database stopped, or the grant holds none of the types. */
export async function logRead(db: Db, read: Read): Promise<void> {
  const [proved] = await db.query<Proved>(logStatement([read]), { subject: read.reader.readBy })
  if (!proved?.is_granted) throw new GrantChanged()
}

type Value = string | number | null

const COLUMNS: readonly (readonly [name: string, type: string, of: (read: Read) => Value])[] = [
  ['patient_uid', 'text', ({ patientUid }) => patientUid],
  ['began_at', 'timestamptz', ({ beganAt = null }) => beganAt],
  ['operation', 'text', ({ operation }) => operation],
  // Types hold no comma; an array of arrays could not be taken apart again.
  ['reading_types', 'text', ({ readingTypes }) => readingTypes?.join() ?? null],
  ['range_from', 'timestamptz', ({ from }) => from],
  ['range_to', 'timestamptz', ({ to }) => to],
  ['page', 'integer', ({ page = 0 }) => page],
  ['request_id', 'text', ({ reader }) => reader.requestId],
  ['read_by', 'text', ({ reader }) => reader.readBy],
  ['allowed_as', 'text', ({ reader }) => reader.allowedAs],
  ['doctor_id', 'text', ({ reader }) => reader.doctorId],
  ['reason', 'text', ({ reader }) => reader.reason],
  ['grant_id', 'uuid', ({ reader }) => reader.grantId],
  ['readings_count', 'integer', ({ count }) => count],
]

function logStatement(reads: readonly Read[]): Statement {
  const values = COLUMNS.map(([, type, of]) =>
    type === 'text'
      ? textArray(reads.map((read) => of(read) as string | null))
      : plainArray(reads.map((read) => of(read))),
  )
  return { name: 'log-reads', text: LOG_READS, values }
}

const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
const NAMES = COLUMNS.map(([name]) => name).join(', ')

const LOG_READS = `
  with proved as materialized (
    select read.*, ${isStillGranted('read')} as is_granted
    from unnest(${ARRAYS}) with ordinality as read (${NAMES}, number)
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, at, operation, reading_types, range_from, range_to, page, request_id, read_by, allowed_as, doctor_id, reason, readings_count)
    select patient_uid, coalesce(began_at, now()), operation, string_to_array(reading_types, ','), range_from, range_to, page, request_id, read_by,
      allowed_as, doctor_id, reason, readings_count
    from proved
    where is_granted
      and readings_count is not null
  )
  select is_granted, now()::text as at
  from proved
  order by number`
