// `npm run lab limits`: what one request may cost at most. Each case is sent alone, a few times, to a server with a heap of
// 384 MiB, and the cheapest is what counts: the others bore the compiler's and the collector's work. `--write` puts the
// costliest into docs/costs.md; without it the number of cases there must be that of the run. Then one subject goes to every
// limit at once beside others, and all cases are sent at once beside a caller who does nothing unusual.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseArgs } from 'node:util'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { endWithoutCleanUp, limitThisProcess } from '../support/process-limits.ts'
import { addCases } from './add-cases.ts'
import { alertCases } from './alert-cases.ts'
import { type Case, introduceCallers } from './case.ts'
import { changeCases } from './change-cases.ts'
import { slownessOfCores, watchCpu } from './cost.ts'
import { measurePatients } from './doctors.ts'
import { beside, casesIn, costliestIn, type Row, withCostliest, withOthers } from './document.ts'
import { fhirCases } from './fhir-cases.ts'
import { grantCases } from './grant-cases.ts'
import { mcpCases } from './mcp-cases.ts'
import { measureOthers } from './one-subject.ts'
import { readCases } from './read-cases.ts'
import { reviewCases } from './review-cases.ts'
import { ruleCases } from './rule-cases.ts'
import { bytesOf, sendOnce } from './send.ts'
import { HEAP_MIB, setLimitsStage } from './stage.ts'
import { surviveAll } from './survive.ts'
import { targetCases } from './target-cases.ts'
import { webhookCases } from './webhook-cases.ts'

const { values } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string', default: '' } },
})
const TIMES = 4
// What another program did to the machine is gone at a second look, or at a third; what a request costs is not.
const LOOKS = 3
const MAX_LOOP_MS = 50
// A list of 4 MiB has to be received, read, hashed and sent on; it is done in pieces between which others are served.
const MAX_LOOP_MS_OF_MIB = 50
const MAX_LOOP_MS_OF_BUNDLE = 100
const MAX_DATABASE_MS = 500
const MAX_P99_MS = 500
// Statistics of others wait for at most two of the subject's.
const MAX_P99_OF_OTHERS_MS = 1_000
const MAX_BYTES = 2 * 1_024 * 1_024
const DOCUMENT = join(import.meta.dirname, '../../docs/costs.md')

endWithoutCleanUp()
limitThisProcess('lab limits', 30 * 60)
const slowness = slownessOfCores()
process.stdout.write(`The cores are ${slowness.toFixed(1)} times slower than the reference.\n`)

type Cost = { loopMs: number; databaseMs: number; bytes: number; status: number }

const postgres = await startThrowawayPostgres()
process.env['TEST_DATABASE_URL'] = postgres.url
const stage = await setLimitsStage({
  MODULES: 'appointments,casesheet,care,webhooks,fhir,mcp',
  ALERTS: 'on',
  WEBHOOK_KEY: randomBytes(32).toString('base64'),
  FHIR_ID_KEY: randomBytes(32).toString('base64'),
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
  PATIENT_BYTES_PER_DAY: '1000000000000',
})
after(async () => {
  await stage.strike()
  await postgres.stop()
})
const callers = await introduceCallers(stage)
const cases = [
  ...addCases(callers),
  ...readCases(callers),
  ...fhirCases(callers),
  ...(await changeCases(stage, callers)),
  ...(await grantCases(stage, callers)),
  ...targetCases(callers),
  ...reviewCases(callers),
  ...ruleCases(callers),
  ...alertCases(callers),
  ...webhookCases(callers),
  ...mcpCases(callers),
].filter(({ operation, input }) => `${operation}: ${input}`.includes(values.only))
const readCpu = watchCpu(stage.server.child.pid ?? 0, stage.owner)
const rows: Row[] = []

for (const one of cases) {
  test(`${one.operation}: ${one.input}`, async (t) => {
    let cost = await measure(one)
    for (let look = 2; look <= LOOKS && isOverBounds(one, cost); look++) cost = await measure(one)
    rows.push({
      ...one,
      ...cost,
      maxLoopMs: maxLoopMs(one),
      maxDatabaseMs: slowness * MAX_DATABASE_MS,
    })
    t.diagnostic(
      `event loop ${cost.loopMs.toFixed(1)} ms, database ${cost.databaseMs.toFixed(1)} ms, ${cost.bytes} bytes`,
    )
    assert.equal(cost.status, one.status)
    if (!one.isStreamed) {
      assert.ok(cost.loopMs <= maxLoopMs(one), `${cost.loopMs.toFixed(1)} ms of the event loop`)
      assert.ok(
        cost.databaseMs <= slowness * MAX_DATABASE_MS,
        `${cost.databaseMs.toFixed(1)} ms of the database`,
      )
      assert.ok(cost.bytes <= MAX_BYTES, `${cost.bytes} bytes`)
    }
  })
}

