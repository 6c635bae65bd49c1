// Whom the door lets in, and what it tells the others. That it keeps an overloaded server quick is test/overload.test.ts.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { assertRefused, closeServer, listen } from '../../test/harness.ts'
import { createDoor } from './door.ts'

/** A server behind a door, whose loop is as the test says, with as many requests in work as it says. */
async function startDoor({ isRested = false, inWork = 0 }) {
  const loop = { isRested }
  const door = createDoor({
    maxWhenBusy: 2,
    corsOrigins: ['https://app.example'],
    onRefused: () => {},
    isRested: () => loop.isRested,
  })
  const requests = Array.from({ length: inWork }, () => ({ isInWork: false }))
  requests.forEach(door.begin)
  const server = createServer(door.guard((_request, response) => response.end('served')))
  const url = await listen(server)
  after(() => closeServer(server))
  async function call(options: RequestInit = {}) {
    const { status, headers, ...answer } = await fetch(url, options).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }))
    return { status, headers, json: (status === 503 ? JSON.parse(answer.text) : {}) as object }
  }
  return { call, door, requests, loop }
}

test('a busy process serves as many as may be in work, and refuses the next in the one shape', async () => {
  const { call, door, requests } = await startDoor({ inWork: 1 })
  assert.equal((await call()).status, 200)
  door.begin({ isInWork: false })
  const refused = await call({ headers: { 'x-request-id': 'mine-1' } })
  assertRefused(refused, 503, 'Overloaded')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('x-request-id'), 'mine-1')
  assert.equal(refused.headers.get('x-content-type-options'), 'nosniff')
  assert.notEqual((await call()).headers.get('x-request-id'), (await call()).headers.get('x-request-id'))
  assert.equal(door.refusedCount(), 3)
  // Ended twice, a request has left once.
  requests.forEach(door.end)
  requests.forEach(door.end)
  assert.equal((await call()).status, 200)
  door.begin({ isInWork: false })
  assert.equal((await call()).status, 503)
})

test('a process that has rests refuses nobody, however many are in work', async () => {
  const { call, loop } = await startDoor({ isRested: true, inWork: 1_000 })
  assert.equal((await call()).status, 200)
  loop.isRested = false
  assert.equal((await call()).status, 503)
})

test('a refused body of any size is taken and dropped, and the connection goes on', async () => {
  const { call, door, requests } = await startDoor({ inWork: 2 })
  assertRefused(await call({ method: 'POST', body: 'x'.repeat(4_000_000) }), 503, 'Overloaded')
  requests.forEach(door.end)
  assert.equal((await call()).status, 200)
})

test('a web app can read its refusal, others cannot, and a preflight passes', async () => {
  const { call } = await startDoor({ inWork: 2 })
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
