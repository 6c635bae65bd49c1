// Holds many connections that do nothing, in a process of its own: its descriptors are its own, too. Each sends `first`, if
// anything, and then nothing any more. It tells when all are open and answered, and when the server has closed them all.
import { connect } from 'node:net'

export type Held = { port: number; count: number; first: string }

process.once('message', (held: Held) => void hold(held))

async function hold({ port, count, first }: Held) {
  let ready = 0
  let closed = 0
  const openedAt = performance.now()
  let lastReadyAt = 0
  const say = (what: string) =>
    process.send?.({
      what,
      seconds: (performance.now() - (what === 'closed' ? lastReadyAt : openedAt)) / 1000,
    })
  function noteReady() {
    lastReadyAt = performance.now()
    if (++ready === count) say('ready')
  }
  for (let opened = 0; opened < count; opened += 200) {
    await Promise.all(Array.from({ length: Math.min(200, count - opened) }, () => open()))
  }

  async function open() {
    await new Promise<void>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        if (first !== '') return socket.write(first)
        noteReady()
        return done()
      })
      socket.once('data', () => {
        if (first !== '') noteReady()
        done()
      })
      // A connection that was closed while its answer was on the way ends with an error; closed it is either way.
      socket.on('error', () => {})
      socket.on('close', () => {
        done()
        if (++closed === count) say('closed')
      })
    })
  }
}
