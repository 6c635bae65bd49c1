// Python's own tests of the client against the real server. They ask this process for patients, tokens and faulty networks.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fillDirectory } from '../../../test/support/directory.ts'
import { closeServer, listen, runSql, startRounds, WITH_WEBHOOKS } from '../../../test/support/harness.ts'
import { needs, programOf } from '../../../test/support/needs.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { until } from '../../../test/support/until.ts'
import { type FaultyNetwork, startFaultyNetwork } from '../../typescript/test/faulty-network.ts'

const HERE = import.meta.dirname
const PACKAGE = join(HERE, '..')

const [rounds, limited] = await Promise.all([
  startRounds(WITH_WEBHOOKS),
  startRounds({ RATE_LIMIT_PER_MINUTE: '1' }),
])
await fillDirectory(rounds.ownerUrl, {
  specialities: ['Cardiology', 'Ear, Nose & Throat'].map((title) => ({ title })),
  doctors: Array.from({ length: 25 }, (_, number) => ({
    name: `Dr. Invented ${String(number).padStart(2, '0')}`,
    specialities: [number % 5 === 0 ? 'Ear, Nose & Throat' : 'Cardiology'],
    city: 'Pune',
  })),
})
const networks: FaultyNetwork[] = []

type Asked = { do: string; network: number; count: number; claims: object; sql: string; token: string }

/** What Python's tests may ask for, by name. */
const SERVICES: Record<string, (asked: Asked) => Promise<unknown>> = {
  rounds: async () => ({ url: rounds.url, limitedUrl: limited.url }),
  patient: async () => {
    const { patientUid, token } = await newPatient(rounds)
    return { patientUid, token }
  },
  token: ({ claims }) => rounds.token({ ...claims }),
  limitedToken: ({ claims }) => limited.token({ ...claims }),
  /** What the service has of a patient, not by way of the client. */
  stored: async ({ token }) => (await rounds.call('/casesheet/readings/get', { token })).json.data,
  operations: async () => {
    const { paths } = JSON.parse((await rounds.call('/openapi.json')).text) as { paths: object }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
  },
  sql: ({ sql }) => runSql(rounds.ownerUrl, sql),
  logLength: async () => rounds.log().length,
  /** Lets reads be logged again once one was refused because they could not be. */
  grantAfter503: async ({ count }) => {
    await until(async () => rounds.log().slice(count).includes('"status":503'))
    await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
  },
  network: async () => {
    const network = await startFaultyNetwork(rounds.url)
    return { network: networks.push(network) - 1, url: network.url }
  },
  cutRequests: async ({ network, count }) => networks[network]?.cutRequests(count),
  loseAnswers: async ({ network, count }) => networks[network]?.loseAnswers(count),
  hang: async ({ network }) => networks[network]?.hang(),
  slowDown: async ({ network }) => networks[network]?.slowDown({ bytesPerSecond: 8_192, cutAfterMs: 1_500 }),
  speedUp: async ({ network }) => networks[network]?.slowDown(),
  requests: async ({ network }) => networks[network]?.requests(),
}

async function answerTo(asked: Asked): Promise<unknown> {
  const service = SERVICES[asked.do]
  if (service === undefined) throw new Error(`There is no ${asked.do}.`)
  return { value: (await service(asked)) ?? null }
}

const control = createServer((request, response) => {
  void text(request)
    .then((body) => answerTo(JSON.parse(body) as Asked))
    .catch((error: unknown) => ({ error: String(error) }))
    .then((answer) => response.end(JSON.stringify(answer)))
})
const controlUrl = await listen(control)
after(() => closeServer(control))

/** Runs a program to its end; what it says, and whether it ended well. */
function run(program: string, args: string[]): Promise<{ isGood: boolean; output: string }> {
  const environment = {
    PATH: process.env['PATH'],
    STAGE: controlUrl,
    PYTHONPATH: PACKAGE,
    PYTHONWARNINGS: 'error',
  }
  return new Promise((done) =>
    execFile(program, args, { cwd: HERE, env: environment, timeout: 400_000 }, (error, stdout, stderr) =>
      done({ isGood: error === null, output: `${stdout}${stderr}` }),
    ),
  )
}

for (const file of globSync('test_*.py', { cwd: HERE }).toSorted()) {
  test(`Python: ${file}`, needs('python3'), async () => {
    const { isGood, output } = await run(programOf('python3'), ['-B', '-m', 'unittest', '-v', file])
    assert.ok(isGood && /^Ran [1-9]\d* tests? in .*\n\nOK$/m.test(output), output)
  })
}

test('the types of the package and of its tests are sound', needs('mypy'), async () => {
  const config = ['--config-file', join(PACKAGE, 'pyproject.toml'), '--cache-dir', '/dev/null']
  const { isGood, output } = await run(programOf('mypy'), [...config, join(PACKAGE, 'rounds_client'), '.'])
  assert.ok(isGood, output)
})
