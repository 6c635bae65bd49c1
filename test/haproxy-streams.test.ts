// Streams of changes through HAProxy, with the configuration of deploy/haproxy.
import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startHaproxy } from './haproxy.ts'
import { startRounds } from './harness.ts'
import { needs } from './needs.ts'
import { newPatient } from './patient.ts'

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
  async function until(isThere: (text: string) => boolean, withinMs: number) {
    for (const end = Date.now() + withinMs; !isThere(text); ) {
      assert.ok(!hasEnded, `The stream was cut:\n${text}`)
      assert.ok(Date.now() < end, `It did not come:\n${text}`)
      await new Promise((resume) => setTimeout(resume, 10))
    }
  }
  return { until, close: () => call.destroy() }
}

test('HAProxy passes each event on at once, and does not cut a stream on which only heartbeats pass', {
  timeout: 120_000,
  ...needs('haproxy'),
}, async () => {
  const haproxy = await startHaproxy({ one: ports, two: ports })
  await haproxy.untilBothAreUp()
  const { addAt, token } = await newPatient(rounds)
  const stream = await openStream(haproxy.url, token)
  await stream.until((text) => text.includes('event: open'), 10_000)
  await addAt([1])
  await stream.until((text) => text.includes('"timestamp":1,'), 10_000)
  // Longer than "timeout server", 45 s: heartbeats come every 15 s.
  await stream.until((text) => text.split(': still here').length > 4, 80_000)
  await addAt([2])
  await stream.until((text) => text.includes('"timestamp":2,'), 10_000)
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
  for (;;) {
    await new Promise((resume) => setTimeout(resume, 500))
    const third = await openStream(haproxy.url, token).catch(() => undefined)
    third?.close()
    if (third) break
  }
  second.close()
})
