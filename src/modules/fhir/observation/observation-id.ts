// The id of an Observation says where its reading is stored, because readings have no index by their id alone: the reading's
// id (16 bytes), the number that was sent as its timestamp (8), and the patient (up to 24), in the 64 characters that FHIR
// allows in an id. A patient's id that is longer than 24 bytes, and no UUID, is left out: then the token or the search must
// name the patient.
import { END_OF_9999 } from '../../casesheet/epoch-time.ts'
import type { Position } from '../../casesheet/get/range.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'

export type Place = Position & { patientUid: string | undefined }

const READING_BYTES = 16
const TIME_BYTES = 8
const MAX_PATIENT_BYTES = 23

/** What stands before the patient: how it is written. */
const AS_TEXT = 0
const AS_UUID = 1

/** Too long for an id. */
const NOT_WRITTEN = 'x'.repeat(MAX_PATIENT_BYTES + 1)

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Ids of the readings of one patient, whose part is the same in all: what stands before it fills whole characters. */
export function observationIdsOf(patientUid: string) {
  const patient = asId(patientBytes(patientUid))
  const bytes = Buffer.alloc(READING_BYTES + TIME_BYTES)
  return (readingId: string, timestamp: number): string => {
    bytes.write(readingId.replaceAll('-', ''), 'hex')
    bytes.writeDoubleBE(timestamp, READING_BYTES)
    return asId(bytes) + patient
  }
}

/** In base64 with the two signs that FHIR allows. */
function asId(bytes: Buffer): string {
  return bytes.toString('base64url').replaceAll('_', '.')
}

function patientBytes(patientUid: string): Buffer {
  if (UUID.test(patientUid)) return Buffer.from(`01${patientUid.replaceAll('-', '')}`, 'hex')
  const text = Buffer.from(patientUid)
  return text.length <= MAX_PATIENT_BYTES ? Buffer.concat([Buffer.of(AS_TEXT), text]) : Buffer.alloc(0)
}

/** Where the reading of an Observation is; undefined for an id that was not made here. */
export function placeOf(id: string): Place | undefined {
  if (id.length > 64) return undefined
  const bytes = Buffer.from(id.replaceAll('.', '_'), 'base64url')
  if (bytes.length < READING_BYTES + TIME_BYTES) return undefined
  const readingId = uuidFrom(bytes.subarray(0, READING_BYTES))
  const timestamp = bytes.readDoubleBE(READING_BYTES)
  const patientUid = patientFrom(bytes.subarray(READING_BYTES + TIME_BYTES))
  const isOurs = observationIdsOf(patientUid ?? NOT_WRITTEN)(readingId, timestamp) === id
  const isPlausible = timestamp >= 0 && timestamp <= END_OF_9999 && readingId !== LOWEST_ID
  return isOurs && isPlausible && !/\p{Cc}/u.test(patientUid ?? '')
    ? { readingId, timestamp, patientUid }
    : undefined
}

function patientFrom(bytes: Buffer): string | undefined {
  if (bytes.length < 2) return undefined
  return bytes[0] === AS_UUID ? uuidFrom(bytes.subarray(1)) : bytes.toString('utf8', 1)
}

function uuidFrom(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5')
}
