// What the development issuer is as an OpenID provider: its clients, its tokens, and how people sign in.
import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import {
  type ClientMetadata,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { isSubject } from '../../src/http/tokens/access-token.ts'
import { createStore } from './issuer-store.ts'
import type { IssuerKeys } from './kept-issuer.ts'
import { APP_CLIENT_ID, CONSOLE_CLIENT_ID, personNamed } from './people.ts'
import { MAX_TOKEN_SECONDS, SCOPES } from './request-token.ts'
import { errorPage, signedOutPage, signOutPage } from './sign-in-page.ts'
import { isSmartScope, LAUNCH_SCOPES, SMART_SCOPES, scopesOfPerson, textOf } from './smart-scopes.ts'
import { allowTokenExchange, type Exchanged, TOKEN_EXCHANGE } from './token-exchange.ts'

export const CLIENT_ID = 'rounds-dev'
export const SIGN_IN = '/sign-in/'
const RESOURCE = 'urn:rounds'
const ALL_SCOPES = [...SCOPES, ...SMART_SCOPES]

export type ProviderSettings = {
  url: string
  /** Where apps may be, beside localhost. */
  host: string
  audience: string
  keys: IssuerKeys
  /** How long the tokens of people who signed in live, before their refresh token gets the next one. */
  tokenSeconds: number
  /** Where the console is served. It may grow while the issuer runs. */
  consoleOrigins: Set<string>
}

export function createProvider(settings: ProviderSettings): Provider {
  const provider = new Provider(
    settings.url,
    configurationOf(settings, (context) => exchangedFor(context)),
  )
  const { url, audience, keys } = settings
  const exchangedFor = allowTokenExchange(provider, { url, audience, key: keys.key, resource: RESOURCE })
  allowApps(provider, settings.host)
  provider.use(namePatientOfLaunch)
  return provider
}

type ExchangedFor = (context: KoaContextWithOIDC) => Exchanged | undefined

function configurationOf(settings: ProviderSettings, exchangedFor: ExchangedFor): Configuration {
  const { audience, keys, tokenSeconds, consoleOrigins } = settings
  const { kty = 'EC', ...key } = keys.key
  return {
    adapter: createStore((id) => (id === CONSOLE_CLIENT_ID ? consoleClient(consoleOrigins) : undefined)),
    jwks: { keys: [{ ...key, kty }] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        grant_types: ['client_credentials', TOKEN_EXCHANGE],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
      appClient(),
    ],
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: ['openid', 'profile', ...ALL_SCOPES, ...LAUNCH_SCOPES],
    claims: { openid: ['sub'], profile: ['name', 'zoneinfo'], fhirUser: ['fhirUser'] },
    // The name stands in the ID token, so that the console needs no further request for it.
    conformIdTokenClaims: false,
    ttl: {
      ClientCredentials: (context) => (isExchange(context) ? tokenSeconds : secondsAskedFor(context)),
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      IdToken: tokenSeconds,
      Interaction: 3_600,
      Session: MAX_TOKEN_SECONDS,
      Grant: MAX_TOKEN_SECONDS,
      RefreshToken: MAX_TOKEN_SECONDS,
    },
    ...signingIn(settings),
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
            scope: ALL_SCOPES.join(' '),
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
          const exchanged = exchangedFor(context)
          if (exchanged) describeExchanged(payload, exchanged)
          else describeHolder(payload, context, accountId)
        },
      },
    },
  }
}

/** Whom a token names: one of the invented people, the patients or the doctor that were asked for, or a service. */
function describeHolder(payload: JWTPayload, context: KoaContextWithOIDC, accountId: string | undefined) {
  const person = personNamed(accountId ?? String(context.oidc.body?.['person']))
  const patientUids = person?.patientUids ?? patientsAskedFor(context)
  // Someone who signed in is the doctor that they are, whatever their app asks for.
  const doctorId = person ? person.doctorId : doctorAskedFor(context)
  namePatients(payload, patientUids)
  // Each person or household is a caller of its own, to the rate limit and to the access log.
  if (person) payload.sub = person.id
  else if (patientUids.length > 0) payload.sub = subjectOf(patientUids)
  else if (doctorId !== undefined) payload.sub = `doctor-${doctorId}`
  if (doctorId !== undefined) payload['doctorId'] = doctorId
  const asked = textOf(payload['scope']).split(' ')
  const scopes = person ? scopesOfPerson(person, asked) : asked
  setScopes(payload, scopes)
  if (person && scopes.some(isSmartScope)) payload['fhirUser'] = person.fhirUser
  // A service that asks for the rights of users: as a clinician, since no other user has them.
  if (!person && patientUids.length === 0 && scopes.some((scope) => scope.startsWith('user/')))
    payload['fhirUser'] = `Practitioner/${CLIENT_ID}`
}

/** The patient is the caller; `act` names the gateway that acts for them. */
function describeExchanged(payload: JWTPayload, { patientUids, scopes }: Exchanged) {
  namePatients(payload, patientUids)
  payload.sub = subjectOf(patientUids)
  payload['act'] = { sub: CLIENT_ID }
  setScopes(payload, scopes)
}

