// For gateways, such as a vendor's cloud: the service wants the patient in the token, so each patient has a token of their
// own. Tokens are cached, for a bounded number of patients; each is renewed before it expires, and once when the service refuses it.
import { isObject, mustBeCount, mustBeFunction, mustBeOptions } from './check-arguments.ts'
import { RoundsError } from './rounds-error.ts'
import { mustBeToken, shareTokens, TokenMisuse, type TokenProvider, type Tokens } from './tokens.ts'
import { within } from './within.ts'

/** A token, or the answer of a token endpoint as it came (RFC 6749, RFC 8693). */
export type IssuedToken = string | { access_token: string; expires_in?: number | undefined }

/** Gets a token for one patient; `refused` is the one that the service did not accept. */
export type PatientTokenProvider = (
  patientUid: string,
  refused?: string,
) => IssuedToken | Promise<IssuedToken>

export type PatientTokenOptions = {
  /** The number of patients whose tokens are cached; the one used least recently is evicted. Default 1,000. */
  maxPatients?: number | undefined
  /** For calls that name no patient, such as the list of doctors. Without it they fail. */
  withoutPatient?: TokenProvider | undefined
}

type Cached = { token: string; renewAt: number; expiresAt: number }

// A token is renewed so long before it expires, or at four fifths of its life where that is short.
const RENEW_BEFORE_MS = 60_000
// How long a token is cached whose expiry cannot be known.
const UNKNOWN_LIFE_MS = 300_000
// Below the 40 s of an attempt, so that a slow issuer fails this patient and not the flush of a queue.
const PROVIDER_TIMEOUT_MS = 30_000

/** The `token` of a client that sends for many patients: `token: tokenByPatient((patientUid) => …)`. */
export function tokenByPatient(provider: PatientTokenProvider, options: PatientTokenOptions = {}): Tokens {
  mustBeFunction(provider, 'The first argument of tokenByPatient')
  mustBeOptions(options, 'tokenByPatient', ['maxPatients', 'withoutPatient'])
  const { maxPatients = 1_000, withoutPatient } = options
  mustBeCount(maxPatients, 'maxPatients')
  if (withoutPatient !== undefined) mustBeFunction(withoutPatient, 'withoutPatient')
  const ofNoPatient = withoutPatient && shareTokens(withoutPatient)
  // In order of use: the first is the one used least recently.
  const cache = new Map<string, Cached>()
  const inFlight = new Map<string, Promise<string>>()

  /** Concurrent calls for one patient share one request to the issuer. */
  function obtain(patientUid: string, refused?: string): Promise<string> {
    const request =
      inFlight.get(patientUid) ??
      obtainNow(patientUid, refused).finally(() => {
        inFlight.delete(patientUid)
      })
    inFlight.set(patientUid, request)
    return request
  }
  async function obtainNow(patientUid: string, refused?: string): Promise<string> {
    const issued = await within({ ms: PROVIDER_TIMEOUT_MS, signal: undefined }, async () =>
      refused === undefined ? provider(patientUid) : provider(patientUid, refused),
    )
      .then(tokenIn)
      .catch(unavailable)
    cache.delete(patientUid)
    cache.set(patientUid, issued)
    for (const leastRecent of cache.keys()) {
      if (cache.size <= maxPatients) break
      cache.delete(leastRecent)
    }
    return issued.token
  }

  return {
    byPatient: true,
    async current(patientUid) {
      if (patientUid === undefined) return mustHave(ofNoPatient).current(undefined)
      const found = cache.get(patientUid)
      if (found === undefined) return obtain(patientUid)
      cache.delete(patientUid)
      cache.set(patientUid, found)
      const now = Date.now()
      if (now < found.renewAt) return found.token
      const renewed = obtain(patientUid)
      // While the issuer is unavailable, the old token is good until it expires.
      return now < found.expiresAt ? renewed.catch(() => found.token) : renewed
    },
    async insteadOf(refused, patientUid) {
      if (patientUid === undefined) return mustHave(ofNoPatient).insteadOf(refused, undefined)
      const found = cache.get(patientUid)
      // A call that was in flight with the old token while another call had it replaced.
      if (found !== undefined && found.token !== refused) return found.token
      cache.delete(patientUid)
      return obtain(patientUid, refused)
    },
  }
}

function mustHave(tokens: Tokens | undefined): Tokens {
  if (tokens) return tokens
  throw new TokenMisuse(
    'The token is by patient, and this call names none: pass patientUid, or give tokenByPatient the option withoutPatient.',
  )
}

function tokenIn(answer: IssuedToken): Cached {
  if (isObject(answer) && 'error' in answer) throw new TypeError(issuerError(answer))
  const [token, seconds] = isObject(answer) ? [answer.access_token, answer.expires_in] : [answer, undefined]
  const now = Date.now()
  const lifeMs = seconds === undefined ? lifeIn(mustBeToken(token)) : seconds * 1_000
  const knownMs = lifeMs !== undefined && lifeMs > 0 ? lifeMs : UNKNOWN_LIFE_MS
  return {
    token: mustBeToken(token),
    renewAt: now + Math.max(knownMs - RENEW_BEFORE_MS, knownMs * 0.8),
    expiresAt: now + knownMs,
  }
}

/** By the claims, each relative to the other: the clock of this device may be wrong. */
function lifeIn(token: string): number | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { exp, iat } = Object(JSON.parse(atob(payload))) as { exp?: unknown; iat?: unknown }
    return typeof exp === 'number' && typeof iat === 'number' ? (exp - iat) * 1_000 : undefined
  } catch {
    // An opaque token, or a React Native without atob.
    return undefined
  }
}

function issuerError({ error, error_description: description }: Record<string, unknown>): string {
  return `The issuer answered ${String(error)}${typeof description === 'string' ? ` (${description})` : ''}.`
}

function unavailable(cause: unknown): never {
  const reason = cause instanceof Error ? ` ${cause.message}` : ''
  const message = `There is no token for this patient.${reason}`
  throw new RoundsError({ code: 'TokenUnavailable', message, retryable: false, cause })
}
