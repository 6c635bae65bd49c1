// The console as the server gives it out: its files and no others, how they may be cached, and what browsers may do with them.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../../../test/support/harness.ts'
import { sendRaw } from '../../../test/support/raw-http.ts'
import { readServeConfig } from '../../config/config.ts'
import { readConsoleFiles } from './console-files.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const rounds = await startRounds({ CONSOLE_CLIENT_ID: 'rounds-console' })
const page = await rounds.call('/console/')
const script = /src="(\/console\/assets\/[\w.-]+\.js)"/.exec(page.text)?.[1] ?? assert.fail('no script')

test('every screen is the page, and a file that is not there is not', async () => {
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  for (const path of ['today', 'charts?type=bloodPressure', 'a/b', 'index.html', 'today/']) {
    const { status, text } = await rounds.call(`/console/${path}`)
    assert.deepEqual([status, text === page.text], [200, true], path)
  }
  for (const path of ['assets/none.js', 'favicon.ico', 'config.yaml', 'a.b/c', '%20'])
    assertRefused(await rounds.call(`/console/${path}`), 404, 'NotFound')
  assertRefused(await rounds.call('/console/', { body: {} }), 405, 'MethodNotAllowed')
  assert.equal((await fetch(`${rounds.url}/console`)).url, `${rounds.url}/console/`)
})

