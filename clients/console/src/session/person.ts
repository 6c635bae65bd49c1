// Who is signed in, as the tokens say. The access token is a JWT, since Rounds accepts no other; the service checks it, this only
// reads it, to show what its holder may do.
import type { ConsoleConfig } from '../config.ts'

export type Person = {
  name: string
  /** The subject of the access token: what the access log calls this person. */
  subject: string
  /** The patients that the token names: one's own, or those whom one cares for. */
  patientUids: string[]
  /** The doctor of the directory whom the token names: patients may share their readings with them. */
  doctorId?: string
  /** May read every patient. */
  isStaff: boolean
  /** The zone that the issuer knows of this person. */
  zone?: string
}

/** The screens of patients speak English alone. */
export const mayChooseLanguage = ({ doctorId, isStaff }: Person) => doctorId !== undefined || isStaff

type Claims = Readonly<Record<string, unknown>>
type Rights = Pick<ConsoleConfig, 'patientClaim' | 'doctorClaim' | 'staffScope'>

export function personOf(accessToken: string, profile: Claims, rights: Rights): Person {
  const claims = claimsIn(accessToken)
  const patients: unknown[] = [claims[rights.patientClaim ?? 'patientUid'] ?? []].flat()
  const patientUids = patients.filter((uid) => typeof uid === 'string')
  const scopes = scopesIn(claims)
  const subject = textIn(claims, 'sub') ?? ''
  const name = textIn(profile, 'name') ?? textIn(profile, 'preferred_username') ?? subject
  const doctorId = textIn(claims, rights.doctorClaim ?? 'doctorId')
  const zone = textIn(profile, 'zoneinfo')
  return {
    name,
    subject,
    patientUids,
    ...(doctorId === undefined ? {} : { doctorId }),
    isStaff: scopes.includes(rights.staffScope ?? 'readings:read'),
    ...(zone === undefined ? {} : { zone }),
  }
}

function claimsIn(token: string): Claims {
  try {
    const [, payload = ''] = token.split('.')
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return Object(JSON.parse(new TextDecoder().decode(bytes))) as Claims
  } catch {
    return {}
  }
}

function scopesIn({ scope, scp }: Claims): string[] {
  const claim = scope ?? scp
  if (typeof claim === 'string') return claim.split(' ')
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}

function textIn(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
