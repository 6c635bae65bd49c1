// Whether an endpoint gets a change, told from its key. It only decides whether the page is read: what is sent is decided there.
import type { Key } from '../../feed/changes/change-history.ts'
import { ERASURE } from '../../feed/changes/watch-changes.ts'

export type Filter = ReturnType<typeof createFilter>

type Wanted = { events: string[]; reading_types: string[] | null; patient_uids: string[] | null }

/** Of several changes. `kinds` are types of readings, and ERASURE. */
type Changed = { patients: ReadonlySet<string>; kinds: ReadonlySet<string> }

export function createFilter({ events, reading_types, patient_uids }: Wanted) {
  const types = reading_types && new Set(reading_types)
  const patients = patient_uids && new Set(patient_uids)
  const areOfPatient = (changed: ReadonlySet<string>) => patients === null || haveCommon(patients, changed)
  const areOfType = (kinds: ReadonlySet<string>) =>
    types === null ? kinds.size > (kinds.has(ERASURE) ? 1 : 0) : haveCommon(types, kinds)
  return {
    /** Whether it leaves out some readings. */
    isSelective: types !== null || patients !== null || !events.includes('readings.changed'),
    wantsChange: (key: Key): boolean =>
      (patients === null || patients.has(key.patientUid)) &&
      (key.erasedAt === undefined
        ? events.includes('readings.changed') && (types === null || types.has(key.readingType))
        : events.includes('patient.erased')),
    /** False where none of the changes is wanted, told fast: an import brings thousands of changes before a thousand endpoints. */
    mayWantChanges: ({ patients: changed, kinds }: Changed): boolean =>
      ((events.includes('readings.changed') && areOfType(kinds)) ||
        (events.includes('patient.erased') && kinds.has(ERASURE))) &&
      areOfPatient(changed),
    /** Which of them is decided where they are written. */
    wantsAlerts: events.some((event) => event.startsWith('alert.')),
    wantsGrants: (changed: ReadonlySet<string>): boolean =>
      events.includes('grant.changed') && areOfPatient(changed),
  }
}

function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  for (const each of small) if (large.has(each)) return true
  return false
}
