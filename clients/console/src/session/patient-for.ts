import type { Address } from '../address.ts'
import type { Person } from './person.ts'

/** Whose readings are shown: the patient of the address, else the first of one's own. */
export function patientFor({ patientUids }: Person, address: Address): string | undefined {
  return address.query.get('patient') || patientUids[0]
}
