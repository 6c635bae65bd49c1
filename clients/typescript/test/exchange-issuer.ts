// An issuer that exchanges tokens (RFC 8693), on a real OpenID provider: a gateway proves with its own key which patient it
// asks for, and gets a token that names this patient, for as long as the patient has consented.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after } from 'node:test'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { closeServer, listen } from '../../../test/support/harness.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt'
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
const GATEWAY = 'vendor-cloud'
const RESOURCE = 'urn:rounds'

export async function startExchangeIssuer({
  audience,
  tokenSeconds,
}: {
  audience: string
  tokenSeconds: number
}) {
  const server = createServer()
  const url = await listen(server)
  after(() => closeServer(server))
  const [ofIssuer, ofGateway] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('ES256'),
  ])
  const clientSecret = randomUUID()
  const consents = new Set<string>()
  const patientOf = new WeakMap<KoaContextWithOIDC, string>()
  let exchanges = 0
  const resource = {
    scope: '',
    audience,
    accessTokenTTL: tokenSeconds,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'ES256' as const } },
  }
  const { kty = 'EC', ...key } = await exportJWK(ofIssuer.privateKey)
  const provider = new Provider(url, {
    jwks: { keys: [{ ...key, kty, alg: 'ES256', use: 'sig', kid: randomUUID() }] },
    clients: [
      {
        client_id: GATEWAY,
        client_secret: clientSecret,
        grant_types: [TOKEN_EXCHANGE],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    ttl: { ClientCredentials: tokenSeconds },
    features: { devInteractions: { enabled: false } },
    formats: {
      customizers: {
        jwt: (context, _, { payload }) => {
          const patientUid = patientOf.get(context)
          // The patient is the caller, to the rate limit and to the access log; `act` names the gateway that acts for them.
          Object.assign(payload, { sub: patientUid, patientUid, act: { sub: GATEWAY } })
        },
      },
    },
  })
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (context) => {
      exchanges++
      const { client } = context.oidc
      const params: Record<string, unknown> = { ...context.oidc.params }
      if (client === undefined) throw new errors.InvalidClient('no client')
      if (params['audience'] !== audience) throw new errors.InvalidTarget()
      if (params['subject_token_type'] !== JWT_TYPE) throw new errors.InvalidRequest('not a JWT')
      const subject = await jwtVerify(String(params['subject_token']), ofGateway.publicKey, {
        issuer: GATEWAY,
        audience: url,
      }).catch(() => {
        throw new errors.InvalidGrant('the subject token is not valid')
      })
      const patientUid = subject.payload.sub
      if (patientUid === undefined || !consents.has(patientUid)) {
        throw new errors.InvalidGrant('the patient has not consented')
      }
      patientOf.set(context, patientUid)
      const token = new provider.ClientCredentials({ client })
      token.resourceServer = new provider.ResourceServer(RESOURCE, resource)
      context.body = {
        access_token: await token.save(),
        issued_token_type: ACCESS_TOKEN_TYPE,
        token_type: 'Bearer',
        expires_in: token.expiration,
      }
    },
    ['subject_token', 'subject_token_type', 'audience', 'requested_token_type'],
  )
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    url,
    clientId: GATEWAY,
    clientSecret,
    /** The patients that let the gateway send for them. */
    consents,
    exchanges: () => exchanges,
    /** The gateway's own statement that it asks for this patient. */
    subjectToken: (patientUid: string) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(GATEWAY)
        .setAudience(url)
        .setSubject(patientUid)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(ofGateway.privateKey),
  }
}
