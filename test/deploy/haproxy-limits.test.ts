// What HAProxy, with the configuration of deploy/haproxy, keeps from Rounds and what it repeats.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import { HAPROXY_FILE, startHaproxy } from '../support/haproxy.ts'
import { assertRefused, startRounds } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'

/** One request from an address of this machine, on a connection of its own. */
async function send(
  url: string,
  { from = '127.0.0.1', method = 'GET', headers = {} }: { from?: string; method?: string; headers?: object },
) {
  const call = request(url, {
    method,
    localAddress: from,
    agent: false,
    headers: { connection: 'close', ...headers },
  }).end()
  const answer = await new Promise<IncomingMessage>((found, fail) =>
    call.once('response', found).once('error', fail),
  )
  const body = await text(answer)
  return {
    status: answer.statusCode ?? 0,
    headers: new Headers(answer.headers as Record<string, string>),
    json: (body.startsWith('{') ? JSON.parse(body) : {}) as object,
  }
}

const portOf = (url: string) => Number(new URL(url).port)

/** A server that is ready and answers requests as the test wants. */
async function startBackend(answer: (request: IncomingMessage) => string | undefined) {
  const received: IncomingMessage[] = []
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith('/readyz')) return response.end('{}')
    received.push(incoming)
    const body = answer(incoming)
    return body === undefined ? incoming.socket.destroy() : response.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { received, ports: { port, adminPort: port } }
}

test(
  'a flood from one address is 429 at the proxy, in the one shape, and another address is served',
  needs('haproxy', 'linux'),
  async () => {
    const { ports, received } = await startBackend(() => '{}')
    const haproxy = await startHaproxy({ one: ports, two: ports }, { ROUNDS_ADDRESS_REQUESTS: '50' })
    await haproxy.untilBothAreUp()
    const statuses: number[] = []
    for (let sent = 0; sent < 80; sent++) statuses.push((await send(`${haproxy.url}/x`, {})).status)
    assert.deepEqual([...new Set(statuses)], [200, 429])
    assert.equal(received.length, statuses.lastIndexOf(200) + 1)
    const refused = await send(`${haproxy.url}/x`, {})
    assertRefused(refused, 429, 'RateLimited')
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.equal((await send(`${haproxy.url}/x`, { from: '127.0.0.2' })).status, 200)
  },
)

test(
  'an address whose requests fail too often is 429, and another address is served',
  needs('haproxy', 'linux'),
  async () => {
    const rounds = await startRounds()
    const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }
    const haproxy = await startHaproxy({ one: ports, two: ports }, { ROUNDS_ADDRESS_ERRORS: '20' })
    await haproxy.untilBothAreUp()
    const get = `${haproxy.url}/casesheet/readings/get`
    const statuses: number[] = []
    for (let sent = 0; sent < 40; sent++) statuses.push((await send(get, {})).status)
    assert.deepEqual([...new Set(statuses)], [401, 429])
    const headers = { authorization: `Bearer ${await rounds.token({ patientUid: 'p1' })}` }
    assert.equal((await send(get, { from: '127.0.0.2', headers })).status, 200)
  },
)

test(
  'Rounds learns the address that HAProxy saw, not the one that a client claims',
  needs('haproxy', 'linux'),
  async () => {
    const rounds = await startRounds({ TRUST_PROXY: 'loopback', RATE_LIMIT_REFUSED_PER_MINUTE: '10' })
    const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }
    const haproxy = await startHaproxy({ one: ports, two: ports })
    await haproxy.untilBothAreUp()
    const get = `${haproxy.url}/casesheet/readings/get`
    const statuses: number[] = []
    for (let sent = 0; sent < 12; sent++) {
      const headers = { 'x-forwarded-for': `192.0.2.${sent}`, forwarded: `for=192.0.2.${sent}` }
      statuses.push((await send(get, { from: '127.0.0.3', headers })).status)
    }
    assert.deepEqual(statuses.slice(0, 10), Array(10).fill(401))
    assert.deepEqual(statuses.slice(10), [429, 429])
  },
)

test('the install page names the file limit without which HAProxy does not start', needs('haproxy'), () => {
  const page = readFileSync('docs/operations/install.md', 'utf8')
  const limit = Number(/`ulimit -Hn` is below ([\d,]+)/.exec(page)?.[1]?.replace(',', ''))
  assert.ok(
    page.includes(`--ulimit\nnofile=${limit}`) && page.includes('two for each of `ROUNDS_CONNECTIONS`'),
  )
  const cwd = temporaryDirectory()
  copyFileSync(HAPROXY_FILE, `${cwd}/rounds.cfg`)
  // Root might raise the limit.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const command = 'ulimit -n 1000; exec "$0" -db -f rounds.cfg'
  const { stderr, status } = spawnSync('sh', ['-c', command, programOf('haproxy')], { cwd, ...nobody })
  const wanted = Number(/Cannot raise FD limit to (\d+)/.exec(String(stderr))?.[1])
  assert.equal(status, 1, String(stderr))
  assert.ok(wanted > limit - 100 && wanted <= limit, `HAProxy wants ${wanted}, the page says ${limit}`)
})
