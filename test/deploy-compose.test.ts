// compose.yaml and what it mounts: settings, secrets, order, the realm of Keycloak, the role of PostgreSQL. No container runs
// here; what can be run without one is run.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readDatabaseUrl, readServeConfig } from '../src/config/config.ts'
import { stopGraceMs } from '../src/server/serve.ts'
import { createDatabase, runSql } from './harness.ts'
import { needs } from './needs.ts'
import { runProgram } from './process.ts'

type ServiceOfCompose = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  stop_grace_period?: string
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const text = read('compose.yaml')
const { services } = parse(text, { merge: true }) as { services: Record<string, ServiceOfCompose> }
const placeholders = [...text.matchAll(/\$\{(\w+)(:[-?][^}]*)?\}/g)].map(([, name = '', rest = '']) => ({
  name,
  rest,
}))
const secrets = [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value]) => ({
  name,
  value,
}))
const guide = read('docs/operations.md')

/** The settings of a service, as Compose gives them when each secret is "secret". */
function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(services[name]?.environment ?? {})
  return Object.fromEntries(entries.map(([key, value]) => [key, value.replace(/\$\{\w+[^}]*\}/g, 'secret')]))
}

test('no secret has a default: the example names each of them without a value, and Compose stops where one is missing', () => {
  assert.deepEqual(
    secrets.filter(({ value }) => value !== ''),
    [],
  )
  const wanted = placeholders.filter(({ name }) => /PASSWORD|SECRET/.test(name))
  assert.deepEqual(new Set(wanted.map(({ name }) => name)), new Set(secrets.map(({ name }) => name)))
  for (const { name } of secrets)
    assert.ok(
      wanted.some((secret) => secret.name === name && secret.rest.startsWith(':?')),
      name,
    )
  assert.deepEqual(
    placeholders.filter(({ rest }) => rest.startsWith(':-')).map(({ name }) => name),
    ['KEYCLOAK_IMAGE'],
  )
})

test(
  "the guide's line makes a .env with a value for each secret, which fits into an address",
  needs('openssl'),
  async () => {
    const [, line = ''] = /^(\(umask 077.*)> \.env\)?$/m.exec(guide) ?? []
    const { code, output } = await runProgram('sh', ['-euc', `${line})`], {}).ended
    assert.equal(code, 0, output)
    const made = output.trim().split('\n')
    assert.deepEqual(
      made.map((entry) => entry.split('=')[0]),
      secrets.map(({ name }) => name),
    )
    for (const entry of made) assert.match(entry, /^[A-Z_]+=[0-9a-f]{48}$/)
    assert.equal(new Set(made.map((entry) => entry.split('=')[1])).size, made.length)
  },
)

test('Rounds can start with its settings, and each of them is one that it reads', () => {
  const known = new Set<string>()
  const watched = (name: string) =>
    new Proxy(environmentOf(name), { get: (target, key) => (known.add(String(key)), target[String(key)]) })
  const { auth, adminHost, port, adminPort } = readServeConfig(watched('rounds'))
  for (const name of ['migrate', 'sample-directory']) {
    assert.equal(readDatabaseUrl(watched(name)), 'postgres://rounds:secret@postgres:5432/rounds')
    assert.deepEqual(Object.keys(environmentOf(name)), ['DATABASE_URL'])
  }
  assert.deepEqual(
    Object.keys(environmentOf('rounds')).filter((name) => !known.has(name)),
    [],
  )
  // Tokens carry the address that people use; keys are fetched from the one that containers use.
  assert.deepEqual(auth.issuers, [`${environmentOf('keycloak')['KC_HOSTNAME']}/realms/rounds`])
  assert.equal(auth.jwksUrl, 'http://keycloak:8080/realms/rounds/protocol/openid-connect/certs')
  assert.equal(adminHost, '0.0.0.0')
  assert.deepEqual(services['rounds']?.ports, [`127.0.0.1:8080:${port}`, `127.0.0.1:9090:${adminPort}`])
})

test('everything waits for what it needs, is reached on loopback only, and has the time to stop', () => {
  const conditions = Object.entries(services).map(([name, { depends_on = {} }]) => [
    name,
    Object.entries(depends_on).map(([other, { condition }]) => `${other} ${condition}`),
  ])
  assert.deepEqual(Object.fromEntries(conditions), {
    postgres: [],
    keycloak: [],
    migrate: ['postgres service_healthy'],
    'sample-directory': ['migrate service_completed_successfully'],
    rounds: ['migrate service_completed_successfully', 'keycloak service_healthy'],
  })
  for (const [name, { ports = [], volumes = [], image }] of Object.entries(services)) {
    assert.ok(
      ports.every((port) => port.startsWith('127.0.0.1:')),
      name,
    )
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      assert.ok(!source.startsWith('.') || existsSync(join(import.meta.dirname, '..', source)), source)
    assert.ok(!image.endsWith(':latest'), image)
  }
  assert.ok(services['postgres']?.healthcheck && services['keycloak']?.healthcheck)
  const grace = Number(/^(\d+)s$/.exec(services['rounds']?.stop_grace_period ?? '')?.[1])
  const { requestDeadlineMs } = readServeConfig({
    ...services['rounds']?.environment,
    DATABASE_URL: 'postgres://api@database/rounds',
  })
  assert.ok(grace * 1000 > stopGraceMs(requestDeadlineMs))
})

test('the role that PostgreSQL creates at its first start may log in and serve, and nothing more', async () => {
  const { ownerUrl } = await createDatabase()
  const suffix = new URL(ownerUrl).pathname.slice(1)
  // What psql does with these lines. Roles belong to the whole server, so here they get names of their own.
  const script = read('deploy/compose/create-serving-role.sql')
    .replace(/^\\getenv password ROUNDS_API_PASSWORD$/m, '')
    .replace(":'password'", "'secret'")
    .replaceAll('rounds_server', `server_${suffix}`)
    .replaceAll('rounds_api', `api_${suffix}`)
  await runSql(ownerUrl, script)
  const [role] = await runSql(
    ownerUrl,
    `select rolcanlogin, rolsuper, rolcreaterole, pg_has_role(rolname, 'server_${suffix}', 'member') as serves
     from pg_roles where rolname = 'api_${suffix}'`,
  )
  assert.deepEqual(role, { rolcanlogin: true, rolsuper: false, rolcreaterole: false, serves: true })
})
