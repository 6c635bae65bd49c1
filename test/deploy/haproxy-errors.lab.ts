// What HAProxy, with the configuration of deploy/haproxy, answers itself: in the shape of Rounds, with an id that its log has too.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { findFreePort } from '../support/free-port.ts'
import { hastened, startHaproxy } from '../support/haproxy.ts'
import { assertRefused, closeServer, listen, onServer, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { newPatient } from '../support/patient.ts'
import { parseRaw, sendRaw } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const withHaproxy = needs('haproxy')
const ORIGIN = 'https://app.example'
const portOf = (url: string) => Number(new URL(url).port)
type Haproxy = Awaited<ReturnType<typeof startHaproxy>>

/** Two servers of which none is there. */
async function noServers() {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  return { one: { port, adminPort }, two: { port, adminPort } }
}

/** Waits until HAProxy sends requests to no server. */
async function untilDown({ servers }: Haproxy) {
  const isDown = ({ BACKEND }: Record<string, Record<string, string>>) => BACKEND?.['status'] === 'DOWN'
  await until(() => servers().then(isDown, () => false))
}

async function call(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, json: (await response.json()) as object }
}

/** Refused by HAProxy as Rounds would, with one line in its log that names neither the path nor the query. */
async function assertOwnError(
  haproxy: Haproxy,
  answer: { status: number; json: object; headers: Headers },
  { status, code, termination }: { status: number; code: string; termination: string },
) {
  assertRefused(answer, status, code)
  assert.equal(answer.headers.get('retry-after'), status >= 502 ? '1' : null)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(Object.keys(answer.json), ['status', 'code', 'message', 'requestId', 'retryable'])
  const requestId = answer.headers.get('x-request-id') ?? ''
  assert.ok(requestId !== '')
  await until(() => haproxy.logged(requestId).length > 0, 10_000, { what: haproxy.output })
  const [line = {}, ...others] = haproxy.logged(requestId)
  assert.deepEqual([line['status'], line['termination'], others], [status, termination, []])
  assert.doesNotMatch(haproxy.output(), /p-secret|readings|doctors/)
}

/** A server that is ready and leaves requests to the test. */
async function startBackend(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) =>
    request.url?.startsWith('/readyz') ? response.end('{}') : answer(request, response),
  )
  const port = portOf(await listen(server))
  const stop = async () => {
    server.closeAllConnections()
    await closeServer(server)
  }
  return { ports: { port, adminPort: port }, stop }
}

test(
  'without a server the answer is 503 ServerUnavailable, with the id that the client chose',
  withHaproxy,
  async () => {
    const haproxy = await startHaproxy(await noServers())
    await untilDown(haproxy)
    const headers = { 'x-request-id': 'visit-42' }
    for (const path of [
      '/casesheet/readings/get?patientUid=p-secret',
      '/casesheet/readings/stream',
      '/appointments/doctors/list',
    ]) {
      const answer = await call(haproxy.url + path)
      await assertOwnError(haproxy, answer, { status: 503, code: 'ServerUnavailable', termination: 'SC' })
    }
    const chosen = await call(`${haproxy.url}/casesheet/readings/get`, { headers })
    assert.equal(chosen.headers.get('x-request-id'), 'visit-42')
    await assertOwnError(haproxy, chosen, { status: 503, code: 'ServerUnavailable', termination: 'SC' })
    for (const bad of ['a b', 'x"y', 'a'.repeat(129), 'a,b']) {
      const answer = await call(haproxy.url, { headers: { 'x-request-id': bad } })
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
      await assertOwnError(haproxy, answer, { status: 503, code: 'ServerUnavailable', termination: 'SC' })
    }
  },
)

test('a server that refuses connections while it counts as up leads to 503', withHaproxy, async () => {
  const ready = createServer((_, response) => response.end('{}'))
  const adminPort = portOf(await listen(ready))
  const ports = { port: await findFreePort(), adminPort }
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  const answer = await call(`${haproxy.url}/casesheet/readings/add?patientUid=p-secret`, {
    method: 'POST',
    body: '{}',
  })
  await assertOwnError(haproxy, answer, { status: 503, code: 'ServerUnavailable', termination: 'SC' })
  ready.closeAllConnections()
  await closeServer(ready)
})

test('a request that waits for a server for too long gets 503', withHaproxy, async () => {
  const held: ServerResponse[] = []
  const { ports, stop } = await startBackend((_, response) => void held.push(response))
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  for (const server of ['one', 'two']) await haproxy.ask(`set maxconn server rounds/${server} 1`)
  const first = [1, 2].map(() => fetch(`${haproxy.url}/casesheet/readings/get`))
  await until(() => held.length === 2)
  const answer = await call(`${haproxy.url}/casesheet/readings/get?patientUid=p-secret`)
  await assertOwnError(haproxy, answer, { status: 503, code: 'ServerUnavailable', termination: 'sQ' })
  for (const response of held) response.end('{}')
  await Promise.all(first)
  await stop()
})

