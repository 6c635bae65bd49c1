// The id of an Observation says where its reading is stored, because readings have no index by their id alone: the reading's
// id (16 bytes), the number that was sent as its timestamp (8), and the patient (24), in the 64 characters that FHIR allows in
// an id. Ids stand in addresses, which proxies log, so the patient is encrypted, in another way for each reading. Every id has the
// same length.
//
// There is no room for a checksum, and what an altered id is answered must tell nothing of the patient in it: patient-cipher.ts.
//
// A patient's id that is longer than 23 bytes, and no UUID, is left out: then the token or the search must name the patient.
import { END_OF_9999 } from '../../casesheet/epoch-time.ts'
import type { Position } from '../../casesheet/get/range.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { createHiddenTexts } from './hidden-text.ts'
import { createPatientCipher, ID_BYTES, PATIENT_BYTES, PLAIN_BYTES, READING_BYTES } from './patient-cipher.ts'

export type Place = Position & { patientUid: string | undefined }

export type ObservationIds = ReturnType<typeof createObservationIds>

const ID_CHARS = 64

/** The first byte of the patient: how the rest is written. */
const AS_TEXT = 0
const AS_UUID = 1
const LEFT_OUT = 2

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const UUID_BYTES = 16

/** `key` is FHIR_ID_KEY. Processes with the same key understand the ids of each other. */
export function createObservationIds(key: Buffer) {
  const patients = createPatientCipher(key)

  /** Ids of readings of one patient. */
  function idsOf(patientUid: string, readings: readonly Position[]): string[] {
    const patient = patientBytes(patientUid)
    const bytes = Buffer.alloc(readings.length * ID_BYTES)
    for (const [nth, { readingId, timestamp }] of readings.entries()) {
      const start = nth * ID_BYTES
      bytes.write(readingId.replaceAll('-', ''), start, 'hex')
      bytes.writeDoubleBE(timestamp, start + READING_BYTES)
      patient.copy(bytes, start + PLAIN_BYTES)
    }
    patients.hide(bytes)
    // Base64 with the two signs that FHIR allows.
    const all = bytes.toString('base64url').replaceAll('_', '.')
    return readings.map((_, nth) => all.slice(nth * ID_CHARS, (nth + 1) * ID_CHARS))
  }

  function idOf(patientUid: string, reading: Position): string {
    return idsOf(patientUid, [reading]).join()
  }

  /** Where the reading of an Observation is; undefined for an id that was not made with this key. */
  function placeOf(id: string): Place | undefined {
    if (!/^[A-Za-z0-9.-]{64}$/.test(id)) return undefined
    const bytes = Buffer.from(id.replaceAll('.', '_'), 'base64url')
    const readingId = uuidFrom(bytes.subarray(0, READING_BYTES))
    const timestamp = bytes.readDoubleBE(READING_BYTES)
    const isPlausible = timestamp >= 0 && timestamp <= END_OF_9999 && readingId !== LOWEST_ID
    patients.show(bytes)
    const patient = bytes.subarray(PLAIN_BYTES)
    const patientUid = patientFrom(patient)
    const isOurs = patientBytes(patientUid ?? TOO_LONG).equals(patient)
    return isOurs && isPlausible ? { readingId, timestamp, patientUid } : undefined
  }

  return { idOf, idsOf, placeOf, ...createHiddenTexts(key) }
}

const TOO_LONG = 'x'.repeat(PATIENT_BYTES)

function patientBytes(patientUid: string): Buffer {
  const bytes = Buffer.alloc(PATIENT_BYTES)
  if (UUID.test(patientUid)) {
    bytes[0] = AS_UUID
    bytes.write(patientUid.replaceAll('-', ''), 1, 'hex')
  } else if (Buffer.byteLength(patientUid) < PATIENT_BYTES) {
    bytes[0] = AS_TEXT
    bytes.write(patientUid, 1)
  } else bytes[0] = LEFT_OUT
  return bytes
}

/** A text without zeros at its end. No id of a patient has control characters. */
function patientFrom(bytes: Buffer): string | undefined {
  if (bytes[0] === AS_UUID) return uuidFrom(bytes.subarray(1, 1 + UUID_BYTES))
  if (bytes[0] !== AS_TEXT) return undefined
  const end = bytes.indexOf(0, 1)
  const text = bytes.toString('utf8', 1, end === -1 ? PATIENT_BYTES : end)
  return text === '' || /\p{Cc}/u.test(text) ? undefined : text
}

function uuidFrom(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5')
}
