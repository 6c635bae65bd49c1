// Two hundred endpoints of webhooks on two processes while 500 readings a second are added: how late messages are, what that takes from
// the adds and of memory, and how soon the other process goes on when one dies. The receivers are a process of their own, as the
// sources of the adds are.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { cpuSecondsOf } from '../../bench/cpu.ts'
import { spreadOf } from '../load/figures.ts'
import { runLoad } from '../load/load.ts'
import type { SeenWebhooks } from '../load/receive-webhooks.ts'
import { startLoadStage } from '../load/stage.ts'
import { findFreePort } from '../support/free-port.ts'
import { runSql, WITH_WEBHOOKS } from '../support/harness.ts'
import { managementOf } from '../support/webhooks.ts'

const RATE = 500
const SECONDS = Number(process.env['WEBHOOKS_SECONDS'] ?? 10)
const MAX_DELAY_MS = 1_000
const MIN_SHARE = 0.95
const HEAP_MIB = 192
const MAX_RESIDENT_MIB = 384
const MAX_TAKEOVER_MS = 5_000
/** Each of them adds every eight seconds, as monitors do. */
const PATIENTS = 4_000
const BEDS = 20

const {
  server: first,
  serve,
  ...stage
} = await startLoadStage({
  // V8 would let garbage grow where there is room; what must last is bounded.
  NODE_OPTIONS: `--max-semi-space-size=8 --max-old-space-size=${HEAP_MIB}`,
  ...WITH_WEBHOOKS,
})
const second = await serve()
const { ownerUrl, issuer } = stage
const patients = await Promise.all(
  Array.from({ length: PATIENTS }, async (_, number) => {
    // They add by turns: neighbours in this list are in different wards.
    const uid = `patient-${(number * 1_597) % PATIENTS}`
    return { uid, firstS: 0, token: await issuer.token({ sub: uid, patientUid: uid }) }
  }),
)

const receivers = fork(join(import.meta.dirname, '../load/receive-webhooks.ts'), { stdio: 'inherit' })
after(() => receivers.kill('SIGKILL'))
const [port] = (await once(receivers, 'message')) as [number]

async function report(): Promise<SeenWebhooks> {
  receivers.send('report')
  const [seen] = (await once(receivers, 'message')) as [SeenWebhooks]
  return seen
}

/** CPU seconds of PostgreSQL, of both processes that send, and of the receivers. */
const cpuOf = (pid = 0) => cpuSecondsOf(pid)
async function cpu(): Promise<number[]> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = Number(readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  await owner.end()
  return [cpuOf(postmaster), cpuOf(first.child.pid) + cpuOf(second.child.pid), cpuOf(receivers.pid)]
}

/** Half of the adds go to each process. */
async function offer(servers: { url: string }[], seconds: number) {
  const figures = await Promise.all(
    servers.map(({ url }) =>
      runLoad({
        url,
        patients,
        connections: Math.ceil(28 / servers.length),
        seconds,
        ratePerSecond: RATE / servers.length,
        getShare: 0,
      }),
    ),
  )
  const accepted = figures.reduce((sum, figure) => sum + figure.accepted.count, 0)
  const inTime = figures.flatMap(({ bySecond }) => bySecond).reduce((sum, { count }) => sum + count, 0)
  const p99 = Math.max(...figures.map((figure) => figure.accepted.p99))
  return {
    accepted,
    perSecond: inTime / seconds,
    p99,
    lateness: Math.max(...figures.map((f) => f.lateness.p99)),
  }
}

/** Adds a second, each sent when the last one has been answered. */
async function capacity(): Promise<number> {
  const load = { patients, connections: 16, seconds: Math.min(3, SECONDS), getShare: 0 }
  const figures = await Promise.all([first, second].map(({ url }) => runLoad({ ...load, url })))
  return figures.reduce((sum, { accepted, seconds }) => sum + accepted.count / seconds, 0)
}

const uidsFrom = (number: number) =>
  Array.from({ length: BEDS }, (_, index) => `patient-${(number * BEDS + index) % PATIENTS}`)

/** As a hospital would have them. The adds are heart rates. */
const ENDPOINTS: [path: string, count: number, filter: (number: number) => object][] = [
  ['wards', 130, (number) => ({ patientUids: uidsFrom(number) })],
  ['laboratories', 56, (number) => ({ readingTypes: [`acme.lab${number}`, 'bloodGlucose'] })],
  ['cardiology', 4, () => ({ readingTypes: ['heartRate', 'bloodPressure'], thin: true })],
  ['warehouse', 8, () => ({})],
  ['slow', 1, () => ({})],
  ['dead', 1, () => ({})],
]

async function addEndpoints() {
  const { ask } = managementOf({ url: first.url, issuer, ownerUrl })
  const deadPort = await findFreePort()
  for (const [path, count, filterOf] of ENDPOINTS)
    for (let number = 0; number < count; number++)
      await ask('endpoints/add', {
        url: `http://127.0.0.1:${path === 'dead' ? deadPort : port}/${path}/${number}`,
        ...filterOf(number),
      })
}

