// Listed readings (see the casesheet's print-readings.ts) → readings and what the service says of them.
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { ListedReading } from '../../casesheet/get/print-readings.ts'
import type { Reading } from './reading-to-observation.ts'

export type ParsedReading = {
  readingType: string
  timestamp: number
  readingId: string
  receivedAt: string
  /** The fields that have no column of their own. */
  fields: Readonly<Record<string, unknown>>
}

export function parsedFrom({
  readingType,
  timestamp,
  readingId,
  receivedAt,
  rest,
}: ListedReading): ParsedReading {
  const fields = JSON.parse(`{${rest}`) as Record<string, unknown>
  return {
    readingType,
    timestamp: Number(timestamp),
    readingId,
    receivedAt: instantFrom(receivedAt, 3),
    fields,
  }
}

export function readingOf({ readingType, timestamp, fields }: ParsedReading, patientUid: string): Reading {
  return { ...fields, patientUid, readingType, timestamp }
}
