// Scopes of SMART on FHIR, such as patient/Observation.rs, user/*.read or system/Observation.crs. They are read where a
// process serves FHIR, and only there. A token that carries any of them may do what they say and nothing else: without them
// it may do all that a token of its patients may do.
//
// - `patient/` is about the patients that the token names. So are `user/` and `system/` where it names one: whether its user
//   is a patient or a clinician cannot be known. Where it names none they are about every patient, as the staff scope is.
// - Version 1 has read, write and *; version 2 has the letters of create, read, update, delete and search, in this order.
// - A scope with a condition (`?category=…`) would have to be enforced for each Observation; it grants nothing.

/** What a token may do with readings of patients: read one, search them, add, and change (withdraw and restore). */
export type Permissions = { read: boolean; search: boolean; add: boolean; change: boolean }

export const ALL_PERMISSIONS: Permissions = { read: true, search: true, add: true, change: true }

const KIND = /^(?:patient|user|system)\//
const FORM = /^(patient|user|system)\/(?:Observation|\*)\.(read|write|\*|c?r?u?d?s?)$/
const VERSION_1: Record<string, string> = { read: 'rs', write: 'cud', '*': 'cruds' }

/** What the scopes grant for the patients that the token names, and for every patient; undefined where none is of SMART. */
export function smartPermissions(
  scopes: readonly string[],
  namesPatient: boolean,
): { own: Permissions; every: Permissions } | undefined {
  if (!scopes.some((scope) => KIND.test(scope))) return undefined
  let [own, every] = ['', '']
  for (const scope of scopes) {
    const [, context, granted = ''] = FORM.exec(scope) ?? []
    const letters = VERSION_1[granted] ?? granted
    if (context === 'patient' || namesPatient) own += letters
    else every += letters
  }
  return { own: permissionsFrom(own), every: permissionsFrom(every) }
}

function permissionsFrom(letters: string): Permissions {
  return {
    read: letters.includes('r'),
    search: letters.includes('s'),
    add: letters.includes('c'),
    change: letters.includes('u'),
  }
}