/** Their ids, as long as Rounds accepts that as a subject. */
function subjectOf(patientUids: string[]): string {
  const all = patientUids.join('+')
  if (patientUids.length < 2 || isSubject(all)) return all
  const hash = createHash('sha256').update(all).digest('hex').slice(0, 16)
  return `household-of-${patientUids.length}-${hash}`
}

function namePatients(payload: JWTPayload, patientUids: string[]) {
  if (patientUids.length > 0) payload['patientUid'] = patientUids.length === 1 ? patientUids[0] : patientUids
}

function setScopes(payload: JWTPayload, scopes: string[]) {
  const scope = scopes.join(' ')
  if (scope === '') delete payload['scope']
  else payload['scope'] = scope
}

/** As an app of SMART expects it: the patient whom it was launched for stands beside the token. */
async function namePatientOfLaunch(context: KoaContextWithOIDC, next: () => Promise<void>) {
  await next()
  const { access_token: token }: { access_token?: unknown } = Object(context.body)
  if (context.oidc?.route !== 'token' || typeof token !== 'string') return
  const { patientUid, scope } = decodeJwt(token)
  const isLaunch = textOf(scope).split(' ').some(isSmartScope)
  if (isLaunch && typeof patientUid === 'string')
    context.body = { ...Object(context.body), patient: patientUid }
}

/** Schemes that are of no app: of the web, and those that a browser itself runs or shows. */
const NO_APPS = new Set([
  'https:',
  'ws:',
  'wss:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
])

/** An address of this machine, at any port and path, or one that calls an app, such as myapp://callback. */
function isOfAnApp(address: string, host: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (url.protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]', host].includes(url.hostname)
  return !NO_APPS.has(url.protocol)
}

/** The provider knows exact addresses only, and would ask people of a native app for consent. */
function allowApps({ Client }: Provider, host: string) {
  const known = Object.getOwnPropertyDescriptors(Client.prototype)
  for (const name of ['redirectUriAllowed', 'postLogoutRedirectUriAllowed'] as const) {
    const isKnown = known[name].value as (uri: string) => boolean
    Client.prototype[name] = function (uri) {
      return this.clientId === APP_CLIENT_ID ? isOfAnApp(uri, host) : isKnown.call(this, uri)
    }
  }
}

function appClient(): ClientMetadata {
  return {
    ...publicClient(['http://localhost/']),
    client_id: APP_CLIENT_ID,
    client_name: 'An app that is being developed',
  }
}

function consoleClient(origins: Set<string>): ClientMetadata {
  return {
    ...publicClient([...origins].map((origin) => `${origin}/console/`)),
    client_id: CONSOLE_CLIENT_ID,
    client_name: 'The console of Rounds',
  }
}

function publicClient(addresses: string[]): Omit<ClientMetadata, 'client_id'> {
  return {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: addresses,
    post_logout_redirect_uris: addresses,
    id_token_signed_response_alg: 'ES256',
  }
}

/** How people sign in: who they are, that no one is asked for consent, and that they stay signed in. */
function signingIn({ host, consoleOrigins }: ProviderSettings): Configuration {
  return {
    interactions: { url: (_, { uid }) => `${SIGN_IN}${uid}` },
    findAccount: (_, id) => {
      const person = personNamed(id)
      if (!person) return undefined
      const { name, zoneinfo, fhirUser } = person
      return { accountId: id, claims: () => ({ sub: id, name, zoneinfo, fhirUser }) }
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      if (!client || !session?.accountId) return undefined
      const known = session.grantIdFor(client.clientId)
      const found = known ? await provider.Grant.find(known) : undefined
      if (found) return found
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(['openid', 'profile', ...LAUNCH_SCOPES, ...ALL_SCOPES].join(' '))
      grant.addResourceScope(RESOURCE, ALL_SCOPES.join(' '))
      await grant.save()
      return grant
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    pkce: { required: () => true },
    clientBasedCORS: (_, origin, { clientId }) =>
      clientId === APP_CLIENT_ID ? isOfAnApp(origin, host) : consoleOrigins.has(origin),
    renderError: (context, { error_description: reason, error }) => {
      context.type = 'html'
      context.body = errorPage(reason ?? error)
    },
  }
}

function patientsAskedFor({ oidc }: KoaContextWithOIDC): string[] {
  return [oidc.body?.['patient_uid'] ?? []].flat().map(String)
}

function doctorAskedFor({ oidc }: KoaContextWithOIDC): string | undefined {
  const asked = oidc.body?.['doctor_id']
  return typeof asked === 'string' ? asked : undefined
}

function isExchange({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.body?.['grant_type'] === TOKEN_EXCHANGE
}

function secondsAskedFor({ oidc }: KoaContextWithOIDC): number {
  const seconds = Number(oidc.body?.['expires_in'] ?? MAX_TOKEN_SECONDS)
  if (seconds >= 1 && seconds <= MAX_TOKEN_SECONDS) return Math.floor(seconds)
  throw new errors.InvalidRequest(`expires_in must be from 1 to ${MAX_TOKEN_SECONDS}`)
}
