// The sums of patients' days, as the last list of a doctor read them. They are most of what a list costs, and few patients have changed since
// then. They hold while the patient's version and the UTC day are the same: whatever makes a day of a patient raises the number in it
// (care.patients.judged), and a failover or a restore, after which that number may come again, changes the rest. Nothing else is kept, so what a patient shares and what is asked of the sums is read each time.
import { DAY } from '../status/beyond.ts'
import type { PatientRow, SumsRow } from './facts-statement.ts'

/** Of all doctors together: about 20 MB. */
const MAX_PATIENTS = 10_000

type SumsOf = Map<string, { version: string; sums: SumsRow[] }>

/** Of which UTC day, and of which patients. */
export type Known = { day: number; of: SumsOf }

export class KnownSums {
  readonly #byDoctor = new Map<string, Known>()

  of(doctorId: string, now: number): Known {
    const known = this.#byDoctor.get(doctorId)
    return known?.day === dayOf(now) ? known : nothingAt(now)
  }

  /** Those of a whole list, read or known. Doctors who looked longest ago make room. */
  keep(doctorId: string, { day }: Known, rows: PatientRow[]) {
    const kept: SumsOf = new Map()
    for (const { patient_uid, judged, version, sums } of rows)
      if (judged !== null) kept.set(patient_uid, { version, sums: sums ?? [] })
    this.#byDoctor.delete(doctorId)
    this.#byDoctor.set(doctorId, { day, of: kept })
    let patients = 0
    for (const each of this.#byDoctor.values()) patients += each.of.size
    for (const [oldest, each] of this.#byDoctor) {
      if (patients <= MAX_PATIENTS) return
      this.#byDoctor.delete(oldest)
      patients -= each.of.size
    }
  }
}

const dayOf = (now: number) => Math.floor(now / DAY)

export const nothingAt = (now: number): Known => ({ day: dayOf(now), of: new Map() })
