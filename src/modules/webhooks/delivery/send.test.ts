import assert from 'node:assert/strict'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createCertificate } from '../../../../test/support/certificate.ts'
import { needs } from '../../../../test/support/needs.ts'
import { head, portOf, post, startRaw, startSender } from '../../../../test/support/raw-receiver.ts'
import { until } from '../../../../test/support/until.ts'

const OK = `${head(200, 'Content-Length: 2')}ok`

test(
  'a receiver gets path, headers and body by POST, over TLS and as http on loopback',
  needs('openssl'),
  async () => {
    const certificate = createCertificate('IP:127.0.0.1')
    const received: unknown[] = []
    async function receive(
      { method, url, headers }: IncomingMessage,
      body: Promise<Buffer[]>,
      response: ServerResponse,
    ) {
      const { host, 'webhook-id': id, 'content-length': length, 'transfer-encoding': encoding } = headers
      received.push({ method, url, host, id, length, encoding, body: Buffer.concat(await body).toString() })
      response.writeHead(201).end('thanks')
    }
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void receive(request, request.toArray(), response)
    const hosts = {
      https: `127.0.0.1:${await portOf(createHttpsServer(certificate, listener))}`,
      http: `127.0.0.1:${await portOf(createHttpServer(listener))}`,
    }
    const sender = startSender({ ca: certificate.cert })
    for (const protocol of ['https', 'http'] as const) {
      const host = hosts[protocol]
      for (const body of ['{"é":"🩺"}', Buffer.from('{"é":"🩺"}'), 'x'.repeat(256 * 1_024)]) {
        const url = `${protocol}://${host}/a/b?c=d`
        const { durationMs, ...attempt } = await sender.send({
          url,
          headers: { 'webhook-id': 'msg_1' },
          body,
        })
        assert.deepEqual(attempt, { kind: 'answered', status: 201 })
        assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
        const length = String(Buffer.byteLength(body))
        const expected = { method: 'POST', url: '/a/b?c=d', host, id: 'msg_1', length, encoding: undefined }
        assert.deepEqual(received.pop(), { ...expected, body: String(body) })
      }
    }
  },
)

test('a certificate must be trusted and be that of the host', needs('openssl'), async () => {
  const certificate = createCertificate('DNS:receiver.test')
  let requests = 0
  const server = createHttpsServer(certificate, (_request, response) => {
    requests += 1
    response.end()
  })
  const port = await portOf(server)
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const sender = startSender({ ca: certificate.cert, resolve })
  assert.equal(await post(startSender({ resolve }), `https://receiver.test:${port}/`), 'tls')
  assert.equal(await post(sender, `https://127.0.0.1:${port}/`), 'tls')
  assert.equal(await post(sender, `https://other.test:${port}/`), 'tls')
  assert.equal(requests, 0)
  assert.equal(await post(sender, `https://receiver.test:${port}/`), 200)
  assert.equal(await post(sender, `https://receiver.test.:${port}/`), 200)

  const mail = createServer((socket) => socket.on('error', () => undefined).end('220 mail\r\n'))
  assert.equal(await post(sender, `https://receiver.test:${await portOf(mail)}/`), 'tls')
})

test('a failure tells its kind and nothing of the message', async () => {
  const url = 'https://127.0.0.1:1/path-of-a-receiver'
  const { durationMs, ...attempt } = await startSender().send({ url, headers: {}, body: 'invented' })
  assert.deepEqual(attempt, { kind: 'failed', error: 'refused' })
  assert.ok(durationMs >= 0)
  const resolve = () => Promise.reject(new Error('path-of-a-receiver'))
  assert.equal(await post(startSender({ resolve }), 'https://receiver.test/'), 'dns')
  assert.equal(await post(startSender({ resolve: async () => [] }), 'https://receiver.test/'), 'dns')
})

test('Retry-After is passed on, in seconds and as a date', async () => {
  const now = () => Date.parse('2026-11-17T12:00:00Z')
  for (const [text, expected] of [
    ['7', 7_000],
    ['Tue, 17 Nov 2026 12:01:00 GMT', 60_000],
    ['whenever', undefined],
  ] as const) {
    const { url } = await startRaw((socket) =>
      socket.write(head(503, `Retry-After: ${text}`, 'Content-Length: 0')),
    )
    const attempt = await startSender({ now }).send({ url, headers: {}, body: '{}' })
    assert.equal(attempt.kind === 'answered' && attempt.retryAfterMs, expected)
  }
})

