// Which signed tokens are access tokens. An issuer signs ID tokens, logout tokens and others with the same keys; they differ by
// `typ` and by claims that only they carry. One case cannot be recognised: an ID token without any of these marks, for an
// audience that is also a client's id. AUTH_TOKEN_TYPE=at+jwt closes that, where the issuer sets it.
import { errors, type JWTPayload, type ProtectedHeaderParameters } from 'jose'

export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
export const CLOCK_TOLERANCE_S = 5
export const MAX_TOKEN_CHARS = 4_096
// Three parts in base64url. An encrypted token has five and is refused unread.
export const SIGNED_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
// OpenID Connect allows no more. It is stored with each reading and each read, and cached.
const MAX_SUBJECT_CHARS = 255
const LATEST_EXP_S = 253_402_300_799

const CLAIM_NAMES = ['iss', 'aud', 'sub', 'exp', 'nbf', 'iat'] as const
type ClaimName = (typeof CLAIM_NAMES)[number]

/** Why a token was refused: for the log, a metric and `rounds token check`. The answer does not say it. */
export const TOKEN_FAULTS = [
  'malformed',
  'algorithm',
  'header',
  'type',
  'issuer',
  'unknownKey',
  'signature',
  'audience',
  'expired',
  'notYetValid',
  'otherUse',
  ...CLAIM_NAMES.map((name): `claim ${ClaimName}` => `claim ${name}`),
] as const
/** Of two tokens none is looked at. */
export type TokenFault = (typeof TOKEN_FAULTS)[number] | 'sentTwice'

/** No extension is understood here, so none may be in use; a key id is only ever a text to look up. */
export function headerFault(
  { alg, kid, crit, b64, typ }: ProtectedHeaderParameters,
  mustBeAtJwt: boolean,
): TokenFault | undefined {
  if (!ALGORITHMS.includes(alg ?? '')) return 'algorithm'
  const isPlain = (kid === undefined || typeof kid === 'string') && crit === undefined && b64 === undefined
  if (!isPlain) return 'header'
  return isAcceptedType(typ, mustBeAtJwt) ? undefined : 'type'
}

/** RFC 9068 and RFC 7515: any case, and `application/` may be left out. Most issuers say JWT, or nothing. */
function isAcceptedType(typ: unknown, mustBeAtJwt: boolean): boolean {
  if (typ === undefined) return !mustBeAtJwt
  if (typeof typ !== 'string') return false
  const type = typ.toLowerCase().replace(/^application\//, '')
  return type === 'at+jwt' || (type === 'jwt' && !mustBeAtJwt)
}

// Of ID tokens (OpenID Connect), of logout and other event tokens (RFC 8417), and of tokens that are bound to a sender's key.
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf']
// What Keycloak calls its other tokens, in a claim: its headers all say JWT.
const KEYCLOAK_OTHERS = new Set(['ID', 'REFRESH', 'OFFLINE', 'LOGOUT', 'DPOP'])

/** What jose leaves open: an unusable subject, times that are none, and tokens that are made for another use. */
export function payloadFault(payload: JWTPayload, nowS: number): TokenFault | undefined {
  const { sub, exp, iat } = payload
  if (!isSubject(sub)) return 'claim sub'
  if ((exp ?? Infinity) > LATEST_EXP_S) return 'claim exp'
  if ((iat ?? 0) > nowS + CLOCK_TOLERANCE_S) return 'claim iat'
  return markOfOtherUse(payload) === undefined ? undefined : 'otherUse'
}

/** The claim that shows that a token is no access token. */
export function markOfOtherUse(payload: JWTPayload): string | undefined {
  const { typ, token_use } = payload
  if (typeof typ === 'string' && KEYCLOAK_OTHERS.has(typ.toUpperCase())) return 'typ'
  // Cognito says which of its tokens this is.
  if (token_use !== undefined && token_use !== 'access') return 'token_use'
  return CLAIMS_OF_OTHERS.find((claim) => payload[claim] !== undefined)
}

/** What jose's error means. */
export function faultFrom(error: unknown): TokenFault {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknownKey'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'malformed'
  const { claim, reason } = error
  if (claim === 'aud' && reason === 'check_failed') return 'audience'
  if (claim === 'nbf' && reason === 'check_failed') return 'notYetValid'
  const name = CLAIM_NAMES.find((known) => known === claim)
  return name === undefined ? 'malformed' : `claim ${name}`
}

export function isSubject(sub: unknown): boolean {
  return isPlainText(sub) && Array.from(sub).length <= MAX_SUBJECT_CHARS
}

/** Neither blank, nor with control characters or half a character: PostgreSQL would refuse or change those. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value)
}
