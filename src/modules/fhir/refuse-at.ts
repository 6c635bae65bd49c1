import { type Refusal, refuseFields } from '../../refusal.ts'

/** A refusal that points at a place in a resource, as a path of FHIR. */
export function refuseAt(path: string, message: string): Refusal {
  return refuseFields([{ pointer: path, message }])
}
