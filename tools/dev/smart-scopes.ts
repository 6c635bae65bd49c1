// The scopes of SMART on FHIR that the development issuer gives, and to whom: an app asks for them, and gets those that fit the
// person who signs in.
import type { Person } from './people.ts'

const KINDS = ['patient', 'user', 'system']
const RESOURCES = ['Observation', '*']
/** Version 1, then every set of letters of version 2 in its order. */
const PERMISSIONS = ['read', 'write', '*', ...setsOf('cruds')]

export const SMART_SCOPES = KINDS.flatMap((kind) =>
  RESOURCES.flatMap((resource) => PERMISSIONS.map((permission) => `${kind}/${resource}.${permission}`)),
)

/** Asked for beside them: who the user is as a FHIR resource, and which patient the app is about. */
export const LAUNCH_SCOPES = ['fhirUser', 'launch/patient']

const known = new Set(SMART_SCOPES)

export const isSmartScope = (scope: string) => known.has(scope)

/**
 * The scopes of a person's token. Where an app asks for scopes of SMART, they are those of the kinds that the person can have:
 * `system/` is for services, and a clinician has no patient of their own. Otherwise they are given by who the person is, as issuers
 * do that tie a scope to a role.
 */
export function scopesOfPerson({ scopes, patientUids }: Person, asked: readonly string[]): string[] {
  const smart = asked.filter(isSmartScope)
  if (smart.length === 0) return scopes
  const kinds = patientUids.length > 0 ? ['patient', 'user'] : ['user']
  return smart.filter((scope) => kinds.includes(scope.split('/')[0] ?? ''))
}

function setsOf(letters: string): string[] {
  if (letters === '') return []
  const [first = '', rest] = [letters[0], setsOf(letters.slice(1))]
  return [first, ...rest.map((set) => `${first}${set}`), ...rest]
}

/** A parameter or a claim that should be a text; anything else counts as none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
