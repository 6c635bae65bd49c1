// Scopes of SMART on FHIR, such as patient/Observation.rs, user/*.read or system/Observation.crs. A token that carries any of
// them may do with readings what they say, in every process; without them it may do all that a token of its patients may do.
// They add rights, for every patient, only where FHIR is served. The scopes of Rounds itself count beside them.
//
// - Where the token names patients, all three kinds are about these patients: whether its user is a patient or a clinician is
//   not known.
// - Where it names none, `user/` and `system/` are about every patient, as the staff scope is, unless anything in the token
//   speaks for a patient: a scope `patient/…` or `launch/patient`, the claim `patient` of a launch, or a `fhirUser` that is not
//   a practitioner. Then the patient may stand in another claim than AUTH_PATIENT_CLAIM, and they grant nothing.
// - `user/` also needs a `fhirUser` that is a practitioner, and no doctor in AUTH_DOCTOR_CLAIM: a doctor reads what patients share.
//   AUTH_SMART_USERS_ARE_STAFF says that the issuer gives `user/` to
//   clinicians alone: then a missing `fhirUser` and a patient in context do not matter. One that is no practitioner still does.
// - Version 1 has read, write and *; version 2 has the letters of create, read, update, delete and search, in this order.
// - A scope with a condition (`?category=…`) would have to be enforced for each Observation; it grants nothing.

/** What a token may do with readings of patients: read one, search them, add, and change (withdraw and restore). */
export type Permissions = { read: boolean; search: boolean; add: boolean; change: boolean }

export const ALL_PERMISSIONS: Permissions = { read: true, search: true, add: true, change: true }

/** With a resource, or with a dot as before its permissions: `user/profile` is a scope of others. */
const KIND = /^(?:patient|user|system)\/(?:\*|[A-Z]|\w+\.)/
const OF_A_PATIENT = /^(?:patient\/|launch\/patient$)/
const PRACTITIONER = /^Practitioner(?:Role)?\/[A-Za-z0-9.-]{1,64}$/
const SERVER = /^https?:\/\/[^\s?#]+$/
const FORM = /^(patient|user|system)\/(?:Observation|\*)\.(read|write|\*|c?r?u?d?s?)$/
const VERSION_1: Record<string, string> = { read: 'rs', write: 'cud', '*': 'cruds' }

/** What a token says of the person it is for. Claims are undefined where they are missing. */
export type TokenContext = {
  namesPatient: boolean
  namesDoctor: boolean
  patient: unknown
  fhirUser: unknown
  usersAreStaff: boolean
}

/**
 * What the scopes grant for the patients that the token names, for every patient, and, by `user/`, for those who share with the
 * doctor that the token names. Undefined where none is of SMART.
 */
export function smartPermissions(
  scopes: readonly string[],
  context: TokenContext,
): { own: Permissions; every: Permissions; shared: Permissions } | undefined {
  if (!scopes.some((scope) => KIND.test(scope))) return undefined
  const kindsForEvery = kindsForEveryPatient(scopes, context)
  let [own, every, shared] = ['', '', '']
  for (const scope of scopes) {
    const [, kind = '', granted = ''] = FORM.exec(scope) ?? []
    const letters = VERSION_1[granted] ?? granted
    if (kindsForEvery.includes(kind)) every += letters
    else own += letters
    if (kind === 'user') shared += letters
  }
  return { own: permissionsFrom(own), every: permissionsFrom(every), shared: permissionsFrom(shared) }
}

/** Which kinds of scopes are about every patient. */
function kindsForEveryPatient(
  scopes: readonly string[],
  { namesPatient, namesDoctor, patient, fhirUser, usersAreStaff }: TokenContext,
): string[] {
  const isPractitioner = typeof fhirUser === 'string' && namesPractitioner(fhirUser)
  const isAnotherPerson = fhirUser !== undefined && !isPractitioner
  if (namesPatient || isAnotherPerson) return []
  const hasPatientInContext = patient !== undefined || scopes.some((scope) => OF_A_PATIENT.test(scope))
  return [
    ...(usersAreStaff || (isPractitioner && !hasPatientInContext && !namesDoctor) ? ['user'] : []),
    ...(hasPatientInContext ? [] : ['system']),
  ]
}

function permissionsFrom(letters: string): Permissions {
  return {
    read: letters.includes('r'),
    search: letters.includes('s'),
    add: letters.includes('c'),
    change: letters.includes('u'),
  }
}

/** A reference to a practitioner, relative or with the address of its server. */
function namesPractitioner(reference: string): boolean {
  const segments = reference.split('/')
  const server = segments.slice(0, -2).join('/')
  return PRACTITIONER.test(segments.slice(-2).join('/')) && (segments.length === 2 || SERVER.test(server))
}
