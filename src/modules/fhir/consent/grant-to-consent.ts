// What a patient shares with a doctor, as a Consent: who may read what, and until when.
import type { Grant } from '../../casesheet/grants/grant.ts'
import { isFhirText } from '../observation/other-fields.ts'
import { patientReference } from '../observation/patient-reference.ts'
import { practitionerIdOf } from '../practitioner/search-practitioners.ts'
import { PERMISSION, READING_TYPE } from '../systems.ts'

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem/'
const concept = (system: string, code: string) => ({ coding: [{ system, code }] })

const SCOPE = concept(`${TERMINOLOGY}consentscope`, 'patient-privacy')
const CATEGORY = concept('http://loinc.org', '59284-0')
const OPT_IN = concept(`${TERMINOLOGY}v3-ActCode`, 'OPTIN')
const RECIPIENT = concept(`${TERMINOLOGY}v3-ParticipationType`, 'IRCP')
const ACCESS = concept(`${TERMINOLOGY}consentaction`, 'access')

export function grantToConsent(grant: Grant, id: string) {
  const { patientUid, doctorId, permission, readingTypes, validUntil, sharedAs, state, changedAt } = grant
  return {
    resourceType: 'Consent' as const,
    id,
    meta: { lastUpdated: changedAt },
    // Revoked and expired ones allow nothing any more.
    status: state === 'given' ? ('active' as const) : ('inactive' as const),
    scope: SCOPE,
    category: [CATEGORY],
    patient: { ...patientReference(patientUid), ...(isFhirText(sharedAs) ? { display: sharedAs } : {}) },
    dateTime: changedAt,
    policyRule: OPT_IN,
    provision: {
      type: 'permit' as const,
      ...(validUntil === null ? {} : { period: { end: validUntil } }),
      actor: [{ role: RECIPIENT, reference: doctorReference(doctorId) }],
      action: [ACCESS, ...(permission === 'manage' ? [concept(PERMISSION, permission)] : [])],
      ...(readingTypes === null ? {} : { code: readingTypes.map((type) => concept(READING_TYPE, type)) }),
    },
  }
}

function doctorReference(doctorId: string) {
  const id = practitionerIdOf(doctorId)
  return id === undefined
    ? { type: 'Practitioner', display: 'A doctor of the directory' }
    : { reference: `Practitioner/${id}` }
}
