// `rounds webhook` as an operator meets it, beside a server that has the module.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { closeServer, listen, runSql, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { WEBHOOK_KEY, WEBHOOK_ALLOW_NETWORKS } = WITH_WEBHOOKS
const ENV = { DATABASE_URL: rounds.ownerUrl, WEBHOOK_KEY, WEBHOOK_ALLOW_NETWORKS }
const run = (args: string[], env: Record<string, string> = ENV) => runCommand(['webhook', ...args], env).ended
const mustRun = async (...args: string[]) => {
  const { code, output } = await run(args)
  assert.equal(code, 0, output)
  return output
}
const UNKNOWN = '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20'

let status = 204
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status).end())
})
const url = `${await listen(server)}/rounds`
after(() => closeServer(server))

test('an operator adds an endpoint, tests, pauses, resumes, replays, rotates and removes it', async () => {
  assert.equal(await mustRun('list'), 'There are no endpoints.\n')
  const filters = [
    '--event',
    'patient.erased',
    '--event',
    'grant.changed',
    '--patient',
    'p1',
    '--patient',
    'p2',
  ]
  const added = await mustRun('add', url, ...filters, '--thin', '--description', 'For a test', '--by', 'me')
  const [, id = '', secret = ''] =
    /with the id (\S+)\.\n.*:\n {2}(whsec_\S+)\n/.exec(added) ?? assert.fail(added)
  const [listed] = JSON.parse(await mustRun('list', '--json')) as Record<string, unknown>[]
  const { endpointId, description, events, patientUids, thin, addedBy } = listed ?? {}
  assert.deepEqual(
    { endpointId, description, events, patientUids, thin, addedBy },
    {
      endpointId: id,
      description: 'For a test',
      events: ['patient.erased', 'grant.changed'],
      patientUids: ['p1', 'p2'],
      thin: true,
      addedBy: 'me',
    },
  )
  assert.match(await mustRun('test', id), /^The receiver answered 204 after \d+ ms to msg_[\w-]{32}\.\n$/)
  assert.equal(await mustRun('pause', id), `The endpoint ${url} is paused.\n`)
  const table = (await mustRun('list')).split('\n')
  assert.match(table[0] ?? '', /^ID +STATE +BEHIND SINCE +FAILURES +URL$/)
  assert.match(table[1] ?? '', new RegExp(`^${id}  paused \\(asked\\)  - +0 +http://127`))
  assert.equal(
    await mustRun('replay', id, '--since', 'beginning'),
    `The endpoint ${url} gets the changes from the beginning again.\n`,
  )
  assert.equal(
    await mustRun('skip', id, '--by', 'me'),
    'Nothing was skipped: the last attempt did not fail, or was of another message.\n',
  )
  const rotated = await mustRun('rotate-secret', id)
  assert.match(rotated, /whsec_[\s\S]*Messages are also signed with the secret before until 20/)
  assert.match(await mustRun('rotate-secret', id, '--overlap-hours', '0'), /The secret before is over\.\n$/)
  assert.ok(!rotated.includes(secret))
  status = 503
  const failed = await run(['test', id])
  assert.equal(failed.code, 1)
  assert.match(
    failed.output,
    /^The receiver answered 503 after \d+ ms to msg_\S+: the test failed \(status\)\.\n$/,
  )
  const attempts = (await mustRun('attempts', id)).split('\n')
  assert.match(
    attempts[0] ?? '',
    /^MINUTE +OUTCOME +ERROR +STATUS +EVENT +ATTEMPTS +CHANGES +BYTES +LONGEST MS$/,
  )
  assert.ok(attempts.some((line) => /failed +status +503 +endpoint\.test +1 /.test(line)))
  assert.equal(await mustRun('resume', id), `The endpoint ${url} is active.\n`)
  assert.equal(await mustRun('remove', id), 'The endpoint was removed.\n')
  assert.equal(await mustRun('remove', id), 'There is no such endpoint.\n')
  assert.deepEqual(
    await runSql(rounds.ownerUrl, "select name from casesheet.followers where starts_with(name, 'webhook:')"),
    [],
  )
})

test('what is not meant is not done, and is a sentence', async () => {
  await mustRun('add', url)
  const { WEBHOOK_KEY: _key, ...withoutKey } = ENV
  const say = /^Say "rounds webhook list", "rounds webhook add URL", or one of attempts, test, /
  const cases: [args: string[], sentence: RegExp, env?: Record<string, string>][] = [
    [[], say],
    [['list', 'all'], say],
    [['add'], say],
    [['drop', UNKNOWN], say],
    [['constructor', UNKNOWN], say],
    [['pause', UNKNOWN, UNKNOWN], say],
    [['pause', UNKNOWN, '--thin'], /^--thin does not belong to "rounds webhook pause"\.\n$/],
    [['add', url], /^There is an endpoint with this url already\.\n$/],
    [['add', 'http://receiver.example/'], /^url must begin with https:\/\/\. Only to a loopback/],
    [['add', 'https://10.0.0.1/'], /^url must not name an address that is not public, unless .*\.\n$/],
    [['add', 'https://a.example/', '--event', 'x'], /^events must be one of readings\.changed/],
    [['add', 'https://a.example/', '--from', 'then'], /^from must be now or beginning\.\n$/],
    [
      ['add', 'https://a.example/'],
      /WEBHOOK_KEY is missing: it must be at least 32 random bytes/,
      withoutKey,
    ],
    [['pause', '1'], /^endpointId must be the endpointId of an endpoint/],
    [['pause', UNKNOWN], /^There is no such endpoint\.\n$/],
    [['attempts', UNKNOWN], /^There is no such endpoint\.\n$/],
    [['test', UNKNOWN], /^There is no such endpoint\.\n$/],
    [['replay', UNKNOWN], /^Say with --since from when on/],
    [['replay', UNKNOWN, '--since', '2099-01-01T00:00:00Z'], /^since must be a time that has passed/],
    [
      ['rotate-secret', UNKNOWN, '--overlap-hours', '169'],
      /^--overlap-hours must be a whole number from 0 to 168/,
    ],
    [['list'], /^The role ".*" may not do this/, { ...ENV, DATABASE_URL: rounds.serveUrl }],
  ]
  for (const [args, sentence, env] of cases) {
    const { code, output } = await run(args, env)
    assert.equal(code, 1, `${args.join(' ')}: ${output}`)
    assert.match(output, sentence)
  }
  assert.equal((await runSql(rounds.ownerUrl, 'select from webhooks.endpoints')).length, 1)
})
