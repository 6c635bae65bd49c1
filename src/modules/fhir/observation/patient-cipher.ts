// Hides the patient in ids of Observations: the last 24 bytes of an id are encrypted as one block, by a Feistel network of four rounds
// (Luby and Rackoff) with what stands before them as tweak. Whichever bit is altered, all of them become random, and those are no
// patient.
//
// A round hides one half behind the CBC-MAC, by AES, of the tweak, the other half and the number of the round; those are always three
// blocks, so the MAC is as good as random. The blocks of all ids of a page are encrypted in one call: the calls, and not AES, are
// what ids cost.
import { createCipheriv, hkdfSync } from 'node:crypto'

export const READING_BYTES = 16
const TIME_BYTES = 8
/** What is not encrypted. */
export const PLAIN_BYTES = READING_BYTES + TIME_BYTES
export const PATIENT_BYTES = 24
export const ID_BYTES = PLAIN_BYTES + PATIENT_BYTES

const HALF_BYTES = PATIENT_BYTES / 2
const [LEFT, RIGHT] = [PLAIN_BYTES, PLAIN_BYTES + HALF_BYTES]
const KEY_BYTES = 32
const BLOCK_BYTES = 16
const ROUNDS = [0, 1, 2, 3]

/** Both change the ids in `bytes`, any number of them. */
export function createPatientCipher(key: Buffer) {
  // Each block by itself, which a MAC needs; no message is encrypted so.
  const cipherKey = Buffer.from(hkdfSync('sha256', key, '', 'rounds fhir ids', KEY_BYTES))
  const cipher = createCipheriv('aes-256-ecb', cipherKey, null).setAutoPadding(false)

  /** Of each id, the MAC of what stands before the patient. */
  function tweaksOf(bytes: Buffer): Buffer {
    const count = bytes.length / ID_BYTES
    const blocks = Buffer.alloc(count * BLOCK_BYTES)
    for (let nth = 0; nth < count; nth++)
      bytes.copy(blocks, nth * BLOCK_BYTES, nth * ID_BYTES, nth * ID_BYTES + READING_BYTES)
    const chained = cipher.update(blocks)
    for (let nth = 0; nth < count; nth++)
      xorTime(chained, nth * BLOCK_BYTES, bytes, nth * ID_BYTES + READING_BYTES)
    return cipher.update(chained)
  }

  function crypt(bytes: Buffer, rounds: readonly number[]) {
    const count = bytes.length / ID_BYTES
    const tweaks = tweaksOf(bytes)
    for (const round of rounds) {
      const [crypted, other] = round % 2 === 0 ? [LEFT, RIGHT] : [RIGHT, LEFT]
      const blocks = Buffer.from(tweaks)
      for (let nth = 0; nth < count; nth++) {
        const start = nth * BLOCK_BYTES
        xorHalf(blocks, start, bytes, nth * ID_BYTES + other)
        blocks[start + HALF_BYTES] = (blocks[start + HALF_BYTES] ?? 0) ^ (round + 1)
      }
      const pads = cipher.update(blocks)
      for (let nth = 0; nth < count; nth++) xorHalf(bytes, nth * ID_BYTES + crypted, pads, nth * BLOCK_BYTES)
    }
  }

  return {
    hide: (bytes: Buffer) => crypt(bytes, ROUNDS),
    show: (bytes: Buffer) => crypt(bytes, ROUNDS.toReversed()),
  }
}

const xorOf = (length: number) => (target: Buffer, start: number, source: Buffer, from: number) => {
  for (let at = 0; at < length; at++)
    target[start + at] = (target[start + at] ?? 0) ^ (source[from + at] ?? 0)
}
const xorHalf = xorOf(HALF_BYTES)
const xorTime = xorOf(TIME_BYTES)
