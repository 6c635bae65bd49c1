import { useApp } from '../app.ts'
import type { Loaded } from '../hooks/use-load.ts'
import { useMayManage } from './may-manage.ts'

/** Whether this person sets targets of the patient: the patient, a carer, or a doctor who may. Without a patient: of all, as a doctor. */
export function useMaySetTargets(patientUid: string): Loaded<boolean> {
  const { patientUids, doctorId } = useApp().session.person
  const isOwn = patientUid === '' ? doctorId !== undefined : patientUids.includes(patientUid)
  const mayManage = useMayManage(isOwn || patientUid === '' ? undefined : patientUid)
  return isOwn ? { ...mayManage, data: true } : mayManage
}
