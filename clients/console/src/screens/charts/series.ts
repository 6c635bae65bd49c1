// What is known of one type in a range: its readings, or statistics of them.
import type { StoredReading } from '../../../../typescript/src/contract.ts'
import type { BucketName, StatisticsBucket } from '../../statistics/load-statistics.ts'
import type { TimeRange } from './time-range.ts'

/** A reading and its instant in milliseconds, which may have a fraction. */
export type TimedReading = { atMs: number; reading: StoredReading }

export type Series =
  | { kind: 'readings'; covers: TimeRange; readings: readonly TimedReading[] }
  | {
      kind: 'statistics'
      covers: TimeRange
      bucket: BucketName
      buckets: readonly StatisticsBucket[]
      /** The unit of each field, of a type of the catalogue. */
      units: Readonly<Record<string, string>>
    }

/** Epoch seconds or milliseconds, as readings have them. */
const FIRST_MILLISECONDS = 100_000_000_000

export function timedReading(reading: StoredReading): TimedReading {
  const { timestamp } = reading
  return { atMs: timestamp < FIRST_MILLISECONDS ? timestamp * 1_000 : timestamp, reading }
}

/** In order of time, those of one instant by their id: as the API has them. */
export function inOrder(readings: Iterable<TimedReading>): TimedReading[] {
  return [...readings].toSorted(
    (a, b) => a.atMs - b.atMs || (a.reading.readingId < b.reading.readingId ? -1 : 1),
  )
}

/** With a reading that has arrived or was restored, or without one that was withdrawn. */
export function withChange(
  readings: readonly TimedReading[],
  reading: StoredReading,
  isPresent: boolean,
): TimedReading[] {
  const others = readings.filter((known) => known.reading.readingId !== reading.readingId)
  return isPresent ? inOrder([...others, timedReading(reading)]) : others
}
