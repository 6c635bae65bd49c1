// The keys of one issuer, found by discovery and refreshed every minute.
//
// - Cached keys keep working during an outage of the issuer, for up to a day. A token signed with a newly published key is
//   refused until the next successful fetch.
// - One fetch runs at a time. An unknown key causes at most one fetch per cool-down, failed ones included, and what an issuer
//   may send is bounded.
// - Symmetric keys are dropped: only the issuer may be able to sign.
// - A token need not name its key: then each key that fits is tried, up to a bound, so that a forged token costs little.
// - An issuer that answers with no usable key has withdrawn all of them: they stop working at once.
//
// jose's createRemoteJWKSet is not used: its cool-down begins only with a fetch that succeeded, it takes no clock from outside,
// and it imports every key anew at each fetch.
import { type CryptoKey, createLocalJWKSet, errors, type JWK, type JWTHeaderParameters } from 'jose'
import { mayFetchFrom } from '../../config/config.ts'
import { codeOf } from '../../error-code.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { Refusal } from '../../refusal.ts'
import { createSigningKeys, type SigningKey } from './signing-keys.ts'

const REFRESH_MS = 60_000
const COOL_DOWN_MS = 5_000
const KEEP_STALE_MS = 24 * 3_600_000
const FETCH_TIMEOUT_MS = 2_000
const MAX_BYTES = 65_536
const MAX_KEYS = 50
const MAX_KEYS_TRIED = 5

type Header = Partial<JWTHeaderParameters>

export type IssuerKeys = {
  issuer: string
  /** Runs `verify` with the key that the header names, or with each that fits until one verifies; says which one did. */
  verifyWith: <T>(header: Header, verify: (key: CryptoKey) => Promise<T>) => Promise<Signed<T>>
  areKnown: () => boolean
  refresh: () => Promise<void>
  close: () => void
}

type Signed<T> = { verified: T; signingKey: SigningKey }

type Following = {
  issuer: string
  jwksUrl: string | undefined
  /** Whether keys may be fetched by http from elsewhere than this machine. */
  allowHttp: boolean
  now: () => number
  metrics: Metrics
  onChange: () => void
  onFailure: (reason: string) => void
}

export function followIssuerKeys(following: Following): IssuerKeys {
  const { issuer, jwksUrl, allowHttp, now, onChange, onFailure } = following
  let keySet: KeySet | undefined
  let fingerprint = ''
  let fetchedAt = -Infinity
  let attemptedAt = -Infinity
  let lastAttemptFailed = false
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const fetches = { ok: 0, failed: 0 }
  watchKeys(following, fetches, () => fetchedAt)

  async function fetchKeys() {
    attemptedAt = now()
    try {
      use(await fetchSigningKeys(jwksUrl ?? (await discoverJwksUrl(issuer, allowHttp))))
      fetchedAt = now()
      lastAttemptFailed = false
      fetches.ok++
    } catch (error) {
      lastAttemptFailed = true
      fetches.failed++
      onFailure(reasonOf(error))
    }
  }
  function use(keys: JWK[]) {
    const newFingerprint = fingerprintOf(keys)
    if (newFingerprint !== fingerprint) {
      keySet = keys.length > 0 ? createLocalJWKSet({ keys }) : undefined
      fingerprint = newFingerprint
      signingKeys.publish(keys)
      onChange()
    }
    if (keys.length === 0) throw new Error('the key set holds no key for signatures')
  }
  function refresh(): Promise<void> {
    underWay ??= fetchKeys().finally(() => {
      underWay = undefined
      planNext()
    })
    return underWay
  }
  // A failed fetch is repeated soon: a server that is not ready gets no request that would trigger one.
  function planNext() {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => void refresh(), lastAttemptFailed ? COOL_DOWN_MS : REFRESH_MS).unref()
  }
  async function refreshUnlessJustTried() {
    if (underWay !== undefined || now() - attemptedAt > COOL_DOWN_MS) await refresh()
  }
  const areKnown = () => keySet !== undefined && now() - fetchedAt < KEEP_STALE_MS
  const signingKeys = createSigningKeys(areKnown)

  async function verifyWith<T>(header: Header, verify: (key: CryptoKey) => Promise<T>): Promise<Signed<T>> {
    const verifySigned = async (key: CryptoKey) => ({
      verified: await verify(key),
      signingKey: signingKeys.of(header, key),
    })
    if (!areKnown()) await refreshUnlessJustTried()
    if (!keySet || !areKnown()) throw issuerUnavailable()
    const tried = keySet
    try {
      return await firstVerified(tried, header, verifySigned)
    } catch (error) {
      if (!mayBeOfANewKey(error, header)) throw error
      await refreshUnlessJustTried()
      // The key may be a new one that cannot be fetched now: that is not the caller's fault.
      if (lastAttemptFailed) throw issuerUnavailable()
      if (keySet === tried) throw error
    }
    return firstVerified(keySet, header, verifySigned)
  }
  function close() {
    isClosed = true
    clearTimeout(timer)
  }
  return { issuer, verifyWith, areKnown, refresh, close }
}

