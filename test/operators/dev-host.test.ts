// `rounds dev --host`, for apps on a phone or in an emulator: here the address is another one of loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { startDev, temporaryDirectory } from '../support/dev.ts'
import { runCommand } from '../support/process.ts'
import { signInAt } from '../support/sign-in.ts'

const HOST = '127.0.0.2'
const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const dev = await startDev({ TMPDIR, PG_BIN }, ['--port', '0', '--host', HOST])
after(() => dev.child.kill('SIGKILL'))
const { port } = new URL(dev.casesheetUrl)

const read = (token: string, base = dev.casesheetUrl) =>
  fetch(`${base}/readings/get?patientUid=patient-1`, { headers: { authorization: `Bearer ${token}` } })

test('the addresses for apps are at the host, those for this machine on loopback', () => {
  assert.match(dev.casesheetUrl, /^http:\/\/127\.0\.0\.2:\d+\/casesheet$/)
  assert.match(dev.appointmentsUrl, /^http:\/\/127\.0\.0\.2:\d+\/appointments$/)
  assert.match(dev.issuerUrl, /^http:\/\/127\.0\.0\.2:\d+$/)
  assert.equal(dev.consoleUrl, `http://127.0.0.1:${port}/console/`)
  assert.equal(dev.docsUrl, `http://127.0.0.1:${port}/docs`)
})

test('an app on a phone signs people in and reads, and so does a web app that is served there', async () => {
  for (const redirectUri of ['myapp://callback', `http://${HOST}:5173/callback`]) {
    const signedIn = await signInAt(dev.issuerUrl, { person: 'ada-example', scope: 'openid', redirectUri })
    assert.deepEqual([signedIn.status, signedIn.claims.iss], [200, dev.issuerUrl], redirectUri)
    assert.equal((await read(signedIn.access_token)).status, 200)
  }
  const elsewhere = { person: 'ada-example', scope: 'openid', redirectUri: 'http://127.0.0.3:5173/callback' }
  assert.equal((await signInAt(dev.issuerUrl, elsewhere)).status, 400)
  const console = { client: 'rounds-console', redirectUri: dev.consoleUrl }
  const inConsole = await signInAt(dev.issuerUrl, { person: 'kim-sample', scope: 'openid', ...console })
  assert.equal(inConsole.mayReadAnswer, new URL(dev.consoleUrl).origin)
})

test('a token of rounds token is good at both addresses, and nothing listens at others', async () => {
  const { output } = await runCommand(['token', '--patient', 'patient-1'], { TMPDIR }).ended
  assert.equal((await read(output.trim())).status, 200)
  assert.equal((await read(output.trim(), `http://127.0.0.1:${port}/casesheet`)).status, 200)
  for (const address of [`http://127.0.0.3:${port}`, dev.issuerUrl.replace(HOST, '127.0.0.3')])
    await assert.rejects(fetch(address), /fetch failed/)
})

test('web apps at the host may call, and those of other hosts may not', async () => {
  const allowed = async (origin: string) =>
    (await fetch(`${dev.appointmentsUrl}/doctors/list`, { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    )
  for (const origin of [`http://${HOST}:5173`, `http://${HOST}`, 'http://localhost:5173'])
    assert.equal(await allowed(origin), origin)
  for (const origin of ['http://127.0.0.3:5173', 'http://127.0x0.2:5173', `https://${HOST}:5173`])
    assert.equal(await allowed(origin), null, origin)
})

test('under the host the reference page has no token', async () => {
  const page = async (url: string) => (await fetch(url)).text()
  assert.match(await page(`http://127.0.0.1:${port}/docs/`), /eyJ[\w-]+\.eyJ/)
  assert.doesNotMatch(await page(`http://${HOST}:${port}/docs/`), /eyJ/)
})

test('a port that is taken at the host is named', async () => {
  const args = ['dev', '--host', HOST, '--issuer-port', new URL(dev.issuerUrl).port, '--port', '0']
  const { code, output } = await runCommand(args, { TMPDIR, PG_BIN }).ended
  assert.equal(code, 1)
  assert.match(output, /^Port \d+ is taken\. Choose another with --issuer-port, or leave it out\.\n$/)
})

test('Ctrl-C ends it although a phone keeps its connection open', async () => {
  const kept = connect(Number(port), HOST)
  kept.on('error', () => {})
  await once(kept, 'connect')
  const closed = once(kept, 'close')
  dev.child.kill('SIGINT')
  assert.equal((await dev.ended).code, 0)
  await closed
})
