// Names beside others whose name servers do not answer. The look-up of the machine is replaced, because it is the machine's.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '../../../../test/support/until.ts'
import { createLookUp } from './look-up.ts'

const NO_SUCH_NAME = 0x8183
const { signal } = new AbortController()

/** A name server that says nothing about names with "silent" in them, and knows no other. */
async function startNameServer() {
  const server = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    if (query.includes('silent')) return
    const answer = Buffer.from(query)
    answer.writeUInt16BE(NO_SUCH_NAME, 2)
    server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `127.0.0.1:${server.address().port}`
}

/** Look-ups of names with "silent" in them do not end, but for that of the hosts file. */
async function startLookUp(server: string) {
  const directory = await mkdtemp(join(tmpdir(), 'rounds-hosts-'))
  after(() => rm(directory, { recursive: true }))
  const hostsFile = join(directory, 'hosts')
  await writeFile(hostsFile, '127.0.0.1 localhost # silent-5.test\n10.0.0.1\tother Silent-Known.test\n')
  const asked: string[] = []
  const lookUp = createLookUp({
    hostsFile,
    servers: [server],
    lookUp(host) {
      asked.push(host)
      return /silent-\d/.test(host)
        ? new Promise(() => {})
        : Promise.resolve([{ address: '10.0.0.1', family: 4 }])
    },
  })
  return { lookUp, asked }
}

test('names whose servers do not answer hold up no other name, and occupy one thread', async () => {
  const { lookUp, asked } = await startLookUp(await startNameServer())
  for (let number = 1; number <= 100; number++) void lookUp(`silent-${number}.test`, signal)
  await until(() => asked.length === 1, 10_000)
  for (const host of ['receiver.test', 'receiver', 'silent-known.test', 'silent-known.test.', 'localhost'])
    assert.deepEqual(await lookUp(host, signal), [{ address: '10.0.0.1', family: 4 }], host)
  assert.equal(asked.filter((host) => host.startsWith('silent-1')).length, 1)
})

test('where no name server answers, the names of the hosts file are found', async () => {
  const { lookUp } = await startLookUp('127.0.0.1:9')
  assert.deepEqual(await lookUp('other', signal), [{ address: '10.0.0.1', family: 4 }])
  assert.deepEqual(await lookUp('receiver', signal), [{ address: '10.0.0.1', family: 4 }])
})

test('of names that wait, those whose attempt is over are not looked up', async () => {
  const asked: string[] = []
  const answers: PromiseWithResolvers<[]>[] = []
  const lookUp = createLookUp({
    hostsFile: '/dev/null',
    servers: [await startNameServer()],
    lookUp(host) {
      asked.push(host)
      const answer = Promise.withResolvers<[]>()
      answers.push(answer)
      return answer.promise
    },
  })
  const first = lookUp('a.test', signal)
  await until(() => asked.length === 1)
  const over = lookUp('b.test', AbortSignal.abort())
  const last = lookUp('c.test', signal)
  answers[0]?.resolve([])
  await assert.rejects(over)
  await until(() => answers.length === 2)
  answers[1]?.resolve([])
  await Promise.all([first, last])
  assert.deepEqual(asked, ['a.test', 'c.test'])
})
