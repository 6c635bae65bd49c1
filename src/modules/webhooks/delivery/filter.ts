// Whether an endpoint gets a change, told from its key. It only decides whether the page is read: what is sent is decided there.
import type { Key } from '../../feed/changes/change-history.ts'

export type Filter = ReturnType<typeof createFilter>

type Wanted = { events: string[]; reading_types: string[] | null; patient_uids: string[] | null }

export function createFilter({ events, reading_types, patient_uids }: Wanted) {
  const types = reading_types && new Set(reading_types)
  const patients = patient_uids && new Set(patient_uids)
  const isOfPatient = (patientUid: string) => patients === null || patients.has(patientUid)
  return {
    wantsChange: (key: Key): boolean =>
      isOfPatient(key.patientUid) &&
      (key.erasedAt === undefined
        ? events.includes('readings.changed') && (types === null || types.has(key.readingType))
        : events.includes('patient.erased')),
    wantsGrant: (patientUid: string): boolean => events.includes('grant.changed') && isOfPatient(patientUid),
  }
}
