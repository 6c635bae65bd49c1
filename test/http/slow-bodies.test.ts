// Bodies that take their time: a device on a slow line syncs its backlog, and nobody holds memory or connections by
// trickling.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertRefused, startRounds } from '../support/harness.ts'
import { slowInserts } from '../support/lock-readings.ts'
import { parseRaw } from '../support/raw-http.ts'
import { startRunningTime } from '../support/running-time.ts'
import { find, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()
const token = await rounds.token({ patientUid: 'p1' })
const { hostname, port } = new URL(rounds.url)
const MAX_BYTES = 4 * 1_024 * 1_024

const headOf = (length: number | 'chunked', headers = `Authorization: Bearer ${token}\r\n`) =>
  `POST /casesheet/readings/add HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: application/json\r\nConnection: close\r\n${
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  }\r\n\r\n`

function open(head: string, { allowHalfOpen = false } = {}): { socket: Socket; answer: Promise<string> } {
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen })
  socket.setNoDelay(true).setEncoding('utf8')
  after(() => socket.destroy())
  let received = ''
  socket.on('data', (text: string) => (received += text)).on('error', () => {})
  socket.write(head)
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('close', () => resolve(received))
  return { socket, answer: promise }
}

const readingsOf = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      patientUid: 'p1',
      readingType: 'acme.slow',
      timestamp: 1_700_000_000 + index,
      note: 'x'.repeat(200),
    })),
  )

/** Sends a text in parts, each after a time. */
async function drip(socket: Socket, text: string, { bytes, everyMs }: { bytes: number; everyMs: number }) {
  for (let at = 0; at < text.length && socket.writable; at += bytes) {
    socket.write(text.slice(at, at + bytes))
    await pause(everyMs)
  }
}

test('a backlog that arrives at 2 KiB a second is stored, however long it takes', async () => {
  const body = readingsOf(100)
  const { socket, answer } = open(headOf(body.length))
  const began = performance.now()
  await drip(socket, body, { bytes: 1_024, everyMs: 500 })
  assert.ok(performance.now() - began > 12_000, 'it took longer than any request could before')
  assert.match(await answer, /^HTTP\/1\.1 200 /)
})

test('a body that trickles is 408 after ten seconds, also without a token, also in chunks', async () => {
  const began = performance.now()
  const passedMs = startRunningTime()
  const timed = async (answer: Promise<string>) => {
    const text = await answer
    return { text, afterMs: performance.now() - began, withinMs: passedMs() }
  }
  const sent = [headOf(99), headOf(50_000), headOf('chunked')].map((head) => open(head))
  const dripping = sent.map(({ socket }, index) =>
    drip(socket, index === 2 ? '1\r\n \r\n'.repeat(100) : ' '.repeat(100), {
      bytes: index === 2 ? 6 : 1,
      everyMs: 300,
    }),
  )
  for (const { text, afterMs, withinMs } of await Promise.all(sent.map(({ answer }) => timed(answer)))) {
    assertRefused(parseRaw(text), 408, 'RequestTimeout')
    assert.ok(afterMs > 9_000 && withinMs < 12_000, `after ${afterMs} ms, within ${withinMs} ms`)
  }
  await Promise.all(dripping)
})

test('a client that goes on trickling after its 408 is cut off', async () => {
  const passedMs = startRunningTime()
  const { socket, answer } = open(headOf(50_000), { allowHalfOpen: true })
  await Promise.race([answer, drip(socket, ' '.repeat(60), { bytes: 1, everyMs: 300 })])
  const tookMs = passedMs()
  assert.ok(tookMs < 14_000, `${tookMs} ms`)
  assertRefused(parseRaw(await answer), 408, 'RequestTimeout')
})

test('what follows an answer that was given early is not waited for longer than that', async () => {
  const passedMs = startRunningTime()
  const { socket, answer } = open(
    'POST /casesheet/readings/add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n',
  )
  await drip(socket, ' '.repeat(100), { bytes: 1, everyMs: 300 })
  assert.match(await answer, /^HTTP\/1\.1 401 /)
  assert.ok(passedMs() < 40_000)
})

const bytesOfBodies = async () => find(await scrape(rounds.adminUrl), 'rounds_body_bytes')[0]?.value

