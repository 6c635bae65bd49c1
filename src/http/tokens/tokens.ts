// Identifies the caller. Rounds never issues tokens: it verifies JWT access tokens of the configured issuers, and caches each
// verified token until it expires, because a phone sends the same one for an hour and verifying costs more than everything else
// in a request. The cache is bounded, keyed by a hash of the token, and emptied whenever an issuer's keys change, so that a
// withdrawn key stops working.
import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import type { AuthConfig } from '../../config/config.ts'
import { countEach, type Metrics } from '../../metrics/metrics.ts'
import { Refusal } from '../../refusal.ts'
import {
  ALGORITHMS,
  CLOCK_TOLERANCE_S,
  faultFrom,
  headerFault,
  isPlainText,
  MAX_TOKEN_CHARS,
  payloadFault,
  SIGNED_JWT,
  TOKEN_FAULTS,
  type TokenFault,
} from './access-token.ts'
import { followIssuerKeys, type IssuerKeys, type SigningKey } from './issuer-keys.ts'
import { bytesOfTexts } from './lru-cache.ts'
import { ALL_PERMISSIONS, type Permissions, smartPermissions } from './smart-scopes.ts'
import { createTokenCache } from './token-cache.ts'

// About 75,000 ordinary tokens fit, and of more at least the 37,500 used last. But one token can name several hundred patients, and 100,000 of those would take gigabytes.
const CACHE = { maxTokens: 100_000, maxBytes: 64 * 1_048_576, sizeOf }

export type Caller = {
  subject: string
  /** The patients that the token names; empty when its claim is missing or unusable. */
  patientUids: readonly string[]
  /** What the token may do with the readings of those patients: all of it, unless it carries scopes of SMART. */
  own: Permissions
  /** The doctor of the directory that the token names, and what it may do with readings that patients share with that doctor. */
  doctorId: string | undefined
  /** The practices in which this doctor works, the one first for which looks count; empty without a doctor. They open no readings. */
  practiceIds: readonly string[]
  shared: Permissions
  isStaff: boolean
  /** Whether a read as staff must carry a reason. */
  needsReason: boolean
  /** Whether the token may withdraw readings of every patient, and whether it may follow the changes of all of them. */
  mayWithdraw: boolean
  mayFollowChanges: boolean
  mayManageWebhooks: boolean
  /** When the token expires, in epoch milliseconds. */
  expiresAtMs: number
  /** What outlasts the request that was verified must look whether it is still trusted. */
  signingKey: SigningKey
  /** Whether the token carries scopes and neither a patient nor a doctor claim, as those of staff and services do. */
  isService: boolean
}

export type Tokens = {
  /** The caller of a token that was verified before, at once. */
  recall: (token: string) => Caller | undefined
  /** Whether a token was verified before; it may have expired since. */
  isCached: (token: string) => boolean
  verify: (token: string) => Promise<Caller>
  keysAreKnown: () => boolean
  refreshKeys: () => Promise<void>
  close: () => void
}

const CHECKS = {
  name: 'rounds_token_checks_total',
  help: 'Token checks: found in the cache (cached), verified by signature, or refused, also because the keys of the issuer were missing.',
  label: 'outcome',
}
const REFUSED = {
  name: 'rounds_tokens_refused_total',
  help: 'Refused tokens, by reason.',
  label: 'reason',
}

type Verified = { caller: Caller; exp: number; keys: IssuerKeys }

const VERIFICATION = {
  algorithms: ALGORITHMS,
  requiredClaims: ['exp', 'sub', 'iss', 'aud'],
  clockTolerance: CLOCK_TOLERANCE_S,
}

type Deps = { warn: (message: string) => void; now: () => number; metrics: Metrics }

