// The id of an Observation says where its reading is stored, because readings have no index by their id alone: the reading's
// id (16 bytes), the number that was sent as its timestamp (8), and the patient (24), in the 64 characters that FHIR allows in
// an id. Ids stand in addresses, which proxies log, so the patient is encrypted, in another way for each reading. Every id has the
// same length.
//
// There is no room for a checksum, and what an altered id is answered must tell nothing of the patient in it. So the 24 bytes are
// encrypted as one block, by a Feistel network of four rounds (Luby and Rackoff) with what stands before them as tweak: whichever
// bit is altered, all of them become random, and those are no patient.
//
// A patient's id that is longer than 23 bytes, and no UUID, is left out: then the token or the search must name the patient.
import { createHmac, createSecretKey, hash, hkdfSync } from 'node:crypto'
import { END_OF_9999 } from '../../casesheet/epoch-time.ts'
import type { Position } from '../../casesheet/get/range.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { createHiddenTexts } from './hidden-text.ts'

export type Place = Position & { patientUid: string | undefined }

export type ObservationIds = ReturnType<typeof createObservationIds>

const READING_BYTES = 16
const PLAIN_BYTES = READING_BYTES + 8
const PATIENT_BYTES = 24
const ID_BYTES = PLAIN_BYTES + PATIENT_BYTES
const HALF_BYTES = PATIENT_BYTES / 2
const KEY_BYTES = 32
const ROUNDS = [0, 1, 2, 3]

/** The first byte of the patient: how the rest is written. */
const AS_TEXT = 0
const AS_UUID = 1
const LEFT_OUT = 2

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const UUID_BYTES = 16

/** `key` is FHIR_ID_KEY. Processes with the same key understand the ids of each other. */
export function createObservationIds(key: Buffer) {
  const secret = createSecretKey(key)

  // What a round hashes: the key, the number of the round, what stands before the patient, and one half. Its length never changes, so
  // that a plain hash is as good as an HMAC, at a quarter of its time.
  const hashed = Buffer.alloc(KEY_BYTES + 1 + PLAIN_BYTES + HALF_BYTES)
  hashed.set(new Uint8Array(hkdfSync('sha256', key, '', 'rounds fhir ids', KEY_BYTES)))

  /** Hides one half of the patient behind the other, or shows it again. */
  function crypt(bytes: Buffer, round: number) {
    const left = PLAIN_BYTES
    const right = PLAIN_BYTES + HALF_BYTES
    const [crypted, other] = round % 2 === 0 ? [left, right] : [right, left]
    hashed[KEY_BYTES] = round
    bytes.copy(hashed, KEY_BYTES + 1, 0, PLAIN_BYTES)
    bytes.copy(hashed, KEY_BYTES + 1 + PLAIN_BYTES, other, other + HALF_BYTES)
    const pad = hash('sha256', hashed, 'buffer')
    for (let at = 0; at < HALF_BYTES; at++) bytes[crypted + at] = (bytes[crypted + at] ?? 0) ^ (pad[at] ?? 0)
  }

  /** Ids of the readings of one patient. */
  function idsOf(patientUid: string): (readingId: string, timestamp: number) => string {
    const patient = patientBytes(patientUid)
    const bytes = Buffer.alloc(ID_BYTES)
    return (readingId, timestamp) => {
      bytes.write(readingId.replaceAll('-', ''), 'hex')
      bytes.writeDoubleBE(timestamp, READING_BYTES)
      patient.copy(bytes, PLAIN_BYTES)
      for (const round of ROUNDS) crypt(bytes, round)
      // Base64 with the two signs that FHIR allows.
      return bytes.toString('base64url').replaceAll('_', '.')
    }
  }

  /** The id of something else of a patient, by a name of its own. */
  function idOfOther(patientUid: string, name: string): string {
    // With the key and the patient in it, so that no other patient has the same first bytes.
    const digest = createHmac('sha256', secret).update(`${patientUid}\n${name}`).digest()
    return idsOf(patientUid)(uuidFrom(digest.subarray(0, READING_BYTES)), 0)
  }

  /** Where the reading of an Observation is; undefined for an id that was not made with this key. */
  function placeOf(id: string): Place | undefined {
    if (!/^[A-Za-z0-9.-]{64}$/.test(id)) return undefined
    const bytes = Buffer.from(id.replaceAll('.', '_'), 'base64url')
    const readingId = uuidFrom(bytes.subarray(0, READING_BYTES))
    const timestamp = bytes.readDoubleBE(READING_BYTES)
    const isPlausible = timestamp >= 0 && timestamp <= END_OF_9999 && readingId !== LOWEST_ID
    for (const round of ROUNDS.toReversed()) crypt(bytes, round)
    const patient = bytes.subarray(PLAIN_BYTES)
    const patientUid = patientFrom(patient)
    const isOurs = patientBytes(patientUid ?? TOO_LONG).equals(patient)
    return isOurs && isPlausible ? { readingId, timestamp, patientUid } : undefined
  }

  return { idsOf, idOfOther, placeOf, ...createHiddenTexts(key) }
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
