// GET readings/statistics: what the readings of one type amount to in each hour, day, week or month of a local calendar.
// The database finds the readings, and where the buckets begin.
import type { IsGone } from '../../../db/batch.ts'
import { Refusal, refuseFields } from '../../../refusal.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'
import { unitMeantBy } from '../catalogue/unit-spellings.ts'
import type { Unit } from '../catalogue/units.ts'
import { END_OF_9999, microsecondsOf } from '../epoch-time.ts'
import { printLimitedTo, typesFor } from '../grants/limited-to.ts'
import type { Reader } from '../reader.ts'
import { type Bucket, mustBeFewBuckets, mustBeTimeZone } from './buckets.ts'
import type { StatisticsQuery } from './statistics-contract.ts'
import { type StatisticsRow, statisticsStatement } from './statistics-statement.ts'
import type { Summaries } from './summaries.ts'
import { type Measured, summariseReadings } from './summarise-readings.ts'

// The answer is below 2 MB.
const MAX_ANSWER_BYTES = 1_990_000

export function createReadingStatistics(summaries: Summaries) {
  const { summarise, logNothing } = summaries('readings/statistics')
  return async (
    query: StatisticsQuery & { patientUid: string },
    { reader, isGone }: { reader: Reader; isGone: IsGone },
  ): Promise<string> => {
    const { range, measured } = requestOf(query)
    const readingTypes = typesFor(reader, [range.readingType]) ?? []
    const summary = { ...range, readingTypes, reader }
    if (readingTypes.length === 0) {
      // Nothing is looked at, not even how many buckets are empty.
      await logNothing(summary)
      return printAnswer('', measured, reader)
    }
    const buckets = await summarise(summary, statisticsStatement(range), isGone, (row) =>
      printBuckets(row as StatisticsRow, measured, range.bucket),
    )
    return printAnswer(buckets, measured, reader)
  }
}

function printAnswer(buckets: string, measured: Measured | null, reader: Reader): string {
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
  mustBeFewBuckets(bucket, span)
  const { patientUid, readingType } = query
  const withdrawn = query.withdrawn === 'include' ? ('shown' as const) : ('left-out' as const)
  const quantities = measured && Object.keys(measured.type.quantities)
  return { range: { patientUid, readingType, from, to, bucket, timeZone, withdrawn, quantities }, measured }
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

/** The buckets as JSON, without brackets. There may be 5,000: each instant is printed once, though it ends one and begins the next. */
async function printBuckets(
  { starts, offsets, readings }: StatisticsRow,
  measured: Measured | null,
  bucket: Bucket,
): Promise<string> {
  const instants = starts.map(instantOfSeconds)
  let text = ''
  await summariseReadings({ readings, starts, measured }, (nth, count, fields) => {
    const start = instants[nth] ?? ''
    text +=
      `${nth === 0 ? '' : ','}{"start":"${start}","end":"${instants[nth + 1]}",` +
      `"localStart":"${localTime(starts[nth] ?? 0, offsets[nth] ?? 0, start)}","count":${count},"fields":{${fields}}}`
    if (text.length > MAX_ANSWER_BYTES) throw tooLongAnswer(bucket)
  })
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw tooLongAnswer(bucket)
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
