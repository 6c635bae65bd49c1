// A patient as a resource: Rounds knows the id, and the name under which the patient shares with a doctor.
import { isFhirText } from '../observation/other-fields.ts'
import { isFhirId, patientIdentifier, patientOf } from '../observation/patient-reference.ts'
import type { Entry } from '../search/bundle.ts'
import { mustBePatientUid } from '../search/observation-query.ts'
import { type Parameter, plainValue, refuseParameter, type Sent } from '../search/search-query.ts'
import { tokenFrom } from '../search/token.ts'
import { PATIENT } from '../systems.ts'

export const PATIENT_PARAMETERS: readonly Parameter[] = [
  {
    name: '_id',
    type: 'token',
    documentation: 'The id. May be left out if the token names exactly one patient.',
  },
  { name: 'identifier', type: 'token', documentation: `${PATIENT}|id, percent-encoded.` },
]

export function patientResource(patientUid: string, sharedAs: string | null) {
  return {
    resourceType: 'Patient' as const,
    id: patientUid,
    identifier: [patientIdentifier(patientUid)],
    ...(isFhirText(sharedAs) ? { name: [{ text: sharedAs }] } : {}),
  }
}

/** None of a patient whose id is none of FHIR's. */
export function patientEntries(patientUid: string, sharedAs: string | null, base: string): Entry[] {
  if (!isFhirId(patientUid)) return []
  const text = JSON.stringify(patientResource(patientUid, sharedAs))
  return [{ fullUrl: `${base}/Patient/${patientUid}`, text }]
}

/** The patient that a search for patients names, if any. */
export function patientSearched(sent: readonly Sent[]): string | undefined {
  const named = sent
    .filter(({ name }) => name === '_id' || name === 'identifier')
    .map(({ name, values: [value = '', ...others] }) => {
      const { system, code } = tokenFrom(value)
      const patientUid =
        name === '_id'
          ? plainValue(value)
          : patientOf({ identifier: { system: system ?? '', value: code ?? '' } })
      if (others.length > 0) throw refuseParameter(name, 'must name one patient')
      if (patientUid === undefined)
        throw refuseParameter(name, `must be an identifier of the system ${PATIENT}`)
      return mustBePatientUid(patientUid, name)
    })
  const [first, ...others] = new Set(named)
  if (others.length > 0) throw refuseParameter('_id', 'must name one patient')
  return first
}
