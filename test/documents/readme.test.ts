// README.md, run as a newcomer would. Every frame of it is a script that stands in this file's list, so a command that is added
// to README is run here, or the test fails.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { descendantsOf, mustEnd, temporaryDirectory } from '../support/dev.ts'
import { framesOf, runExamples } from '../support/document-examples.ts'
import { createEmptyDatabase, runSql, startIssuer } from '../support/harness.ts'
import { runProgram, untilSaid } from '../support/process.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const frames = framesOf(readme)
const [dev = '', transcript = '', operations = '', prepare = '', serve = ''] = frames.map(({ text }) => text)

const TMPDIR = temporaryDirectory()
const environment = {
  TMPDIR,
  HOME: TMPDIR,
  npm_config_cache: TMPDIR,
  npm_config_loglevel: 'error',
  PG_BIN: process.env['PG_BIN'] ?? '',
}

// `npm ci` would remove the packages that run this test; .ci/run begins with it, in a fresh clone.
const start = dev.replace('npm ci && ', 'exec ').replace('rounds dev', 'rounds dev --port 0')
const npx = runProgram('sh', ['-euc', start], environment)
// npm alone takes many seconds on a busy machine; test/operators/dev-command.test.ts holds how long the start takes.
await untilSaid(npx, /^Started in /m, 120_000)
const firstScreen = npx.output()
const [, url = ''] = /^ *casesheet_url +(http:\S+)\/casesheet$/m.exec(firstScreen) ?? []

test('every frame of README is one of the scripts below', () => {
  assert.deepEqual(
    frames.map(({ language }) => language),
    ['sh', 'text', 'sh', 'sh', 'sh'],
  )
  assert.equal(readme.match(/^```/gm)?.length, 2 * frames.length, 'a frame without a language')
  assert.ok(readme.split('\n').length < 140)
})

test('the first screen is what the one command prints', () => {
  assert.equal(normalised(transcript), normalised(firstScreen))
  assert.ok(transcript.trimEnd().split('\n').length <= 15)
})

test('the four operations answer', async () => {
  const [output = ''] = await runExamples([operations.replaceAll('http://localhost:8080', url)], {
    environment,
  })
  assert.equal(operations.match(/^curl /gm)?.length, 4)
  assert.equal(output.match(/"status":"success"/g)?.length, 2, output)
  assert.equal(output.match(/"code":"Ok"/g)?.length, 2, output)
})

test('without a token no request of the four operations is sent', () => {
  const script = `npx() { return 2; }\ncurl() { echo sent; }\n${operations}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.match(stderr, /TOKEN: parameter (null or )?not set/)
})

test('as the owner one prepares the database, and the new role serves', async () => {
  const [ownerUrl, issuer] = await Promise.all([createEmptyDatabase(), startIssuer()])
  // Roles belong to the whole PostgreSQL of the tests.
  const role = `${new URL(ownerUrl).pathname.slice(1)}_api`
  const own = (script: string) =>
    script
      .replaceAll('postgres://localhost/rounds', ownerUrl)
      .replaceAll('postgres://rounds_api:a-secret@localhost/rounds', asRole(ownerUrl, role))
      .replaceAll('rounds_api', role)
      .replaceAll('https://id.example/realms/clinic', issuer.url)
  await runExamples([own(prepare)], { environment })
  assert.deepEqual(await runSql(ownerUrl, 'select count(*)::integer as doctors from appointments.doctors'), [
    { doctors: 320 },
  ])
  const rounds = runProgram('sh', ['-euc', own(serve).replace('node bin', 'exec node bin')], {
    ...environment,
    PORT: '0',
    ADMIN_PORT: '0',
  })
  const [, serving = ''] = await untilSaid(rounds, /Rounds answers at (http:[^,\s]+),/)
  const token = await issuer.token({ aud: 'rounds' })
  const answer = await fetch(new URL('/appointments/doctors/list', serving.replace('0.0.0.0', '127.0.0.1')), {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(answer.status, 200)
  rounds.child.kill('SIGTERM')
  assert.equal((await rounds.ended).code, 0)
})

test('the one command stops everything that it started', async () => {
  assert.equal(dev, 'npm ci && npx rounds dev --demo\n')
  const started = descendantsOf(npx.child.pid)
  npx.child.kill('SIGTERM')
  await mustEnd(started)
  await untilSaid(npx, /^Rounds has stopped\./m)
  // npm leaves things of its own.
  const left = readdirSync(TMPDIR).filter((name) => name.startsWith('rounds'))
  assert.deepEqual(left, [])
})

function asRole(address: string, role: string): string {
  const asked = new URL(address)
  asked.username = role
  asked.password = 'a-secret'
  return asked.href
}

/** Without what differs from run to run. A port becomes its place in the order of first mention, so that each stays itself. */
function normalised(screen: string): string {
  const ports: string[] = []
  return screen
    .replace(/^(✓ PostgreSQL) \d+ of .+(, deleted at the end)$/m, '$1 VERSION of ORIGIN$2')
    .replace(/(?<=127\.0\.0\.1:|--port )\d+/g, (port) => {
      if (!ports.includes(port)) ports.push(port)
      return `PORT-${ports.indexOf(port)}`
    })
    .replace(/^(✓ Three months of invented readings): [\d,]+ of/m, '$1: COUNT of')
    .replace(/^Started in \d+\.\d s\./m, 'Started in SECONDS s.')
}