test(
  'a request that may be repeated is, when a server ends without an answer, and no other',
  withHaproxy,
  async () => {
    const received: string[] = []
    const { ports, stop } = await startBackend(({ method, url, socket }, response) => {
      const isFirst = !received.includes(`${method} ${url}`)
      received.push(`${method} ${url}`)
      if (isFirst) socket.destroy()
      else response.end('{}')
    })
    const haproxy = await startHaproxy({ one: ports, two: ports })
    await haproxy.untilBothAreUp()
    const cases: [method: string, path: string, status: number][] = [
      ['GET', '/casesheet/readings/get', 200],
      ['GET', '/casesheet/readings/latest', 200],
      ['GET', '/care/targets/list', 200],
      ['GET', '/care/reports/glucose', 200],
      ['GET', '/care/patients/list', 200],
      ['POST', '/casesheet/readings/add', 200],
      ['POST', '/care/targets/set', 200],
      ['POST', '/care/targets/remove', 200],
      ['POST', '/care/rules/set', 200],
      ['POST', '/care/rules/remove', 200],
      ['POST', '/care/rules/preview', 200],
      ['POST', '/mcp', 200],
      // A look has an id that the client drew.
      ['POST', '/care/reviews/add', 200],
      ['POST', '/care/reviews/undo', 200],
      ['POST', '/casesheet/readings/withdraw', 502],
      ['POST', '/casesheet/grants/revoke', 502],
      ['GET', '/webhooks/endpoints/list', 200],
      ['POST', '/webhooks/endpoints/add', 502],
      ['POST', '/webhooks/endpoints/test', 502],
      ['POST', '/webhooks/endpoints/rotate-secret', 502],
      ['POST', '/webhooks/endpoints/replay', 502],
      ['POST', '/webhooks/endpoints/skip', 502],
      ['POST', '/casesheet/readings/get', 502],
      ['DELETE', '/casesheet/readings/add', 502],
    ]
    for (const [method, path, status] of cases) {
      // On a connection of its own: after the first request of one, HAProxy may end it instead of an answer.
      const head = `${method} ${path} HTTP/1.1\r\nhost: rounds\r\nconnection: close\r\n`
      const body = method === 'POST' ? 'content-length: 2\r\n\r\n{}' : '\r\n'
      const answer = parseRaw(await sendRaw(haproxy.url, head + body))
      assert.equal(answer.status, status, path)
      const sent = received.filter((one) => one === `${method} ${path}`)
      assert.equal(sent.length, status === 200 ? 2 : 1, path)
    }
    await stop()
  },
)

test('a server that dies leads to 502, and one that is silent to 504', withHaproxy, async () => {
  const received: unknown[] = []
  const { ports, stop } = await startBackend(({ url, headers, socket }) => {
    received.push(headers['x-request-id'])
    if (url?.endsWith('dies')) socket.destroy()
  })
  const haproxy = await startHaproxy({ one: ports, two: ports }, {}, hastened(10))
  await haproxy.untilBothAreUp()
  const [died, silent] = [
    await call(`${haproxy.url}/dies`, { method: 'POST' }),
    await call(`${haproxy.url}/silent?patientUid=p-secret`),
  ]
  await assertOwnError(haproxy, died, { status: 502, code: 'ServerUnavailable', termination: 'SH' })
  await assertOwnError(haproxy, silent, { status: 504, code: 'ServerUnavailable', termination: 'sH' })
  // The servers had the same ids.
  assert.deepEqual(
    received,
    [died, silent].map(({ headers }) => headers.get('x-request-id')),
  )
  await stop()
})

test('the id of a request is the same at HAProxy and in the log of Rounds', withHaproxy, async () => {
  const rounds = await startRounds()
  const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  const refused = await call(`${haproxy.url}/casesheet/readings/get`)
  assertRefused(refused, 401, 'TokenMissing')
  const requestId = refused.headers.get('x-request-id') ?? 'none'
  await until(() => rounds.log().includes(`"requestId":"${requestId}"`))
  // Rounds has logged it, so HAProxy does not.
  assert.deepEqual(haproxy.logged(requestId), [])
  const chosen = await call(`${haproxy.url}/casesheet/readings/get`, {
    headers: { 'x-request-id': 'visit-43' },
  })
  assertRefused(chosen, 401, 'TokenMissing')
  assert.equal(chosen.headers.get('x-request-id'), 'visit-43')
})

