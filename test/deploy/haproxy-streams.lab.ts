// Streams of changes through HAProxy, with the configuration of deploy/haproxy.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { after, test } from 'node:test'
import { SETTINGS } from '../../src/config/settings.ts'
import { HEARTBEAT_MS } from '../../src/modules/feed/stream/open-streams.ts'
import { metricOf } from '../support/event-stream.ts'
import { HAPROXY_FILE, hastened, SERVERS, startHaproxy } from '../support/haproxy.ts'
import { startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { newPatient } from '../support/patient.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()
const portOf = (url: string) => Number(new URL(url).port)
const ports = { port: portOf(rounds.url), adminPort: portOf(rounds.adminUrl) }

/** A stream on a connection of its own; rejected where there is none. */
async function openStream(url: string, token: string) {
  const call = request(`${url}/casesheet/readings/stream`, {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  }).end()
  const answer = await new Promise<IncomingMessage>((found, fail) =>
    call.once('response', found).once('error', fail),
  )
  assert.equal(answer.statusCode, 200)
  let text = ''
  let hasEnded = false
  answer
    .setEncoding('utf8')
    .on('data', (chunk: string) => (text += chunk))
    .on('error', () => {})
    .on('close', () => (hasEnded = true))
  const untilSent = (isThere: (text: string) => boolean, withinMs: number) =>
    until(
      () => {
        assert.ok(!hasEnded, `The stream was cut:\n${text}`)
        return isThere(text)
      },
      withinMs,
      { what: () => text },
    )
  return { untilSent, hasEnded: () => hasEnded, close: () => call.destroy() }
}

const SPEED = 10

/** Makes the clock of the server go as fast: a heartbeat comes where the clock has moved on by its interval. */
function hasten() {
  const beating = setInterval(() => rounds.skip(HEARTBEAT_MS), HEARTBEAT_MS / SPEED)
  const stop = () => clearInterval(beating)
  after(stop)
  return stop
}

test('HAProxy passes each event on at once, and does not cut a stream on which only heartbeats pass', {
  timeout: 120_000,
  ...needs('haproxy'),
}, async () => {
  const haproxy = await startHaproxy({ one: ports, two: ports }, {}, hastened(SPEED))
  await haproxy.untilBothAreUp()
  const { addAt, token } = await newPatient(rounds)
  const stream = await openStream(haproxy.url, token)
  await stream.untilSent((text) => text.includes('event: open'), 60_000)
  await addAt([1])
  await stream.untilSent((text) => text.includes('"timestamp":1,'), 60_000)
  const stopHastening = hasten()
  await stream.untilSent((text) => text.split(': still here').length > 6, 80_000)
  stopHastening()
  await addAt([2])
  await stream.untilSent((text) => text.includes('"timestamp":2,'), 60_000)
  // Without heartbeats it would have been cut.
  for (const end = Date.now() + 60_000; !stream.hasEnded(); ) {
    assert.ok(Date.now() < end, 'a silent stream is not cut')
    await new Promise((resume) => setTimeout(resume, 50))
  }
  stream.close()
})

test('a stream is one connection for the limits of HAProxy', needs('haproxy'), async () => {
  const haproxy = await startHaproxy({ one: ports, two: ports }, { ROUNDS_ADDRESS_CONNECTIONS: '2' })
  await haproxy.untilBothAreUp()
  const { token } = await newPatient(rounds)
  const [first, second] = [await openStream(haproxy.url, token), await openStream(haproxy.url, token)]
  await assert.rejects(openStream(haproxy.url, token), { code: 'ECONNRESET' })
  first.close()
  // HAProxy notices with the next heartbeat that the client is gone.
  rounds.skip(HEARTBEAT_MS)
  for (const end = Date.now() + 60_000; ; ) {
    assert.ok(Date.now() < end, 'the connection is still counted')
    await new Promise((resume) => setTimeout(resume, 100))
    const third = await openStream(haproxy.url, token).catch(() => undefined)
    third?.close()
    if (third) break
  }
  second.close()
})

test('when a client leaves HAProxy, the server lets its stream go within three heartbeats', {
  timeout: 120_000,
  ...needs('haproxy'),
}, async () => {
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  const { token } = await newPatient(rounds)
  const streams = () => metricOf(rounds.adminUrl, 'rounds_streams')
  await until(async () => (await streams()) === 0)
  const [first, second] = [await openStream(haproxy.url, token), await openStream(haproxy.url, token)]
  assert.equal(await streams(), 2)
  first.close()
  await until(async () => (await streams()) === 1, 45_000)
  second.close()
})

test('a server that has few streams does not get all other requests', needs('haproxy'), async () => {
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  const { token, get } = await newPatient(rounds)
  // An odd number: one server has more of them.
  const streams = [
    await openStream(haproxy.url, token),
    await openStream(haproxy.url, token),
    await openStream(haproxy.url, token),
  ]
  assert.equal((await get()).status, 200)
  for (let sent = 0; sent < 10; sent++) {
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${haproxy.url}/casesheet/readings/latest`, { headers })).status, 200)
  }
  const requestsOf = async (backend: string) => {
    const servers = await haproxy.servers(backend)
    return SERVERS.map((name) => Number(servers[name]?.['stot'])).toSorted((a, b) => a - b)
  }
  assert.deepEqual(
    [await requestsOf('streams'), await requestsOf('rounds')],
    [
      [1, 2],
      [5, 5],
    ],
  )
  for (const { close } of streams) close()
})

test('HAProxy has a connection for every stream of both servers, and thousands for other requests', () => {
  const file = readFileSync(HAPROXY_FILE, 'utf8')
  const numberOf = (name: string) => Number(new RegExp(`\\$\\{${name}-(\\d+)\\}`).exec(file)?.[1])
  const secondsOf = (name: string) => Number(new RegExp(`^ *timeout ${name} (\\d+)s$`, 'm').exec(file)?.[1])
  const all = numberOf('ROUNDS_CONNECTIONS')
  const address = numberOf('ROUNDS_ADDRESS_CONNECTIONS')
  assert.ok(all - SERVERS.length * SETTINGS.MAX_STREAMS.default >= 4_000, String(all))
  assert.equal(address, all / 4)
  assert.ok(numberOf('ROUNDS_ADDRESS_NEW_CONNECTIONS') >= 2 * address)
  for (const name of ['client', 'server'])
    assert.ok(secondsOf(name) * 1_000 >= 3 * HEARTBEAT_MS, 'two heartbeats may be lost')
})
