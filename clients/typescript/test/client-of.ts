// A new patient with a client of their own, on the real server, and what the server stores of them.

import type { Rounds } from '../../../test/support/harness.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { createRoundsClient, type Fetch, type Reading, RoundsError } from '../src/client.ts'

type Options = {
  url?: string
  attempts?: number
  attemptTimeoutMs?: number
  timeoutMs?: number
  fetch?: Fetch
}

export async function clientOfNewPatient(rounds: Rounds, options: Options = {}) {
  const patient = await newPatient(rounds)
  const client = createRoundsClient({ url: rounds.url, token: () => patient.token, ...options })
  /** So many different readings. */
  const steps = (count: number, extra: object = {}): Reading[] =>
    Array.from({ length: count }, (_, sequence) => ({
      patientUid: patient.patientUid,
      readingType: 'acme.step',
      timestamp: 1_763_000_000_000 + sequence,
      sequence,
      ...extra,
    }))
  const { patientUid, token } = patient
  const storedSequences = async () => (await patient.stored()).map(({ sequence }) => sequence)
  return { patientUid, token, client, steps, storedSequences }
}

/** The error that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<RoundsError> {
  const error: unknown = await call.then(
    () => new Error('The call did not fail.'),
    (reason: unknown) => reason,
  )
  if (error instanceof RoundsError) return error
  throw error
}

/** The numbers from 0 on, as many as asked for. */
export function firstNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
