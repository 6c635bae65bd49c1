// Summaries of the readings of a range: statistics here, reports elsewhere. Each is one statement that counts its work, reads,
// summarises and writes the access log. All of them share one queue, whoever makes the statement.
import type { QueryResultRow } from 'pg'
import { textArray } from '../../../db/array.ts'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import { isCancelled } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import type { Statement } from '../../../db/statement.ts'
import { codeOf } from '../../../error-code.ts'
import { type Refusal, refuseFields } from '../../../refusal.ts'
import { countReads } from '../access-log/access-entry.ts'
import { instantOf } from '../epoch-time.ts'
import { mustStillBeGranted } from '../grants/reading-grants.ts'
import {
  LOGGED_READER,
  patientIfGranted,
  READER_COLUMNS,
  type Reader,
  readerArrays,
  readerValues,
} from '../reader.ts'
import { notATimeZone } from './buckets.ts'

/** What is summarised, and for whom. */
export type Summary = {
  patientUid: string
  /** Only types that the grant holds; null for all. */
  readingTypes: string[] | null
  from: number
  to: number
  reader: Reader
}

export type SummaryRow = QueryResultRow & { is_granted: boolean; looked_at: number; is_too_much: boolean }

type Queued = Summary & { statement: Statement }

// Summaries take longer than anything else here, so each goes alone, one at a time: of two connections that leaves one to
// corrections, grants and the access log. A pool of fewer than ten connections has one for both.
const MAX_IN_FLIGHT = 1

export type Summaries = ReturnType<typeof createSummaries>

/** Made once for a process. Returns how an operation asks for its summaries. */
export function createSummaries(db: Db) {
  const ask = shareStatements<Queued, SummaryRow, SummaryRow>(db, {
    kind: 'statistics',
    on: 'other',
    statementFor: ([queued]) => (queued as Queued).statement,
    answersFrom: (rows) => rows,
    subjectOf: ({ reader }) => reader.readBy,
    maxOfSubject: MAX_OF_SUBJECT,
    weightOf: () => 1,
    isPermanent: isCancelled,
    maxWeight: 1,
    maxInFlight: MAX_IN_FLIGHT,
  })

  return (operation: string) => {
    const reads = countReads(db.metrics, operation)

    async function summarise<Row extends SummaryRow>(
      summary: Summary,
      statement: Statement,
      isGone: IsGone,
    ): Promise<Row> {
      const answer = await ask({ ...summary, statement }, isGone).catch((error: Error) =>
        refuse(error, summary),
      )
      mustStillBeGranted(answer)
      reads.rows++
      reads.readings += answer.looked_at
      if (answer.is_too_much) throw tooMuchWork()
      return answer as Row
    }

    /** Writes the access log without looking at any reading: where the grant holds none of the types. */
    async function logNothing(summary: Summary) {
      const statement = loggedStatement(operation, summary)
      const rows = await db.query<{ is_granted: boolean }>(statement, { subject: summary.reader.readBy })
      rows.forEach(mustStillBeGranted)
      reads.rows++
    }

    /** There may be a zone that Node knows and an older PostgreSQL does not, and a database too slow for this much work. */
    async function refuse(error: Error, summary: Summary): Promise<never> {
      if (isCancelled(error)) {
        await logNothing(summary)
        throw tooMuchWork()
      }
      throw codeOf(error) === '22023' ? notATimeZone() : error
    }

    return { summarise, logNothing }
  }
}

// Not `Overloaded`: the same request would cost as much the next time.
function tooMuchWork(): Refusal {
  const message = 'must be nearer to from: this range holds more readings than one request may summarise'
  return refuseFields([{ pointer: '/to', message }])
}

/** SQL: the reader, with the patient where the grant still holds. */
export function askedBy(firstOfReader: number): string {
  return `
      select ${patientIfGranted('asked')} as patient_uid, ${READER_COLUMNS}
      from unnest(array[$1::text], ${readerArrays(firstOfReader)}) as asked (patient_uid, ${READER_COLUMNS})`
}

/** SQL: the access-log row of a summary from $3 to $4, with as many readings as this expression over `sources` counts. */
export function logSummary(
  operation: string,
  { types, readings, sources }: { types: string; readings: string; sources: string },
): string {
  return `
      insert into casesheet.access_log
        (patient_uid, operation, reading_types, range_from, range_to, page, ${LOGGED_READER}, readings_count)
      select patient_uid, '${operation}', ${types}, $3::timestamptz, $4::timestamptz, 0, ${LOGGED_READER}, ${readings}
      from ${sources}
      where patient_uid is not null`
}

/**
 * The access-log row without a summary: the database stopped it, and how many readings it had looked at is not known;
 * or the grant does not hold the type, and none was looked at.
 */
function loggedStatement(operation: string, summary: Summary): Statement {
  const { patientUid, readingTypes, from, to, reader } = summary
  return {
    name: `log-${operation.replace('/', '-')}`,
    text: `
      with asked as materialized (${askedBy(5)}
      ), logged as (${logSummary(operation, { types: '$2::text[]', readings: '0', sources: 'asked' })}
      )
      select patient_uid is not null as is_granted
      from asked`,
    values: [
      patientUid,
      readingTypes && textArray(readingTypes),
      instantOf(from),
      instantOf(to),
      ...readerValues([reader]),
    ],
  }
}
