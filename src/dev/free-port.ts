// Ports on loopback: whether one can be had, and which one is free.
import { createServer } from 'node:net'
import { ConfigError } from '../config.ts'
import { codeOf } from '../db/database-errors.ts'

/** The port asked for, which must be free; or the usual one; or, where that is taken, any: 0 lets the system choose. */
export async function choosePort(wanted: number | undefined, usual: number): Promise<number> {
  const code = await whyNot(wanted ?? usual)
  if (code === undefined) return wanted ?? usual
  if (wanted === undefined) return 0
  const reason = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`
  throw new ConfigError(`Port ${wanted} ${reason}. Say another, or leave out --port and a free one is found.`)
}

export async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('No free port was found.')
  return address.port
}

function whyNot(port: number): Promise<string | undefined> {
  const probe = createServer()
  return new Promise((done) => {
    probe.once('error', (error) => done(codeOf(error)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(undefined)))
  })
}
