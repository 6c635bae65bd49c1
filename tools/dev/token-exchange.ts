// Token exchange (RFC 8693) at the development issuer, for gateways that send for many patients: the client with the secret
// presents what stands for a patient, and gets a short-lived token that names this patient. That is either an access token of
// this issuer, or a JWT that the gateway signed with its secret (HS256; `iss` is the client, `aud` the issuer, `sub` the patient).
import { createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { type Client, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { isSmartScope, textOf } from './smart-scopes.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TYPE = 'urn:ietf:params:oauth:token-type:'
const PARAMETERS = ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'scope']

/** Whom an exchanged token is for, and what it may do. No scope: all that a token of its patients may do. */
export type Exchanged = { patientUids: string[]; scopes: string[] }

type Settings = { url: string; audience: string; key: JWK; resource: string }

/** Lets the provider exchange tokens, and returns what the request of a context was exchanged for. */
export function allowTokenExchange(provider: Provider, settings: Settings) {
  const exchanged = new WeakMap<KoaContextWithOIDC, Exchanged>()
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (context) => {
      const { client } = context.oidc
      const params: Params = { ...context.oidc.params }
      if (!client) throw new errors.InvalidClient('client is missing')
      const { audience = settings.audience, requested_token_type: wanted = `${TYPE}access_token` } = params
      if (audience !== settings.audience) throw new errors.InvalidTarget()
      if (wanted !== `${TYPE}access_token` && wanted !== `${TYPE}jwt`)
        throw new errors.InvalidRequest('requested_token_type must be that of an access token')
      const granted = grantedFor(await subjectOf(params, client, settings), textOf(params['scope']))
      exchanged.set(context, granted)
      const token = new provider.ClientCredentials({ client })
      token.resourceServer = new provider.ResourceServer(settings.resource, {
        scope: '',
        audience: settings.audience,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      })
      context.body = {
        access_token: await token.save(),
        issued_token_type: `${TYPE}access_token`,
        token_type: 'Bearer',
        expires_in: token.expiration,
        ...(granted.scopes.length > 0 ? { scope: granted.scopes.join(' ') } : {}),
      }
    },
    PARAMETERS,
  )
  return (context: KoaContextWithOIDC) => exchanged.get(context)
}

type Params = Record<string, unknown>

/** The claims of the token that stands for the patient. */
async function subjectOf(
  params: Params,
  client: Client,
  { url, audience, key }: Settings,
): Promise<JWTPayload> {
  const token = textOf(params['subject_token'])
  const refuse = () => {
    throw new errors.InvalidGrant('the subject token is not valid')
  }
  switch (params['subject_token_type']) {
    case `${TYPE}access_token`: {
      const { d: _, ...publicKey } = key
      const keys = createLocalJWKSet({ keys: [publicKey] })
      const { payload } = await jwtVerify(token, keys, { issuer: url, audience }).catch(refuse)
      return payload
    }
    case `${TYPE}jwt`: {
      const secret = new TextEncoder().encode(client.clientSecret)
      const expected = {
        issuer: client.clientId,
        audience: url,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
      }
      const { payload } = await jwtVerify(token, secret, expected).catch(refuse)
      return { patientUid: payload.sub }
    }
    default:
      throw new errors.InvalidRequest('subject_token_type must be that of an access token, or of a JWT')
  }
}

/** An exchange gives no more rights than the token that it is for. */
function grantedFor({ patientUid, scope }: JWTPayload, asked: string): Exchanged {
  const patientUids = [patientUid ?? []].flat().map(String)
  if (patientUids.length === 0) throw new errors.InvalidGrant('the subject token names no patient')
  const own = textOf(scope).split(' ').filter(isSmartScope)
  const wanted = asked.split(' ').filter((one) => one !== '')
  const isBeyond = wanted.some((one) => !isSmartScope(one) || (own.length > 0 && !own.includes(one)))
  if (isBeyond) throw new errors.InvalidScope('the subject token does not have this scope', asked)
  return { patientUids, scopes: wanted.length > 0 ? wanted : own }
}
