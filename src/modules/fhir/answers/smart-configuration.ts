// GET .well-known/smart-configuration: where apps get tokens. Rounds issues none, so this is what the issuer says of itself
// in its own discovery document, cached for a few minutes: callers need no token for it, and the issuer must not be asked for
// each of them. Where there are several issuers, this is about the first: the document has one of each endpoint.
import { discover } from '../../../http/tokens/ask-issuer.ts'
import { Refusal } from '../../../refusal.ts'

const CACHED_MS = 300_000
const COOL_DOWN_MS = 5_000
const MAX_ITEMS = 100

const TEXTS = [
  'issuer',
  'jwks_uri',
  'authorization_endpoint',
  'token_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
  'registration_endpoint',
]
const LISTS = [
  'grant_types_supported',
  'response_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
]

/** What tokens may carry here. */
const SCOPES = ['patient', 'user', 'system'].flatMap((context) =>
  ['rs', 'crs', 'read', 'write', '*'].map((permission) => `${context}/Observation.${permission}`),
)

/** What a client may be, by how it may authenticate itself to the issuer. */
const CAPABILITY_OF: Record<string, string> = {
  none: 'client-public',
  client_secret_basic: 'client-confidential-symmetric',
  client_secret_post: 'client-confidential-symmetric',
  private_key_jwt: 'client-confidential-asymmetric',
}

export function createSmartConfiguration(issuer: string, now: () => number) {
  let cached: { json: string; at: number } | undefined
  let failedAt = -Infinity
  let underWay: Promise<string> | undefined

  async function ask(): Promise<string> {
    try {
      const json = JSON.stringify(configurationFrom(await discover(issuer)))
      cached = { json, at: now() }
      return json
    } catch {
      failedAt = now()
      // An issuer that cannot be reached has hardly moved.
      if (cached) return cached.json
      throw unavailable()
    }
  }

  return async (): Promise<string> => {
    if (cached && now() - cached.at < CACHED_MS) return cached.json
    if (now() - failedAt < COOL_DOWN_MS) {
      if (cached) return cached.json
      throw unavailable()
    }
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

function configurationFrom(found: Record<string, unknown>) {
  const lists = LISTS.flatMap((name) => {
    const texts = textsIn(found[name])
    return texts.length > 0 ? [[name, texts]] : []
  })
  const clients = textsIn(found['token_endpoint_auth_methods_supported']).flatMap(
    (method) => CAPABILITY_OF[method] ?? [],
  )
  return {
    ...Object.fromEntries(
      TEXTS.filter((name) => typeof found[name] === 'string').map((name) => [name, found[name]]),
    ),
    ...Object.fromEntries(lists),
    scopes_supported: SCOPES,
    capabilities: [
      ...new Set([...clients, 'permission-patient', 'permission-user', 'permission-v1', 'permission-v2']),
    ],
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, MAX_ITEMS) : []
}

function unavailable(): Refusal {
  return new Refusal('IssuerUnavailable', 'The token issuer cannot be reached. Try again shortly.')
}