test(
  'large and broken requests: what HAProxy can read has the one shape, the rest its built-in page',
  withHaproxy,
  async () => {
    const rounds = await startRounds()
    const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }
    const haproxy = await startHaproxy({ one: ports, two: ports }, {}, hastened(10))
    await haproxy.untilBothAreUp()
    const { token } = await newPatient(rounds)
    const head = `POST /casesheet/readings/add HTTP/1.1\r\nhost: rounds\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\nconnection: close\r\n`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const add = { method: 'POST', headers, body: ' '.repeat(5_000_000) }
    assertRefused(await call(`${haproxy.url}/casesheet/readings/add`, add), 413, 'BodyTooLarge')
    const heads = parseRaw(
      await sendRaw(haproxy.url, `${head}x: ${'y'.repeat(9_000)}\r\ncontent-length: 2\r\n\r\n{}`),
    )
    assertRefused(heads, 431, 'HeadersTooLarge')
    await assertOwnError(haproxy, parseRaw(await sendRaw(haproxy.url, 'PRI * HTTP/2.0\r\n\r\n')), {
      status: 400,
      code: 'ValidationFailed',
      termination: 'PR',
    })
    // HAProxy 2.6 answers these before it has a request, and takes no page of ours for them.
    for (const [sent, status] of [
      ['BROKEN\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: rounds\r\nx: ${'y'.repeat(16_000)}\r\n\r\n`, 400],
      ['GET /casesheet HT', 408],
    ] as const) {
      const answer = await sendRaw(haproxy.url, sent)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} [^]*content-type: text/html`, 'i'))
      await until(() => haproxy.output().includes(`"status":${status},`))
    }
  },
)

test(
  'a page of a permitted origin can read what HAProxy answers, and may ask as Rounds permits',
  withHaproxy,
  async () => {
    const rounds = await startRounds({ CORS_ORIGINS: `${ORIGIN},https://b.example` })
    const settings = { ROUNDS_CORS_ORIGINS: `${ORIGIN} https://b.example` }
    const haproxy = await startHaproxy(await noServers(), settings)
    await untilDown(haproxy)
    const path = '/casesheet/readings/get'
    const corsOf = ({ status, headers }: Response) => {
      const names = ['allow-origin', 'allow-methods', 'allow-headers', 'max-age'].map(
        (name) => `access-control-${name}`,
      )
      return [status, headers.get('vary')?.toLowerCase(), ...names.map((name) => headers.get(name))]
    }
    const ask = (url: string, origin: string) =>
      fetch(url + path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } })
    assert.deepEqual(corsOf(await ask(haproxy.url, ORIGIN)), corsOf(await ask(rounds.url, ORIGIN)))
    for (const [origin, allowed] of [
      [ORIGIN, ORIGIN],
      ['https://b.example', 'https://b.example'],
      ['https://evil.example', null],
      [`${ORIGIN}.evil.example`, null],
    ] as const) {
      const { status, headers } = await fetch(haproxy.url + path, { headers: { origin } })
      assert.deepEqual(
        [status, headers.get('vary'), headers.get('access-control-allow-origin')],
        [503, 'Origin', allowed],
      )
      assert.equal(headers.get('access-control-expose-headers'), allowed && 'retry-after, x-request-id')
    }
  },
)

test('the directory is served without the database, by a process that once had it', withHaproxy, async () => {
  const postgres = await startThrowawayPostgres()
  const rounds = await onServer(postgres.url, () => startRounds({ REQUEST_DEADLINE_SECONDS: '1' }))
  const empty = await startRounds({
    DATABASE_URL: `postgres://api@127.0.0.1:${await findFreePort()}/rounds`,
    AUTH_ISSUER: rounds.issuer.url,
  })
  const portsOf = ({ url, adminUrl }: { url: string; adminUrl: string }) => ({
    port: portOf(url),
    adminPort: portOf(adminUrl),
  })
  const haproxy = await startHaproxy({ one: portsOf(rounds), two: portsOf(empty) })
  const statusOf = async (backend: string) => {
    const servers = await haproxy.servers(backend).catch(() => undefined)
    return ['one', 'two'].map((name) => servers?.[name]?.['status']).join()
  }
  await until(
    async () => (await statusOf('directory')) === 'UP,DOWN' && (await statusOf('rounds')) === 'UP,DOWN',
  )
  const headers = { authorization: `Bearer ${await rounds.token({ patientUid: 'p-secret' })}` }
  const list = `${haproxy.url}/appointments/doctors/specialities/list`
  assert.equal((await call(list, { headers })).status, 200)
  await postgres.stop()
  await until(async () => (await statusOf('rounds')) === 'DOWN,DOWN')
  const refused = await call(`${haproxy.url}/casesheet/readings/get`, { headers })
  await assertOwnError(haproxy, refused, { status: 503, code: 'ServerUnavailable', termination: 'SC' })
  for (let asked = 0; asked < 10; asked++) assert.equal((await call(list, { headers })).status, 200)
  assert.equal(await statusOf('directory'), 'UP,DOWN')
  rounds.announceStop('the test is over')
  await until(async () => (await statusOf('directory')) === 'DOWN,DOWN')
  await rounds.stop()
})
