// GET readings/statistics: what the readings of one type amount to in each hour, day, week or month of a local calendar.
// The database does all of it in one statement, which also writes the access log.
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import { codeOf } from '../../../db/database-errors.ts'
import type { Db } from '../../../db/db.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { countReads } from '../access-log/count-reads.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'
import { unitMeantBy } from '../catalogue/unit-spellings.ts'
import type { Unit } from '../catalogue/units.ts'
import { microsecondsOf } from '../epoch-time.ts'
import type { Reader } from '../get/read-page.ts'
import { MAX_FIELDS } from './bucket-summaries.ts'
import { type Bucket, mustBeFewBuckets, mustBeTimeZone, notATimeZone } from './buckets.ts'
import { printBuckets } from './print-statistics.ts'
import type { StatisticsQuery } from './statistics-contract.ts'
import {
  type Measured,
  type StatisticsRequest,
  type StatisticsRow,
  statisticsStatement,
  stoppedStatement,
} from './statistics-statement.ts'

// Statistics take longer than anything else here, so each goes alone, one at a time: of two
// connections that leaves one to the access log. A pool of fewer than ten connections has one for both.
const LANES = 1

export function createReadingStatistics(db: Db) {
  const reads = countReads(db.metrics, 'readings/statistics')
  const ask = shareStatements<StatisticsRequest, StatisticsRow, StatisticsRow>(db, {
    kind: 'statistics',
    on: 'other',
    statementFor: ([request]) => statisticsStatement(request as StatisticsRequest),
    answersFrom: (rows) => rows,
    weightOf: () => 1,
    isHopeless: wasStopped,
    maxWeight: 1,
    lanes: LANES,
  })
  return async (
    query: StatisticsQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<string> => {
    const request = { ...requestOf(query), reader }
    const row = await ask(request, isGone).catch((error: Error) => refuse(error, request))
    reads.rows++
    reads.readings += row.looked_at
    if (row.is_too_much) throw tooMuchWork()
    if (row.has_too_many_fields) {
      const message = `must be one whose readings have at most ${MAX_FIELDS} fields that are numbers`
      throw refuseFields([{ pointer: '/readingType', message }])
    }
    if (row.buckets === null) throw tooLongAnswer(request.bucket)
    const head = '{"code":"Ok","message":"Statistics obtained successfully.","data":['
    return `${head}${printBuckets(row.buckets, row.last_end)}],"units":${JSON.stringify(unitsOf(request.measured))}}`
  }

  /** There may be a zone that Node knows and an older PostgreSQL does not, and a database too slow for this much work. */
  async function refuse(error: Error, request: StatisticsRequest): Promise<never> {
    if (wasStopped(error)) {
      await db.query(stoppedStatement(request))
      reads.rows++
      throw tooMuchWork()
    }
    throw codeOf(error) === '22023' ? notATimeZone() : error
  }
}

/** Whether the server stopped the statement, because it took longer than any may. */
function wasStopped(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014'
}

// Not `Overloaded`: the same request would cost as much the next time.
function tooMuchWork(): Refusal {
  const message = 'must be nearer to from: this range holds more than one request may summarise'
  return refuseFields([{ pointer: '/to', message }])
}

function tooLongAnswer(bucket: Bucket): Refusal {
  const reason = 'the answer would take more than 2 MB'
  return refuseFields([
    bucket === 'month'
      ? { pointer: '/to', message: `must be nearer to from: ${reason}` }
      : { pointer: '/bucket', message: `must be larger, or to nearer to from: ${reason}` },
  ])
}

function requestOf(query: StatisticsQuery & { patientUid: string }) {
  const { bucket = 'day', timeZone = 'UTC', from, to } = query
  const [begin, end] = [microsecondsOf(from), microsecondsOf(to)]
  if (begin > end) throw new Refusal('InvalidRange', 'from must not be after to.')
  const measured = measuredIn(query)
  mustBeTimeZone(timeZone)
  const span = { fromMs: Number(begin / 1_000n), toMs: Number(end / 1_000n), timeZone }
  const buckets = mustBeFewBuckets(bucket, span)
  return {
    patientUid: query.patientUid,
    readingType: query.readingType,
    from,
    to,
    bucket,
    buckets,
    timeZone,
    measured,
  }
}

/** The type in the catalogue and the unit asked for, or its first one. */
function measuredIn({ readingType, unit }: StatisticsQuery): Measured | null {
  const type = Object.hasOwn(CATALOGUE, readingType) ? CATALOGUE[readingType] : undefined
  const wanted = type?.units.find((known) => known === (unit ?? type.units[0]))
  if (type && wanted) return { type, unit: wanted }
  if (unit === undefined) return null
  const meant = type && unitMeantBy(unit, type.units)
  const message = type
    ? `must be one of ${type.units.join(', ')}${meant ? `: write ${meant}` : ''}`
    : 'must be left out: this type has no unit'
  throw refuseFields([{ pointer: '/unit', message }])
}

function unitsOf(measured: Measured | null): Record<string, Unit> {
  const quantities = Object.entries(measured?.type.quantities ?? {})
  return Object.fromEntries(quantities.map(([name, { unit }]) => [name, unit ?? (measured as Measured).unit]))
}
