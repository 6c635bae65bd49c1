// Listed readings (see the casesheet's print-readings.ts) → readings and what the service says of them.
import { instantFrom } from '../../casesheet/epoch-time.ts'
import type { ListedReading } from '../../casesheet/get/print-readings.ts'
import type { ObservationIds } from './observation-id.ts'
import type { Reading } from './reading-to-observation.ts'

export type ParsedReading = {
  readingType: string
  timestamp: number
  readingId: string
  /** As the database printed it. */
  measuredAt: string
  /** When it was received, or last withdrawn or restored. */
  updatedAt: string
  /** The fields that have no column of their own. */
  fields: Readonly<Record<string, unknown>>
}

export function parsedFrom({
  readingType,
  timestamp,
  readingId,
  measuredAt,
  updatedAt,
  rest,
}: ListedReading): ParsedReading {
  const fields = JSON.parse(`{${rest}`) as Record<string, unknown>
  return {
    readingType,
    timestamp: Number(timestamp),
    readingId,
    measuredAt,
    updatedAt: instantFrom(updatedAt, 3),
    fields,
  }
}

/** A reading with the id of its Observation. */
export type IdentifiedReading = ParsedReading & { id: string }

/** A page at once: the id of one costs nearly as much as those of a page. */
export function identifiedFrom(
  listed: readonly ListedReading[],
  patientUid: string,
  { idsOf }: ObservationIds,
): IdentifiedReading[] {
  const parsed = listed.map(parsedFrom)
  const ids = idsOf(patientUid, parsed)
  return parsed.map((one, index) => Object.assign(one, { id: ids[index] ?? '' }))
}

export function readingOf({ readingType, timestamp, fields }: ParsedReading, patientUid: string): Reading {
  return { ...fields, patientUid, readingType, timestamp }
}
