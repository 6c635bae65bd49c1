// How long reports take on a patient with a long history: through HTTP, and of the database's CPU alone.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { slownessOfCores, watchCpu } from '../limits/cost.ts'
import { spreadOf } from '../load/figures.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

const slowness = slownessOfCores()
const FROM = 1_700_000_000
const DAY = 86_400
const COUNT = 100_000
const END = FROM + COUNT * 300

const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
// Every five minutes for a year, as a device sends it, beside twice as many others.
await runSql(
  database.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'long', to_timestamp(${FROM} + n * 100), gen_random_uuid(), case when n % 3 = 0 then 'interstitialGlucose' else 'heartRate' end, ${FROM} + n * 100,
     json_build_object('value', 60 + n % 191, 'unit', case when n % 3 = 0 then 'mg/dL' else '/min' end, 'trend', 'stable',
       'source', json_build_object('kind', 'device', 'device', json_build_object('name', 'Invented sensor', 'serial', 'X-1'))),
     'test'
   from generate_series(0, ${COUNT * 3 - 1}) n`,
)
await runSql(database.ownerUrl, 'vacuum analyze casesheet.readings')
const server = await serveInProcess({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '1000000',
})
const token = await issuer.token({ patientUid: 'long' })
const owner = new Client({ connectionString: database.ownerUrl })
await owner.connect()
after(() => owner.end())
const readCpu = watchCpu(server.child.pid ?? 0, owner)

async function call(path: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  assert.equal(response.status, 200, await response.text())
}
await call('/care/targets/set', {
  patientUid: 'long',
  readingType: 'interstitialGlucose',
  unit: 'mg/dL',
  fields: { value: { low: 70, high: 180 } },
})

const REPORTS = [
  'glucose?unit=mg/dL',
  'time-in-target?readingType=interstitialGlucose',
  'days-with-data?readingType=interstitialGlucose',
]
const BOUNDS: [days: number, times: number, mostMs: number, mostDatabaseMs: number][] = [
  [14, 200, 100, 60],
  [90, 60, 400, 400],
]

for (const [days, times, mostMs, mostDatabaseMs] of BOUNDS) {
  for (const report of REPORTS) {
    test(`${days} days: ${report} within ${mostMs} ms, ${mostDatabaseMs} ms of the database`, async (t) => {
      const path = `/care/reports/${report}&timeZone=Europe/Berlin&from=${END - days * DAY}&to=${END - 1}`
      for (let time = 0; time < 10; time++) await call(path)
      const before = await readCpu()
      const tookMs: number[] = []
      for (let time = 0; time < times; time++) {
        const began = performance.now()
        await call(path)
        tookMs.push(performance.now() - began)
      }
      const spent = await readCpu()
      const databaseMs = (spent.databaseMs - before.databaseMs) / times
      const loopMs = (spent.loopMs - before.loopMs) / times
      const { p50, p99 } = spreadOf(tookMs)
      t.diagnostic(
        `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, CPU: database ${databaseMs.toFixed(1)} ms, event loop ${loopMs.toFixed(1)} ms`,
      )
      assert.ok(databaseMs <= slowness * mostDatabaseMs, `${databaseMs.toFixed(1)} ms of the database`)
      assert.ok(p99 <= slowness * mostMs, `p99 ${p99.toFixed(1)} ms`)
    })
  }
}
