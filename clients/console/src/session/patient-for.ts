import type { Address } from '../address.ts'
import type { Person } from './person.ts'

/** Whose readings are shown: the patient of the address, else the first of one's own. */
export function patientFor({ patientUids, doctorId }: Person, address: Address): string | undefined {
  const isForAll = doctorId !== undefined && address.query.get('for') === 'all'
  return address.query.get('patient') || (isForAll ? undefined : patientUids[0])
}

/** Who has several patients sees at each step for whom it is: " for child-1". Nothing where there is only one. */
export function namedFor({ patientUids }: Person, patientUid: string): string {
  return patientUids.length > 1 ? ` for ${patientUid}` : ''
}
