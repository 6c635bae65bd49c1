import type { Target } from '../../../../typescript/src/client.ts'
import { useApp } from '../../app.ts'
import { othersText } from '../../care/target-text.ts'
import { useDoctorNames } from '../../directory/doctor-names.ts'
import { useNow } from '../../hooks/use-now.ts'

/** "the target that Dr Willow Sample set on 3 Oct", of targets of one type that somebody else set. */
export function useOthersText(targets: readonly Target[], zone: string): string | undefined {
  const { subject, patientUids } = useApp().session.person
  const nameOfDoctor = useDoctorNames(targets.flatMap(({ doctorId }) => doctorId ?? []))
  const isOwn = targets.some(({ patientUid }) => patientUids.includes(patientUid))
  return othersText(targets, { subject, isOwn, nameOfDoctor, zone, now: useNow() })
}
