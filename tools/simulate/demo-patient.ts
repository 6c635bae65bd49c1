// What an invented patient of `rounds dev --demo` measures.
import type { Reading } from '../../clients/typescript/src/client.ts'
import type { SimulatedPatient } from './patient.ts'
import type { Random } from './random.ts'

/** What else a patient's devices take on one local day, at an hour of it. */
export type Extra = (day: {
  daysAgo: number
  random: Random
  at: (hour: number) => number
  hoursAgo: (hour: number) => number
}) => Reading[]

export type DemoPatient = {
  patient: SimulatedPatient
  /** For how many days there are readings; three months by default. */
  days?: number
  /** Which types of the simulator's devices the patient measures. */
  has: (readingType: string) => boolean
  silentDaysAgo?: number[]
  /** For how long nothing has come any more. */
  silentMs?: number
  extras: Extra[]
  /** What the simulator's device would have shown on this day. */
  change?: (reading: Reading, daysAgo: number) => Reading
}
