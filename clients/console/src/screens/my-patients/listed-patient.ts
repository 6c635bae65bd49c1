// Parts of a patient in the list of a doctor.
import type { ListedPatient } from '../../../../typescript/src/client.ts'

export type { ListedPatient }
export type ListedStatus = ListedPatient['status']
/** All numbers are in its unit. */
export type ListedType = ListedPatient['types'][number]
