// A bulk export of a million readings, read file by file while readings are added: every
// reading is in it once, in bounded memory, and adds are answered as before. A file that is cut off is seen to be.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { cpuSecondsOf } from '../../bench/cpu.ts'
import { runLoad } from '../load/load.ts'
import { startLoadStage } from '../load/stage.ts'
import { runSql } from '../support/harness.ts'

const COUNT = Number(process.env['EXPORT_READINGS'] ?? 1_000_000)
const OF_PATIENT = 1_000
const OF_TRANSACTION = 250_000
const READERS = 2
const RATE = 100
const HEAP_MIB = 192
const MAX_RESIDENT_MIB = 320
const MAX_ADD_P99_MS = 250
const MIN_PER_SECOND = 5_000

const { ownerUrl, issuer, server, patients } = await startLoadStage({
  // V8 would let garbage grow where there is room; what must last is bounded.
  NODE_OPTIONS: `--max-semi-space-size=8 --max-old-space-size=${HEAP_MIB}`,
  MODULES: 'casesheet,fhir',
  FHIR_ID_KEY: randomBytes(32).toString('base64'),
})
const token = await issuer.token({
  sub: 'warehouse',
  scope: 'system/Observation.rs',
  exp: Math.floor(Date.now() / 1_000) + 7_200,
})
const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' }
const say = (text: string) => process.stdout.write(`# ${text}\n`)

/** Invented: heart rates, blood pressures with their device, and glucoses, of patients who have as many each. */
const FILL = `
  insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  select 'invented-' || lpad((n / ${OF_PATIENT})::text, 8, '0'), to_timestamp(1700000000 + n % ${OF_PATIENT} * 900), gen_random_uuid(),
    (array['heartRate', 'bloodPressure', 'bloodGlucose'])[1 + n % 3], 1700000000 + n % ${OF_PATIENT} * 900,
    (array[
      '{"value":' || 50 + n % 90 || '}',
      '{"systolic":' || 100 + n % 60 || ',"diastolic":' || 60 + n % 30 || ',"source":{"kind":"device","device":{"name":"Cuff"}}}',
      '{"value":' || 4 + n % 80 / 10.0 || ',"unit":"mmol/L"}'
    ])[1 + n % 3]::json, 'test'
  from generate_series($1::bigint, $2::bigint) n`

