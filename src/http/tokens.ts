// Who is calling. Rounds never issues tokens: it verifies JWT access tokens of the issuers it was told of, and
// remembers each verified token until it expires, because a phone sends the same one for an hour and verifying costs
// more than everything else in a request. The memory is bounded, keyed by a hash of the token, and emptied whenever an
// issuer's keys change, so that a withdrawn key stops working.
import { hash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { AuthConfig } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { followIssuerKeys } from './issuer-keys.ts'

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
const CLOCK_TOLERANCE_S = 5
const MAX_TOKEN_CHARS = 4_096
const MAX_REMEMBERED = 100_000
const LATEST_EXP_S = 253_402_300_799

export type Caller = {
  subject: string
  /** The patients that the token names; empty when its claim is missing or unusable. */
  patientUids: readonly string[]
  isStaff: boolean
  /** Whether the token carries scopes and no patient claim at all, as those of staff and services do. */
  isService: boolean
}

export type Tokens = {
  verify: (token: string) => Promise<Caller>
  keysAreKnown: () => boolean
  refreshKeys: () => Promise<void>
  close: () => void
}

export function createTokens(auth: AuthConfig, warn: (message: string) => void): Tokens {
  const remembered = new Map<string, { caller: Caller; exp: number }>()
  const issuers = auth.issuers.map((issuer) =>
    followIssuerKeys({
      issuer,
      jwksUrl: auth.jwksUrl,
      onChange: () => remembered.clear(),
      onFailure: (reason) => warn(`The keys of an issuer could not be fetched: ${reason}`),
    }),
  )

  async function verify(token: string): Promise<Caller> {
    const key = hash('sha256', token, 'base64')
    const known = remembered.get(key)
    if (known) {
      if (known.exp + CLOCK_TOLERANCE_S > Date.now() / 1000) return known.caller
      remembered.delete(key)
      throw expired()
    }
    const payload = await verifySignatureAndClaims(token)
    const caller = callerFrom(payload, auth)
    const oldest = remembered.size >= MAX_REMEMBERED ? remembered.keys().next().value : undefined
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(key, { caller, exp: payload.exp ?? 0 })
    return caller
  }

  async function verifySignatureAndClaims(token: string): Promise<JWTPayload> {
    if (token.length > MAX_TOKEN_CHARS || token.split('.').length !== 3) throw tokenIsInvalid()
    try {
      const { kid } = decodeProtectedHeader(token)
      const keys = issuers.find(({ issuer }) => issuer === decodeJwt(token).iss)
      if (!keys || (kid !== undefined && typeof kid !== 'string')) throw tokenIsInvalid()
      const { payload } = await jwtVerify(token, keys.find, {
        issuer: keys.issuer,
        audience: auth.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub', 'iss', 'aud'],
        clockTolerance: CLOCK_TOLERANCE_S,
      })
      mustBeAnAccessToken(payload)
      return payload
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw error instanceof errors.JWTExpired ? expired() : tokenIsInvalid()
    }
  }

  return {
    verify,
    keysAreKnown: () => issuers.every((keys) => keys.areKnown()),
    refreshKeys: async () => void (await Promise.all(issuers.map((keys) => keys.refresh()))),
    close: () => issuers.forEach((keys) => keys.close()),
  }
}

/** What jose leaves open: an empty subject, times that are none, ID tokens, and tokens bound to a sender's key. */
function mustBeAnAccessToken({ sub, exp, iat, nonce, at_hash, cnf }: JWTPayload) {
  const nowS = Date.now() / 1000
  const isSound =
    typeof sub === 'string' &&
    sub !== '' &&
    (exp ?? Infinity) <= LATEST_EXP_S &&
    (iat ?? 0) <= nowS + CLOCK_TOLERANCE_S &&
    [nonce, at_hash, cnf].every((claim) => claim === undefined)
  if (!isSound) throw tokenIsInvalid()
}

function callerFrom(payload: JWTPayload, auth: AuthConfig): Caller {
  const { sub = '', iss = '' } = payload
  const scopes = scopesOf(payload)
  return {
    // A subject is unique within its issuer only.
    subject: auth.issuers.length > 1 ? `${iss}#${sub}` : sub,
    patientUids: patientUidsOf(payload[auth.patientClaim]),
    isStaff: scopes.includes(auth.staffScope),
    isService: scopes.length > 0 && payload[auth.patientClaim] === undefined,
  }
}

/** One unusable element makes the whole claim unusable: an issuer that mixes them up is not to be guessed at. */
function patientUidsOf(claim: unknown): string[] {
  const uids: unknown[] = Array.isArray(claim) ? claim : [claim]
  return uids.every(
    (uid) => typeof uid === 'string' && uid.trim() !== '' && uid !== '*' && !/\p{Cc}/u.test(uid),
  )
    ? (uids as string[])
    : []
}

function scopesOf({ scope, scp }: JWTPayload): string[] {
  const claim = scope ?? scp
  if (typeof claim === 'string') return claim.split(' ').filter((word) => word !== '')
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}

export function tokenIsInvalid(): Refusal {
  return unauthorised('TokenInvalid', 'The access token is not valid for this service.')
}

function expired(): Refusal {
  return unauthorised('TokenExpired', 'The access token has expired. Get a new one and try again.')
}

function unauthorised(code: 'TokenInvalid' | 'TokenExpired', message: string): Refusal {
  const challenge = `Bearer realm="rounds", error="invalid_token", error_description="${message}"`
  return new Refusal(code, message, { headers: { 'www-authenticate': challenge } })
}
