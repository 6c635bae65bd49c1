// Buckets as the database lists them → the JSON of the answer. The texts of their fields are spliced in.
import { END_OF_9999 } from './epoch-time.ts'
import { FIELD_END, READING_END } from './print-readings.ts'

/** The listed buckets, without brackets; the last one ends at `lastEnd`, in epoch seconds. */
export function printBuckets(listed: string, lastEnd: number): string {
  const buckets = listed.split(READING_END).map((bucket) => {
    const [start, offset, count, fields = ''] = bucket.split(FIELD_END)
    return { start: Number(start), offset: Number(offset), count, fields }
  })
  return buckets
    .map(({ start, offset, count, fields }, index) => {
      const end = buckets[index + 1]?.start ?? lastEnd
      return (
        `{"start":"${instantOfSeconds(start)}","end":"${instantOfSeconds(end)}","localStart":"${localTime(start, offset)}",` +
        `"count":${count},"fields":{${fields}}}`
      )
    })
    .join()
}

// RFC 3339 has no year after 9999.
function instantOfSeconds(seconds: number): string {
  return new Date(Math.min(seconds * 1_000, END_OF_9999)).toISOString()
}

/** The instant on a clock that is so many seconds ahead of UTC, to the minute, as RFC 3339 has offsets. */
function localTime(seconds: number, offset: number): string {
  const minutes = Math.round(offset / 60)
  const clock = new Date((seconds + minutes * 60) * 1_000).toISOString().slice(0, 19)
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const ahead = Math.abs(minutes)
  return `${clock}${minutes < 0 ? '-' : '+'}${twoDigits(ahead / 60)}:${twoDigits(ahead % 60)}`
}
