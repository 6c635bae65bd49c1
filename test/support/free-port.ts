// A port on loopback for a program that cannot bind to port 0 and say which one it got (HAProxy, Prometheus, etcd), or that
// must come back at the same one. It lies below those that the system hands out, so that nothing that binds to 0 takes it
// between this probe and the program's own bind; which one is left to chance, so that two test files hardly choose alike.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Linux hands out ports from 32768 on, macOS from 49152 on.
const FIRST = 12_000
const LAST = 32_000

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((done) => {
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
