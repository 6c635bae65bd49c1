// Ten thousand connections on which nothing happens: they cost little, delay no other client, and do not stay for ever.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Held } from '../load/hold-connections.ts'
import { mediansSideBySide } from '../load/side-by-side.ts'
import { startLoadStage } from '../load/stage.ts'

const COUNT = 10_000
const KEEP_ALIVE_SECONDS = 8
const { server, serve, patients, issuer } = await startLoadStage({
  KEEP_ALIVE_SECONDS: String(KEEP_ALIVE_SECONDS),
})

/** Connections held by another process; what it says of them. */
function holdConnections(first: string) {
  const child = fork(join(import.meta.dirname, '../load/hold-connections.ts'), { stdio: 'inherit' })
  after(() => child.kill('SIGKILL'))
  const said = (wanted: string) =>
    new Promise<number>((done, fail) => {
      child.on('message', ({ what, seconds }: { what: string; seconds: number }) => {
        if (what === wanted) done(seconds)
      })
      child.once('exit', (code) => fail(new Error(`It ended with ${code} before all were ${wanted}.`)))
    })
  const ready = said('ready')
  const closed = said('closed')
  child.send({ port: Number(new URL(server.url).port), count: COUNT, first } satisfies Held)
  return { ready, closed, end: () => void child.removeAllListeners('exit').kill('SIGKILL') }
}

const another = await serve()
const compare = () => mediansSideBySide([server.url, another.url], patients[0]?.token ?? '')

test('ten thousand connections kept alive slow nobody down, cost little memory, and are closed in time', async (t) => {
  await compare()
  const before = server.memoryMiB()
  const held = holdConnections('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  await held.ready
  const kibibytesEach = ((server.memoryMiB() - before) * 1_024) / COUNT
  const [beside = 0, without = 0] = await compare()
  assert.ok(beside < 2 * without, `${beside.toFixed(1)} ms beside them, ${without.toFixed(1)} ms without`)
  t.diagnostic(`${kibibytesEach.toFixed(1)} KiB each`)
  assert.ok(kibibytesEach < 32, `a connection took ${kibibytesEach.toFixed(1)} KiB`)
  const seconds = await held.closed
  assert.ok(seconds < KEEP_ALIVE_SECONDS + 7, `the last was closed after ${seconds.toFixed(1)} s`)
  held.end()
})

test('ten thousand connections that never say a word are closed within 15 s, and others are served meanwhile', async () => {
  const held = holdConnections('')
  await held.ready
  const [beside = 0, without = 0] = await compare()
  assert.ok(beside < 2 * without, `${beside.toFixed(1)} ms beside them, ${without.toFixed(1)} ms without`)
  const seconds = await held.closed
  assert.ok(seconds < 15, `the last was closed after ${seconds.toFixed(1)} s`)
  held.end()
})

test('after them it stops with exit code 0, and its log holds no fault', async () => {
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":(50|60)/)
  another.child.kill('SIGTERM')
  await issuer.stop()
})
