// Sends prepared bytes and counts what comes back, so that the caller's own work does not stand in the way.
import { connect, type Socket } from 'node:net'

export type Hostile = { method?: string; path: string; headers?: Record<string, string>; body?: Buffer }

export type Counted = { status: number; bytes: number; ms: number }

export function bytesOf({ method, path, headers = {}, body }: Hostile): Buffer {
  const lines = [
    `${method ?? (body ? 'POST' : 'GET')} ${path} HTTP/1.1`,
    'host: rounds.example',
    ...Object.entries({
      ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

/** One request on a connection of its own; resolves when the answer is whole, or the server has cut it. */
export function sendOnce(url: string, request: Buffer): Promise<Counted> {
  const { hostname, port } = new URL(url)
  const began = performance.now()
  return new Promise((done) => {
    const socket = connect(Number(port), hostname)
    const answer = countAnswer(socket, (status, bytes) => {
      socket.destroy()
      done({ status, bytes, ms: performance.now() - began })
    })
    socket.on('close', () =>
      done({ status: answer.status(), bytes: answer.bytes(), ms: performance.now() - began }),
    )
    // A server that refuses a body before all of it was sent may look like a reset to its sender.
    socket.on('error', () => {})
    socket.write(request)
  })
}

/** Follows an answer to its end: by its length, or by the last chunk of a stream. */
export function countAnswer(socket: Socket, onEnd: (status: number, bytes: number) => void) {
  let head = ''
  let status = 0
  let bytes = 0
  let wanted = Number.NaN
  let tail = ''
  socket.on('data', (chunk) => {
    let body: Buffer = chunk
    if (Number.isNaN(wanted)) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1]
      wanted = length === undefined ? Infinity : Number(length)
      if (status === 304 || status === 204) wanted = 0
      body = Buffer.from(head.slice(end + 4), 'latin1')
    }
    bytes += body.length
    tail = (tail + body.toString('latin1', Math.max(0, body.length - 7))).slice(-7)
    if (bytes >= wanted || (wanted === Infinity && tail === '\r\n0\r\n\r\n')) onEnd(status, bytes)
  })
  return { status: () => status, bytes: () => bytes }
}
