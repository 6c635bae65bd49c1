import { useApp } from '../app.ts'
import { useLoad } from '../hooks/use-load.ts'

/** Whether this person is a doctor whom the patient lets manage. Undefined until it is known. Without a patient nothing is asked. */
export function useMayManage(patientUid: string | undefined): boolean | undefined {
  const { session, sharingPatients } = useApp()
  const { doctorId } = session.person
  const { data, isLoading } = useLoad(
    async () =>
      patientUid === undefined || doctorId === undefined ? undefined : sharingPatients.find(patientUid),
    [patientUid],
  )
  if (doctorId === undefined) return false
  return isLoading ? undefined : data?.permission === 'manage'
}
