// The id of an Observation says where its reading is stored, because readings have no index by their id alone: the reading's
// id (16 bytes), the number that was sent as its timestamp (8), and the patient (24), in the 64 characters that FHIR allows in
// an id. Ids stand in addresses, which proxies log, so the patient is encrypted, in another way for each reading. Every id has the
// same length.
//
// There is no room for a checksum, and what an altered id is answered must tell nothing of the patient in it. So the 24 bytes are
// encrypted as one block, by a Feistel network of four rounds (Luby and Rackoff) with what stands before them as tweak: whichever
// bit is altered, all of them become random, and those are no patient. A round hides one half behind the CBC-MAC, by AES, of the
// tweak, the other half and the number of the round; those are always three blocks, so the MAC is as good as random. The blocks of
// all ids of a page are encrypted in one call: the calls, and not AES, are what ids cost.
//
// A patient's id that is longer than 23 bytes, and no UUID, is left out: then the token or the search must name the patient.
import { createCipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { END_OF_9999 } from '../../casesheet/epoch-time.ts'
import type { Position } from '../../casesheet/get/range.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { createHiddenTexts } from './hidden-text.ts'

export type Place = Position & { patientUid: string | undefined }

export type ObservationIds = ReturnType<typeof createObservationIds>

const READING_BYTES = 16
const TIME_BYTES = 8
const PLAIN_BYTES = READING_BYTES + TIME_BYTES
const PATIENT_BYTES = 24
const ID_BYTES = PLAIN_BYTES + PATIENT_BYTES
const HALF_BYTES = PATIENT_BYTES / 2
const KEY_BYTES = 32
const BLOCK_BYTES = 16
const ID_CHARS = 64
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

  // Each block by itself, which a MAC needs; no message is encrypted so.
  const cipherKey = Buffer.from(hkdfSync('sha256', key, '', 'rounds fhir ids', KEY_BYTES))
  const cipher = createCipheriv('aes-256-ecb', cipherKey, null).setAutoPadding(false)

  /** Of each id in `bytes`, the MAC of what stands before the patient. */
  function tweaksOf(bytes: Buffer): Buffer {
    const count = bytes.length / ID_BYTES
    const blocks = Buffer.alloc(count * BLOCK_BYTES)
    for (let nth = 0; nth < count; nth++)
      bytes.copy(blocks, nth * BLOCK_BYTES, nth * ID_BYTES, nth * ID_BYTES + READING_BYTES)
    const chained = cipher.update(blocks)
    for (let nth = 0; nth < count; nth++)
      xorInto(chained, nth * BLOCK_BYTES, bytes, nth * ID_BYTES + READING_BYTES, TIME_BYTES)
    return cipher.update(chained)
  }

  /** Hides the patient in each id in `bytes`, or shows it, with the rounds in the other order. */
  function crypt(bytes: Buffer, rounds: readonly number[]) {
    const count = bytes.length / ID_BYTES
    const tweaks = tweaksOf(bytes)
    const [left, right] = [PLAIN_BYTES, PLAIN_BYTES + HALF_BYTES]
    for (const round of rounds) {
      const [crypted, other] = round % 2 === 0 ? [left, right] : [right, left]
      const blocks = Buffer.from(tweaks)
      for (let nth = 0; nth < count; nth++) {
        const start = nth * BLOCK_BYTES
        xorInto(blocks, start, bytes, nth * ID_BYTES + other, HALF_BYTES)
        blocks[start + HALF_BYTES] = (blocks[start + HALF_BYTES] ?? 0) ^ (round + 1)
      }
      const pads = cipher.update(blocks)
      for (let nth = 0; nth < count; nth++)
        xorInto(bytes, nth * ID_BYTES + crypted, pads, nth * BLOCK_BYTES, HALF_BYTES)
    }
  }

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
    crypt(bytes, ROUNDS)
    // Base64 with the two signs that FHIR allows.
    const all = bytes.toString('base64url').replaceAll('_', '.')
    return readings.map((_, nth) => all.slice(nth * ID_CHARS, (nth + 1) * ID_CHARS))
  }

  function idOf(patientUid: string, reading: Position): string {
    return idsOf(patientUid, [reading]).join()
  }

  /** The id of something else of a patient, by a name of its own. */
  function idOfOther(patientUid: string, name: string): string {
    // With the key and the patient in it, so that no other patient has the same first bytes.
    const digest = createHmac('sha256', secret).update(`${patientUid}\n${name}`).digest()
    return idOf(patientUid, { readingId: uuidFrom(digest.subarray(0, READING_BYTES)), timestamp: 0 })
  }

  /** Where the reading of an Observation is; undefined for an id that was not made with this key. */
  function placeOf(id: string): Place | undefined {
    if (!/^[A-Za-z0-9.-]{64}$/.test(id)) return undefined
    const bytes = Buffer.from(id.replaceAll('.', '_'), 'base64url')
    const readingId = uuidFrom(bytes.subarray(0, READING_BYTES))
    const timestamp = bytes.readDoubleBE(READING_BYTES)
    const isPlausible = timestamp >= 0 && timestamp <= END_OF_9999 && readingId !== LOWEST_ID
    crypt(bytes, ROUNDS.toReversed())
    const patient = bytes.subarray(PLAIN_BYTES)
    const patientUid = patientFrom(patient)
    const isOurs = patientBytes(patientUid ?? TOO_LONG).equals(patient)
    return isOurs && isPlausible ? { readingId, timestamp, patientUid } : undefined
  }

  return { idOf, idsOf, idOfOther, placeOf, ...createHiddenTexts(key) }
}

function xorInto(target: Buffer, start: number, source: Buffer, from: number, length: number) {
  for (let at = 0; at < length; at++)
    target[start + at] = (target[start + at] ?? 0) ^ (source[from + at] ?? 0)
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
