// Which signed tokens are access tokens. An issuer signs ID tokens, logout tokens and others with the same keys; they differ by
// `typ` and by claims that only they carry. One case cannot be recognised: an ID token without any of these marks, for an
// audience that is also a client's id. AUTH_TOKEN_TYPE=at+jwt closes that, where the issuer sets it.
import type { JWTPayload, ProtectedHeaderParameters } from 'jose'

export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
export const CLOCK_TOLERANCE_S = 5
const LATEST_EXP_S = 253_402_300_799

/** No extension is understood here, so none may be in use; a key id is only ever a text to look up. */
export function isAcceptedHeader(
  { alg, kid, crit, b64, typ }: ProtectedHeaderParameters,
  mustBeAtJwt: boolean,
): boolean {
  const isPlain = (kid === undefined || typeof kid === 'string') && crit === undefined && b64 === undefined
  return isPlain && ALGORITHMS.includes(alg ?? '') && isAcceptedType(typ, mustBeAtJwt)
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

/** What jose does not check: an empty subject, impossible times, and tokens that are made for another use. */
export function isAccessToken(payload: JWTPayload, nowS: number): boolean {
  const { sub, exp, iat, typ, token_use } = payload
  return (
    isPlainText(sub) &&
    (exp ?? Infinity) <= LATEST_EXP_S &&
    (iat ?? 0) <= nowS + CLOCK_TOLERANCE_S &&
    CLAIMS_OF_OTHERS.every((claim) => payload[claim] === undefined) &&
    !(typeof typ === 'string' && KEYCLOAK_OTHERS.has(typ.toUpperCase())) &&
    // Cognito says which of its tokens this is.
    (token_use === undefined || token_use === 'access')
  )
}

/** Neither blank, nor with control characters or half a character: PostgreSQL would refuse or change those. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value)
}
