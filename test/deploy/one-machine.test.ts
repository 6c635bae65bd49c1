// docs/one-machine.md, carried out in a directory that stands for the machine's root: its commands as written, the units'
// commands under their system call filter, HTTPS through HAProxy, and the console in a browser.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { readServeConfig } from '../../src/config/config.ts'
import { stopGraceMs } from '../../src/server/stop-limits.ts'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { requestToken } from '../../tools/dev/request-token.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { examplesOf, isAsPrinted, runExamples } from '../support/document-examples.ts'
import { findFreePort } from '../support/free-port.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { createEmptyDatabase, runSql } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { untilSaid } from '../support/process.ts'
import { fileOf, startUnit, UNITS, valueOf, valuesOf } from '../support/systemd-unit.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const HOST = 'rounds.example'
const page = readFileSync(join(ROOT, 'docs/one-machine.md'), 'utf8')
const examples = examplesOf(page)
const machine = needs('linux', 'systemd-analyze', 'python3', 'haproxy', 'openssl')

const [ownerUrl, issuer] = await Promise.all([createEmptyDatabase(), startDevIssuer({ audience: 'rounds' })])
after(issuer.stop)
// The console's client is registered at the issuer as docs/console.md says.
issuer.allowConsoleAt(`https://${HOST}`)
const database = new URL(ownerUrl).pathname.slice(1)
const root = temporaryDirectory()
for (const dir of ['etc/systemd/system', 'etc/default', 'etc/haproxy'])
  mkdirSync(join(root, dir), { recursive: true })

