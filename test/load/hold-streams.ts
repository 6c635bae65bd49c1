// Holds many streams of changes, in a process of its own, so that reading them takes no CPU of the server's event loop. It reads
// only what the test asks about. `isSilent`: it reads nothing.
import { connect, type Socket } from 'node:net'

export type HeldStreams = {
  port: number
  streams: { token: string; path: string }[]
  isSilent: boolean
}

/** Delays are in milliseconds, from when the transaction that stored the reading began. */
export type Seen = {
  opened: number
  refused: number
  resets: number
  ended: number
  closed: number
  delays: number[]
}

/** As many connections are being opened at a time. */
const OPENING = 50

const seen: Seen = { opened: 0, refused: 0, resets: 0, ended: 0, closed: 0, delays: [] }
const sockets: Socket[] = []

process.on('message', (message: HeldStreams | 'report' | 'leave') => {
  if (message === 'report') {
    process.send?.(seen)
    seen.delays = []
  } else if (message === 'leave') {
    for (const socket of sockets) socket.destroy()
  } else void hold(message)
})

async function hold({ port, streams, isSilent }: HeldStreams) {
  for (let first = 0; first < streams.length; first += OPENING) {
    await Promise.all(
      streams.slice(first, first + OPENING).map(({ token, path }) => {
        const head = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`
        return open(port, head, isSilent)
      }),
    )
  }
}

function open(port: number, head: string, isSilent: boolean): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    sockets.push(socket)
    socket.write(head, () => isSilent && done())
    if (isSilent) socket.pause()
    socket.on('data', (text: string) => {
      if (text.includes('event: open')) seen.opened++
      else if (/^HTTP\/1.1 [45]/.test(text)) seen.refused++
      if (text.includes('event: reset')) seen.resets++
      if (text.includes('event: end')) seen.ended++
      for (const [, receivedAt = ''] of text.matchAll(/"receivedAt":"([^"]+)"/g))
        seen.delays.push(Date.now() - Date.parse(receivedAt))
      done()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.closed++
      done()
    })
  })
}
