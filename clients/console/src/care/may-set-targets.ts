import { useApp } from '../app.ts'
import type { Loaded } from '../hooks/use-load.ts'
import { useMayManage } from './may-manage.ts'

/** Whether this person sets targets of the patient: the patient, a carer, or a doctor who may. */
export function useMaySetTargets(patientUid: string): Loaded<boolean> {
  const isOwn = useApp().session.person.patientUids.includes(patientUid)
  const mayManage = useMayManage(isOwn ? undefined : patientUid)
  return isOwn ? { ...mayManage, data: true } : mayManage
}