// The database is there already; roles and settings belong to the whole PostgreSQL of the tests.
const here = (script: string) =>
  script
    .replaceAll(/^alter system .*\n/gm, '')
    .replace('create role rounds_server nologin;\n', '')
    .replace(
      'create database rounds owner rounds_owner;',
      `alter database ${database} owner to rounds_owner;`,
    )
    .replace('runuser -u postgres -- psql', `psql '${ownerUrl}'`)
    .replaceAll('127.0.0.1/rounds', `${new URL(ownerUrl).host}/${database}`)
    .replaceAll(/rounds_(owner|api)/g, `${database}_$1`)
    .replaceAll('https://id.example/realms/clinic', issuer.url)
    .replaceAll(/(?<=^|[ "=>])\/(opt|etc)\//gm, `${root}/$1/`)

// A clone, whose console is not built yet. Its packages are ours.
const clone = temporaryDirectory()
for (const name of 'bin src migrations samples deploy docs clients package.json package-lock.json tsconfig.json'.split(
  ' ',
))
  cpSync(join(ROOT, name), join(clone, name), { recursive: true })
for (const name of ['.git', 'node_modules']) symlinkSync(join(ROOT, name), join(clone, name))

// Tests need no network: packages come from our own node_modules, chosen by the same --omit.
const npm = `npm() { case "$*" in
  run*) command npm "$@";;
  *--omit=dev*) node --input-type=module -e 'const { installPackages } = await import("${ROOT}/test/support/installed-packages.ts")
installPackages(process.cwd(), process.argv.slice(1).join(" "))' -- "$@";;
esac; }\n`

const run = async (index: number, cwd = join(root, 'opt/rounds/current')) => {
  assert.equal(examples.length, 6, 'a command that this file does not run')
  const { script, printed } = examples[index] ?? assert.fail(`no example ${index}`)
  const [output = ''] = await runExamples([npm + here(script)], { environment: {}, cwd })
  assert.ok(printed === '' || isAsPrinted(output, printed), output)
  return output
}
const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8)

test('a version is installed with the packages that serving needs', machine, async () => {
  await run(0, clone)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const current = join(root, 'opt/rounds/current')
  assert.equal(readlinkSync(current), version)
  const head = execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  const rounds = (...args: string[]) =>
    execFileSync(process.execPath, ['bin/rounds.js', ...args], { cwd: current, encoding: 'utf8' })
  assert.equal(rounds('--version'), `rounds ${version} (commit ${head.trim()})\n`)
  const reading = { patientUid: 'invented-1', readingType: 'heartRate', value: 70, timestamp: 1_767_225_600 }
  writeFileSync(join(root, 'readings.ndjson'), JSON.stringify(reading))
  const preview = rounds('import', join(root, 'readings.ndjson'), '--patient', 'invented-1', '--dry-run')
  assert.match(preview, /"format": "rounds-ndjson"/)
})

test('secrets are in files that only root can read, and the units', machine, async () => {
  await run(1)
  assert.deepEqual(['etc/rounds', 'etc/rounds/owner.env', 'etc/rounds/serve.env'].map(modeOf), [
    '700',
    '600',
    '600',
  ])
  for (const unit of UNITS) assert.ok(!/postgres:|PASSWORD/.test(readFileSync(fileOf(unit), 'utf8')))
  await run(2)
})

test('the owner migrates and fills the directory, with no right to create roles', machine, async () => {
  const { code, output } = await startUnit('rounds-migrate.service', { root }).ended
  assert.equal(code, 0, output)
  assert.match(output, /^Applied 0001-/m)
  assert.match(await run(3), /^The database is up to date\.$/m)
  assert.deepEqual(await runSql(ownerUrl, 'select count(*)::integer as doctors from appointments.doctors'), [
    { doctors: 320 },
  ])
})

test(
  'two processes serve HTTPS under the units and HAProxy, and stop cleanly within TimeoutStopSec',
  machine,
  async (t) => {
    await run(4)
    assert.deepEqual(['etc/haproxy/certs', 'etc/haproxy/certs/rounds.pem'].map(modeOf), ['700', '600'])
    const settings = readFileSync(join(root, 'etc/default/haproxy'), 'utf8')
    const [one, two] = [await startInstance('1'), await startInstance('2')]
    for (const { name, usual } of [
      { name: 'ONE', usual: one.usual },
      { name: 'TWO', usual: two.usual },
    ]) {
      assert.match(settings, new RegExp(`^ROUNDS_${name}=127\\.0\\.0\\.1:${usual.port}$`, 'm'))
      assert.match(settings, new RegExp(`^ROUNDS_${name}_ADMIN=${usual.adminPort}$`, 'm'))
    }
    const certificate = join(root, 'etc/haproxy/certs/rounds.pem')
    const tlsPort = await findFreePort()
    const haproxy = await startHaproxy(
      { one: one.ports, two: two.ports },
      { ROUNDS_CERTIFICATES: certificate, ROUNDS_LISTEN_TLS: `127.0.0.1:${tlsPort}` },
    )
    await haproxy.untilBothAreUp()
    const call = (path: string, body?: object) => callTls(tlsPort, { certificate, path, body })
    const added = await call('add', READING)
    assert.deepEqual([added.status, added.headers['strict-transport-security']], [200, 'max-age=31536000'])
    const got = JSON.parse((await call('get?patientUid=patient-1')).text) as { data: { value: number }[] }
    assert.deepEqual(
      got.data.map(({ value }) => value),
      [READING.value],
    )
    await t.test('people sign in to the console and see their readings', needs('chromium'), () =>
      signInToConsole(tlsPort),
    )
    await t.test('a third gets requests too', () => addThird({ one: one.ports, two: two.ports }))
    for (const { server } of [one, two]) {
      server.child.kill('SIGTERM')
      const { code, output } = await server.ended
      assert.equal(code, 0, output)
    }
  },
)

/** For more cores, in an HAProxy beside the first. */
async function addThird(others: Record<'one' | 'two', { port: number; adminPort: number }>) {
  const file = join(root, 'etc/haproxy/haproxy.cfg')
  await run(5)
  const { server, ports, usual } = await startInstance('3')
  const settings = readFileSync(join(root, 'etc/default/haproxy'), 'utf8')
  assert.match(settings, new RegExp(`^ROUNDS_THREE=127\\.0\\.0\\.1:${usual.port}$`, 'm'))
  assert.match(settings, new RegExp(`^ROUNDS_THREE_ADMIN=${usual.adminPort}$`, 'm'))
  const three = { ROUNDS_THREE: `127.0.0.1:${ports.port}`, ROUNDS_THREE_ADMIN: String(ports.adminPort) }
  const haproxy = await startHaproxy(others, three, file)
  await haproxy.untilBothAreUp()
  for (const backend of ['rounds', 'directory', 'streams'])
    await until(async () => (await haproxy.servers(backend))['three']?.['status']?.startsWith('UP') === true)
  await until(async () => {
    await fetch(`${haproxy.url}/openapi.json`).then((answer) => answer.text())
    return Number((await haproxy.servers())['three']?.['hrsp_2xx']) > 0
  })
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
}

/** As a browser that finds the machine by its name, where the proxy listens at 443. */
async function signInToConsole(port: number) {
  const browser = await chromium.launch({
    executablePath: programOf('chromium'),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${port}`,
      // That of the first start is signed by itself.
      '--ignore-certificate-errors',
    ],
  })
  try {
    const tab = await browser.newPage({ ignoreHTTPSErrors: true })
    tab.setDefaultTimeout(60_000)
    const problems: string[] = []
    tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await tab.goto(`https://${HOST}/`)
    await tab.getByRole('button', { name: 'Ada Example (invented)' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await tab.getByText(String(READING.value), { exact: true }).first().waitFor()
    assert.match(tab.url(), new RegExp(`^https://${HOST}/console/`))
    assert.deepEqual(problems, [])
  } finally {
    await browser.close()
  }
}

const READING = { patientUid: 'patient-1', readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }

/** An instance of the unit, on other ports than its usual ones. */
async function startInstance(instance: string) {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const environment = { PORT: String(port), ADMIN_PORT: String(adminPort) }
  const server = startUnit('rounds@.service', { instance, root, environment })
  await untilSaid(server, /Rounds answers at /)
  const usualOf = (name: string) =>
    new RegExp(`\\b${name}=(\\S+)`)
      .exec(valueOf('rounds@.service', 'Environment'))?.[1]
      ?.replace('%i', instance)
  return {
    server,
    ports: { port, adminPort },
    usual: { port: usualOf('PORT'), adminPort: usualOf('ADMIN_PORT') },
  }
}

type Call = { certificate: string; path: string; body?: object | undefined }

async function callTls(port: number, { certificate, path, body }: Call) {
  const token = await requestToken(issuer, { patientUids: ['patient-1'] })
  const sent = request({
    host: '127.0.0.1',
    port,
    servername: HOST,
    ca: readFileSync(certificate),
    path: `/casesheet/readings/${path}`,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }).end(body ? JSON.stringify(body) : undefined)
  const answer = await new Promise<IncomingMessage>((found, fail) =>
    sent.once('response', found).once('error', fail),
  )
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

test('a stop fits into TimeoutStopSec', () => {
  const environment = Object.fromEntries(
    valueOf('rounds@.service', 'Environment')
      .replaceAll('%i', '1')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const config = readServeConfig({
    ...environment,
    DATABASE_URL: 'postgres://localhost/rounds',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: 'rounds',
  })
  const longestMs = config.stopDelayMs + stopGraceMs(config.requestDeadlineMs)
  assert.match(page, new RegExp(`A stop takes at most ${longestMs / 1_000} seconds`))
  assert.ok(Number(valueOf('rounds@.service', 'TimeoutStopSec')) * 1_000 > longestMs)
  assert.deepEqual([config.host, config.trustProxy], ['127.0.0.1', ['loopback']])
  assert.ok(config.auth.staffNeedsReason)
})

test('systemd finds no fault in the units, and rates their exposure as the page says', machine, () => {
  const [, rating = ''] = /rates their exposure below (\d) of 10/.exec(page) ?? []
  for (const unit of UNITS) {
    // It wants to see the program; here Node is elsewhere.
    const copy = join(root, unit.replace('@', '@1'))
    writeFileSync(copy, readFileSync(fileOf(unit), 'utf8').replace('/usr/local/bin/node', process.execPath))
    execFileSync(programOf('systemd-analyze'), ['verify', '--man=no', copy], { encoding: 'utf8' })
    const threshold = `--threshold=${Number(rating) * 10}`
    execFileSync(programOf('systemd-analyze'), ['security', '--offline=true', '--no-pager', threshold, copy])
  }
})

test('V8 cannot do without memory that was writable and becomes executable', machine, async () => {
  const unit = join(root, 'denies.service')
  assert.deepEqual(valuesOf('rounds@.service', 'MemoryDenyWriteExecute'), [])
  writeFileSync(unit, `${readFileSync(fileOf('rounds@.service'), 'utf8')}\nMemoryDenyWriteExecute=yes\n`)
  const { code, output } = await startUnit('rounds@.service', { root, filterOf: unit }).ended
  assert.notEqual(code, 0)
  assert.match(output, /^# Fatal error[^]*# Check failed: 12 == /m)
})

test('the hook gives HAProxy chain and key of a renewed certificate, and reloads it', machine, () => {
  const [lineage, bin] = [temporaryDirectory(), temporaryDirectory()]
  writeFileSync(join(lineage, 'fullchain.pem'), 'chain\n')
  writeFileSync(join(lineage, 'privkey.pem'), 'key\n')
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "$@"\n')
  chmodSync(join(bin, 'systemctl'), 0o755)
  const certificate = join(lineage, 'rounds.pem')
  const { status, stdout } = spawnSync(join(ROOT, 'deploy/haproxy/use-certificate.sh'), {
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      RENEWED_LINEAGE: lineage,
      ROUNDS_CERTIFICATES: certificate,
    },
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [0, 'reload haproxy\n'])
  assert.equal(readFileSync(certificate, 'utf8'), 'chain\nkey\n')
  assert.equal(statSync(certificate).mode & 0o777, 0o600)
})
