import { useApp } from '../app.ts'
import { words } from '../words/words.ts'
import { usePatientName } from './sharing-patients.ts'

/** Within a sentence: "your readings"; to a carer, a doctor and staff "the readings of child-1". */
export function useWhoseReadings(patientUid: string): string {
  const { patientUids } = useApp().session.person
  const name = usePatientName(patientUid)
  const isOnlyOwn = patientUids.length === 1 && patientUids.includes(patientUid)
  return isOnlyOwn ? words.access.yours : words.access.readingsOf(name)
}
