// Doctors as the directory names them, by id: grants and the access log know only ids. Each is asked for once.
import type { Doctor, RoundsClient } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { createStore, type Store, useStored } from '../hooks/store.ts'
import { useLoad } from '../hooks/use-load.ts'
import { words } from '../words/words.ts'

/** As many as the directory takes in one request. */
const IDS_AT_ONCE = 50

/** Null for one whom the directory does not have. */
type Known = ReadonlyMap<string, Doctor | null>

export type DoctorNames = {
  known: Pick<Store<Known>, 'get' | 'subscribe'>
  load: (doctorIds: readonly string[], signal: AbortSignal) => Promise<void>
}

export function createDoctorNames(rounds: Pick<RoundsClient, 'listDoctors'>): DoctorNames {
  const known = createStore<Known>(new Map())
  return {
    known,
    async load(doctorIds, signal) {
      const missing = [...new Set(doctorIds)].filter((id) => !known.get().has(id))
      if (missing.length === 0) return
      const found = new Map<string, Doctor | null>(missing.map((id) => [id, null]))
      for (let from = 0; from < missing.length; from += IDS_AT_ONCE) {
        const doctorId = missing.slice(from, from + IDS_AT_ONCE)
        const { data } = await rounds.listDoctors({ doctorId, limit: IDS_AT_ONCE }, { signal })
        for (const doctor of data) found.set(doctor.doctorId, doctor)
      }
      known.set(new Map([...known.get(), ...found]))
    },
  }
}

export type NamedDoctor = {
  name: string
  /** The main one. */
  speciality?: string
  /** Whether the directory does not have this doctor any more. */
  isGone?: boolean
}

/** How to call the doctors with these ids, from when the directory has answered. */
export function useDoctorNames(doctorIds: readonly string[]): (doctorId: string) => NamedDoctor {
  const { doctorNames } = useApp()
  const known = useStored(doctorNames.known)
  const { error } = useLoad(doctorIds, (signal) => doctorNames.load(doctorIds, signal))
  return (doctorId) => {
    const doctor = known.get(doctorId)
    if (doctor) return namedDoctor(doctor)
    if (doctor === null) return { name: words.access.formerDoctor, isGone: true }
    return { name: error === undefined ? '…' : words.access.doctor(doctorId) }
  }
}

export function namedDoctor({ name, specialities: [main] }: Doctor): NamedDoctor {
  return main ? { name, speciality: main.title } : { name }
}

/** "Dr Willow Sample, Cardiology". */
export const doctorText = ({ name, speciality }: NamedDoctor) =>
  speciality === undefined ? name : `${name}, ${speciality}`