async function fill() {
  // Built at the end, indexes take a third of the time.
  const indexes = await runSql<{ name: string; definition: string }>(
    ownerUrl,
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index where indrelid = 'casesheet.readings'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await runSql(ownerUrl, `drop index ${name}`)
  const starts = Array.from({ length: Math.ceil(COUNT / OF_TRANSACTION) }, (_, at) => at * OF_TRANSACTION)
  async function fillSome() {
    for (let first = starts.shift(); first !== undefined; first = starts.shift())
      await runSql(ownerUrl, FILL, [first, Math.min(first + OF_TRANSACTION, COUNT) - 1])
  }
  await Promise.all([fillSome(), fillSome()])
  for (const { definition } of indexes) await runSql(ownerUrl, definition)
  await runSql(ownerUrl, 'analyze casesheet.readings')
}

const addsFor = (seconds: number) =>
  runLoad({ url: server.url, patients, connections: 8, seconds, ratePerSecond: RATE, getShare: 0 })

const open = (url: string) =>
  new Promise<IncomingMessage>((answered, fail) => get(url, { headers }, answered).once('error', fail))

/** As curl reads a file: to its end, or to the error of a connection that was cut. */
async function countLines(url: string) {
  const response = await open(url)
  assert.equal(response.statusCode, 200)
  let [lines, bytes] = [0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  }
  return { lines, bytes }
}

async function beginExport() {
  const begun = await fetch(`${server.url}/fhir/$export`, { headers })
  assert.equal(begun.status, 202, await begun.text())
  const address = begun.headers.get('content-location') ?? ''
  const manifest = (await (await fetch(address, { headers })).json()) as { output: { url: string }[] }
  return { address, urls: manifest.output.map(({ url }) => url) }
}

test(`${COUNT} readings are exported, each once, in bounded memory, while others add`, async () => {
  const filledFrom = performance.now()
  await fill()
  say(`filled in ${((performance.now() - filledFrom) / 1_000).toFixed(0)} s`)
  const alone = await addsFor(10)
  const [stored] = await runSql<{ count: number }>(
    ownerUrl,
    'select count(*)::float8 as count from casesheet.readings',
  )
  const before = server.memoryMiB()
  const { urls } = await beginExport()
  const wanted = [...urls]
  const total = { lines: 0, bytes: 0 }
  const read = new AbortController()
  let most = before
  const looking = setInterval(() => (most = Math.max(most, server.memoryMiB())), 50)
  async function readFiles() {
    for (let url = wanted.shift(); url !== undefined; url = wanted.shift()) {
      const { lines, bytes } = await countLines(url)
      total.lines += lines
      total.bytes += bytes
    }
  }
  const [beganAt, cpuBefore] = [performance.now(), cpuSecondsOf(server.child.pid ?? 0)]
  const reading = Promise.all(Array.from({ length: READERS }, readFiles)).finally(() => read.abort())
  const beside: number[] = []
  let answered = 0
  while (!read.signal.aborted) {
    const { accepted } = await addsFor(5)
    beside.push(accepted.p99)
    answered += accepted.count
  }
  await reading
  clearInterval(looking)
  const seconds = (performance.now() - beganAt) / 1_000
  const perSecond = total.lines / seconds
  say(
    `${total.lines} lines, ${(total.bytes / 1e9).toFixed(2)} GB in ${seconds.toFixed(0)} s: ${perSecond.toFixed(0)} readings/s`,
  )
  const cpu = (cpuSecondsOf(server.child.pid ?? 0) - cpuBefore) / (total.lines / 1e6)
  say(`the server took ${cpu.toFixed(1)} s of CPU a million readings, with the adds beside`)
  say(`resident memory ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`)
  const p99 = beside.toSorted((a, b) => a - b).at(beside.length >> 1) ?? 0
  say(
    `adds at ${RATE}/s: p99 ${alone.accepted.p99.toFixed(0)} ms alone; beside the export median p99 of 5 s ${p99.toFixed(0)} ms, worst ${Math.max(...beside).toFixed(0)} ms (${answered} adds)`,
  )
  const [logged] = await runSql<{ readings: number; patients: number }>(
    ownerUrl,
    `select sum(readings_count)::float8 as readings, count(distinct patient_uid)::float8 as patients
     from casesheet.access_log where operation = 'fhir/export'`,
  )
  assert.equal(total.lines, stored?.count)
  assert.deepEqual(logged, { readings: stored?.count, patients: COUNT / OF_PATIENT + patients.length })
  assert.ok(most < MAX_RESIDENT_MIB, `${most} MiB`)
  assert.ok(perSecond > MIN_PER_SECOND, `${perSecond} readings/s`)
  assert.ok(p99 < MAX_ADD_P99_MS, `${p99} ms`)
})

test('readers that take nothing hold no memory and no connection, and a file of an export that is deleted is cut off', async () => {
  const { address, urls } = await beginExport()
  const before = server.memoryMiB()
  const stalled = await Promise.all(urls.slice(0, 8).map(open))
  for (const response of stalled) response.pause()
  const refused = await fetch(urls[8] ?? '', { headers })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  const { accepted } = await addsFor(3)
  assert.ok(accepted.count >= 2 * RATE)
  assert.ok(server.memoryMiB() - before < 48, `${before} to ${server.memoryMiB()} MiB`)
  assert.equal((await fetch(address, { method: 'DELETE', headers })).status, 202)
  for (const response of stalled) await assert.rejects(response.toArray(), { code: 'ECONNRESET' })
})
