// The patient as a reference. Where the id is one that FHIR allows, `Patient/id`; else an identifier, whose value is the id
// with percent signs as in an address: any id of a patient can be written so.
import type { Reference } from '../resources.ts'
import { PATIENT } from '../systems.ts'

const FHIR_ID = /^[A-Za-z0-9.-]{1,64}$/

/** Whether a patient can be a resource of FHIR. */
export const isFhirId = (id: string) => FHIR_ID.test(id)

export function patientIdentifier(patientUid: string) {
  return { system: PATIENT, value: encodeURIComponent(patientUid) }
}

export function patientReference(patientUid: string): Reference {
  if (FHIR_ID.test(patientUid)) return { reference: `Patient/${patientUid}` }
  return { type: 'Patient', identifier: patientIdentifier(patientUid) }
}

/** The patient that a reference names; undefined where it names none of ours. */
export function patientOf({ reference, identifier }: Reference): string | undefined {
  if (typeof reference === 'string') {
    const id = /^Patient\/(.+)$/s.exec(reference)?.[1]
    return id !== undefined && FHIR_ID.test(id) ? id : undefined
  }
  if (identifier?.system !== PATIENT || typeof identifier.value !== 'string') return undefined
  try {
    return decodeURIComponent(identifier.value)
  } catch {
    return undefined
  }
}
