// A release, from its folder alone: the checksums hold, the image is loaded, migrates an empty PostgreSQL and serves, and both
// clients are installed without a network and read back what they add, as they do what `rounds import` added.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '../../src/config/version.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { AUDIENCE, createEmptyDatabase, runSql, startIssuer } from '../support/harness.ts'
import { until } from '../support/until.ts'
import { PLATFORM } from './builder.ts'
import { docker, nameContainer, runArguments } from './container.ts'

// test/image/run.ts made it.
const FOLDER = process.env['TEST_RELEASE'] ?? ''
const TAG = `rounds:${version}`
const run = (cwd: string, [file = '', ...args]: string[], environment: Record<string, string> = {}) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', env: { ...process.env, ...environment } }).trim()
const head = run(import.meta.dirname, ['git', 'rev-parse', 'HEAD'])
const fileLike = (pattern: RegExp) => {
  const found = readdirSync(FOLDER).filter((file) => pattern.test(file))
  assert.equal(found.length, 1, String(pattern))
  return join(FOLDER, found[0] ?? '')
}

test('the checksums hold, and the image that is loaded names the commit', () => {
  run(FOLDER, ['sha256sum', '--check', '--strict', 'SHA256SUMS'])
  assert.match(
    docker('load', '--input', fileLike(new RegExp(`-image-${PLATFORM.replace('/', '-')}\\.tar\\.gz$`))),
    new RegExp(`${TAG}$`),
  )
  const format = '--format={{index .Config.Labels "org.opencontainers.image.revision"}}'
  assert.equal(docker('image', 'inspect', format, TAG), head)
  assert.equal(docker('run', '--rm', TAG, '--version'), `rounds ${version} (commit ${head.slice(0, 7)})`)
})

test('it serves an empty database that it migrated, and both clients find the doctor and the readings of each other', async () => {
  const work = temporaryDirectory()
  const { url, token } = await serveRelease(work)
  const environment = { ROUNDS_URL: url, ROUNDS_TOKEN: token }
  const line = { patientUid: 'patient-1', readingType: 'heartRate', value: 70, timestamp: 1_767_225_600 }
  writeFileSync(join(work, 'readings.ndjson'), `${JSON.stringify(line)}\n`)
  const asPatient = [...runArguments(nameContainer(), environment), '--volume', `${work}:/in:ro`, TAG]
  const added = docker(
    ...asPatient,
    'import',
    '/in/readings.ndjson',
    '--patient=patient-1',
    '--yes',
    `--url=${url}`,
  )
  assert.match(added, /^1 stored, 0 there already, 0 refused\.$/m)

  writeFileSync(join(work, 'package.json'), '{"private":true}')
  run(work, [
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    fileLike(/^rounds-client-[\d.]+\.tgz$/),
  ])
  writeFileSync(join(work, 'app.mjs'), APP)
  assert.equal(
    run(work, [process.execPath, 'app.mjs'], environment),
    'Dr. Invented Willow\nheartRate 70 2026-01-01T00:00:00.000Z\nheartRate 71 2026-01-02T00:00:00.000Z',
  )

  run(work, [process.env['PYTHON3'] ?? 'python3', '-m', 'venv', 'venv'])
  const python = join(work, 'venv/bin/python')
  run(work, [python, '-m', 'pip', 'install', '--quiet', '--no-index', fileLike(/\.whl$/)])
  writeFileSync(join(work, 'app.py'), PYTHON_APP)
  assert.equal(
    run(work, [python, 'app.py'], environment),
    'Dr. Invented Willow\nheartRate 70 2026-01-01T00:00:00.000Z\nheartRate 71 2026-01-02T00:00:00.000Z\nheartRate 72 2026-01-03T00:00:00.000Z',
  )
})

const APP = `
import { createRoundsClient } from '@rounds/client'
const client = createRoundsClient({ url: process.env.ROUNDS_URL, token: process.env.ROUNDS_TOKEN })
for await (const { name } of client.eachDoctor()) console.log(name)
await client.addReadings({ patientUid: 'patient-1', readingType: 'heartRate', value: 71, timestamp: 1767312000 })
for await (const { readingType, value, measuredAt } of client.eachReading({ patientUid: 'patient-1', from: 1767225600 }))
  console.log(readingType, value, measuredAt)
`

const PYTHON_APP = `
import os
from rounds_client import RoundsClient
with RoundsClient(os.environ["ROUNDS_URL"], token=os.environ["ROUNDS_TOKEN"]) as client:
    for doctor in client.each_doctor():
        print(doctor["name"])
    client.add_readings({"patientUid": "patient-1", "readingType": "heartRate", "value": 72, "timestamp": 1767398400})
    for reading in client.each_reading({"patientUid": "patient-1", "from": 1767225600}):
        print(reading["readingType"], reading["value"], reading["measuredAt"])
`

/** Migrated, filled and served by the image alone. */
async function serveRelease(work: string) {
  const [ownerUrl, issuer, port, adminPort] = await Promise.all([
    createEmptyDatabase(),
    startIssuer(),
    findFreePort(),
    findFreePort(),
  ])
  const directory = {
    specialities: [{ title: 'Cardiology' }],
    doctors: [{ name: 'Dr. Invented Willow', specialities: ['Cardiology'], city: 'Pune' }],
  }
  writeFileSync(join(work, 'directory.json'), JSON.stringify(directory))
  const asOwner = () => runArguments(nameContainer(), { DATABASE_URL: ownerUrl })
  docker(...asOwner(), TAG, 'migrate')
  docker(...asOwner(), '--volume', `${work}:/in:ro`, TAG, 'directory', 'import', '/in/directory.json')
  const serveUrl = new URL(ownerUrl)
  serveUrl.username = `${serveUrl.pathname.slice(1)}_api`
  await runSql(ownerUrl, `create role ${serveUrl.username} login in role rounds_server`)
  const name = nameContainer()
  const settings = {
    DATABASE_URL: serveUrl.href,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  }
  docker(...runArguments(name, settings), '--detach', TAG)
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady)
  const [first = ''] = docker('logs', name).split('\n')
  const { version: logged, commit } = JSON.parse(first) as Record<string, string>
  assert.deepEqual([logged, commit], [version, head.slice(0, 7)])
  return { url: `http://127.0.0.1:${port}`, token: await issuer.token({ patientUid: 'patient-1' }) }
}
