// Whatever a receiver answers, an attempt ends in time, reads a bounded answer, and is delivered only if the answer says so.
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { head, portOf, post, startRaw, startSender } from '../../../../test/support/raw-receiver.ts'
import { until } from '../../../../test/support/until.ts'

const TIMEOUT_MS = 300
const BIG = Buffer.alloc(64 * 1_024, 'x')
const BOMB = gzipSync(Buffer.alloc(32 * 1_024 * 1_024))
const CHUNKED = 'Transfer-Encoding: chunked'

type Answer = (socket: Socket) => void
type Case = [what: string, outcome: string | number, answer: Answer]

const write =
  (...parts: (string | Buffer)[]): Answer =>
  (socket) => {
    for (const part of parts) socket.write(part)
  }
/** Closes the connection after these bytes. */
const end =
  (bytes = ''): Answer =>
  (socket) =>
    socket.end(bytes)
/** These bytes, and then others without end, as fast as they are read. */
const flood =
  (first: string, bytes: string | Buffer): Answer =>
  (socket) => {
    const writeOn = () => {
      while (!socket.destroyed && socket.write(bytes)) continue
    }
    socket.write(first)
    socket.on('drain', writeOn)
    writeOn()
  }
/** These bytes, and then others, a few at a time. */
const drip =
  (first: string, bytes: string): Answer =>
  (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(bytes), 5)
    socket.on('close', () => clearInterval(timer))
  }