/** The head of a largest body of another subject. */
const headFrom = async (sub: string) =>
  headOf(MAX_BYTES, `Authorization: Bearer ${await rounds.token({ sub, patientUid: 'p1' })}\r\n`)

test('one subject has at most two of the largest bodies in flight, and keeps out no other', async () => {
  const head = await headFrom('slow')
  const slow = [open(head), open(head)]
  await until(async () => (await bytesOfBodies()) === 2 * MAX_BYTES)
  const third = open(head)
  assertRefused(parseRaw(await third.answer), 429, 'RateLimited')
  const list = JSON.parse(readingsOf(500)) as unknown
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body: list })).status, 200)
  slow.forEach(({ socket }) => socket.destroy())
  await until(async () => (await bytesOfBodies()) === 0)
})

test('large bodies beyond what memory may hold are refused before they are read, small ones are not', async () => {
  // More than fit, so that none is left to be had when one of them was refused; the others arrive too slowly to be over soon.
  const large = await Promise.all(
    Array.from({ length: 18 }, async (_, index) => open(await headFrom(`large-${index}`))),
  )
  for (const { socket } of large) void drip(socket, `[${' '.repeat(300_000)}`, { bytes: 2_048, everyMs: 100 })
  assert.match(await Promise.race(large.map(({ answer }) => answer)), /^HTTP\/1\.1 503 /)
  const refused = await open(headOf(MAX_BYTES)).answer
  assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*"Overloaded"[\s\S]*"retryable":true/)
  assert.match(refused, /retry-after: 1/)
  const small = { patientUid: 'p1', readingType: 'acme.small', timestamp: 1 }
  const add = (body: unknown) => rounds.call('/casesheet/readings/add', { token, body })
  assert.equal((await add(small)).status, 200)
  // A list in chunks has no length: it is refused once it turns out to be large.
  const { socket, answer } = open(headOf('chunked'))
  socket.write(`10000\r\n[${' '.repeat(65_535)}\r\n`)
  socket.write('3\r\n   \r\n')
  assert.match(await answer, /^HTTP\/1\.1 503 /)
  large.forEach(({ socket: sender }) => sender.destroy())
  const list = JSON.parse(readingsOf(500)) as unknown
  await until(async () => {
    const { status } = await add(list)
    assert.ok(status === 200 || status === 503, String(status))
    return status === 200
  })
})

test('large lists that wait for the database count as long as they wait', async () => {
  const letGo = await slowInserts(rounds.ownerUrl)
  const list = Array.from({ length: 60 }, (_, timestamp) => ({
    patientUid: 'p1',
    readingType: 'acme.waiting',
    timestamp,
    note: 'x'.repeat(65_000),
  }))
  let refused = 0
  const statuses = Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const of = await rounds.token({ sub: `waiting-${index}`, patientUid: 'p1' })
      const { status, json } = await rounds.call('/casesheet/readings/add', { token: of, body: list })
      if (json.code === 'Overloaded') refused++
      return status
    }),
  )
  await until(() => refused >= 3)
  await letGo()
  assert.ok((await statuses).includes(200), (await statuses).join())
})

test('a body in pieces of a byte costs neither memory nor time', async () => {
  const began = process.cpuUsage()
  const { socket, answer } = open(headOf('chunked'))
  for (let sent = 0; sent < 100 && socket.writable; sent++) socket.write('1\r\n \r\n'.repeat(1_000))
  assertRefused(parseRaw(await answer), 413, 'BodyTooLarge')
  const { user } = process.cpuUsage(began)
  assert.ok(user < 1_500_000, `${user} µs`)

  const small = open(headOf(16_000))
  for (let sent = 0; sent < 1_000 && small.socket.writable; sent++) {
    small.socket.write(' ')
    await new Promise(setImmediate)
  }
  assertRefused(parseRaw(await small.answer), 408, 'RequestTimeout')
})

test('a list in ordinary chunks is stored', async () => {
  const body = readingsOf(1_000)
  const { socket, answer } = open(headOf('chunked'))
  for (let at = 0; at < body.length; at += 300) {
    const part = body.slice(at, at + 300)
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
  }
  socket.write('0\r\n\r\n')
  assert.match(await answer, /^HTTP\/1\.1 200 /)
})

test('an address where nothing is reads no body', async () => {
  const answer = await rounds.call('/nothing', { raw: '{"broken' })
  assertRefused(answer, 404, 'NotFound')
})
