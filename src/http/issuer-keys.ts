// The keys of one issuer, found by discovery and kept fresh. Known keys outlive an outage of the issuer (up to a day);
// one fetch runs at a time; a key that nobody knows causes at most one fetch per cool-down, failed ones included; what
// an issuer may send is bounded. Symmetric keys are dropped: nobody but the issuer may be able to sign.
import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose'
import { Refusal } from '../refusal.ts'

const REFRESH_MS = 60_000
const COOL_DOWN_MS = 5_000
const KEEP_STALE_MS = 24 * 3_600_000
const FETCH_TIMEOUT_MS = 2_000
const MAX_BYTES = 65_536
const MAX_KEYS = 50

export type IssuerKeys = {
  issuer: string
  find: JWTVerifyGetKey
  areKnown: () => boolean
  refresh: () => Promise<void>
  close: () => void
}

type Following = {
  issuer: string
  jwksUrl?: string | undefined
  onChange: () => void
  onFailure: (reason: string) => void
}

export function followIssuerKeys({ issuer, jwksUrl, onChange, onFailure }: Following): IssuerKeys {
  let keySet: ReturnType<typeof createLocalJWKSet> | undefined
  let fingerprint = ''
  let fetchedAt = 0
  let attemptedAt = 0
  let lastAttemptFailed = false
  let underWay: Promise<void> | undefined

  async function fetchKeys() {
    attemptedAt = Date.now()
    try {
      const keys = await fetchSigningKeys(jwksUrl ?? (await discoverJwksUrl(issuer)))
      const newFingerprint = JSON.stringify(keys)
      if (newFingerprint !== fingerprint) {
        keySet = createLocalJWKSet({ keys })
        fingerprint = newFingerprint
        onChange()
      }
      fetchedAt = Date.now()
      lastAttemptFailed = false
    } catch (error) {
      lastAttemptFailed = true
      onFailure(error instanceof Error ? error.message : 'unknown')
    }
  }
  function refresh(): Promise<void> {
    underWay ??= fetchKeys().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  const coolDownHasPassed = () => underWay !== undefined || Date.now() - attemptedAt > COOL_DOWN_MS
  const areKnown = () => keySet !== undefined && Date.now() - fetchedAt < KEEP_STALE_MS

  const find: JWTVerifyGetKey = async (header, token) => {
    if (!areKnown() && coolDownHasPassed()) await refresh()
    if (!keySet || !areKnown()) throw issuerUnavailable()
    try {
      return await keySet(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (coolDownHasPassed()) await refresh()
      // The key may be a new one that cannot be fetched now: that is not the caller's fault.
      if (lastAttemptFailed) throw issuerUnavailable()
      return keySet(header, token)
    }
  }
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref()
  return { issuer, find, areKnown, refresh, close: () => clearInterval(timer) }
}

function issuerUnavailable(): Refusal {
  return new Refusal(
    'IssuerUnavailable',
    'The keys of the token issuer cannot be fetched. Try again shortly.',
  )
}

async function discoverJwksUrl(issuer: string): Promise<string> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found['issuer'] !== issuer) throw new Error('discovery names another issuer')
  const jwksUrl = found['jwks_uri']
  if (typeof jwksUrl !== 'string' || !/^https?:/.test(jwksUrl)) throw new Error('discovery names no jwks_uri')
  return jwksUrl
}

async function fetchSigningKeys(url: string): Promise<JWK[]> {
  const { keys } = await fetchJson(url)
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error('the key set is not usable')
  const usable = keys.filter(
    (key: JWK) => ['RSA', 'EC', 'OKP'].includes(key?.kty ?? '') && (key.use ?? 'sig') === 'sig',
  )
  if (usable.length === 0) throw new Error('the key set holds no key for signatures')
  return usable
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  })
  if (response.status !== 200) throw new Error(`the issuer answered ${response.status}`)
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length > MAX_BYTES) throw new Error('the issuer sent too much')
  }
  return Object(JSON.parse(text))
}
