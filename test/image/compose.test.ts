// compose.yaml, brought up by the commands of the guide from a clone without a .env, and what then answers: the four
// operations, the commands of the image, and all of it again after a restart.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  examplesOf,
  isAsPrinted,
  operationsPages,
  runExamples,
  sectionOf,
} from '../support/document-examples.ts'
import { dockerAside, enginesEnvironment } from './container.ts'

const ROOT = join(import.meta.dirname, '../..')
const ROUNDS = 'http://localhost:8080'
const guide = operationsPages('install')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
/** A clone, README and these commands. */
const first = [...readme.matchAll(/`(docker [^`]+)`/g)].map(([, command = '']) => command)
const examples = examplesOf(sectionOf(guide, 'Compose: everything on one machine'))

// A contributor's own .env must not decide what is tested.
process.env['COMPOSE_ENV_FILES'] = '/dev/null'
// Not waited for in place: a server that is stopped meanwhile would leave dead connections to the next call.
const compose = (...args: string[]) => dockerAside('compose', ...args)
const removeAll = () => compose('--profile', 'sample', 'down', '--volumes', '--timeout', '10')
after(removeAll)
await removeAll()

const environment = {
  ...enginesEnvironment(),
  ...Object.fromEntries(
    ['COMPOSE_PROJECT_NAME', 'COMPOSE_FILE', 'COMPOSE_ENV_FILES', 'NODE_IMAGE'].flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  ),
}
const [said = '', ...outputs] = await runExamples(
  [first.join('\n'), ...examples.map(({ script }) => script)],
  {
    environment,
    cwd: ROOT,
  },
)
const password = await compose('run', '--rm', '-T', 'secrets', 'show', 'users-password')

async function tokenOf(client: string, username: string): Promise<string> {
  const answer = await fetch('http://localhost:8081/realms/rounds/protocol/openid-connect/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: client, username, password }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}

async function call(token: string, path: string, body?: object) {
  const answer = await fetch(`${ROUNDS}${path}`, {
    method: body ? 'POST' : 'GET',
    // Staff need a reason.
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-access-reason': 'Trial',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const READING = {
  patientUid: 'patient-1',
  readingType: 'symptom',
  symptoms: [{ symptom: 'headache', severity: 'MODERATE' }],
  timestamp: 1_762_000_000_000,
}
const GET = '/casesheet/readings/get?patientUid=patient-1&from=1761955200&to=1762041600'

test("README's and the guide's commands bring everything up and answer as printed", () => {
  assert.deepEqual(first, ['docker compose up --wait', 'docker compose logs secrets'])
  assert.match(said, /console +http:\/\/localhost:8080\/console\/$/m)
  assert.match(said, /Rounds +http:\/\/localhost:8080$/m)
  assert.ok(examples.length >= 3)
  for (const [index, { script, printed }] of examples.entries())
    if (printed !== '') assert.ok(isAsPrinted(outputs[index] ?? '', printed), `${script}\n${outputs[index]}`)
})

test('the four operations answer as the interface says', async () => {
  const token = await tokenOf('patient-app', 'patient')
  const doctors = await call(token, '/appointments/doctors/list?limit=1000')
  assert.equal(doctors.status, 200)
  assert.equal((doctors.body['data'] as unknown[]).length, 320)
  const specialities = await call(token, '/appointments/doctors/specialities/list')
  assert.deepEqual(Object.keys(specialities.body), ['status', 'message', 'data'])
  assert.equal(specialities.body['status'], 'success')
  for (const speciality of specialities.body['data'] as Record<string, unknown>[]) {
    assert.deepEqual(Object.keys(speciality).toSorted(), [
      'created',
      'isActive',
      'slug',
      'specialityId',
      'title',
    ])
    assert.match(String(speciality['created']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
  const added = await call(token, '/casesheet/readings/add', READING)
  assert.deepEqual(
    [added.status, Object.keys(added.body), added.body['code']],
    [200, ['code', 'message'], 'Ok'],
  )
  const got = await call(token, GET)
  const [reading] = got.body['data'] as Record<string, unknown>[]
  const { readingId, measuredAt, receivedAt, ...sent } = reading ?? {}
  assert.deepEqual(sent, READING)
  assert.ok(readingId && measuredAt && receivedAt)
})

test('the console is served, and signs in at the issuer with the client of the realm', async () => {
  const page = await fetch(`${ROUNDS}/console/`)
  assert.equal(page.status, 200)
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /connect-src 'self' http:\/\/localhost:8081;/,
  )
  const text = await page.text()
  const files = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[\w.-]+\.(?:js|css))"/g)]
  assert.ok(files.length >= 2, text)
  for (const [, file = ''] of files) {
    const { status, headers } = await fetch(`${ROUNDS}${file}`)
    assert.deepEqual(
      [status, headers.get('content-type')],
      [200, `text/${file.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`],
    )
  }
  const config = (await (await fetch(`${ROUNDS}/console/config.json`)).json()) as Record<string, string>
  assert.deepEqual(
    [config['issuer'], config['clientId'], config['casesheetUrl']],
    ['http://localhost:8081/realms/rounds', 'rounds-console', '/casesheet'],
  )
})

test('a patient reads no other, a carer reads two, staff read all and add nothing', async () => {
  const [patient, carer, staff] = [
    await tokenOf('patient-app', 'patient'),
    await tokenOf('patient-app', 'carer'),
    await tokenOf('staff-app', 'staff'),
  ]
  const get = (token: string, uid: string) => call(token, `/casesheet/readings/get?patientUid=${uid}`)
  assert.equal((await get(patient, 'child-1')).status, 403)
  for (const uid of ['child-1', 'child-2']) assert.equal((await get(carer, uid)).status, 200)
  assert.equal((await get(carer, 'patient-1')).status, 403)
  assert.equal((await get(staff, 'patient-1')).status, 200)
  assert.equal((await call(staff, '/casesheet/readings/add', READING)).status, 403)
})

test('the database is migrated, and a patient is exported by the same image', async () => {
  assert.match(await compose('run', '--rm', '-T', 'migrate'), /^The database is up to date\.$/m)
  const exported = await compose(
    'run',
    '--rm',
    '-T',
    'migrate',
    'patient',
    'export',
    'patient-1',
    '--by',
    'me@clinic.example',
  )
  const lines = exported.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.ok(exported.includes('"headache"'))
  assert.deepEqual(Object.keys(lines.at(-1) ?? {}), ['end'])
  assert.match(exported, /"end":\{"readings":1,/)
})

test('a full restart keeps every reading, entry and password', async () => {
  const before = await call(await tokenOf('patient-app', 'patient'), GET)
  await compose('down', '--timeout', '40')
  await compose('up', '--wait')
  assert.equal(await compose('run', '--rm', '-T', 'secrets', 'show', 'users-password'), password)
  const patient = await tokenOf('patient-app', 'patient')
  assert.deepEqual((await call(patient, GET)).body['data'], before.body['data'])
  const doctors = await call(patient, '/appointments/doctors/list?limit=1000')
  assert.equal((doctors.body['data'] as unknown[]).length, 320)
})

type Inspected = {
  Config: { Labels: Record<string, string>; User: string }
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[]; SecurityOpt: string[] }
  NetworkSettings: { Ports: Record<string, { HostIp: string }[] | null> }
}

/** Every container of the project, also those that have ended, as text. */
const inspected = async () =>
  dockerAside('inspect', ...(await compose('--profile', 'sample', 'ps', '--all', '--quiet')).split('\n'))

test('no password is in a log, in an environment or in what the engine shows of a container', async () => {
  const shownIn = (service: string, files: string) => {
    const print = `for (const f of fs.globSync('${files}')) console.log(fs.readFileSync(f, 'utf8'))`
    return compose('run', '--rm', '-T', '--no-deps', '--entrypoint', 'node', service, '-e', print)
  }
  const passwords = await shownIn('secrets', '/secrets/{postgres,keycloak}/*')
  // Only Rounds may read this one.
  const key = await shownIn('rounds', '/run/secrets/rounds/erasure-key')
  const secrets = [...passwords.split('\n'), key]
  assert.equal(new Set(secrets).size, 5)
  const shown = (await compose('logs')) + (await inspected())
  for (const secret of secrets) {
    assert.match(secret, /^([0-9a-f]{48}|[0-9a-f]{64})$/)
    assert.equal(shown.includes(secret), false)
  }
})

test('the process that serves knows the password of its own role only', async () => {
  const print =
    "fs.readdirSync('/run/secrets/rounds') + ' ' + new URL(fs.readFileSync('/run/secrets/rounds/database-url', 'utf8')).username"
  const shownTo = (service: string) =>
    compose('run', '--rm', '-T', '--no-deps', '--entrypoint', 'node', service, '-p', print)
  assert.equal(await shownTo('rounds'), 'database-url,erasure-key rounds_api')
  assert.equal(await shownTo('migrate'), 'database-url,erasure-key rounds')
})

test('the containers are locked down, and their ports are on loopback only', async () => {
  const all = JSON.parse(await inspected()) as Inspected[]
  const ports = all.flatMap(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Ports ?? {}).flatMap((each) => each ?? []),
  )
  assert.deepEqual([...new Set(ports.map(({ HostIp }) => HostIp))], ['127.0.0.1'])
  const ours = all.filter(({ Config }) =>
    ['rounds', 'migrate'].includes(Config.Labels['com.docker.compose.service'] ?? ''),
  )
  assert.equal(ours.length, 2)
  for (const { Config, HostConfig } of ours)
    assert.deepEqual(
      [Config.User, HostConfig.ReadonlyRootfs, HostConfig.CapDrop, HostConfig.SecurityOpt],
      ['1000:1000', true, ['ALL'], ['no-new-privileges:true']],
    )
})

test('PostgreSQL made the serving role as the file says: it may log in and serve, and nothing more', async () => {
  const question = `select rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, pg_has_role(rolname, 'rounds_server', 'member')
                    from pg_roles where rolname = 'rounds_api'`
  const psql = ['psql', '--username=rounds', '--dbname=rounds', '-Atc', question]
  assert.equal(await compose('exec', '-T', 'postgres', ...psql), 't|f|f|f|t')
})
