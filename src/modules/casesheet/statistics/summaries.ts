// Summaries of the readings of a range: statistics here, reports elsewhere. Each is one statement that counts its work and reads, and a
// function that makes a summary of what was read; the row of the access log is written behind the statement. All of them share one queue,
// whoever makes the statement.
import type { QueryResultRow } from 'pg'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import { isCancelled } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { MAX_OF_SUBJECT } from '../../../db/open-of-subject.ts'
import type { Statement } from '../../../db/statement.ts'
import { codeOf } from '../../../error-code.ts'
import { type Refusal, refuseFields } from '../../../refusal.ts'
import { countReads } from '../access-log/access-entry.ts'
import { logEach, logRead, type Proved, type Read } from '../access-log/log-reads.ts'
import { instantOf } from '../epoch-time.ts'
import { mustStillBeGranted } from '../grants/reading-grants.ts'
import type { Reader } from '../reader.ts'
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

export type SummaryRow = QueryResultRow & { looked_at: number; is_too_much: boolean }

type Queued = Summary & { statement: Statement }

// Summaries take longer than anything else here, so each goes alone, one at a time: of two connections that leaves one to
// corrections, grants and the access log. A pool of fewer than ten connections has one for both.
const MAX_IN_FLIGHT = 1

export type Summaries = ReturnType<typeof createSummaries>

/** Made once for a process. Returns how an operation asks for its summaries. */
export function createSummaries(db: Db) {
  // What a statement brings is up to 24 MB: it waits, and the next statement with it, until the one before it is summarised.
  let made: Promise<unknown> = Promise.resolve()
  const attempt: Db['attempt'] = async (...asked) => {
    const outcome = await db.attempt<never>(...asked)
    await made
    return outcome
  }
  const ask = shareStatements<Queued, SummaryRow & Proved, SummaryRow & Proved>(
    { ...db, attempt },
    {
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
    },
  )

  return (operation: string) => {
    const reads = countReads(db.metrics, operation)

    async function summarise<Made>(
      summary: Summary,
      statement: Statement,
      isGone: IsGone,
      make: (row: SummaryRow) => Promise<Made>,
    ): Promise<Made> {
      const logged = logEach(statement, (row) => readOf(summary, (row as SummaryRow).looked_at))
      const answer = await ask({ ...summary, statement: logged }, isGone).catch((error: Error) =>
        refuse(error, summary),
      )
      mustStillBeGranted(answer)
      reads.rows++
      reads.readings += answer.looked_at
      if (answer.is_too_much) throw tooMuchWork()
      const making = make(answer)
      made = making.catch(() => {})
      return making
    }

    /** Writes the access log without looking at any reading: where the grant holds none of the types. */
    async function logNothing(summary: Summary) {
      await logRead(db, readOf(summary, 0))
      reads.rows++
    }

    function readOf({ patientUid, readingTypes, from, to, reader }: Summary, count: number): Read {
      return { patientUid, operation, readingTypes, from: instantOf(from), to: instantOf(to), reader, count }
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
