// A patient's id as the record of an erasure and the list of refused patients hold it: HMAC-SHA-256 under ERASURE_KEY, which
// the database never sees. Ids are often guessable (numbers, names), so a plain or a salted digest could be tried out by
// anyone who reads the table.
import { createHmac } from 'node:crypto'

export type PatientDigests = {
  /** Says which key it is, and nothing more of it. */
  keyId: Buffer
  digestOf: (patientUid: string) => Buffer
}

export function createPatientDigests(key: Buffer): PatientDigests {
  const digestOf = (text: string) => createHmac('sha256', key).update(text).digest()
  // No patient's id is empty, so this is the digest of no patient.
  return { keyId: digestOf('').subarray(0, 8), digestOf }
}
