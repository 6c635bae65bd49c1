// Five thousand streams on one process while 500 readings a second are added, half of them of watched patients.
//
// Two servers, each on a database of its own, take the same adds by turns; one of them has the streams. What else the machine
// does slows down both. The streams are read by a process of their own, as the adds are sent by another.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from '../../bench/cpu.ts'
import { spreadOf } from '../load/figures.ts'
import { runLoad } from '../load/load.ts'
import { startLoadStage } from '../load/stage.ts'
import { holdStreams } from '../load/streams.ts'

const STREAMS = 5_000
const OF_SUBJECT = 20
const RATE = 500
const SECONDS = 10
const ROUNDS = 7
const MAX_DELAY_MS = 1_500
const MAX_KIB_EACH = 32
const HEAP_MIB = 192
const MAX_RESIDENT_MIB = 384
const MIN_SHARE = 0.85

const settings = {
  // V8 would let garbage grow where there is room; what must last is bounded.
  NODE_OPTIONS: `--max-semi-space-size=8 --max-old-space-size=${HEAP_MIB}`,
}
const watched = await startLoadStage(settings)
const unwatched = await startLoadStage(settings)
type Stage = typeof watched

/** Every second patient of the load is watched by one stream; the other streams are of patients for whom nothing is added. */
async function openStreams({ server, issuer, patients }: Stage) {
  const loaded = patients.filter((_, index) => index % 2 === 0).map(({ uid }) => uid)
  const streams: { token: string; path: string }[] = []
  for (let first = 0; first < STREAMS; first += OF_SUBJECT) {
    const token = await issuer.token({ sub: `staff-${first}`, scope: 'readings:read' })
    for (let number = first; number < first + OF_SUBJECT; number++) {
      const patientUid = loaded[number] ?? `idle-${number}`
      streams.push({ token, path: `/casesheet/readings/stream?patientUid=${patientUid}` })
    }
  }
  const held = holdStreams({ port: Number(new URL(server.url).port), streams, isSilent: false })
  for (const end = Date.now() + 120_000; ; ) {
    const { opened, refused } = await held.report()
    if (opened === STREAMS) return held
    assert.ok(Date.now() < end && refused === 0, `${opened} opened, ${refused} refused`)
    await pause(50)
  }
}

// All connections together are fewer than MAX_REQUESTS_WHEN_BUSY, so no request is refused, however slow the machine.
const offer = ({ server, patients }: Stage, seconds: number) =>
  runLoad({ url: server.url, patients, connections: 28, seconds, ratePerSecond: RATE, getShare: 0 })

/** Adds a second, each sent when the last one has been answered, beside the adds at a constant rate; CPU of the server for each. */
async function capacityOf(stage: Stage): Promise<{ perSecond: number; micros: number }> {
  const patients = stage.patients.filter((_, index) => index % 2 === 1)
  const pid = stage.server.child.pid ?? 0
  const cpuBefore = cpuSecondsOf(pid)
  const [closed, offered] = await Promise.all([
    runLoad({ url: stage.server.url, patients, connections: 32, seconds: 2, getShare: 0 }),
    offer(stage, 2),
  ])
  const added = closed.accepted.count + offered.accepted.count
  return {
    perSecond: closed.accepted.count / closed.seconds,
    micros: ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / added,
  }
}

await Promise.all([offer(watched, 3), offer(unwatched, 3)])
const before = watched.server.memoryMiB()
const streams = await openStreams(watched)
// Before anything is added beside them: that leaves garbage, which is not theirs.
const kibibytesEach = ((watched.server.memoryMiB() - before) * 1_024) / STREAMS

test('5,000 streams: every event comes within 1.5 s of its commit, and none is ended', async (t) => {
  await streams.report()
  const { accepted, sent, lateness } = await offer(watched, SECONDS)
  assert.equal(accepted.count, sent)
  const expected = sent / 2
  const delays: number[] = []
  for (const end = Date.now() + 20_000; delays.length < expected && Date.now() < end; await pause(50))
    delays.push(...(await streams.report()).delays)
  const { resets, ended, closed } = await streams.report()
  assert.deepEqual([delays.length, resets, ended, closed], [expected, 0, 0, 0])
  const { p50, p99 } = spreadOf(delays)
  t.diagnostic(
    `from commit to event: p50 ${p50} ms, p99 ${p99} ms; the load itself ${lateness.p99.toFixed(0)} ms late`,
  )
  assert.ok(p99 - lateness.p99 <= MAX_DELAY_MS, `p99 ${p99} ms`)
})

test('adds beside 5,000 streams keep their rate', async (t) => {
  const shares: number[] = []
  const looks: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // By turns, and each of them first as often as the other.
    const first = round % 2 === 0 ? watched : unwatched
    const one = await capacityOf(first)
    const other = await capacityOf(first === watched ? unwatched : watched)
    const [beside, without] = first === watched ? [one, other] : [other, one]
    shares.push(beside.perSecond / without.perSecond)
    const told = ({ perSecond, micros }: typeof one) => `${perSecond.toFixed(0)}/s ${micros.toFixed(0)} µs`
    looks.push(`${told(beside)} : ${told(without)}`)
  }
  const { p50 } = spreadOf(shares)
  t.diagnostic(`adds beside streams : without (CPU of the server for an add): ${looks.join(', ')}`)
  t.diagnostic(`median share ${p50.toFixed(2)}`)
  assert.ok(p50 >= MIN_SHARE, `they kept ${p50.toFixed(2)} of their rate`)
  const { ended, resets } = await streams.report()
  assert.deepEqual([ended, resets], [0, 0])
})

test('5,000 streams take bounded memory, also after all of that', (t) => {
  const resident = watched.server.memoryMiB()
  t.diagnostic(
    `${kibibytesEach.toFixed(1)} KiB each when they were open, ${resident.toFixed(0)} MiB in all at the end`,
  )
  assert.ok(kibibytesEach < MAX_KIB_EACH, `a stream took ${kibibytesEach.toFixed(1)} KiB`)
  assert.ok(resident < MAX_RESIDENT_MIB, `${resident.toFixed(0)} MiB`)
})

test('5,000 streams are let go within seconds of their clients, and the stop is not held up', async () => {
  streams.leave()
  const isLetGo = async () =>
    /^rounds_streams 0$/m.test(await (await fetch(`${watched.server.adminUrl}/metrics`)).text())
  for (const end = Date.now() + 20_000; !(await isLetGo()); await pause(100)) assert.ok(Date.now() < end)
  for (const { server, issuer } of [watched, unwatched]) {
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    await issuer.stop()
  }
})