function isOverBounds(one: Case, { loopMs, databaseMs }: Cost): boolean {
  return !one.isStreamed && (loopMs > maxLoopMs(one) || databaseMs > slowness * MAX_DATABASE_MS)
}

function maxLoopMs({ status, isBundle, make }: Case): number {
  const mebibytes = status === 200 ? (make().body?.length ?? 0) / 1_024 / 1_024 : 0
  return slowness * Math.max(isBundle ? MAX_LOOP_MS_OF_BUNDLE : MAX_LOOP_MS, MAX_LOOP_MS_OF_MIB * mebibytes)
}

async function measure(one: Case): Promise<Cost> {
  const tries: Cost[] = []
  for (let time = 0; time < TIMES; time++) {
    const request = bytesOf(one.make())
    const before = await readCpu()
    const { status, bytes } = await sendOnce(stage.server.url, request)
    const spent = await readCpu()
    tries.push({
      loopMs: spent.loopMs - before.loopMs,
      databaseMs: spent.databaseMs - before.databaseMs,
      bytes,
      status,
    })
  }
  const least = (pick: (cost: Cost) => number) => Math.min(...tries.map(pick))
  const [first] = tries
  return {
    loopMs: least((cost) => cost.loopMs),
    databaseMs: least((cost) => cost.databaseMs),
    bytes: Math.max(...tries.map(({ bytes }) => bytes)),
    status: first?.status ?? 0,
  }
}

if (values.only === '') {
  test('docs/costs.md counts these cases', () => {
    const document = readFileSync(DOCUMENT, 'utf8')
    if (values.write) return writeFileSync(DOCUMENT, withCostliest(document, rows, slowness))
    assert.equal(casesIn(document), rows.length)
    const known = new Set(rows.map(({ operation, input }) => `${operation}, ${input}`))
    assert.deepEqual(
      costliestIn(document).filter((name) => !known.has(name)),
      [],
    )
  })
}

const OTHERS = "one subject at every limit at once, others' p99 and refusals"

if (OTHERS.includes(values.only)) {
  test(OTHERS, async (t) => {
    let others = await measureOthers(stage)
    for (let look = 2; look <= LOOKS && others.p99Ms >= slowness * MAX_P99_OF_OTHERS_MS; look++)
      others = await measureOthers(stage)
    const { p99Ms, calls, refused, reasons, streamsEnded, sent } = others
    const p99 = beside(p99Ms, slowness * MAX_P99_OF_OTHERS_MS)
    const summary = `p99 ${p99}, ${refused} of ${calls} refused, ${streamsEnded} streams ended`
    t.diagnostic(`${summary}; the subject sent ${sent} requests`)
    if (values.write) writeFileSync(DOCUMENT, withOthers(readFileSync(DOCUMENT, 'utf8'), OTHERS, summary))
    assert.deepEqual([refused, streamsEnded], [0, 0], reasons.join('; '))
    assert.ok(p99Ms < slowness * MAX_P99_OF_OTHERS_MS, `${p99Ms.toFixed(0)} ms`)
  })
}

const STRANGERS = 'a doctor who asks for strangers and a patient who changes grants, beside patients who read'

if (STRANGERS.includes(values.only)) {
  test(STRANGERS, async (t) => {
    let patients = await measurePatients(stage)
    for (let look = 2; look <= LOOKS && patients.p99Ms >= slowness * MAX_P99_MS; look++)
      patients = await measurePatients(stage)
    const { p99Ms, calls, refused, sent } = patients
    t.diagnostic(`p99 ${p99Ms.toFixed(0)} ms, ${refused} of ${calls} refused; the two sent ${sent} requests`)
    assert.equal(refused, 0)
    assert.ok(p99Ms < slowness * MAX_P99_MS, `${p99Ms.toFixed(0)} ms`)
  })
}

if (cases.length > 0)
  test('all of them at once leave the process alive and others served', async (t) => {
    let survived = await surviveAll(stage, cases)
    for (let look = 2; look <= LOOKS && survived.p99Ms >= slowness * MAX_P99_MS; look++)
      survived = await surviveAll(stage, cases)
    const { p99Ms, calls, residentMiB } = survived
    t.diagnostic(
      `p99 ${p99Ms.toFixed(0)} ms of ${calls} ordinary calls, ${residentMiB.toFixed(0)} MiB resident, heap ${HEAP_MIB} MiB`,
    )
    assert.equal(stage.server.child.exitCode, null)
    assert.ok(p99Ms < slowness * MAX_P99_MS, `${p99Ms.toFixed(0)} ms`)
  })
