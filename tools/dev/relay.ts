// Lets what listens on 127.0.0.1 be reached at another address of this machine too, at the same port.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** Returns how to end it, and its connections. */
export async function relayTo(port: number, host: string): Promise<() => Promise<void>> {
  const outer = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    outer.add(socket)
    const inner = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    // Whatever cuts one of them cuts the other.
    pipeline(socket, inner, socket, () => {
      outer.delete(socket)
      inner.destroy()
      socket.destroy()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of outer) socket.destroy()
    await closed
  }
}
