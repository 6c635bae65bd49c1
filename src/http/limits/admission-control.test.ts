// Which requests are admitted, and how the others are refused. That it keeps an overloaded server quick is test/labs/overload.lab.ts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { assertRefused, closeServer, listen } from '../../../test/support/harness.ts'
import { AdmissionControl } from './admission-control.ts'

const WORK_MS = 4

type Sent = { method?: string; body?: string; headers?: Record<string, string> }

/** A server behind admission control, on a clock of its own: each admitted request takes `WORK_MS`. */
async function startServer({ inWork = 0, maxWhenBusy = 2, isAnsweredAtOnce = false, isKnown = false }) {
  const loop = { ms: 0, isBusy: true }
  const refusals = { Overloaded: 0 }
  const admission = new AdmissionControl({
    maxWhenBusy,
    corsOrigins: ['https://app.example'],
    refusals,
    onRefused: () => {},
    isKnown: () => isKnown,
    loop: { now: () => loop.ms, utilization: () => (loop.isBusy ? 1 : 0.5), atEndOfIteration: setImmediate },
  })
  const requests = Array.from({ length: inWork }, () => ({ isKnown: false }))
  requests.forEach(admission.begin)
  const server = createServer(
    admission.guard((_request, response) => {
      loop.ms += isAnsweredAtOnce ? WORK_MS / 40 : WORK_MS
      response.end('served')
    }),
  )
  const url = await listen(server)
  after(() => closeServer(server))
  async function call(options: Sent = {}) {
    const headersSent = { authorization: 'Bearer x', ...options.headers }
    const { status, headers, text } = await fetch(url, { ...options, headers: headersSent }).then(
      async (response) => ({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      }),
    )
    return { status, headers, json: (status === 503 ? JSON.parse(text) : {}) as object }
  }
  /** How many are served before one is refused. */
  async function servedInARow(): Promise<number> {
    for (let served = 0; served < 100; served++) if ((await call()).status === 503) return served
    return 100
  }
  return { url, call, admission, requests, loop, refusals, servedInARow }
}

test('long iterations of a busy event loop limit the requests in work, and the next is refused in the one shape', async () => {
  const { call, refusals, servedInARow } = await startServer({ inWork: 50 })
  assert.equal(await servedInARow(), 4)
  const refused = await call({ headers: { 'x-request-id': 'mine-1' } })
  assertRefused(refused, 503, 'Overloaded')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('x-request-id'), 'mine-1')
  assert.equal(refused.headers.get('x-content-type-options'), 'nosniff')
  assert.notEqual((await call()).headers.get('x-request-id'), (await call()).headers.get('x-request-id'))
  assert.equal(refusals.Overloaded, 4)
})

test('each time the event loop was idle more are admitted, until there is no limit', async () => {
  const { call, loop, servedInARow } = await startServer({ inWork: 50 })
  assert.ok((await servedInARow()) < 10)
  loop.isBusy = false
  // Refusals take no time on this clock, so it is put forward.
  for (let samples = 0; (await call()).status === 503; samples++) {
    assert.ok(samples < 10)
    loop.ms += 10
  }
  assert.equal(await servedInARow(), 100)
})

test('few requests in work are never refused, however long iterations are', async () => {
  const { servedInARow } = await startServer({ inWork: 9, maxWhenBusy: 10 })
  assert.equal(await servedInARow(), 100)
})

test('requests whose tokens were verified before are admitted beside any number of others, up to their own share', async () => {
  const others = await startServer({ inWork: 50 })
  assert.ok((await others.servedInARow()) < 10)
  const { servedInARow, requests, admission } = await startServer({ inWork: 50, isKnown: true })
  assert.equal(await servedInARow(), 100)
  requests.forEach(admission.know)
  assert.ok((await servedInARow()) < 10)
  // Of those that wait for their bodies, none counts.
  requests.forEach(admission.end)
  assert.equal(await servedInARow(), 100)
  requests.forEach(admission.begin)
  assert.ok((await servedInARow()) < 10)
})

test('a request that has ended twice has left once', async () => {
  const { call, admission, requests, servedInARow } = await startServer({ inWork: 50, maxWhenBusy: 2 })
  assert.ok((await servedInARow()) < 10)
  requests.forEach(admission.end)
  requests.forEach(admission.end)
  assert.equal((await call()).status, 200)
  requests.forEach(admission.begin)
  assert.equal((await call()).status, 503)
})

test('a refused body of any size is taken and dropped, and the connection goes on', async () => {
  const { call, admission, requests, servedInARow } = await startServer({ inWork: 50 })
  await servedInARow()
  assertRefused(await call({ method: 'POST', body: 'x'.repeat(4_000_000) }), 503, 'Overloaded')
  requests.forEach(admission.end)
  assert.equal((await call()).status, 200)
})

/** Sends rounds of requests, one on each of many connections at once, and counts those refused. */
async function refusedOf(url: string, { rounds, head }: { rounds: number; head: string }): Promise<number> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).setEncoding('utf8'))
  let refused = 0
  for (let round = 0; round < rounds; round++) {
    const answers = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(`${head} / HTTP/1.1\r\nHost: x\r\n\r\n`)
    for (const [answer] of await Promise.all(answers)) if (/^HTTP.1.1 503/.test(String(answer))) refused++
  }
  sockets.forEach((socket) => socket.destroy())
  return refused
}

for (const method of ['GET', 'OPTIONS']) {
  test(`a flood of ${method} without a token that is answered at once is refused while the loop is busy`, async () => {
    const { url, servedInARow, call } = await startServer({ maxWhenBusy: 64, isAnsweredAtOnce: true })
    const refused = await refusedOf(url, { rounds: 10, head: method })
    assert.ok(refused > 1_000, `${refused} of 2000 were refused`)
    // Others are admitted meanwhile.
    assert.equal(await servedInARow(), 100)
    assert.equal((await call()).status, 200)
  })
}

test('a web app can read its refusal, others cannot, and a preflight passes', async () => {
  const { call, servedInARow } = await startServer({ inWork: 50 })
  await servedInARow()
  const own = await call({ headers: { origin: 'https://app.example' } })
  assert.equal(own.headers.get('access-control-allow-origin'), 'https://app.example')
  assert.match(own.headers.get('access-control-expose-headers') ?? '', /retry-after/)
  const foreign = await call({ headers: { origin: 'https://other.example' } })
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
  assert.deepEqual(
    [own, foreign].map(({ headers }) => headers.get('vary')),
    ['Origin', 'Origin'],
  )
  assert.equal((await call({ method: 'OPTIONS' })).status, 200)
})
