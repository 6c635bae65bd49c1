import { useApp } from '../app.ts'
import { useLoad } from '../hooks/use-load.ts'

/** Whether this person sets targets of the patient: the patient, a carer, or a doctor who may. Undefined until it is known. */
export function useMaySetTargets(patientUid: string): boolean | undefined {
  const { session, sharingPatients } = useApp()
  const { patientUids, doctorId } = session.person
  const isOwn = patientUids.includes(patientUid)
  const { data, isLoading } = useLoad(
    async () => (isOwn || doctorId === undefined ? undefined : sharingPatients.find(patientUid)),
    [patientUid, isOwn],
  )
  if (isOwn) return true
  if (doctorId === undefined) return false
  return isLoading ? undefined : data?.permission === 'manage'
}
