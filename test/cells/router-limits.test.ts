// What the router of cells takes from a client: which backends it can name, how slowly it may send, and no token in clear text.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { request as requestTls } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryDirectory } from '../support/dev.ts'
import { findFreePort } from '../support/free-port.ts'
import { assertRefused, type Envelope, startRounds } from '../support/harness.ts'
import { needs, programOf } from '../support/needs.ts'
import { parseRaw, sendRaw } from '../support/raw-http.ts'
import { until } from '../support/until.ts'
import { startCellsRouter } from './haproxy-of-cells.ts'

const rounds = await startRounds()
const withHaproxy = needs('haproxy')
const withTls = needs('haproxy', 'openssl')
const start = (settings: Record<string, string> = {}) =>
  startCellsRouter({ cells: [rounds, rounds, rounds], directory: rounds, cellOf: () => 0, settings })
const { url = '' } = withHaproxy.skip ? {} : await start()
const token = await rounds.token({ patientUid: 'p1' })

/** Sends pieces of a request, one each second, and returns the answer. */
async function sendSlowly(pieces: string[], to = url): Promise<string> {
  const { hostname, port } = new URL(to)
  const socket = connect(Number(port), hostname)
  const answer = text(socket)
  for (const piece of pieces) {
    socket.write(piece)
    await pause(1_000)
  }
  return answer
}

test('a path below /cells/ names cells only, and no other backend', withHaproxy, async () => {
  for (const [name, status] of [
    ['cell_a', 200],
    ['directory', 421],
    ['no_cell', 421],
    ['cell_', 421],
  ]) {
    const answer = await fetch(`${url}/cells/${name}/appointments/doctors/list`, {
      headers: { authorization: `Bearer ${await rounds.token()}` },
    })
    assert.equal(answer.status, status, String(name))
  }
})

test(
  'a body may arrive as slowly as Rounds accepts it; one that does not arrive gets 408',
  withHaproxy,
  async () => {
    const body = JSON.stringify({
      patientUid: 'p1',
      readingType: 'acme.step',
      timestamp: 1,
      note: 'x'.repeat(13_000),
    })
    const head = `POST /casesheet/readings/add HTTP/1.1\r\nhost: rounds\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\nconnection: close\r\n`
    const pieces = body.match(/.{1,1100}/g) ?? []
    assert.ok(pieces.length > 11, 'it takes longer than headers may')
    const whole = `${head}content-length: ${body.length}\r\n\r\n`
    const { url: hasty } = await start({ ROUNDS_BODY_TIME: '1s' })
    const [slow, late] = await Promise.all([
      sendSlowly([whole, ...pieces]),
      sendSlowly([whole, '{"patient'], hasty),
    ])
    assert.match(slow, /^HTTP\/1.1 200 /)
    assert.match(late, /^HTTP\/1.1 408 /)
    const [, json = ''] = late.split('\r\n\r\n')
    const { code, retryable } = JSON.parse(json) as Envelope
    assert.deepEqual([code, retryable], ['RequestTimeout', true])
  },
)

/** Opens requests whose body never comes; returns the status lines of those that were answered nevertheless. */
function openWithoutBody(count: number, { to, authorization }: { to: string; authorization: string }) {
  const { hostname, port } = new URL(to)
  const answered: string[] = []
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(port), hostname)
    after(() => socket.destroy())
    socket.on('error', () => {}).once('data', (data) => answered.push(data.toString().slice(9, 12)))
    socket.write(
      `POST /casesheet/readings/add HTTP/1.1\r\nhost: rounds\r\n${authorization}content-type: application/json\r\ncontent-length: 60000\r\n\r\n{`,
    )
  }
  return answered
}

test('the body of a request without a token is not waited for', withHaproxy, async () => {
  const answered = openWithoutBody(40, { to: url, authorization: '' })
  await until(() => answered.length === 40)
  assert.deepEqual(new Set(answered), new Set(['401']))
})

test(
  'bodies with a forged token are buffered up to a number for each address, and others are served',
  withHaproxy,
  async () => {
    const { url: to } = await start({ ROUNDS_ADDRESS_BODIES: '25' })
    const forged = `authorization: Bearer ${token.slice(0, -20)}${'A'.repeat(20)}\r\n`
    const answered = openWithoutBody(100, { to, authorization: forged })
    await until(() => answered.length === 75)
    assert.deepEqual(new Set(answered), new Set(['429']))
    const body = JSON.stringify({ patientUid: 'p1', readingType: 'acme.step', timestamp: 2 })
    const options = { method: 'POST', localAddress: '127.0.0.2' }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const status = await new Promise((found, fail) => {
      request(`${to}/casesheet/readings/add`, { ...options, headers })
        .once('response', ({ statusCode }) => found(statusCode))
        .once('error', fail)
        .end(body)
    })
    assert.equal(status, 200)
    assert.equal(answered.length, 75, 'those that are buffered go on')
  },
)

test('an address may have 500 bodies under way by default', withHaproxy, async () => {
  const { url: to } = await start()
  const answered = openWithoutBody(520, { to, authorization: 'authorization: Bearer x\r\n' })
  await until(() => answered.length === 20)
  assert.deepEqual(new Set(answered), new Set(['429']))
})

test('a path with an escape is led by no rule and answered 404', withHaproxy, async () => {
  for (const path of [
    '/casesheet/readings/change%73',
    '/%63asesheet/readings/get',
    '/cells/cell_a/%63asesheet/readings/changes',
    '/%63ells/cell_a/casesheet/readings/changes',
    '/%61ppointments/doctors/list',
    '/casesheet/readings%2Fget',
  ]) {
    const head = `GET ${path} HTTP/1.1\r\nhost: rounds\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
    assertRefused(parseRaw(await sendRaw(url, head)), 404, 'NotFound')
  }
})

test('with a certificate a token in clear text is refused, and TLS leads to the cells', withTls, async () => {
  const certificate = join(temporaryDirectory(), 'rounds.pem')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', certificate]
  const args = ['req', '-x509', '-subj', '/CN=rounds.example', '-out', certificate, ...key]
  execFileSync(programOf('openssl'), args, { stdio: 'pipe' })
  const port = await findFreePort()
  const { url: clearUrl } = await start({
    ROUNDS_CERTIFICATES: certificate,
    ROUNDS_LISTEN_TLS: `127.0.0.1:${port}`,
  })
  const headers = { authorization: `Bearer ${token}` }
  const refused = await fetch(`${clearUrl}/casesheet/readings/get`, { headers, redirect: 'manual' })
  assertRefused(
    { status: refused.status, headers: refused.headers, json: (await refused.json()) as object },
    403,
    'TlsRequired',
  )
  const redirected = await fetch(`${clearUrl}/docs`, { redirect: 'manual' })
  assert.equal(redirected.status, 308)
  const status = await new Promise((found, fail) => {
    requestTls({
      host: '127.0.0.1',
      port,
      path: '/casesheet/readings/get',
      headers,
      rejectUnauthorized: false,
    })
      .once('response', ({ statusCode, headers: { 'strict-transport-security': hsts } }) =>
        found([statusCode, hsts]),
      )
      .once('error', fail)
      .end()
  })
  assert.deepEqual(status, [200, 'max-age=31536000'])
})
