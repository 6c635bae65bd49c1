// What an issuer is asked for: its discovery document and its keys. What it may send is bounded in bytes, in time and in number,
// and no redirect is followed.
import type { JWK } from 'jose'
import { mayFetchFrom } from '../../config/config.ts'

const TIMEOUT_MS = 2_000
const MAX_BYTES = 65_536
const MAX_KEYS = 50

/** What an issuer says of itself. A document that names another issuer is not its own. */
export async function discover(issuer: string): Promise<Record<string, unknown>> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found['issuer'] === issuer) return found
  throw new Error(`discovery names the issuer ${quoted(found['issuer'])}, and AUTH_ISSUER ${quoted(issuer)}`)
}

export async function discoverJwksUrl(issuer: string, allowHttp: boolean): Promise<string> {
  const { jwks_uri: jwksUrl } = await discover(issuer)
  const isUsable = typeof jwksUrl === 'string' && mayFetchFrom(jwksUrl, allowHttp)
  // What was found by https must be fetched by https, whatever else is allowed.
  if (!isUsable || (isHttps(issuer) && !isHttps(jwksUrl))) {
    throw new Error('discovery names no usable jwks_uri')
  }
  return jwksUrl
}

const isHttps = (address: string) => /^https:/i.test(address)

/** What an issuer sent, as it may stand in a log line. */
const quoted = (value: unknown) => JSON.stringify(typeof value === 'string' ? value.slice(0, 300) : null)

/** Without symmetric keys: only the issuer may be able to sign. */
export async function fetchSigningKeys(url: string): Promise<JWK[]> {
  const { keys } = await fetchJson(url)
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error('the key set is not usable')
  return keys.filter(
    (key: JWK) => ['RSA', 'EC', 'OKP'].includes(key?.kty ?? '') && (key.use ?? 'sig') === 'sig',
  )
}

async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
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
