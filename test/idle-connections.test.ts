// Ten thousand connections on which nothing happens: they cost little, slow nobody down, and do not stay for ever.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Held } from './load/hold-connections.ts'
import { startLoadStage } from './load/stage.ts'

const COUNT = 10_000
const KEEP_ALIVE_SECONDS = 8
const { server, patients, issuer } = await startLoadStage({ KEEP_ALIVE_SECONDS: String(KEEP_ALIVE_SECONDS) })
const [patient] = patients

/** Connections held by another process; what it says of them. */
function holdConnections(first: string) {
  const child = fork(join(import.meta.dirname, 'load/hold-connections.ts'), { stdio: 'inherit' })
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

/** The median time of a get, one after the other. */
async function medianGetMs(): Promise<number> {
  const times: number[] = []
  for (let sent = 0; sent < 100; sent++) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/casesheet/readings/get?limit=20`, {
      headers: { authorization: `Bearer ${patient?.token}` },
    })
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[50] ?? 0
}

test('ten thousand connections kept alive slow nobody down, cost little memory, and are closed in time', async () => {
  await medianGetMs()
  const alone = await medianGetMs()
  const before = server.memoryMiB()
  const held = holdConnections('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  await held.ready
  const kibibytesEach = ((server.memoryMiB() - before) * 1_024) / COUNT
  const beside = await medianGetMs()
  assert.ok(
    beside < 2 * alone + 5,
    `a get took ${alone.toFixed(1)} ms alone and ${beside.toFixed(1)} ms beside them`,
  )
  assert.ok(kibibytesEach < 32, `a connection took ${kibibytesEach.toFixed(1)} KiB`)
  const seconds = await held.closed
  assert.ok(seconds < KEEP_ALIVE_SECONDS + 7, `the last was closed after ${seconds.toFixed(1)} s`)
  held.end()
})

test('ten thousand connections that never say a word are closed within 15 s, and others are served meanwhile', async () => {
  const alone = await medianGetMs()
  const held = holdConnections('')
  await held.ready
  const beside = await medianGetMs()
  assert.ok(
    beside < 2 * alone + 5,
    `a get took ${alone.toFixed(1)} ms alone and ${beside.toFixed(1)} ms beside them`,
  )
  const seconds = await held.closed
  assert.ok(seconds < 15, `the last was closed after ${seconds.toFixed(1)} s`)
  held.end()
})

test('after them it stops with exit code 0, and its log holds no fault', async () => {
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":(50|60)/)
  await issuer.stop()
})
