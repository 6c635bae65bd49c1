// What the development issuer is as an OpenID provider: its two clients, its tokens, and how people sign in.
import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import {
  type ClientMetadata,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { createStore } from './issuer-store.ts'
import { CONSOLE_CLIENT_ID, personNamed } from './people.ts'
import { MAX_TOKEN_SECONDS, SCOPES } from './request-token.ts'
import { errorPage, signedOutPage, signOutPage } from './sign-in-page.ts'

export const CLIENT_ID = 'rounds-dev'
export const SIGN_IN = '/sign-in/'
const RESOURCE = 'urn:rounds'

export type ProviderSettings = {
  url: string
  audience: string
  clientSecret: string
  /** How long the tokens of people who signed in live, before their refresh token gets the next one. */
  tokenSeconds: number
  /** Where the console is served. It may grow while the issuer runs. */
  consoleOrigins: Set<string>
}

export async function createProvider(settings: ProviderSettings): Promise<Provider> {
  const { url, audience, clientSecret, tokenSeconds, consoleOrigins } = settings
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { kty = 'EC', ...key } = await exportJWK(privateKey)
  return new Provider(url, {
    adapter: createStore((id) => (id === CONSOLE_CLIENT_ID ? consoleClient(consoleOrigins) : undefined)),
    // A key id of its own, so that a server which outlives this issuer knows the next one's key for a new key.
    jwks: { keys: [{ ...key, kty, alg: 'ES256', use: 'sig', kid: randomBytes(8).toString('hex') }] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: ['openid', 'profile', ...SCOPES],
    claims: { openid: ['sub'], profile: ['name', 'zoneinfo'] },
    // The name stands in the ID token, so that the console needs no further request for it.
    conformIdTokenClaims: false,
    ttl: {
      ClientCredentials: secondsAskedFor,
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      IdToken: tokenSeconds,
      Interaction: 3_600,
      Session: MAX_TOKEN_SECONDS,
      Grant: MAX_TOKEN_SECONDS,
      RefreshToken: MAX_TOKEN_SECONDS,
    },
    ...signingIn(consoleOrigins),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => void (context.body = signOutPage(form)),
        postLogoutSuccessSource: (context) => void (context.body = signedOutPage()),
      },
      // Only a token for a known resource is a JWT; any other would be opaque.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          if (resource !== RESOURCE) throw new errors.InvalidTarget()
          return {
            scope: SCOPES.join(' '),
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }
        },
      },
    },
    formats: {
      customizers: {
        jwt: (context, token, { payload }) => {
          const accountId = 'accountId' in token ? token.accountId : undefined
          const person = personNamed(accountId ?? String(context.oidc.body?.['person']))
          const patientUids = person?.patientUids ?? patientsAskedFor(context)
          if (patientUids.length > 0)
            payload['patientUid'] = patientUids.length === 1 ? patientUids[0] : patientUids
          // Each person or household is a caller of its own, to the rate limit and to the access log.
          if (person) payload['sub'] = person.id
          else if (patientUids.length > 0) payload['sub'] = patientUids.join('+')
          // Given by who it is, not asked for: as issuers do that tie a scope to a role.
          if (person && person.scopes.length > 0) payload['scope'] = person.scopes.join(' ')
        },
      },
    },
  })
}

function consoleClient(origins: Set<string>): ClientMetadata {
  return {
    client_id: CONSOLE_CLIENT_ID,
    client_name: 'The console of Rounds',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [...origins].map((origin) => `${origin}/console/`),
    post_logout_redirect_uris: [...origins].map((origin) => `${origin}/console/`),
    id_token_signed_response_alg: 'ES256',
  }
}

/** How people sign in: who they are, that no one is asked for consent, and that they stay signed in. */
function signingIn(consoleOrigins: Set<string>): Configuration {
  return {
    interactions: { url: (_, { uid }) => `${SIGN_IN}${uid}` },
    findAccount: (_, id) => {
      const person = personNamed(id)
      return (
        person && { accountId: id, claims: () => ({ sub: id, name: person.name, zoneinfo: person.zoneinfo }) }
      )
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      if (!client || !session?.accountId) return undefined
      const known = session.grantIdFor(client.clientId)
      const found = known ? await provider.Grant.find(known) : undefined
      if (found) return found
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile')
      grant.addResourceScope(RESOURCE, SCOPES.join(' '))
      await grant.save()
      return grant
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    pkce: { required: () => true },
    clientBasedCORS: (_, origin) => consoleOrigins.has(origin),
    renderError: (context, { error_description: reason, error }) => {
      context.type = 'html'
      context.body = errorPage(reason ?? error)
    },
  }
}

function patientsAskedFor({ oidc }: KoaContextWithOIDC): string[] {
  return [oidc.body?.['patient_uid'] ?? []].flat().map(String)
}

function secondsAskedFor({ oidc }: KoaContextWithOIDC): number {
  const seconds = Number(oidc.body?.['expires_in'] ?? MAX_TOKEN_SECONDS)
  if (seconds >= 1 && seconds <= MAX_TOKEN_SECONDS) return Math.floor(seconds)
  throw new errors.InvalidRequest(`expires_in must be from 1 to ${MAX_TOKEN_SECONDS}`)
}
