import { useApp } from '../app.ts'
import { useMayManage } from './may-manage.ts'

/** Whether this person sets targets of the patient: the patient, a carer, or a doctor who may. Undefined until it is known. */
export function useMaySetTargets(patientUid: string): boolean | undefined {
  const isOwn = useApp().session.person.patientUids.includes(patientUid)
  const mayManage = useMayManage(isOwn ? undefined : patientUid)
  return isOwn || mayManage
}