const HANGING: Case[] = [
  ['nothing', 'timeout', () => undefined],
  ['a head that does not end', 'timeout', write('HTTP/1.1 200 OK\r\nA: ')],
  ['a body that does not end', 'timeout', write(head(200, 'Content-Length: 9'), 'ok')],
  ['chunks that do not end', 'timeout', write(head(200, CHUNKED), '2\r\nok\r\n')],
  ['an error whose body does not end', 500, write(head(500, 'Content-Length: 9'), 'no')],
  ['a header in drips', 'timeout', drip('HTTP/1.1 200 OK\r\na: ', 'x')],
  ['headers in drips', 'timeout', drip('HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
  ['a body in drips', 'timeout', drip(head(200), 'x')],
  ['an error in drips', 429, drip(head(429), 'x')],
  ['empty lines in drips', 'timeout', drip('', '\r\n')],
]

const ANSWERS: Case[] = [
  ['a body', 200, write(head(200, 'Content-Length: 2'), 'ok')],
  ['no body', 204, write(head(204))],
  ['a body that ends with the connection', 200, end(`${head(200)}ok`)],
  ['chunks', 202, write(head(202, CHUNKED), '2\r\nok\r\n0\r\n\r\n')],
  ['an error', 500, write(head(500, 'Content-Length: 2'), 'no')],
  ['410', 410, write(head(410, 'Content-Length: 0'))],
  ['an unknown status', 799, write(head(799, 'Content-Length: 0'))],
  ['a close', 'closed', end()],
  ['a reset', 'closed', (socket) => socket.resetAndDestroy()],
  ['a close within the head', 'closed', end('HTTP/1.1 200 OK\r\nContent-')],
  ['a close within the body', 'closed', end(`${head(200, 'Content-Length: 9')}ok`)],
  [
    'a reset within the body',
    'closed',
    (socket) => socket.write(`${head(200, 'Content-Length: 9')}ok`, () => socket.resetAndDestroy()),
  ],
  ['a close within a chunk', 'closed', end(`${head(200, CHUNKED)}9\r\nok`)],
  ['chunks without the last one', 'closed', end(`${head(200, CHUNKED)}2\r\nok\r\n`)],
  ['an error that is cut', 503, end(`${head(503, 'Content-Length: 9')}no`)],
  ['an endless body', 200, flood(head(200), BIG)],
  ['an endless error', 500, flood(head(500), BIG)],
  ['10 MB', 200, write(head(200, 'Content-Length: 10485760'), Buffer.alloc(10_485_760, 'x'))],
  [
    'a compressed body, which is not expanded',
    200,
    write(head(200, 'Content-Encoding: gzip', `Content-Length: ${BOMB.length}`), BOMB),
  ],
  ['endless headers', 'closed', flood('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1_000))],
  ['an endless header', 'closed', flood('HTTP/1.1 200 OK\r\na: ', BIG)],
  ['an endless reason', 'closed', flood('HTTP/1.1 200 ', BIG)],
  ['endless trailers', 'closed', flood(`${head(200, CHUNKED)}0\r\n`, 'a: b\r\n'.repeat(1_000))],
  ['endless extensions of a chunk', 'closed', flood(`${head(200, CHUNKED)}2;`, BIG)],
  ['some interim answers', 200, write(head(100), head(102), head(103), head(200, 'Content-Length: 0'))],
  ['a flood of 100', 'closed', flood('', head(100).repeat(100))],
  ['a flood of 103', 'closed', flood('', head(103, 'Link: </a>').repeat(100))],
  ['interim answers in drips', 'closed', drip('', head(102))],
  ['another protocol', 'closed', write(head(101, 'Upgrade: websocket', 'Connection: Upgrade'))],
  ['the greeting of another server', 'closed', write('SSH-2.0-OpenSSH_9.9\r\n')],
  ['noise', 'closed', write(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10]))],
  ['HTTP/0.9', 'closed', end('ok')],
  ['HTTP/2', 'closed', write(Buffer.from('00000c040000000000000300000064', 'hex'))],
  ['a length that is no number', 'closed', write(head(200, 'Content-Length: x'), 'ok')],
  ['two lengths', 'closed', write(head(200, 'Content-Length: 2', 'Content-Length: 3'), 'ok')],
  ['a length and chunks', 'closed', write(head(200, 'Content-Length: 2', CHUNKED), '0\r\n\r\n')],
  ['a chunk of an impossible length', 'closed', write(head(200, CHUNKED), 'fffffffffffffffff\r\n')],
]

async function check([, expected, answer]: Case, timeoutMs: number) {
  const receiver = await startRaw(answer)
  const startedAt = performance.now()
  assert.equal(await post(startSender({ timeoutMs }), receiver.url), expected)
  const elapsedMs = performance.now() - startedAt
  assert.equal(receiver.requests(), 1)
  // An answer that was not read to its end leaves no connection.
  if (typeof expected === 'string') await until(() => receiver.sockets.every((socket) => socket.closed))
  return elapsedMs
}

void describe('a receiver that answers', () => {
  for (const one of ANSWERS) {
    test(`with ${one[0]}: ${one[1]}`, async () => {
      await check(one, 20_000)
    })
  }
})

void describe('a receiver that hangs', { concurrency: true }, () => {
  for (const one of HANGING) {
    test(`after ${one[0]}: ${one[1]}`, async () => {
      const elapsedMs = await check(one, TIMEOUT_MS)
      assert.ok(elapsedMs >= TIMEOUT_MS - 5 && elapsedMs < TIMEOUT_MS + 5_000, String(elapsedMs))
    })
  }

  test('while it should read: timeout', async () => {
    const url = `http://127.0.0.1:${await portOf(createServer((socket) => socket.pause()))}/`
    assert.equal(
      await post(startSender({ timeoutMs: TIMEOUT_MS }), url, Buffer.alloc(64 * 1_024 * 1_024)),
      'timeout',
    )
  })

  test('before TLS: timeout', async () => {
    const { url } = await startRaw(() => undefined)
    assert.equal(
      await post(startSender({ timeoutMs: TIMEOUT_MS }), url.replace('http:', 'https:')),
      'timeout',
    )
  })
})

test('a redirect is an answer, and is not followed', async () => {
  let connections = 0
  const canary = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const place = `127.0.0.1:${await portOf(canary)}/`
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    for (const location of [`http://${place}`, `//${place}`, `https://${place}`, 'file:///etc/passwd']) {
      const answer = write(head(status, `Location: ${location}`, 'Content-Length: 0'))
      const { url, requests } = await startRaw(answer)
      assert.equal(await post(startSender(), url), status)
      assert.equal(requests(), 1)
    }
  }
  assert.equal(connections, 0)
})

test('at most 64 KiB of an answer are read; a larger one counts, and its connection is closed', async () => {
  for (const [bytes, isKept] of [
    [64 * 1_024, true],
    [64 * 1_024 + 1, false],
  ] as const) {
    const { url, sockets } = await startRaw(write(head(200, `Content-Length: ${bytes}`), Buffer.alloc(bytes)))
    const sender = startSender()
    for (let n = 0; n < 3; n++) assert.equal(await post(sender, url), 200)
    assert.equal(sockets.length, isKept ? 1 : 3)
    if (!isKept) await until(() => sockets.every((socket) => socket.closed))
  }
  const { url, sockets } = await startRaw(flood(head(200), BIG))
  assert.equal(await post(startSender(), url), 200)
  await until(() => sockets.every((socket) => socket.closed))
  // Most of it is what the kernel buffers.
  assert.ok(sockets.every((socket) => socket.bytesWritten < 16 * 1_024 * 1_024))
})

test('an answer that comes before the message was read counts, and its connection is closed', async () => {
  const { url, sockets } = await startRaw((socket) => socket.pause().write(head(200, 'Content-Length: 0')))
  assert.equal(await post(startSender(), url, Buffer.alloc(64 * 1_024 * 1_024)), 200)
  for (const socket of sockets) socket.resume()
  await until(() => sockets.every((socket) => socket.closed))
})

test('an answer to no request does not count for the next one', async () => {
  const ok = head(200, 'Content-Length: 0')
  const { url } = await startRaw((socket, request) => socket.write(request === 1 ? `${ok}${ok}` : head(500)))
  const sender = startSender({ timeoutMs: TIMEOUT_MS })
  await post(sender, url)
  assert.notEqual(await post(sender, url), 200)
})
