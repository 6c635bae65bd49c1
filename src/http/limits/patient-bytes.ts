// Limits the bytes that may be added for a patient in a day, in each process: one leaky bucket for each patient, dropped once it
// has drained. That of a patient who sends 6 KB a day is dropped after eight seconds.
import { createBuckets } from './buckets.ts'

const DAY_MS = 86_400_000

export type PatientBytes = {
  /**
   * Refuses, or counts, a body with readings of these patients (one name for each reading) while they are added. If that fails
   * they do not count: clients send again what was not stored, and an outage must not use up a patient's day. Nor does a body that
   * added nothing: an import that is repeated after it reached the limit must get further. One new reading makes the whole body count,
   * because it may be nearly all of its bytes.
   */
  countWhile: <Added>(
    body: { patientUids: readonly string[]; bytes: number },
    add: () => Promise<Added>,
    addedNothing?: (added: Added) => boolean,
  ) => Promise<Added>
}

export function limitPatientBytes(bytesPerDay: number, now: () => number): PatientBytes {
  const added = createBuckets({
    policy: {
      name: 'patient-bytes',
      unit: 'content-bytes',
      sentence: `At most ${bytesPerDay} bytes a day are accepted for a patient.`,
    },
    capacity: bytesPerDay,
    drainMs: DAY_MS,
    now,
  })
  return {
    async countWhile({ patientUids, bytes: bodyBytes }, add, addedNothing) {
      const bytesOf = sharesOf(patientUids, bodyBytes)
      added.mustFit(bytesOf)
      for (const [uid, bytes] of bytesOf) added.fill(uid, bytes)
      try {
        const done = await add()
        if (addedNothing?.(done)) giveBack()
        return done
      } catch (error) {
        giveBack()
        throw error
      }
      function giveBack() {
        for (const [uid, bytes] of bytesOf) added.fill(uid, -bytes)
      }
    },
  }
}

/** Each reading counts with the average of its body: sums are right, and no reading has to be printed to be measured. */
function sharesOf(patientUids: readonly string[], bodyBytes: number): [uid: string, bytes: number][] {
  const [first] = patientUids
  if (first !== undefined && patientUids.length === 1) return [[first, bodyBytes]]
  const bytesOf = new Map<string, number>()
  for (const uid of patientUids) {
    bytesOf.set(uid, (bytesOf.get(uid) ?? 0) + bodyBytes / patientUids.length)
  }
  return [...bytesOf]
}