test('no address leads out of the list of files', async () => {
  const ways = ['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '..%5cpackage.json']
  const deeper = [
    'assets/../../../package.json',
    'assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '%00.js',
    '//etc/passwd.txt',
  ]
  for (const way of [...ways, ...deeper]) {
    const answer = await sendRaw(
      rounds.url,
      `GET /console/${way} HTTP/1.1\r\nhost: rounds\r\nconnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 40[04] /, way)
    assert.doesNotMatch(answer, /"devDependencies"|root:/, way)
  }
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.equal((await rounds.call(`/console/${name}`)).text, page.text, name)
})

test('a file whose name changes with its content is kept for good, the page is asked for again', async () => {
  const file = await rounds.call(script)
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8')
  for (const path of ['/console/', '/console/today', '/console/config.json']) {
    const { headers } = await rounds.call(path)
    assert.equal(headers.get('cache-control'), 'public, no-cache')
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]{43}"$/)
    const held = await rounds.call(path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([held.status, held.text], [304, ''])
  }
})

test('the service worker is asked for again at each start, and rules the console alone', async () => {
  const { status, headers, text } = await rounds.call('/console/service-worker.js')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'public, no-cache')
  // Without it, a worker rules the paths below its own.
  assert.equal(headers.get('service-worker-allowed'), null)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/)
  // It is one file, and lists what its release has.
  assert.doesNotMatch(text, /^import\b/m)
  assert.ok(text.includes(script))
  const listed = [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  for (const path of listed) assert.equal((await rounds.call(path)).status, 200, path)
})

test('each file is the same in each encoding', async () => {
  const plain = await fetch(`${rounds.url}${script}`, { headers: { 'accept-encoding': 'identity' } })
  const text = await plain.text()
  for (const encoding of ['br', 'gzip']) {
    const encoded = await fetch(`${rounds.url}${script}`, { headers: { 'accept-encoding': encoding } })
    assert.equal(encoded.headers.get('content-encoding'), encoding)
    assert.equal(encoded.headers.get('vary'), 'Accept-Encoding')
    assert.equal(await encoded.text(), text)
  }
  assert.equal(plain.headers.get('content-encoding'), null)
})

test('browsers run and load nothing but what the server gives, and connect to the issuer alone', async () => {
  const { origin } = new URL(rounds.issuer.url)
  for (const path of ['/console/', '/console/today', script, '/console/config.json', '/console/none.js']) {
    const { headers } = await rounds.call(path)
    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ${origin}; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      path,
    )
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  }
  assert.doesNotMatch(page.text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
})

test('its configuration says where to sign in, where the API is, and how tokens name people', async () => {
  const { json } = await rounds.call('/console/config.json')
  assert.deepEqual(json, {
    issuer: rounds.issuer.url,
    clientId: 'rounds-console',
    scope: 'openid profile',
    casesheetUrl: '/casesheet',
    appointmentsUrl: '/appointments',
    careUrl: '/care',
    patientClaim: 'patientUid',
    doctorClaim: 'doctorId',
    staffScope: 'readings:read',
  })
  const other = await startRounds({
    CONSOLE_CLIENT_ID: 'other',
    CONSOLE_SCOPE: 'openid offline_access',
    CONSOLE_RESOURCE: 'https://rounds.example',
    EMERGENCY_NUMBER: '112',
    CASESHEET_PATH: '/api/readings-of',
    AUTH_PATIENT_CLAIM: 'https://rounds.example/patientUid',
    MODULES: 'appointments,casesheet',
  })
  const { clientId, scope, resource, emergencyNumber, casesheetUrl, careUrl, patientClaim } = Object(
    (await other.call('/console/config.json')).json,
  )
  assert.deepEqual(
    { clientId, scope, resource, emergencyNumber, casesheetUrl, careUrl, patientClaim },
    {
      emergencyNumber: '112',
      clientId: 'other',
      scope: 'openid offline_access',
      resource: 'https://rounds.example',
      casesheetUrl: '/api/readings-of',
      careUrl: undefined,
      patientClaim: 'https://rounds.example/patientUid',
    },
  )
})

test('its configuration says whether there are alerts', async () => {
  const withAlerts = await startRounds({ CONSOLE_CLIENT_ID: 'rounds-console', ALERTS: 'on' })
  assert.equal(Object((await withAlerts.call('/console/config.json')).json).alerts, true)
  assert.equal(Object((await rounds.call('/console/config.json')).json).alerts, undefined)
})

test('/ leads a browser to the console and names it to other clients; without its client there is none', async () => {
  const led = await fetch(rounds.url, { headers: BROWSER, redirect: 'manual' })
  assert.deepEqual([led.status, led.headers.get('location')], [302, '/console/'])
  const { links } = Object((await rounds.call('/')).json)
  assert.equal(links.console, '/console/')
  const without = await startRounds()
  for (const path of ['/console', '/console/', '/console/config.json', '/console/today'])
    assertRefused(await without.call(path), 404, 'NotFound')
  assert.equal(Object((await without.call('/')).json).links.console, undefined)
})

test('a missing build and settings that cannot be are one sentence each', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-console-'))
  t.after(() => rm(dir, { recursive: true }))
  const sentence =
    'CONSOLE_CLIENT_ID is set, but the console is not built: run "npm run build:console", or leave out CONSOLE_CLIENT_ID.'
  await assert.rejects(readConsoleFiles(join(dir, 'none')), { message: sentence })
  await assert.rejects(readConsoleFiles(dir), { message: sentence })
  await writeFile(join(dir, 'index.html'), '<!doctype html>')
  await mkdir(join(dir, 'assets'))
  await writeFile(join(dir, 'assets/a.js'), '')
  await writeFile(join(dir, '.env'), 'SECRET=1')
  assert.deepEqual([...(await readConsoleFiles(dir)).keys()].toSorted(), ['assets/a.js', 'index.html'])
  await writeFile(join(dir, 'big.js'), Buffer.alloc(33 * 1_024 * 1_024))
  await assert.rejects(readConsoleFiles(dir), { message: /holds more than a console/ })

  const settings = {
    DATABASE_URL: 'postgres://localhost/rounds',
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'rounds',
    CONSOLE_CLIENT_ID: 'console',
  }
  assert.throws(
    () => readServeConfig({ ...settings, CONSOLE_SCOPE: 'profile' }),
    /CONSOLE_SCOPE must be scopes/,
  )
  for (const CASESHEET_PATH of ['/console', '/console/api'])
    assert.throws(() => readServeConfig({ ...settings, CASESHEET_PATH }), /must not be \/console or below/)
  assert.doesNotThrow(() => readServeConfig({ ...settings, CASESHEET_PATH: '/consoles' }))
})
