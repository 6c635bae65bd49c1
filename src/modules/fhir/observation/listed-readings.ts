// Listed readings (see the casesheet's print-readings.ts) → readings and what the service says of them.
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { ListedReading } from '../../casesheet/get/print-readings.ts'
import type { Reading } from './reading-to-observation.ts'

export type ParsedReading = {
  readingType: string
  timestamp: number
  readingId: string
  /** When it was received, or last withdrawn or restored. */
  updatedAt: string
  /** The fields that have no column of their own. */
  fields: Readonly<Record<string, unknown>>
}

export function parsedFrom({
  readingType,
  timestamp,
  readingId,
  updatedAt,
  rest,
}: ListedReading): ParsedReading {
  const fields = JSON.parse(`{${rest}`) as Record<string, unknown>
  return {
    readingType,
    timestamp: Number(timestamp),
    readingId,
    updatedAt: instantFrom(updatedAt, 3),
    fields,
  }
}

export function readingOf({ readingType, timestamp, fields }: ParsedReading, patientUid: string): Reading {
  return { ...fields, patientUid, readingType, timestamp }
}