/** Sorted, because some issuers list the same keys in another order each time. */
const fingerprintOf = (keys: JWK[]) =>
  keys
    .map((key) => JSON.stringify(key))
    .toSorted()
    .join()

type KeySet = ReturnType<typeof createLocalJWKSet>

async function firstVerified<T>(
  keySet: KeySet,
  { alg = '', kid }: Header,
  verify: (key: CryptoKey) => Promise<T>,
): Promise<T> {
  try {
    return await verify(await keySet(kid === undefined ? { alg } : { alg, kid }))
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error) {
      try {
        return await verify(key)
      } catch (failure) {
        tried++
        const isOfAnotherKey = failure instanceof errors.JWSSignatureVerificationFailed
        if (!isOfAnotherKey || tried === MAX_KEYS_TRIED) throw failure
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Without a key id, a signature that no known key made may be that of a key which was published since. */
function mayBeOfANewKey(error: unknown, { kid }: Header): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true
  return kid === undefined && error instanceof errors.JWSSignatureVerificationFailed
}

type Fetches = Record<'ok' | 'failed', number>

function watchKeys({ issuer, metrics }: Following, fetches: Fetches, fetchedAt: () => number) {
  for (const outcome of ['ok', 'failed'] as const) {
    metrics.counter(
      {
        name: 'rounds_issuer_key_fetches_total',
        help: 'Attempts to fetch the keys of an issuer.',
        labels: { issuer, outcome },
      },
      () => fetches[outcome],
    )
  }
  metrics.gauge(
    {
      name: 'rounds_issuer_keys_fetched_timestamp_seconds',
      help: 'When the keys of an issuer were last fetched, in epoch seconds; 0 if never.',
      labels: { issuer },
    },
    () => Math.max(0, fetchedAt() / 1_000),
  )
}

function issuerUnavailable(): Refusal {
  return new Refusal(
    'IssuerUnavailable',
    'The keys of the token issuer cannot be fetched. Try again shortly.',
  )
}

/** What an issuer says of itself. A document that names another issuer is not its own. */
export async function discover(issuer: string): Promise<Record<string, unknown>> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found['issuer'] !== issuer)
    throw new Error(
      `discovery names the issuer ${quoted(found['issuer'])}, and AUTH_ISSUER ${quoted(issuer)}`,
    )
  return found
}

async function discoverJwksUrl(issuer: string, allowHttp: boolean): Promise<string> {
  const found = await discover(issuer)
  const jwksUrl = found['jwks_uri']
  const isUsable = typeof jwksUrl === 'string' && mayFetchFrom(jwksUrl, allowHttp)
  // What was found by https must be fetched by https, whatever else is allowed.
  if (!isUsable || (isHttps(issuer) && !isHttps(jwksUrl))) {
    throw new Error('discovery names no usable jwks_uri')
  }
  return jwksUrl
}

/** What an issuer sent, as it may stand in a log line. */
const quoted = (value: unknown) => JSON.stringify(typeof value === 'string' ? value.slice(0, 300) : null)

const isHttps = (address: string) => /^https:/i.test(address)

async function fetchSigningKeys(url: string): Promise<JWK[]> {
  const { keys } = await fetchJson(url)
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error('the key set is not usable')
  return keys.filter(
    (key: JWK) => ['RSA', 'EC', 'OKP'].includes(key?.kty ?? '') && (key.use ?? 'sig') === 'sig',
  )
}

/** JSON from an address of the issuer: without redirects, bounded in time and bytes. */
async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the issuer answered ${response.status}`)
  }
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.length > MAX_BYTES) throw new Error('the issuer sent too much')
  }
  return Object(JSON.parse(text))
}

/** The message of `fetch` is always "fetch failed"; the cause has what an operator can act on. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause, message } = error
  return cause instanceof Error ? cause.message || codeOf(cause) : message
}
