import { useApp } from '../app.ts'
import { type Loaded, useLoad } from '../hooks/use-load.ts'

/** Whether this person is a doctor whom the patient lets manage. Without a patient nothing is asked. */
export function useMayManage(patientUid: string | undefined): Loaded<boolean> {
  const { session, sharingPatients } = useApp()
  const isAsked = session.person.doctorId !== undefined && patientUid !== undefined
  const loaded = useLoad(
    [patientUid],
    async () => isAsked && (await sharingPatients.find(patientUid))?.permission === 'manage',
  )
  return isAsked ? loaded : { ...loaded, data: false }
}
