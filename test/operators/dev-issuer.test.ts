// The issuer of `rounds dev` as apps, gateways and settings of a developer meet it.
import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decodeJwt, SignJWT } from 'jose'
import { createRoundsClient, tokenByPatient } from '../../clients/typescript/src/client.ts'
import { type Dev, startDev, temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { type App, signInAt } from '../support/sign-in.ts'

const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const issuerPort = await findFreePort()
const dev = await startDev({ TMPDIR, PG_BIN, RATE_LIMIT_PER_MINUTE: '40', MAX_READING_AHEAD_SECONDS: '60' }, [
  '--port',
  '0',
  '--issuer-port',
  String(issuerPort),
])

const newToken = async (...args: string[]) =>
  (await runCommand(['token', ...args], { TMPDIR }).ended).output.trim()
const read = (token: string, patientUid: string, at: Dev = dev) =>
  fetch(`${at.casesheetUrl}/readings/get?patientUid=${patientUid}`, {
    headers: { authorization: `Bearer ${token}` },
  })

const signIn = (person: string, scope: string, app: App = {}) =>
  signInAt(dev.issuerUrl, { person, scope, ...app })

test('the issuer is at the port that was asked for', () => {
  assert.equal(dev.issuerUrl, `http://127.0.0.1:${issuerPort}`)
})

test('settings of the server reach it', async () => {
  const token = await newToken('--patient', 'limited-1')
  const statuses = []
  for (let request = 0; request < 45; request++) statuses.push((await read(token, 'limited-1')).status)
  assert.ok(statuses.includes(429), statuses.join())
  const ahead = await fetch(`${dev.casesheetUrl}/readings/add`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await newToken('--patient', 'p')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ patientUid: 'p', readingType: 'acme.any', timestamp: Date.now() + 3_600_000 }),
  })
  assert.equal(ahead.status, 400)
})

test('an app on any port and path of this machine signs people in by code and PKCE, and renews', async () => {
  for (const redirectUri of [
    'http://localhost:5173/callback',
    'http://127.0.0.1:3000/',
    'http://localhost/a/b?c=d',
  ]) {
    const signedIn = await signIn('ada-example', 'openid profile', { redirectUri })
    assert.equal(signedIn.status, 200, redirectUri)
    assert.equal(signedIn.mayReadAnswer, new URL(redirectUri).origin)
    assert.deepEqual([signedIn.claims.sub, signedIn.claims['patientUid']], ['ada-example', 'patient-1'])
    assert.equal((await read(signedIn.access_token, 'patient-1')).status, 200)
    const renewed = await fetch(`${dev.issuerUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'rounds-app',
        refresh_token: signedIn.refresh_token ?? '',
      }),
    })
    assert.equal(renewed.status, 200)
  }
  const elsewhere = [
    'https://localhost:5173/callback',
    'http://localhost.example/callback',
    'http://user@localhost:5173/',
    'http://192.0.2.1/',
  ]
  for (const redirectUri of elsewhere)
    assert.equal((await signIn('ada-example', 'openid', { redirectUri })).status, 400, redirectUri)
  // The console's client stays with the addresses of the console.
  const atConsole = { client: 'rounds-console', redirectUri: 'http://localhost:5173/callback' }
  assert.equal((await signIn('ada-example', 'openid', atConsole)).status, 400)
})

test('an app that is called by a scheme of its own signs people in, and what a browser runs or fetches is no app', async () => {
  for (const redirectUri of [
    'myapp://callback',
    'com.example.app:/callback',
    'exp://127.0.0.1:8081/--/back',
  ]) {
    const signedIn = await signIn('ada-example', 'openid', { redirectUri })
    assert.deepEqual([signedIn.status, signedIn.claims.sub], [200, 'ada-example'], redirectUri)
    assert.equal((await read(signedIn.access_token, 'patient-1')).status, 200)
  }
  const others = [
    'https://app.example/callback',
    'javascript://%0aalert(1)',
    'data:text/html,hello',
    'file:///callback',
    'myapp://callback#part',
    'callback',
    // Apps are there only with --host.
    'http://127.0.0.2:5173/',
  ]
  for (const redirectUri of others)
    assert.equal((await signIn('ada-example', 'openid', { redirectUri })).status, 400, redirectUri)
  const atConsole = { client: 'rounds-console', redirectUri: 'myapp://callback' }
  assert.equal((await signIn('ada-example', 'openid', atConsole)).status, 400)
})

test('people who sign in are the doctor that they are, and no other that their app asks for', async () => {
  const also = { doctor_id: 'another-doctor' }
  for (const [person, doctorId] of [
    ['ada-example', undefined],
    ['dr-willow-sample', 'dr-willow-sample'],
  ] as const) {
    const { status, claims } = await signIn(person, 'openid', { also })
    assert.deepEqual([status, claims.sub, claims['doctorId']], [200, person, doctorId])
  }
})

test('scopes of SMART limit a token to what the app asked for, and no one gets what they cannot have', async () => {
  const add = (token: string, patientUid: string) =>
    fetch(`${dev.casesheetUrl}/readings/add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ patientUid, readingType: 'acme.any', timestamp: 1_762_000_000 }),
    })
  const patient = await signIn(
    'ada-example',
    'openid fhirUser launch/patient patient/Observation.rs system/*.cruds',
  )
  assert.deepEqual(
    [patient.claims['scope'], patient.claims['fhirUser'], patient.patient],
    ['patient/Observation.rs', 'Patient/patient-1', 'patient-1'],
  )
  assert.equal((await read(patient.access_token, 'patient-1')).status, 200)
  assert.equal((await add(patient.access_token, 'patient-1')).status, 403)
  // A scope of staff is given by who one is: asking for it is not enough.
  const asking = await signIn('ada-example', 'openid readings:read readings:changes')
  assert.equal(asking.claims['scope'], undefined)
  assert.equal((await read(asking.access_token, 'child-1')).status, 403)
  const staff = await signIn('kim-sample', 'openid user/Observation.rs patient/Observation.rs')
  assert.equal(staff.claims['scope'], 'user/Observation.rs')
  assert.equal((await read(staff.access_token, 'child-1')).status, 200)
  const byRole = await signIn('kim-sample', 'openid profile')
  assert.equal(byRole.claims['scope'], 'readings:read readings:withdraw webhooks:manage')

  const limited = await newToken('--patient', 'p', '--scope', 'patient/Observation.c')
  assert.equal((await add(limited, 'p')).status, 200)
  assert.equal((await read(limited, 'p')).status, 403)
  for (const scope of ['system/Observation.rs', 'user/Observation.rs'])
    assert.equal((await read(await newToken('--scope', scope), 'p')).status, 200, scope)
  assert.match(
    await newToken('--patient', 'p', '--scope', 'readings:read'),
    /^There is no scope "readings:read" for patients\./,
  )
})

