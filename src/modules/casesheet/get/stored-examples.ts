// The readings of the reference pages, as they come back: ids, instants and cursor are those that the service would give.
import { instantOf } from '../epoch-time.ts'
import { EXAMPLE_HEART_RATE, EXAMPLE_SYMPTOM } from '../reading.ts'
import { readingIdOf } from '../reading-id.ts'
import { cursorOf } from './range.ts'

export const STORED_SYMPTOM = asStored(EXAMPLE_SYMPTOM)
export const STORED_HEART_RATE = asStored(EXAMPLE_HEART_RATE)

export const EXAMPLE_CURSOR = cursorOf(STORED_SYMPTOM, { order: 'asc', from: undefined, to: undefined })

type Sent = { patientUid: string; readingType: string; timestamp: number }

function asStored(reading: Sent) {
  const { patientUid, readingType, timestamp, ...fields } = reading
  return {
    patientUid,
    readingType,
    timestamp,
    readingId: readingIdOf(reading),
    measuredAt: instantOf(timestamp),
    receivedAt: '2025-11-01T12:27:41.250Z',
    ...fields,
  }
}
