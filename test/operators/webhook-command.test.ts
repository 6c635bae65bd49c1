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

type Answer = {
  message: string
  endpoint: Record<string, unknown>
  data: Record<string, unknown>[]
  attempt: Record<string, unknown>
  secret: string
}

const mustAnswer = async (...args: string[]) => JSON.parse(await mustRun(...args)) as Answer

test('an operator adds an endpoint, tests, pauses, resumes, replays, rotates and removes it', async () => {
  assert.deepEqual((await mustAnswer('list')).data, [])
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
  const added = await mustAnswer(
    'add',
    url,
    ...filters,
    '--thin',
    '--description',
    'For a test',
    '--by',
    'me',
  )
  assert.match(added.secret, /^whsec_/)
  const id = String(added.endpoint['endpointId'])
  const [listed] = (await mustAnswer('list')).data
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
  const { attempt } = await mustAnswer('test', id)
  assert.deepEqual([attempt['status'], attempt['error']], [204, undefined])
  assert.equal((await mustAnswer('pause', id)).endpoint['state'], 'paused')
  assert.equal((await mustAnswer('list')).data[0]?.['pausedBecause'], 'asked')
  assert.equal((await mustAnswer('replay', id, '--since', 'beginning')).endpoint['replays'], 1)
  const messageId = String(attempt['messageId'])
  assert.equal(
    (await mustAnswer('skip', id, '--message', messageId, '--by', 'me')).message,
    'Nothing was skipped: the last attempt did not fail, or was of another message.',
  )
  const rotated = await mustAnswer('rotate-secret', id)
  assert.match(rotated.secret, /^whsec_/)
  assert.notEqual(rotated.secret, added.secret)
  assert.match(String(rotated.endpoint['previousSecretUntil']), /^20/)
  const { endpoint } = await mustAnswer('rotate-secret', id, '--overlap-hours', '0')
  assert.equal(endpoint['previousSecretUntil'], undefined)
  status = 503
  const failed = await run(['test', id])
  assert.equal(failed.code, 1)
  const { attempt: refused } = JSON.parse(failed.output) as Answer
  assert.deepEqual([refused['status'], refused['error']], [503, 'status'])
  const [newest] = (await mustAnswer('attempts', id)).data
  assert.deepEqual(
    [newest?.['outcome'], newest?.['status'], newest?.['event'], newest?.['attempts']],
    ['failed', 503, 'endpoint.test', 1],
  )
  assert.equal((await mustAnswer('resume', id)).endpoint['state'], 'active')
  for (const _ of [1, 2]) assert.equal((await mustAnswer('remove', id)).message, 'The endpoint is removed.')
  assert.deepEqual((await mustAnswer('list')).data, [])
  assert.deepEqual(
    await runSql(rounds.ownerUrl, "select name from casesheet.followers where starts_with(name, 'webhook:')"),
    [],
  )
})

test('what is not meant is not done, and is a sentence', async () => {
  await mustRun('add', url)
  const { WEBHOOK_KEY: _key, ...withoutKey } = ENV
  const say = /^Say "rounds webhook list", "rounds webhook add URL", or "rounds webhook VERB ID"/
  const cases: [args: string[], sentence: RegExp, env?: Record<string, string>][] = [
    [[], say],
    [['list', 'all'], say],
    [['add'], say],
    [['drop', UNKNOWN], say],
    [['constructor', UNKNOWN], say],
    [['pause', UNKNOWN, UNKNOWN], say],
    [['pause', UNKNOWN, '--thin'], /^thin is not known here\.\n$/],
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
    [['replay', UNKNOWN], /^since is required\.\n$/],
    [['skip', UNKNOWN, '--message', '1'], /^messageId must be the lastMessageId of the newest failure/],
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