test('a gateway gets a token for each patient by token exchange, with the client of this package', async () => {
  const [clientId = '', clientSecret = ''] = (await newToken('--client')).split(':')
  const exchange = async (subjectToken: string, type: string, more: Record<string, string> = {}) => {
    const response = await fetch(`${dev.issuerUrl}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: subjectToken,
        subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
        audience: 'rounds-dev',
        ...more,
      }),
    })
    return Object(await response.json()) as { access_token: string; expires_in: number; error?: string }
  }
  const assertion = (patientUid: string, secret = clientSecret, expires = '1m') =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(clientId)
      .setAudience(dev.issuerUrl)
      .setSubject(patientUid)
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(secret))
  const { appointmentsUrl, casesheetUrl } = dev
  const cloud = createRoundsClient({
    appointmentsUrl,
    casesheetUrl,
    token: tokenByPatient(async (patientUid) => exchange(await assertion(patientUid), 'jwt')),
  })
  for (const patientUid of ['cloud-1', 'cloud-2']) {
    await cloud.addReadings({ patientUid, readingType: 'acme.any', timestamp: 1_762_000_000 })
    assert.equal((await cloud.getReadings({ patientUid })).data.length, 1)
  }

  const own = await exchange(
    await newToken('--patient', 'p', '--scope', 'patient/Observation.rs'),
    'access_token',
  )
  const { sub, act, patientUid, scope, exp = 0, iat = 0 } = decodeJwt(own.access_token)
  assert.deepEqual([sub, act, patientUid, scope], ['p', { sub: clientId }, 'p', 'patient/Observation.rs'])
  assert.ok(exp - iat <= 600)

  const limited = await newToken('--patient', 'p', '--scope', 'patient/Observation.r')
  const refused: [Promise<{ error?: string }>, string][] = [
    [exchange(limited, 'access_token', { scope: 'patient/Observation.cruds' }), 'invalid_scope'],
    [exchange(await newToken('--staff'), 'access_token'), 'invalid_grant'],
    [exchange(await assertion('p', 'another secret that is long enough'), 'jwt'), 'invalid_grant'],
    [exchange(await assertion('p', clientSecret, '-1m'), 'jwt'), 'invalid_grant'],
    [exchange('nothing', 'access_token'), 'invalid_grant'],
    [exchange(await assertion('p'), 'access_token'), 'invalid_grant'],
    [exchange(await assertion('p'), 'saml2'), 'invalid_request'],
    [exchange(await assertion('p'), 'jwt', { audience: 'another' }), 'invalid_target'],
  ]
  for (const [answer, error] of refused) assert.equal((await answer).error, error)
})

test('with a database of one’s own the issuer keeps its port, key and secret, in a file for this user alone', async () => {
  const { ownerUrl: DATABASE_URL } = await createDatabase()
  const XDG_STATE_HOME = temporaryDirectory()
  const environment = { TMPDIR: temporaryDirectory(), DATABASE_URL, XDG_STATE_HOME }
  const start = () => startDev(environment, ['--port', '0', '--database'])
  const stop = async ({ child, ended }: Dev) => {
    child.kill('SIGINT')
    assert.equal((await ended).code, 0)
  }
  const tokenOf = async (...args: string[]) =>
    (await runCommand(['token', ...args], environment).ended).output.trim()

  const first = await start()
  const token = await tokenOf('--patient', 'p')
  const client = await tokenOf('--client')
  await stop(first)
  const dir = join(XDG_STATE_HOME, 'rounds-dev')
  const [file = '', ...others] = readdirSync(dir)
  assert.deepEqual(
    [others, statSync(dir).mode & 0o777, statSync(join(dir, file)).mode & 0o777],
    [[], 0o700, 0o600],
  )
  assert.doesNotMatch(file + readFileSync(join(dir, file), 'utf8'), /postgres:/)

  const second = await start()
  after(() => second.child.kill('SIGKILL'))
  assert.equal(second.issuerUrl, first.issuerUrl)
  assert.equal(await tokenOf('--client'), client)
  assert.equal((await read(token, 'p', second)).status, 200, 'a token from before the restart')
  await stop(second)

  chmodSync(join(dir, file), 0o644)
  const { code, output } = await runCommand(['dev', '--port', '0', '--database'], environment).ended
  assert.deepEqual(
    [code, output],
    [1, `${join(dir, file)} must be this user's own, and closed to others (chmod go= ${join(dir, file)}).\n`],
  )
})
