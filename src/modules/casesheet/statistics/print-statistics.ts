// Buckets as the database lists them → the JSON of the answer. The texts of their fields are spliced in.
import { END_OF_9999 } from '../epoch-time.ts'
import { FIELD_END, READING_END } from '../get/print-readings.ts'

/**
 * The listed buckets, without brackets; the last one ends at `lastEnd`, in epoch seconds. Printing instants is most of the work, and
 * there may be 5,000 buckets: each instant is printed once, though it is the end of one bucket and the start of the next.
 */
export function printBuckets(listed: string, lastEnd: number): string {
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
