// Readings as the database lists them (see the casesheet's print-readings.ts) → readings and what the service says of them.
import { instantFrom } from '../../casesheet/epoch-time.ts'
import { FIELD_END, READING_END } from '../../casesheet/get/print-readings.ts'
import type { Reading } from './reading-to-observation.ts'

export type ListedReading = {
  readingType: string
  timestamp: number
  readingId: string
  receivedAt: string
  /** The fields that have no column of their own. */
  fields: Readonly<Record<string, unknown>>
}

/** The first `count` of the listed readings. */
export function readingsIn(listed: string, count: number): ListedReading[] {
  const readings: ListedReading[] = []
  let start = 0
  while (readings.length < count) {
    const nextReading = listed.indexOf(READING_END, start)
    const end = nextReading === -1 ? listed.length : nextReading
    const [readingType = '', timestamp = '', readingId = '', , receivedAt = '', details = ''] = listed
      .slice(start, end)
      .split(FIELD_END)
    readings.push({
      readingType,
      timestamp: Number(timestamp),
      readingId,
      receivedAt: instantFrom(receivedAt, 3),
      fields: JSON.parse(details) as Record<string, unknown>,
    })
    start = end + 1
  }
  return readings
}

export function readingOf({ readingType, timestamp, fields }: ListedReading, patientUid: string): Reading {
  return { ...fields, patientUid, readingType, timestamp }
}
