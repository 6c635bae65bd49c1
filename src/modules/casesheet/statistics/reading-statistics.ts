// GET readings/statistics: what the readings of one type amount to in each hour, day, week or month of a local calendar.
// The database does all of it in one statement.
import type { IsGone } from '../../../db/batch.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'
import { unitMeantBy } from '../catalogue/unit-spellings.ts'
import type { Unit } from '../catalogue/units.ts'
import { END_OF_9999, microsecondsOf } from '../epoch-time.ts'
import { FIELD_END, READING_END } from '../get/print-readings.ts'
import { printLimitedTo, typesFor } from '../grants/limited-to.ts'
import type { Reader } from '../reader.ts'
import { type Bucket, mustBeFewBuckets, mustBeTimeZone } from './buckets.ts'
import type { StatisticsQuery } from './statistics-contract.ts'
import {
  MAX_FIELDS,
  type Measured,
  type StatisticsRequest,
  type StatisticsRow,
  statisticsStatement,
} from './statistics-statement.ts'
import type { Summaries } from './summaries.ts'

export function createReadingStatistics(summaries: Summaries) {
  const { summarise, logNothing } = summaries('readings/statistics')
  return async (
    query: StatisticsQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<string> => {
    const request = { ...requestOf(query), reader }
    const readingTypes = typesFor(reader, [request.readingType]) ?? []
    const summary = { ...request, readingTypes }
    if (readingTypes.length === 0) {
      // Nothing is looked at, not even how many buckets are empty.
      await logNothing(summary)
      return printAnswer('', request)
    }
    const row = await summarise<StatisticsRow>(summary, statisticsStatement(request), isGone)
    if (row.has_too_many_fields) {
      const message = `must be one whose readings have at most ${MAX_FIELDS} fields that are numbers`
      throw refuseFields([{ pointer: '/readingType', message }])
    }
    if (row.buckets === null) throw tooLongAnswer(request.bucket)
    return printAnswer(printBuckets(row.buckets, row.last_end), request)
  }
}

function printAnswer(buckets: string, { measured, reader }: StatisticsRequest): string {
  const head = '{"code":"Ok","message":"Statistics obtained successfully.","data":['
  return `${head}${buckets}],"units":${JSON.stringify(unitsOf(measured))}${printLimitedTo(reader)}}`
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
    withdrawn: query.withdrawn === 'include' ? ('shown' as const) : ('left-out' as const),
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

/**
 * The buckets as the database lists them → their JSON, without brackets; the last one ends at `lastEnd`, in epoch seconds. Printing instants is most of the work, and
 * there may be 5,000 buckets: each instant is printed once, though it is the end of one bucket and the start of the next.
 */
function printBuckets(listed: string, lastEnd: number): string {
  const buckets = listed.split(READING_END).map((bucket) => bucket.split(FIELD_END))
  const starts = buckets.map(([start]) => Number(start))
  const instants = [...starts, lastEnd].map(instantOfSeconds)
  let text = ''
  for (const [index, [, offset, count, fields = '']] of buckets.entries()) {
    const [start, instant] = [starts[index] ?? 0, instants[index] ?? '']
    text +=
      `${index === 0 ? '' : ','}{"start":"${instant}","end":"${instants[index + 1]}",` +
      `"localStart":"${localTime(start, Number(offset), instant)}","count":${count},"fields":{${fields}}}`
  }
  return text
}

// RFC 3339 has no year after 9999.
function instantOfSeconds(seconds: number): string {
  return new Date(Math.min(seconds * 1_000, END_OF_9999)).toISOString()
}

const SECONDS_END = 19

/** The instant on a clock that is so many seconds ahead of UTC, to the minute, as RFC 3339 has offsets. */
function localTime(seconds: number, offset: number, instant: string): string {
  const minutes = Math.round(offset / 60)
  if (minutes === 0) return `${instant.slice(0, SECONDS_END)}+00:00`
  const clock = new Date((seconds + minutes * 60) * 1_000).toISOString().slice(0, SECONDS_END)
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const ahead = Math.abs(minutes)
  return `${clock}${minutes < 0 ? '-' : '+'}${twoDigits(ahead / 60)}:${twoDigits(ahead % 60)}`
}
