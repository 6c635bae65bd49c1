import type { Target } from '../../../typescript/src/client.ts'
import { useApp } from '../app.ts'
import { useDoctorNames } from '../directory/doctor-names.ts'
import type { Reader } from './target-text.ts'

/** Who reads these targets, and what the directory calls their doctors where their tokens had no name. */
export function useReader(targets: readonly Target[]): Reader {
  const { person } = useApp().session
  const nameless = targets.flatMap(({ author: { name, doctorId } }) =>
    doctorId !== undefined && name === doctorId ? [doctorId] : [],
  )
  return { ...person, nameOfDoctor: useDoctorNames(nameless) }
}
