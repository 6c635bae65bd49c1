// The keys of one issuer, found by discovery and fetched again every minute.
//
// - Cached keys keep working during an outage of the issuer, for up to a day. A token signed with a newly published key is
//   refused until the next successful fetch.
// - One fetch runs at a time. An unknown key causes at most one fetch per cool-down, failed ones included: that of jose's
//   createRemoteJWKSet begins only with a fetch that succeeded.
// - A token need not name its key: then each key that fits is tried, up to a bound, so that a forged token costs little.
// - An issuer that answers with no usable key has withdrawn all of them: they stop working at once.
import { type CryptoKey, createLocalJWKSet, errors, type JWK, type JWTHeaderParameters } from 'jose'
import { codeOf } from '../../error-code.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { Refusal } from '../../refusal.ts'
import { discoverJwksUrl, fetchSigningKeys } from './ask-issuer.ts'

const REFRESH_MS = 60_000
const COOL_DOWN_MS = 5_000
const KEEP_STALE_MS = 24 * 3_600_000
const MAX_KEYS_TRIED = 5

type Header = Partial<JWTHeaderParameters>

/** A token is verified once; a stream or a request that waits outlasts that, and must see that the key was withdrawn since. */
export type SigningKey = { isTrusted: () => boolean }
type PublishedKey = { jwk: JWK; find: ReturnType<typeof createLocalJWKSet> }

export type IssuerKeys = ReturnType<typeof followIssuerKeys>

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

export function followIssuerKeys(following: Following) {
  const { issuer, jwksUrl, allowHttp, now, onChange, onFailure } = following
  let published: PublishedKey[] = []
  let fingerprint = ''
  let fetchedAt = -Infinity
  let attemptedAt = -Infinity
  let lastAttemptFailed = false
  let underWay: Promise<void> | undefined
  const fetches = { ok: 0, failed: 0 }
  watchKeys(following, fetches, () => fetchedAt)

  const areKnown = () => published.length > 0 && now() - fetchedAt < KEEP_STALE_MS

  async function fetchKeys() {
    attemptedAt = now()
    try {
      publish(await fetchSigningKeys(jwksUrl ?? (await discoverJwksUrl(issuer, allowHttp))))
      fetchedAt = now()
      lastAttemptFailed = false
      fetches.ok++
    } catch (error) {
      lastAttemptFailed = true
      fetches.failed++
      onFailure(reasonOf(error))
    }
  }

  function publish(keys: JWK[]) {
    const newFingerprint = fingerprintOf(keys)
    if (newFingerprint !== fingerprint) {
      fingerprint = newFingerprint
      published = keys.map((jwk) => ({ jwk, find: createLocalJWKSet({ keys: [jwk] }) }))
      onChange()
    }
    if (keys.length === 0) throw new Error('the key set holds no key for signatures')
  }

  const signingKeyFrom = (header: Header, used: JWK): SigningKey => ({
    isTrusted: () =>
      areKnown() && published.some(({ jwk }) => isNamedBy(header, jwk) && isSameKey(jwk, used)),
  })

  function refresh(): Promise<void> {
    underWay ??= fetchKeys().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  async function refreshUnlessJustTried() {
    if (underWay !== undefined || now() - attemptedAt > COOL_DOWN_MS) await refresh()
  }

  /** Runs `verify` with the key that the header names, or with each that fits until one verifies; says which one did. */
  async function verifyWith<T>(header: Header, verify: (key: CryptoKey) => Promise<T>) {
    if (!areKnown()) await refreshUnlessJustTried()
    if (!areKnown()) throw issuerUnavailable()
    const tried = published
    const verifyBy = async (key: CryptoKey, jwk: JWK) => ({
      verified: await verify(key),
      signingKey: signingKeyFrom(header, jwk),
    })
    try {
      return await firstVerified(tried, header, verifyBy)
    } catch (error) {
      if (!mayBeOfANewKey(error, header)) throw error
      await refreshUnlessJustTried()
      // The key may be a new one that cannot be fetched now: that is not the caller's fault.
      if (lastAttemptFailed) throw issuerUnavailable()
      if (published === tried) throw error
    }
    return firstVerified(published, header, verifyBy)
  }

  // A failed fetch is repeated soon: a server that is not ready gets no request that would trigger one.
  const timer = setInterval(() => {
    if (lastAttemptFailed || now() - attemptedAt >= REFRESH_MS) void refresh()
  }, COOL_DOWN_MS).unref()
  return { issuer, verifyWith, areKnown, refresh, close: () => clearInterval(timer) }
}

/** Sorted, because some issuers list the same keys in another order each time. */
const fingerprintOf = (keys: JWK[]) =>
  keys
    .map((key) => JSON.stringify(key))
    .toSorted()
    .join()

const isNamedBy = ({ alg, kid }: Header, jwk: JWK) =>
  (kid === undefined || jwk.kid === kid) && (jwk.alg === undefined || jwk.alg === alg)

/** Whatever else the entries of a key set say. */
const isSameKey = (one: JWK, other: JWK) =>
  (['kty', 'crv', 'n', 'e', 'x', 'y'] as const).every((member) => one[member] === other[member])

async function firstVerified<T>(
  published: PublishedKey[],
  header: Header,
  verify: (key: CryptoKey, jwk: JWK) => Promise<T>,
): Promise<T> {
  let tried = 0
  for (const { jwk, find } of published) {
    if (!isNamedBy(header, jwk)) continue
    // A key of another kind, or none that can be used, does not fit.
    const key = await find({ alg: header.alg ?? '' }).catch(() => undefined)
    if (!key) continue
    try {
      return await verify(key, jwk)
    } catch (error) {
      const isOfAnotherKey = error instanceof errors.JWSSignatureVerificationFailed
      if (!isOfAnotherKey || ++tried === MAX_KEYS_TRIED) throw error
    }
  }
  throw tried > 0 ? new errors.JWSSignatureVerificationFailed() : new errors.JWKSNoMatchingKey()
}

/** Without a key id, a signature that no known key made may be that of a key which was published since. */
function mayBeOfANewKey(error: unknown, { kid }: Header): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true
  return kid === undefined && error instanceof errors.JWSSignatureVerificationFailed
}

function watchKeys(
  { issuer, metrics }: Following,
  fetches: Record<'ok' | 'failed', number>,
  fetchedAt: () => number,
) {
  const attempts = {
    name: 'rounds_issuer_key_fetches_total',
    help: 'Attempts to fetch the keys of an issuer.',
  }
  for (const outcome of ['ok', 'failed'] as const) {
    metrics.counter({ ...attempts, labels: { issuer, outcome } }, () => fetches[outcome])
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

const issuerUnavailable = () =>
  new Refusal('IssuerUnavailable', 'The keys of the token issuer cannot be fetched. Try again shortly.')

/** The message of `fetch` is always "fetch failed"; the cause has what an operator can act on. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause, message } = error
  return cause instanceof Error ? cause.message || codeOf(cause) : message
}
