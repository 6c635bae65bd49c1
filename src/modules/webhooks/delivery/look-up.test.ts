// Names beside others that hang. The look-up of the machine is replaced, because it is the machine's.
import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startNameServer } from '../../../../test/support/name-server.ts'
import { until } from '../../../../test/support/until.ts'
import { createLookUp } from './look-up.ts'

const OF_MACHINE = [{ address: '10.0.0.1', family: 4 }]
const over = new AbortController()
after(() => over.abort())
const { signal } = over

const names = await startNameServer({
  'receiver.test': () => ['10.0.0.2', '2001:db8::2'],
  'one-family.test': () => ['10.0.0.3'],
  'silent.test': () => 'silence',
})

/** Look-ups of the machine end only for names without "hangs" in them. */
async function startLookUp(server: string) {
  const directory = await mkdtemp(join(tmpdir(), 'rounds-hosts-'))
  after(() => rm(directory, { recursive: true }))
  const hostsFile = join(directory, 'hosts')
  await writeFile(
    hostsFile,
    '127.0.0.1 localhost # silent.test\n::1 localhost\n10.0.0.4\tother Known.test\nx known.test\n',
  )
  const asked: string[] = []
  const lookUp = createLookUp({
    hostsFile,
    servers: [server],
    lookUp(host) {
      asked.push(host)
      return host.includes('hangs') ? new Promise(() => {}) : Promise.resolve(OF_MACHINE)
    },
  })
  return { lookUp, asked }
}

test('names that hang hold up none that DNS or the hosts file knows, and occupy one thread', async () => {
  const { lookUp, asked } = await startLookUp(names.server)
  const hanging = ['silent.test', ...Array.from({ length: 100 }, (_, nth) => `hangs-${nth}.test`)]
  for (const host of hanging) lookUp(host, signal).catch(() => {})
  await until(() => asked.length === 1, 10_000)
  const known: [host: string, addresses: LookupAddress[]][] = [
    [
      'receiver.test',
      [
        { address: '10.0.0.2', family: 4 },
        { address: '2001:db8::2', family: 6 },
      ],
    ],
    ['one-family.test', [{ address: '10.0.0.3', family: 4 }]],
    [
      'localhost',
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
    ['known.test', [{ address: '10.0.0.4', family: 4 }]],
    ['known.test.', [{ address: '10.0.0.4', family: 4 }]],
  ]
  for (const [host, addresses] of known) assert.deepEqual(await lookUp(host, signal), addresses, host)
  assert.equal(asked.length, 1)
})

test('names without a dot, and those that DNS does not know, are looked up as the machine does', async () => {
  const { lookUp, asked } = await startLookUp(names.server)
  for (const host of ['receiver', 'receiver.namespace'])
    assert.deepEqual(await lookUp(host, signal), OF_MACHINE)
  assert.deepEqual(asked, ['receiver', 'receiver.namespace'])
  assert.equal(names.queriesFor('receiver'), 0)
})

test('where no name server answers, names without a dot and those of the hosts file are found', async () => {
  const { lookUp, asked } = await startLookUp('127.0.0.1:9')
  assert.deepEqual(await lookUp('other', signal), [{ address: '10.0.0.4', family: 4 }])
  assert.deepEqual(await lookUp('receiver', signal), OF_MACHINE)
  await assert.rejects(lookUp('receiver.test', signal))
  assert.deepEqual(asked, ['receiver'])
})

test('a name whose server does not answer is not found once its attempt is over, and takes no thread', async () => {
  const { lookUp, asked } = await startLookUp(names.server)
  const before = names.queriesFor('silent.test')
  const attempt = new AbortController()
  const found = lookUp('silent.test', attempt.signal)
  await until(() => names.queriesFor('silent.test') > before)
  attempt.abort()
  await assert.rejects(found)
  assert.deepEqual(asked, [])
})

test('of names that wait, those whose attempt is over are not looked up', async () => {
  const asked: string[] = []
  const answers: PromiseWithResolvers<[]>[] = []
  const lookUp = createLookUp({
    hostsFile: '/dev/null',
    servers: [names.server],
    lookUp(host) {
      asked.push(host)
      const answer = Promise.withResolvers<[]>()
      answers.push(answer)
      return answer.promise
    },
  })
  const first = lookUp('a.test', signal)
  await until(() => asked.length === 1)
  const attempt = new AbortController()
  const second = lookUp('b.test', attempt.signal)
  attempt.abort()
  const last = lookUp('c.test', signal)
  answers[0]?.resolve([])
  await assert.rejects(second)
  await until(() => answers.length === 2)
  answers[1]?.resolve([])
  await Promise.all([first, last])
  assert.deepEqual(asked, ['a.test', 'c.test'])
})
