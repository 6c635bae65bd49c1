// `rounds token check`: one token, check by check, and what Rounds would make of it. The verdict is the server's own; the
// checks say what is wrong in words, all of them, so that a person need not come back for each. Nothing personal is shown:
// of the claims their names, the issuer, the audience and the times.
import { decodeJwt, decodeProtectedHeader, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import type { AuthConfig } from '../config/config.ts'
import {
  ALGORITHMS,
  CLOCK_TOLERANCE_S,
  headerFault,
  isSubject,
  MAX_TOKEN_CHARS,
  markOfOtherUse,
  SIGNED_JWT,
} from '../http/tokens/access-token.ts'
import { type Caller, createTokens } from '../http/tokens/tokens.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { Refusal } from '../refusal.ts'

type Check = { name: string; outcome: 'ok' | 'no' | '–'; text: string }

type Verdict = { caller: Caller } | { refusal: Refusal; keyFailures: string[] }

export async function explainToken(
  token: string,
  auth: AuthConfig,
  now: number,
): Promise<{ text: string; isAccepted: boolean }> {
  const verdict = await verdictOn(token, auth, now)
  const decoded = decode(token)
  const checks = [
    check('form', decoded !== undefined && token.length <= MAX_TOKEN_CHARS, {
      ok: `a signed JWT of ${token.length} characters`,
      no: `a signed JWT of at most ${MAX_TOKEN_CHARS} characters is needed: three parts in base64url with dots between them`,
    }),
    ...(decoded ? checksOf(decoded, verdict, { auth, nowS: now / 1_000 }) : []),
  ]
  const lines = checks.map(({ name, outcome, text }) => `${outcome.padEnd(3)} ${name.padEnd(10)} ${text}`)
  return {
    text: [...(decoded ? describe(decoded) : []), ...lines, sentenceOn(verdict, auth)].join('\n'),
    isAccepted: 'caller' in verdict,
  }
}

async function verdictOn(token: string, auth: AuthConfig, now: number): Promise<Verdict> {
  const keyFailures: string[] = []
  const tokens = createTokens(auth, {
    warn: (message) => keyFailures.push(message),
    now: () => now,
    metrics: createMetrics(),
  })
  try {
    return { caller: tokens.recall(token) ?? (await tokens.verify(token)) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error, keyFailures }
    throw error
  } finally {
    tokens.close()
  }
}

type Decoded = { header: ProtectedHeaderParameters; payload: JWTPayload }

function decode(token: string): Decoded | undefined {
  if (!SIGNED_JWT.test(token)) return undefined
  try {
    return { header: decodeProtectedHeader(token), payload: decodeJwt(token) }
  } catch {
    return undefined
  }
}

const describe = ({ header, payload }: Decoded) => [
  `header: ${Object.keys(header).map(printable).join(', ')}`,
  `claims: ${Object.keys(payload).map(printable).join(', ')}`,
]

function checksOf(
  { header, payload }: Decoded,
  verdict: Verdict,
  { auth, nowS }: { auth: AuthConfig; nowS: number },
): Check[] {
  const { alg, typ, kid } = header
  const fault = headerFault(header, auth.mustBeAtJwt)
  const { iss, aud, sub } = payload
  const isOfIssuer = typeof iss === 'string' && auth.issuers.includes(iss)
  const audiences = [aud ?? []].flat()
  const otherUse = markOfOtherUse(payload)
  return [
    check('algorithm', fault !== 'algorithm', {
      ok: printable(alg),
      no: `${printable(alg)}: it must be one of ${ALGORITHMS.join(', ')}`,
    }),
    check('type', fault !== 'type' && fault !== 'header', {
      ok: typ === undefined ? 'none' : printable(typ),
      no:
        fault === 'header'
          ? 'crit and b64 must not be there, and kid must be a text'
          : `typ is ${printable(typ)}: it must be ${auth.mustBeAtJwt ? 'at+jwt (AUTH_TOKEN_TYPE)' : 'at+jwt, JWT or left out'}`,
    }),
    check('issuer', isOfIssuer, {
      ok: printable(iss),
      no: `iss is ${printable(iss)}, and AUTH_ISSUER ${auth.issuers.map(printable).join(', ')}`,
    }),
    ...keyChecks(verdict, { kid, isReached: fault === undefined && isOfIssuer }),
    check('audience', audiences.includes(auth.audience), {
      ok: printable(auth.audience),
      no: `aud is ${audiences.map(printable).join(', ') || 'missing'}, and AUTH_AUDIENCE ${printable(auth.audience)}`,
    }),
    expiryCheck(payload, nowS),
    startCheck(payload, nowS),
    check('subject', isSubject(sub), {
      ok: 'there is one',
      no: 'sub must be a text of at most 255 characters that is not blank and has no control characters',
    }),
    check('use', otherUse === undefined, {
      ok: 'nothing marks it as an ID token or another kind',
      no: `the claim ${printable(otherUse)} marks it as no plain access token, such as an ID token`,
    }),
  ]
}

/** Before a token is compared with keys, its header and its issuer must be accepted. */
function keyChecks(
  verdict: Verdict,
  { kid, isReached }: { kid: string | undefined; isReached: boolean },
): Check[] {
  const named = kid === undefined ? 'no kid, so each key that fits is tried' : `kid ${printable(kid)}`
  if (!isReached) return [{ name: 'key', outcome: '–', text: 'not looked for: fix what is above first' }]
  if (!('refusal' in verdict) || !['unknownKey', undefined].includes(verdict.refusal.reason)) {
    const isSigned = !('refusal' in verdict) || verdict.refusal.reason !== 'signature'
    return [
      { name: 'key', outcome: 'ok', text: named },
      check('signature', isSigned, { ok: 'of that key', no: 'not of that key, or changed on its way' }),
    ]
  }
  const { refusal, keyFailures } = verdict
  const text =
    refusal.reason === 'unknownKey'
      ? `${named}: the issuer publishes no such key for this algorithm`
      : (keyFailures[0] ?? refusal.message)
  return [{ name: 'key', outcome: 'no', text }]
}

function expiryCheck({ exp }: JWTPayload, nowS: number): Check {
  if (typeof exp !== 'number')
    return { name: 'expiry', outcome: 'no', text: 'exp must be a number of seconds' }
  return check('expiry', exp + CLOCK_TOLERANCE_S > nowS, {
    ok: `it expires ${inWords(exp, nowS)}`,
    no: `it expired ${inWords(exp, nowS)}`,
  })
}

function startCheck({ nbf, iat }: JWTPayload, nowS: number): Check {
  if ([nbf, iat].some((time) => time !== undefined && typeof time !== 'number'))
    return { name: 'start', outcome: 'no', text: 'nbf and iat must be numbers of seconds' }
  const latest = Math.max(nbf ?? 0, iat ?? 0)
  return check('start', latest <= nowS + CLOCK_TOLERANCE_S, {
    ok: iat === undefined ? 'it says nothing of when it was issued' : `it was issued ${inWords(iat, nowS)}`,
    no: `it is valid from ${inWords(latest, nowS)} only: compare the clocks of the issuer and of this machine`,
  })
}

function check(name: string, isOk: boolean, { ok, no }: { ok: string; no: string }): Check {
  return isOk ? { name, outcome: 'ok', text: ok } : { name, outcome: 'no', text: no }
}

function sentenceOn(verdict: Verdict, auth: AuthConfig): string {
  if ('refusal' in verdict) {
    const { code, reason } = verdict.refusal
    return `Rounds refuses this token: ${code}${reason === undefined ? '' : ` (${reason})`}.`
  }
  const { staffScope, patientClaim, doctorClaim, servesFhir } = auth
  const { patientUids, doctorId, isStaff } = verdict.caller
  const patients = `It names ${patientUids.length === 1 ? '1 patient' : `${patientUids.length} patients`} in ${patientClaim}`
  const doctor = `${doctorId === undefined ? 'no doctor' : 'a doctor'} in ${doctorClaim}`
  const orSmart = servesFhir ? ' or scopes of SMART that mean the same' : ''
  const scope = isStaff
    ? `it has the scope ${staffScope}${orSmart}`
    : `it does not have the scope ${staffScope}`
  return `Rounds accepts this token. ${patients} and ${doctor}, and ${scope}.`
}

const UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** "in 9 minutes (2026-11-15T17:00:00.000Z)", or "3 days ago (…)". */
function inWords(atS: number, nowS: number): string {
  const distance = Math.abs(atS - nowS)
  const [unit, seconds] = UNITS.find(([, size]) => distance >= size) ?? ['second', 1]
  const count = Math.floor(distance / seconds)
  const length = `${count} ${unit}${count === 1 ? '' : 's'}`
  const at = new Date(atS * 1_000)
  const instant = Number.isNaN(at.valueOf()) ? '' : ` (${at.toISOString()})`
  return `${atS > nowS ? `in ${length}` : `${length} ago`}${instant}`
}

/** A value of a token, as it may stand on a terminal. */
const MAX_SHOWN_CHARS = 200
function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
  return text.slice(0, MAX_SHOWN_CHARS).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}
