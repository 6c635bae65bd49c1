// Receivers of webhooks that answer with bytes of their own, and senders that may call them. All are closed when the tests of a file end.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { createAddressRules } from '../../src/modules/webhooks/delivery/allowed-address.ts'
import { createSender, type Sender } from '../../src/modules/webhooks/delivery/send.ts'

const closing: (() => void)[] = []
after(() => {
  for (const close of closing) close()
})

/** It may call loopback. Its time is so long that a busy machine does not reach it, unless a test wants it shorter. */
export function startSender(options: Partial<Parameters<typeof createSender>[0]> = {}): Sender {
  const sender = createSender({ rules: createAddressRules(['loopback']), timeoutMs: 20_000, ...options })
  closing.push(() => sender.close())
  return sender
}

/** Listens on an address of loopback, at a free port by default. */
export async function portOf(server: Server, { port = 0, host = '127.0.0.1' } = {}): Promise<number> {
  closing.push(() => server.close())
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Answers each request, of which `request` is the number, as soon as it has its head; over TLS, if it has a certificate. */
export async function startRaw(
  answer: (socket: Socket, request: number) => void,
  certificate?: { key: string; cert: string },
) {
  const sockets: Socket[] = []
  let requests = 0
  const accept = (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      if (!chunk.includes('POST ')) return
      requests += 1
      answer(socket, requests)
    })
  }
  const port = await portOf(certificate ? createTlsServer(certificate, accept) : createServer(accept))
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    sockets,
    requests: () => requests,
  }
}

export const head = (status: number, ...lines: string[]) =>
  [`HTTP/1.1 ${status} Text`, ...lines, '', ''].join('\r\n')

/** Posts an invented message. The status of its answer, or why there was none. */
export async function post(sender: Sender, url: string, body: string | Buffer = '{}', signal?: AbortSignal) {
  const attempt = await sender.send({ url, headers: {}, body, ...(signal ? { signal } : {}) })
  return attempt.kind === 'answered' ? attempt.status : attempt.error
}
