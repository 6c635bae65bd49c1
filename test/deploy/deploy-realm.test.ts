// The realm that compose.yaml gives to Keycloak: whether tokens made by it would say what Rounds asks for. Keycloak itself
// does not run here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readServeConfig } from '../../src/config/config.ts'

type Mapper = { name: string; protocolMapper: string; config: Record<string, string> }
type Realm = {
  realm: string
  components: Record<string, { config: Record<string, string[]> }[]>
  clientScopes: { name: string; attributes: Record<string, string>; protocolMappers?: Mapper[] }[]
  scopeMappings: { clientScope: string; roles: string[] }[]
  roles: { realm: { name: string }[] }
  clients: {
    clientId: string
    defaultClientScopes: string[]
    fullScopeAllowed: boolean
    publicClient: boolean
    standardFlowEnabled: boolean
    directAccessGrantsEnabled: boolean
    redirectUris?: string[]
    webOrigins?: string[]
    attributes?: Record<string, string>
  }[]
  users: {
    username: string
    email: string
    attributes?: { patientUid: string[] }
    credentials: { value: string }[]
    realmRoles: string[]
  }[]
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const text = read('deploy/compose/keycloak-realm.json')
const realm = JSON.parse(text) as Realm
const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, { entrypoint?: string[]; environment: Record<string, string> }>
}
const { DATABASE_URL_FILE: _url, ERASURE_KEY_FILE: _key, ...settings } = services['rounds']?.environment ?? {}
const { auth, console: consoleClient } = readServeConfig({
  ...settings,
  DATABASE_URL: 'postgres://api@postgres/rounds',
})
const scopeNamed = (name: string) => realm.clientScopes.find((scope) => scope.name === name)
const clientNamed = (id: string) => realm.clients.find(({ clientId }) => clientId === id)

test('the realm gives each token a subject, the audience and the patients', () => {
  const mappers = ['basic', 'rounds'].flatMap((name) => scopeNamed(name)?.protocolMappers ?? [])
  assert.ok(mappers.every(({ config }) => config['access.token.claim'] === 'true'))
  const byKind = new Map(mappers.map(({ protocolMapper, config }) => [protocolMapper, config]))
  assert.ok(byKind.has('oidc-sub-mapper'))
  assert.equal(byKind.get('oidc-audience-mapper')?.['included.client.audience'], auth.audience)
  assert.ok(clientNamed(auth.audience), 'the audience is a client')
  const patients = byKind.get('oidc-usermodel-attribute-mapper')
  assert.deepEqual(
    [patients?.['claim.name'], patients?.['user.attribute'], patients?.['multivalued']],
    [auth.patientClaim, 'patientUid', 'true'],
  )
  for (const id of ['patient-app', 'staff-app', 'rounds-console'])
    for (const scope of ['basic', 'rounds']) assert.ok(clientNamed(id)?.defaultClientScopes.includes(scope))
  assert.equal(new URL(auth.issuers[0] ?? '').pathname, `/realms/${realm.realm}`)
})

test('the scopes of staff go to the role staff in the staff app and the console, and to no one else', () => {
  const scopes = [auth.staffScope, auth.withdrawScope]
  for (const scope of scopes) assert.equal(scopeNamed(scope)?.attributes['include.in.token.scope'], 'true')
  assert.deepEqual(
    realm.scopeMappings,
    scopes.map((clientScope) => ({ clientScope, roles: ['staff'] })),
  )
  assert.deepEqual(
    realm.clients.filter(({ defaultClientScopes }) => defaultClientScopes.includes(auth.staffScope)),
    [clientNamed('staff-app'), clientNamed('rounds-console')],
  )
  assert.ok(realm.clients.every(({ fullScopeAllowed }) => !fullScopeAllowed))
  const staff = realm.users.filter(({ realmRoles }) => realmRoles.includes('staff'))
  assert.deepEqual(
    staff.map(({ username, attributes }) => [username, attributes]),
    [['staff', undefined]],
  )
})

test('people sign in to the console by a public client with PKCE, at the address where Compose serves it alone', () => {
  assert.equal(consoleClient?.clientId, 'rounds-console')
  const client = clientNamed(consoleClient.clientId)
  assert.deepEqual(
    [client?.publicClient, client?.standardFlowEnabled, client?.directAccessGrantsEnabled],
    [true, true, false],
  )
  const home = 'http://localhost:8080/console/'
  assert.deepEqual([client?.redirectUris, client?.webOrigins], [[home], ['http://localhost:8080']])
  assert.deepEqual(client?.attributes, {
    'pkce.code.challenge.method': 'S256',
    'post.logout.redirect.uris': home,
  })
  // Keycloak refuses a request for a scope that the client does not have.
  const asked = consoleClient.scope.split(' ').filter((scope) => scope !== 'openid')
  for (const scope of [...asked, 'basic', 'rounds'])
    assert.ok(client?.defaultClientScopes.includes(scope) && scopeNamed(scope), scope)
  const [name] = scopeNamed('profile')?.protocolMappers ?? []
  assert.equal(name?.config['id.token.claim'], 'true')
})

test('users cannot change which patients they are', () => {
  const [profile] = realm.components['org.keycloak.userprofile.UserProfileProvider'] ?? []
  const { attributes, unmanagedAttributePolicy } = JSON.parse(
    profile?.config['kc.user.profile.config']?.[0] ?? '{}',
  ) as {
    attributes: { name: string; multivalued?: boolean; permissions: { edit: string[] } }[]
    unmanagedAttributePolicy?: string
  }
  const patientUid = attributes.find(({ name }) => name === 'patientUid')
  assert.deepEqual([patientUid?.permissions.edit, patientUid?.multivalued], [['admin'], true])
  assert.equal(unmanagedAttributePolicy, undefined)
})

test('the users are invented, and their password comes from the environment', () => {
  assert.deepEqual(
    realm.users.map(({ username, attributes }) => [username, attributes?.patientUid]),
    [
      ['patient', ['patient-1']],
      ['carer', ['child-1', 'child-2']],
      ['staff', undefined],
    ],
  )
  for (const { email, credentials } of realm.users) {
    assert.match(email, /@invented\.example$/)
    assert.deepEqual(
      credentials.map(({ value }) => value),
      ['${KEYCLOAK_USERS_PASSWORD}'],
    )
  }
  assert.doesNotMatch(text, /"secret"/)
  // Keycloak replaces every such word by a variable of its environment, wherever it stands.
  const words = new Set([...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => name))
  assert.deepEqual(
    [...words].filter((name) => !services['keycloak']?.entrypoint?.some((word) => word.includes(`${name}=`))),
    [],
  )
})
