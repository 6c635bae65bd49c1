// A thousand streams whose clients read nothing, and a thousand requests that wait for changes: the memory of the server is bounded,
// and other requests are served. What the kernel holds for these connections, up to some MiB each, is not the server's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediansSideBySide } from '../load/side-by-side.ts'
import { startLoadStage } from '../load/stage.ts'
import { holdStreams } from '../load/streams.ts'
import { metricOf } from '../support/event-stream.ts'
import { until } from '../support/until.ts'

const COUNT = 1_000
const OF_SUBJECT = 20
/** Streams of the one patient for whom large readings are added. */
const FILLED = 60
const MAX_UNREAD_BYTES = 64 * 1_024 * 1_024
/** One batch: a hundred changes of 64 KiB. */
const MAX_BATCH_BYTES = 100 * 64 * 1_024
const MAX_GROWTH_MIB = 160

// With this little room, a server that kept what is not read would end.
const { server, serve, issuer, patients } = await startLoadStage({
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=128',
  // They are opened as fast as can be, and none is to be refused for that.
  MAX_REQUESTS_WHEN_BUSY: '2000',
})
const another = await serve()
const port = Number(new URL(server.url).port)
const [large, ordinary] = patients
assert.ok(large && ordinary)
const metric = (name: string) => metricOf(server.adminUrl, name)
const compare = () => mediansSideBySide([server.url, another.url], ordinary.token)

async function hold(scope: string, pathOf: (number: number) => string, count = COUNT) {
  const streams: { token: string; path: string }[] = []
  for (let first = 0; first < count; first += OF_SUBJECT) {
    const token = await issuer.token({ sub: `${scope}-${first}`, scope })
    for (let number = first; number < first + OF_SUBJECT; number++)
      streams.push({ token, path: pathOf(number) })
  }
  return holdStreams({ port, streams, isSilent: true })
}

/** Adds a reading of 60,000 characters. */
let added = 0
async function addLarge() {
  const body = {
    patientUid: large?.uid,
    readingType: 'acme.large',
    timestamp: ++added,
    note: 'x'.repeat(60_000),
  }
  const { status } = await fetch(`${server.url}/casesheet/readings/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${large?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(status, 200)
}

await compare()
const before = server.memoryMiB()

test('a thousand streams that are not read hold bounded memory, and those that have too much unread are cut', async (t) => {
  const held = await hold('readings:read', (number) => {
    const patientUid = number < FILLED ? large.uid : `silent-${number}`
    return `/casesheet/readings/stream?patientUid=${patientUid}`
  })
  await until(async () => (await metric('rounds_streams')) === COUNT, 120_000)
  let most = 0
  let mostUnread = 0
  while ((await metric('rounds_streams_aborted_total{reason="slow"}')) < FILLED) {
    assert.ok(added < 500, 'the buffers of the kernel are finite')
    await addLarge()
    most = Math.max(most, server.memoryMiB())
    mostUnread = Math.max(mostUnread, await metric('rounds_streams_buffered_bytes'))
  }
  const [beside = 0, without = 0] = await compare()
  t.diagnostic(
    `${(most - before).toFixed(0)} MiB more, ${(mostUnread / 1_048_576).toFixed(0)} MiB of it events`,
  )
  assert.ok(most - before < MAX_GROWTH_MIB, `${(most - before).toFixed(0)} MiB`)
  assert.ok(mostUnread > 0 && mostUnread <= MAX_UNREAD_BYTES + MAX_BATCH_BYTES, String(mostUnread))
  assert.ok(beside < 2 * without, `${beside.toFixed(1)} ms beside them, ${without.toFixed(1)} ms without`)
  assert.equal(await metric('rounds_streams'), COUNT - FILLED)
  held.end()
  await until(async () => (await metric('rounds_streams')) === 0)
})

test('a thousand requests may wait for changes, no more, and one change answers all of them', async (t) => {
  const path = () => '/casesheet/readings/changes?start=now&wait=30'
  const started = server.memoryMiB()
  const held = await hold('readings:changes', path)
  await until(async () => (await metric('rounds_changes_long_polls')) === COUNT, 25_000)
  const kibibytesEach = ((server.memoryMiB() - started) * 1_024) / COUNT
  t.diagnostic(`${kibibytesEach.toFixed(1)} KiB each`)
  assert.ok(server.memoryMiB() - before < MAX_GROWTH_MIB)
  const token = await issuer.token({ sub: 'late', scope: 'readings:changes' })
  const late = await fetch(server.url + path(), { headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '1'])
  await addLarge()
  const log = await fetch(`${server.url}/casesheet/readings/access-log`, {
    headers: { authorization: `Bearer ${ordinary.token}` },
  })
  assert.equal(log.status, 200)
  await until(async () => (await metric('rounds_changes_long_polls')) === 0)
  held.end()
})

test('one service gets twenty of them', async () => {
  const token = await issuer.token({ sub: 'greedy', scope: 'readings:changes' })
  const path = '/casesheet/readings/changes?start=now&wait=30'
  const held = holdStreams({
    port,
    streams: Array.from({ length: COUNT }, () => ({ token, path })),
    isSilent: true,
  })
  await until(
    async () => (await metric('rounds_http_errors_total{code="RateLimited"}')) === COUNT - OF_SUBJECT,
  )
  assert.equal(await metric('rounds_changes_long_polls'), OF_SUBJECT)
  held.end()
  for (const { child, ended } of [server, another]) {
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  }
  await issuer.stop()
})