test('a connection is used again, and closed when it is idle', async () => {
  const { url, sockets } = await startRaw((socket) => socket.write(OK))
  const sender = startSender({ idleMs: 300 })
  for (let n = 0; n < 5; n++) assert.equal(await post(sender, url), 200)
  assert.equal(sockets.length, 1)
  await until(() => sockets.every((socket) => socket.closed), 5_000)
  assert.equal(await post(sender, url), 200)
  assert.equal(sockets.length, 2)
})

test('only so many idle connections stay open, to all receivers together', async () => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => startRaw((socket) => socket.write(OK))))
  const sender = startSender({ maxIdle: 2 })
  for (const { url } of receivers) assert.equal(await post(sender, url), 200)
  const open = () => receivers.flatMap(({ sockets }) => sockets).filter((socket) => !socket.closed).length
  await until(() => open() === 2)
  // Many at once to one of them.
  const [{ url } = { url: '' }] = receivers
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(sender, url)))
  assert.deepEqual([...new Set(outcomes)], [200])
  await until(() => open() === 2)
})

const certificate = needs('openssl').skip ? undefined : createCertificate('IP:127.0.0.1')
for (const [protocol, options] of [
  ['http', undefined],
  ['https', certificate],
] as const) {
  const machine = protocol === 'https' ? needs('openssl') : {}
  const start = (answer: Parameters<typeof startRaw>[0]) => startRaw(answer, options)
  const startTrusting = () => startSender(options ? { ca: options.cert } : {})

  test(
    `a message sent into a closed connection is sent once more, on a new one (${protocol})`,
    machine,
    async () => {
      const closes = [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end()]
      if (protocol === 'http') closes.push((socket) => socket.resetAndDestroy())
      for (const close of closes) {
        const used = new Set<Socket>()
        const { url, sockets, requests } = await start((socket) => {
          // The second request of each connection finds it closed.
          if (used.has(socket)) return close(socket)
          used.add(socket)
          return socket.write(OK)
        })
        const sender = startTrusting()
        await Promise.all(Array.from({ length: 3 }, () => post(sender, url)))
        assert.equal(sockets.length, 3)
        assert.equal(await post(sender, url), 200)
        assert.deepEqual([sockets.length, requests()], [4, 5])
      }
    },
  )

  test(
    `a message is sent twice at most, and not after a part of an answer (${protocol})`,
    machine,
    async () => {
      const fresh = await start((socket) => socket.destroy())
      assert.equal(await post(startTrusting(), fresh.url), 'closed')
      assert.equal(fresh.requests(), 1)

      for (const [end, requests] of [
        [(socket: Socket) => socket.end('HTTP/1.1 2'), 2],
        [(socket: Socket) => socket.destroy(), 3],
      ] as const) {
        const used = await start((socket, request) => (request === 1 ? socket.write(OK) : end(socket)))
        const sender = startTrusting()
        assert.equal(await post(sender, used.url), 200)
        assert.equal(await post(sender, used.url), 'closed')
        assert.equal(used.requests(), requests)
      }
    },
  )
}

test('a signal and close() end attempts at once, and close() ends all connections', async () => {
  const hanging = await startRaw(() => undefined)
  const answering = await startRaw((socket) => socket.write(OK))
  const sender = startSender({ timeoutMs: 60_000, idleMs: 60_000 })
  const controller = new AbortController()
  const aborted = post(sender, hanging.url, '{}', controller.signal)
  await until(() => hanging.requests() === 1)
  controller.abort()
  assert.equal(await aborted, 'closed')
  assert.equal(await post(sender, answering.url, '{}', controller.signal), 'closed')

  assert.equal(await post(sender, answering.url), 200)
  // One waits for its answer, another for TLS.
  const waiting = [post(sender, hanging.url), post(sender, hanging.url.replace('http:', 'https:'))]
  await until(() => hanging.requests() === 2 && hanging.sockets.length === 3)
  sender.close()
  assert.deepEqual(await Promise.all(waiting), ['closed', 'closed'])
  assert.equal(await post(sender, answering.url), 'closed')
  await until(() => [...hanging.sockets, ...answering.sockets].every((socket) => socket.closed))
  assert.equal(answering.requests(), 1)
})

test('the time includes DNS, and after it no connection is made', async () => {
  const { url, sockets } = await startRaw((socket) => socket.write(OK))
  const found = Promise.withResolvers<{ address: string; family: number }[]>()
  const sender = startSender({ timeoutMs: 50, resolve: () => found.promise })
  assert.equal(await post(sender, url.replace('127.0.0.1', 'localhost')), 'timeout')
  found.resolve([{ address: '127.0.0.1', family: 4 }])
  // The first would have connected before another one has its answer.
  assert.equal(await post(startSender(), url), 200)
  assert.equal(sockets.length, 1)
})