/** How many readings each path must have been sent. */
async function expected(since: string): Promise<Record<string, number>> {
  const rows = await runSql<{ patient_uid: string; count: number }>(
    ownerUrl,
    'select patient_uid, count(*)::integer as count from casesheet.readings where received_at >= $1 group by patient_uid',
    [since],
  )
  const counts = new Map(rows.map(({ patient_uid, count }) => [patient_uid, count]))
  const countOf = (uids: Iterable<string>) => [...uids].reduce((sum, uid) => sum + (counts.get(uid) ?? 0), 0)
  const all = countOf(counts.keys())
  return Object.fromEntries([
    ...Array.from({ length: 130 }, (_, number) => [`/wards/${number}`, countOf(uidsFrom(number))]),
    ...['cardiology', 'warehouse'].flatMap((path) =>
      Array.from({ length: path === 'warehouse' ? 8 : 4 }, (_, number) => [`/${path}/${number}`, all]),
    ),
  ]) as Record<string, number>
}

/** All but the slow and the dead one were sent everything. Only a page under way may have come twice. */
async function untilComplete(since: string) {
  const wanted = await expected(since)
  const lacking = ({ paths }: SeenWebhooks) =>
    Object.entries(wanted).filter(([path, count]) => (paths[path]?.readings ?? 0) !== count)
  const delays: number[] = []
  for (const end = Date.now() + 30_000; ; await pause(100)) {
    const seen = await report()
    delays.push(...seen.delays)
    if (lacking(seen).length === 0) return { delays, seen }
    assert.ok(
      Date.now() < end,
      `${lacking(seen).length} endpoints lack readings: ${lacking(seen)[0]?.join()}`,
    )
  }
}

const now = async () => {
  const [row] = await runSql<{ now: string }>(ownerUrl, 'select clock_timestamp()::text as now')
  return row?.now ?? ''
}

await offer([first, second], Math.min(3, SECONDS))
const without = await offer([first, second], SECONDS)
const capacityWithout = await capacity()
await addEndpoints()
const since = await now()
// The dead one and the slow one are known as such.
await offer([first, second], Math.min(5, SECONDS))
await untilComplete(since)

test('200 endpoints, one dead and one slow: the others get messages within a second of the add, at 500 adds a second', async (t) => {
  const before = await cpu()
  const beside = await offer([first, second], SECONDS)
  const spent = (await cpu()).map((seconds, index) => (seconds - (before[index] ?? 0)) / SECONDS)
  const { delays, seen } = await untilComplete(since)
  const { p50, p99, most } = spreadOf(delays)
  const messages = Object.values(seen.paths).reduce((sum, of) => sum + of.messages, 0)
  t.diagnostic(
    `from commit to POST: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms of ${delays.length} changes; ${messages} messages in all; the load itself ${beside.lateness.toFixed(0)} ms late`,
  )
  t.diagnostic(
    `adds: ${beside.perSecond.toFixed(0)}/s p99 ${beside.p99.toFixed(0)} ms beside endpoints, ${without.perSecond.toFixed(0)}/s p99 ${without.p99.toFixed(0)} ms without`,
  )
  t.diagnostic(
    `cores: PostgreSQL ${spent[0]?.toFixed(2)}, both processes ${spent[1]?.toFixed(2)}, receivers ${spent[2]?.toFixed(2)}`,
  )
  assert.ok(delays.length > RATE * SECONDS * 8, `${delays.length} changes`)
  assert.ok(p99 <= MAX_DELAY_MS, `p99 ${p99} ms`)
  const share = beside.perSecond / without.perSecond
  assert.ok(share >= MIN_SHARE, `adds kept ${share.toFixed(2)} of their rate`)
})

test('the memory of both processes is bounded', async (t) => {
  const capacityBeside = await capacity()
  await untilComplete(since)
  t.diagnostic(
    `adds sent as fast as they are answered: ${capacityBeside.toFixed(0)}/s beside endpoints, ${capacityWithout.toFixed(0)}/s without`,
  )
  const [one, other] = [first.memoryMiB(), second.memoryMiB()]
  const most = [first.memoryMiB('VmHWM'), second.memoryMiB('VmHWM')]
  t.diagnostic(
    `${one.toFixed(0)} and ${other.toFixed(0)} MiB, at most ${most.map((mib) => mib.toFixed(0)).join(' and ')} MiB`,
  )
  assert.ok(Math.max(...most) < MAX_RESIDENT_MIB, `${Math.max(...most).toFixed(0)} MiB`)
})

test('when a process is killed, the other sends to its endpoints within five seconds, and nothing is missing', async (t) => {
  const offered = offer([second], SECONDS)
  await pause(2_000)
  first.child.kill('SIGKILL')
  const killedAt = Date.now()
  await first.ended
  // What it had sent before may still be on its way.
  await pause(100)
  receivers.send('mark')
  await offered
  const { seen } = await untilComplete(since)
  const gaps = Object.keys(await expected(since)).map((path) => (seen.firstAt[path] ?? Infinity) - killedAt)
  t.diagnostic(`the last endpoint heard from the other process after ${Math.max(...gaps)} ms`)
  assert.ok(Math.max(...gaps) <= MAX_TAKEOVER_MS, `${Math.max(...gaps)} ms`)
  const again = Object.values(seen.paths).reduce((sum, { changes, readings }) => sum + changes - readings, 0)
  t.diagnostic(`${again} changes came twice, of pages that were under way`)
  second.child.kill('SIGTERM')
  assert.equal((await second.ended).code, 0)
  await issuer.stop()
})
