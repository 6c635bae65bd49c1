// An OpenID provider on loopback for development and tests: real discovery, keys and token endpoint. It has one client,
// with a secret made at start, and no users: a client with the secret gets a token for any patient, or for staff.
//   POST /token   grant_type=client_credentials, then patient_uid=… (repeated for a carer) or scope=… (one or several of
//                 readings:read, readings:withdraw and readings:changes), and expires_in=… for a token that lives for fewer seconds
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { type Adapter, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { MAX_TOKEN_SECONDS, SCOPES, type TokenSource } from './request-token.ts'

const CLIENT_ID = 'rounds-dev'
const RESOURCE = 'urn:rounds'

export type DevIssuer = TokenSource & { stop: () => Promise<void> }

export async function startDevIssuer({
  audience,
  port = 0,
}: {
  audience: string
  port?: number
}): Promise<DevIssuer> {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, '127.0.0.1', done)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The issuer is not listening.')
  const url = `http://127.0.0.1:${address.port}`
  const clientSecret = randomBytes(32).toString('base64url')
  const answer = (await createProvider({ url, audience, clientSecret })).callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    url,
    clientId: CLIENT_ID,
    clientSecret,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function createProvider({
  url,
  audience,
  clientSecret,
}: {
  url: string
  audience: string
  clientSecret: string
}) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { kty = 'EC', ...key } = await exportJWK(privateKey)
  return new Provider(url, {
    adapter: () => NO_STORE,
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
    scopes: SCOPES,
    ttl: { ClientCredentials: secondsAskedFor },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
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
        jwt: (context, _, { payload }) => {
          const patientUids = patientsAskedFor(context)
          if (patientUids.length === 0) return
          payload['patientUid'] = patientUids.length === 1 ? patientUids[0] : patientUids
          // Each household is a caller of its own, to the rate limit and to the access log.
          payload['sub'] = patientUids.join('+')
        },
      },
    },
  })
}

function patientsAskedFor({ oidc }: KoaContextWithOIDC): string[] {
  return [oidc.body?.['patient_uid'] ?? []].flat().map(String)
}

function secondsAskedFor({ oidc }: KoaContextWithOIDC): number {
  const seconds = Number(oidc.body?.['expires_in'] ?? MAX_TOKEN_SECONDS)
  if (seconds >= 1 && seconds <= MAX_TOKEN_SECONDS) return Math.floor(seconds)
  throw new errors.InvalidRequest(`expires_in must be from 1 to ${MAX_TOKEN_SECONDS}`)
}

// Its only client is configured and its only tokens are JWTs: there is nothing to keep.
const nothing = async () => undefined
const NO_STORE: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}