export function createTokens(auth: AuthConfig, { warn, now, metrics }: Deps): Tokens {
  let cache = createTokenCache<Verified>(CACHE)
  metrics.gauge({ name: 'rounds_tokens_cached', help: 'Verified tokens in the cache.' }, () => cache.size())
  const checks = countEach(metrics, CHECKS, ['cached', 'verified', 'refused'])
  const refusedFor = countEach(metrics, REFUSED, TOKEN_FAULTS)
  const issuers = auth.issuers.map((issuer) =>
    followIssuerKeys({
      issuer,
      jwksUrl: auth.jwksUrl,
      allowHttp: auth.allowHttp,
      now,
      metrics,
      onChange: () => {
        cache = createTokenCache(CACHE)
      },
      onFailure: (reason) => warn(`The keys of ${issuer} could not be fetched: ${reason}`),
    }),
  )

  function recall(token: string): Caller | undefined {
    if (token.length > MAX_TOKEN_CHARS) throw refused(tokenIsInvalid('malformed'))
    const known = cache.recall(token)
    if (!known?.keys.areKnown()) return undefined
    if (known.exp + CLOCK_TOLERANCE_S <= now() / 1000) throw refused(tokenHasExpired())
    checks.cached++
    return known.caller
  }

  async function verify(token: string): Promise<Caller> {
    // If the keys change while this token is being verified, it goes into the old cache, which is no longer read.
    const { store } = cache
    const verified = await verifySignatureAndClaims(token).catch((error: unknown) => {
      throw refused(error)
    })
    checks.verified++
    store(token, verified)
    return verified.caller
  }

  function refused<Refused>(error: Refused): Refused {
    checks.refused++
    const fault = TOKEN_FAULTS.find((known) => error instanceof Refusal && known === error.reason)
    if (fault) refusedFor[fault]++
    return error
  }

  async function verifySignatureAndClaims(token: string): Promise<Verified> {
    if (!SIGNED_JWT.test(token)) throw tokenIsInvalid('malformed')
    try {
      const header = decodeProtectedHeader(token)
      mustHaveNone(headerFault(header, auth.mustBeAtJwt))
      const { iss } = decodeJwt(token)
      const keys = issuers.find(({ issuer }) => issuer === iss)
      if (!keys) throw tokenIsInvalid('issuer')
      const expected = { issuer: keys.issuer, audience: auth.audience, currentDate: new Date(now()) }
      const { verified, signingKey } = await keys.verifyWith(header, (key) =>
        jwtVerify(token, key, { ...VERIFICATION, ...expected }),
      )
      const { payload } = verified
      mustHaveNone(payloadFault(payload, now() / 1000))
      return { caller: { ...callerFrom(payload, auth), signingKey }, exp: payload.exp ?? 0, keys }
    } catch (error) {
      if (error instanceof Refusal) throw error
      const fault = faultFrom(error)
      throw fault === 'expired' ? tokenHasExpired() : tokenIsInvalid(fault)
    }
  }

  return {
    recall,
    isCached: (token) => token.length <= MAX_TOKEN_CHARS && cache.recall(token) !== undefined,
    verify,
    keysAreKnown: () => issuers.every((keys) => keys.areKnown()),
    refreshKeys: async () => void (await Promise.all(issuers.map((keys) => keys.refresh()))),
    close: () => issuers.forEach((keys) => keys.close()),
  }
}

/** The texts that an entry of the cache holds. They are copies: JSON.parse makes no text that shares cache with its input. */
function sizeOf({ caller: { subject, patientUids, doctorId = '', practiceIds } }: Verified): number {
  return bytesOfTexts([subject, doctorId, ...practiceIds, ...patientUids])
}

/** What the claims of a verified token say of its bearer. */
export function callerFrom(payload: JWTPayload, auth: AuthConfig): Omit<Caller, 'signingKey'> {
  const { sub = '', iss = '' } = payload
  const scopes = scopesOf(payload)
  const patientUids = idsOf(payload[auth.patientClaim])
  const namesPatient = payload[auth.patientClaim] !== undefined
  const { patient, fhirUser, [auth.doctorClaim]: doctor } = payload
  const context = {
    namesPatient,
    namesDoctor: doctor !== undefined,
    patient,
    fhirUser,
    usersAreStaff: auth.smartUsersAreStaff,
  }
  const smart = smartPermissions(scopes, context)
  const readsEvery = auth.servesFhir && smart?.every.read === true && smart.every.search
  return {
    // A subject is unique within its issuer only.
    subject: auth.issuers.length > 1 ? `${iss}#${sub}` : sub,
    patientUids,
    own: smart?.own ?? ALL_PERMISSIONS,
    doctorId: isId(doctor) ? doctor : undefined,
    practiceIds: isId(doctor) ? idsOf(payload[auth.practiceClaim]) : [],
    shared: smart?.shared ?? ALL_PERMISSIONS,
    isStaff: scopes.includes(auth.staffScope) || readsEvery,
    // A program with a scope `system/…` has no reason to give, and the clients of FHIR have no header for one.
    needsReason: auth.staffNeedsReason && (scopes.includes(auth.staffScope) || !scopes.some(isOfSystem)),
    mayWithdraw: scopes.includes(auth.withdrawScope),
    mayFollowChanges: scopes.includes(auth.changesScope),
    mayManageWebhooks: scopes.includes(auth.webhooksScope),
    expiresAtMs: 1_000 * (payload.exp ?? 0),
    isService: scopes.length > 0 && !namesPatient && doctor === undefined,
  }
}

/** One unusable element makes the whole claim unusable: what such an issuer means cannot be guessed. */
function idsOf(claim: unknown): string[] {
  const ids: unknown[] = Array.isArray(claim) ? claim : [claim]
  return ids.every(isId) ? [...new Set(ids)] : []
}

const isId = (id: unknown): id is string => isPlainText(id) && id !== '*'

const isOfSystem = (scope: string) => scope.startsWith('system/')

function scopesOf({ scope, scp }: JWTPayload): string[] {
  const claim = scope ?? scp
  if (typeof claim === 'string') return claim.split(' ').filter((word) => word !== '')
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}

function mustHaveNone(fault: TokenFault | undefined) {
  if (fault !== undefined) throw tokenIsInvalid(fault)
}

/** The caller learns that the token is refused; the log learns why. */
export function tokenIsInvalid(fault: TokenFault): Refusal {
  return unauthorised('TokenInvalid', 'The access token is not valid for this service.', fault)
}

function tokenHasExpired(): Refusal {
  return unauthorised('TokenExpired', 'The access token has expired. Get a new one and try again.', 'expired')
}

function unauthorised(code: 'TokenInvalid' | 'TokenExpired', message: string, reason: TokenFault): Refusal {
  const challenge = `Bearer realm="rounds", error="invalid_token", error_description="${message}"`
  return new Refusal(code, message, { headers: { 'www-authenticate': challenge }, reason })
}
