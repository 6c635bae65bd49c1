// Scopes of SMART on FHIR, such as patient/Observation.rs, user/*.read or system/Observation.crs. They are read where a
// process serves FHIR, and only there. A token that carries any of them may do with readings what they say; without them it
// may do all that a token of its patients may do. The scopes of Rounds itself count beside them.
//
// - `patient/` is about the patients that the token names. So are `user/` and `system/` where it names one: whether its user
//   is a patient or a clinician cannot be known.
// - Where the token names no patient, `system/` is about every patient, as the staff scope is. So is `user/`, unless something
//   in the token speaks for a patient as its user: a scope `patient/…` or `launch/patient`, or a `fhirUser` that is not a
//   practitioner. Then the claim of the patient may stand under another name than AUTH_PATIENT_CLAIM, and `user/` grants nothing.
// - Version 1 has read, write and *; version 2 has the letters of create, read, update, delete and search, in this order.
// - A scope with a condition (`?category=…`) would have to be enforced for each Observation; it grants nothing.

/** What a token may do with readings of patients: read one, search them, add, and change (withdraw and restore). */
export type Permissions = { read: boolean; search: boolean; add: boolean; change: boolean }

export const ALL_PERMISSIONS: Permissions = { read: true, search: true, add: true, change: true }

/** With a resource, or with a dot as before its permissions: `user/profile` is a scope of others. */
const KIND = /^(?:patient|user|system)\/(?:\*|[A-Z]|\w+\.)/
const OF_A_PATIENT = /^(?:patient\/|launch\/patient$)/
const PRACTITIONER = /(?:^|\/)Practitioner(?:Role)?\/[^/]+$/
const FORM = /^(patient|user|system)\/(?:Observation|\*)\.(read|write|\*|c?r?u?d?s?)$/
const VERSION_1: Record<string, string> = { read: 'rs', write: 'cud', '*': 'cruds' }

/** What a token says of whom it is for. */
export type TokenContext = { namesPatient: boolean; fhirUser: unknown }

/** What the scopes grant for the patients that the token names, and for every patient; undefined where none is of SMART. */
export function smartPermissions(
  scopes: readonly string[],
  { namesPatient, fhirUser }: TokenContext,
): { own: Permissions; every: Permissions } | undefined {
  if (!scopes.some((scope) => KIND.test(scope))) return undefined
  const mayBeAPatient = scopes.some((scope) => OF_A_PATIENT.test(scope)) || !mayBeAPractitioner(fhirUser)
  let [own, every] = ['', '']
  for (const scope of scopes) {
    const [, context, granted = ''] = FORM.exec(scope) ?? []
    const letters = VERSION_1[granted] ?? granted
    const isOfEvery = context === 'system' || (context === 'user' && !mayBeAPatient)
    if (isOfEvery && !namesPatient) every += letters
    else own += letters
  }
  return { own: permissionsFrom(own), every: permissionsFrom(every) }
}

/** The claim is an address such as Practitioner/1, and left out by many issuers. */
function mayBeAPractitioner(fhirUser: unknown): boolean {
  return fhirUser === undefined || (typeof fhirUser === 'string' && PRACTITIONER.test(fhirUser))
}

function permissionsFrom(letters: string): Permissions {
  return {
    read: letters.includes('r'),
    search: letters.includes('s'),
    add: letters.includes('c'),
    change: letters.includes('u'),
  }
}
