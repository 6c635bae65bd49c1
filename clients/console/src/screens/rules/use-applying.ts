// One call for each patient, a few at a time, and what became of each:
//
//   waiting → set      the service has it
//   waiting → failed   it does not; only these are tried again
//   failed  → waiting  it is tried again
import { useState } from 'preact/hooks'

const MAX_AT_ONCE = 3

export type Outcome = { state: 'waiting' } | { state: 'set' } | { state: 'failed'; error: unknown }

export function useApplying(set: (patientUid: string) => Promise<unknown>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const note = (patientUid: string, outcome: Outcome) =>
    setOutcomes((before) => new Map(before).set(patientUid, outcome))
  const applyTo = async (patientUid: string) => {
    try {
      await set(patientUid)
      note(patientUid, { state: 'set' })
    } catch (error) {
      note(patientUid, { state: 'failed', error })
    }
  }
  return {
    outcomes,
    isBusy: [...outcomes.values()].some(({ state }) => state === 'waiting'),
    apply: async (patientUids: readonly string[]) => {
      for (const patientUid of patientUids) note(patientUid, { state: 'waiting' })
      const rest = patientUids.values()
      const work = async () => {
        for (const patientUid of rest) await applyTo(patientUid)
      }
      await Promise.all(Array.from({ length: MAX_AT_ONCE }, work))
    },
  }
}
