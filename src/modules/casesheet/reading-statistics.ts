// GET readings/statistics: what the readings of one type amount to in each hour, day, week or month of a local calendar.
// The database does all of it in one statement, which also writes the access log.
import { type IsGone, shareStatements } from '../../db/batch.ts'
import { codeOf } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { Refusal, refuseFields } from '../../refusal.ts'
import { MAX_READINGS_OF_BUCKET } from './bucket-summaries.ts'
import { mustBeFewBuckets, mustBeTimeZone, notATimeZone } from './buckets.ts'
import { CATALOGUE } from './catalogue.ts'
import { countReads } from './count-reads.ts'
import { millisecondsOf } from './epoch-time.ts'
import { printBuckets } from './print-statistics.ts'
import type { Reader } from './read-page.ts'
import type { StatisticsQuery } from './statistics-contract.ts'
import {
  MAX_FIELDS,
  type Measured,
  type StatisticsRequest,
  type StatisticsRow,
  statisticsStatement,
} from './statistics-statement.ts'
import type { Unit } from './units.ts'

// Statistics take longer than anything else here, so each goes alone, and one at a time leaves a connection to the access log.
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
    const row = await ask(request, isGone).catch(refuse)
    const { is_whole, looked_at, most_readings, last_end, buckets } = row
    reads.rows++
    reads.readings += looked_at
    if (!is_whole) throw tookTooLong()
    if (most_readings > MAX_READINGS_OF_BUCKET) {
      throw refuseFields([
        {
          pointer: '/bucket',
          message: `must be smaller: one holds more than ${MAX_READINGS_OF_BUCKET} readings`,
        },
      ])
    }
    if (buckets === null) {
      const message = `must be one whose readings have at most ${MAX_FIELDS} fields that are numbers`
      throw refuseFields([{ pointer: '/readingType', message }])
    }
    const head = '{"code":"Ok","message":"Statistics obtained successfully.","data":['
    return `${head}${printBuckets(buckets, last_end)}],"units":${JSON.stringify(unitsOf(request.measured))}}`
  }
}

/** There may be a zone that Node knows and an older PostgreSQL does not, and a bucket that takes too long by itself. */
function refuse(error: Error): never {
  if (wasStopped(error)) throw tookTooLong()
  throw codeOf(error) === '22023' ? notATimeZone() : error
}

/** Whether the server stopped the statement, because it took longer than any may. */
function wasStopped(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '57014'
}

function tookTooLong(): Refusal {
  const advice = 'Ask for a shorter range, or try again later.'
  return new Refusal('Overloaded', `The statistics took too long. ${advice}`)
}

function requestOf(query: StatisticsQuery & { patientUid: string }) {
  const { bucket = 'day', timeZone = 'UTC', from, to } = query
  const [fromMs, toMs] = [millisecondsOf(from), millisecondsOf(to)]
  if (fromMs > toMs) throw new Refusal('InvalidRange', 'from must not be after to.')
  const measured = measuredIn(query)
  mustBeTimeZone(timeZone)
  mustBeFewBuckets(bucket, { fromMs, toMs, timeZone })
  return {
    patientUid: query.patientUid,
    readingType: query.readingType,
    from,
    to,
    bucket,
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
  const message = type ? `must be one of ${type.units.join(', ')}` : 'must be left out: this type has no unit'
  throw refuseFields([{ pointer: '/unit', message }])
}

function unitsOf(measured: Measured | null): Record<string, Unit> {
  const quantities = Object.entries(measured?.type.quantities ?? {})
  return Object.fromEntries(quantities.map(([name, { unit }]) => [name, unit ?? (measured as Measured).unit]))
}
