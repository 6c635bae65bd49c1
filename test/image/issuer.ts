// What stands in for Keycloak where its image cannot be had: oidc-provider at Keycloak's addresses, with the users and clients
// of the realm's file, and the grant that the guide's commands use. That Keycloak can read that file is not shown by it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'

type Realm = {
  realm: string
  accessTokenLifespan: number
  clientScopes: { name: string; attributes: Record<string, string> }[]
  scopeMappings: { clientScope: string; roles: string[] }[]
  clients: {
    clientId: string
    publicClient: boolean
    directAccessGrantsEnabled: boolean
    defaultClientScopes: string[]
  }[]
  users: { username: string; attributes?: { patientUid: string[] }; realmRoles: string[] }[]
}

const realm = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../deploy/compose/keycloak-realm.json'), 'utf8'),
) as Realm
const password = readFileSync('/run/secrets/rounds/users-password', 'utf8')
const path = `/realms/${realm.realm}`
const RESOURCE = 'urn:rounds'

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const { kty = 'RSA', ...key } = await exportJWK(privateKey)
const scopes = realm.clientScopes.map(({ name }) => name)
const resourceServer = {
  scope: scopes.join(' '),
  audience: 'rounds',
  accessTokenFormat: 'jwt',
  accessTokenTTL: realm.accessTokenLifespan,
  jwt: { sign: { alg: 'RS256' } },
} as const

const provider = new Provider(`${process.env['KC_HOSTNAME']}${path}`, {
  jwks: { keys: [{ ...key, kty, alg: 'RS256', use: 'sig', kid: 'stand-in' }] },
  routes: { jwks: '/protocol/openid-connect/certs', token: '/protocol/openid-connect/token' },
  scopes,
  clients: realm.clients
    .filter(({ publicClient, directAccessGrantsEnabled }) => publicClient && directAccessGrantsEnabled)
    .map(({ clientId }) => ({
      client_id: clientId,
      grant_types: ['password'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'none',
    })),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      getResourceServerInfo: () => resourceServer,
    },
  },
  formats: {
    customizers: {
      jwt: (_, token, { payload }) => {
        const name = 'accountId' in token ? token.accountId : ''
        const patients = userNamed(name)?.attributes?.patientUid
        if (patients) payload['patientUid'] = patients
      },
    },
  },
})

const userNamed = (name: string) => realm.users.find(({ username }) => username === name)

/** The default scopes of the client that go into tokens, but for those of roles that the user does not have. */
function scopeOf(clientId: string, roles: string[]): string {
  const granted = realm.clients.find((client) => client.clientId === clientId)?.defaultClientScopes ?? []
  const isAllowed = (name: string) =>
    realm.scopeMappings.every(
      ({ clientScope, roles: needed }) => clientScope !== name || needed.some((role) => roles.includes(role)),
    )
  const isShown = (name: string) =>
    realm.clientScopes.some(
      (scope) => scope.name === name && scope.attributes['include.in.token.scope'] === 'true',
    )
  return granted.filter((name) => isAllowed(name) && isShown(name)).join(' ')
}

provider.registerGrantType(
  'password',
  async (context: KoaContextWithOIDC) => {
    const { client, params } = context.oidc
    const user = userNamed(String(params?.['username']))
    if (client === undefined || user === undefined || params?.['password'] !== password) {
      context.status = 401
      context.body = { error: 'invalid_grant', error_description: 'Invalid user credentials' }
      return
    }
    const scope = scopeOf(client.clientId, user.realmRoles)
    const token = new provider.AccessToken({
      client,
      accountId: user.username,
      gty: 'password',
      scope,
    } as never)
    token.resourceServer = new provider.ResourceServer(RESOURCE, resourceServer)
    context.body = {
      access_token: await token.save(),
      expires_in: realm.accessTokenLifespan,
      token_type: 'Bearer',
      scope,
    }
  },
  ['username', 'password'],
)

const answer = provider.callback()
createServer((request, response) => {
  request.url = request.url?.startsWith(path) ? request.url.slice(path.length) : '/'
  void answer(request, response)
}).listen(8080, '0.0.0.0')
