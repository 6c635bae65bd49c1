// One connection of the load: a socket that sends prepared bytes and tells when an answer has come. It reads only what the
// load asks about (status, length, Retry-After), so that the load costs little beside the server that it measures.
import { connect, type Socket } from 'node:net'

export type Answered = { status: number; hasRetryAfter: boolean }

export type Connection = {
  isFree: boolean
  send: (request: string, onAnswer: (answer: Answered) => void) => void
  close: () => void
}

export async function openConnection(
  { hostname, port }: URL,
  onError: (error: Error) => void,
): Promise<Connection> {
  const socket = await connected(Number(port), hostname)
  socket.setNoDelay(true).setEncoding('latin1')
  let received = ''
  let isClosing = false
  let answered: (answer: Answered) => void = () => {}
  const connection: Connection = {
    isFree: true,
    send(request, onAnswer) {
      connection.isFree = false
      answered = onAnswer
      socket.write(request, 'latin1')
    },
    close() {
      isClosing = true
      socket.destroy()
    },
  }
  socket.on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < head + 4 + length) return
    const status = Number(received.slice(9, 12))
    const hasRetryAfter = status !== 200 && /\r\nretry-after: \d+\r\n/i.test(received)
    received = ''
    connection.isFree = true
    answered({ status, hasRetryAfter })
  })
  socket.on('error', (error) => isClosing || onError(error))
  socket.on('close', () => isClosing || onError(new Error('The server closed a connection.')))
  return connection
}

function connected(port: number, host: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, host)
    socket.once('connect', () => done(socket)).once('error', fail)
  })
}
