// What the list of patients asks of the tables, counted by PostgreSQL while the program serves as in production: readings are found by
// index, as many as changed days hold, and a request for the list reads none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCTOR, loadPatients, uidOf } from '../../../../test/load/patients-of-doctor.ts'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../../../../test/support/harness.ts'
import { serveForLoad } from '../../../../test/support/process.ts'
import { until } from '../../../../test/support/until.ts'

const PATIENTS = 100
const READINGS = 2_000
const DAYS = 40
const READINGS_A_DAY = READINGS / DAYS

const [{ ownerUrl, serveUrl }, issuer] = await Promise.all([createDatabase(), startIssuer()])
await loadPatients(ownerUrl, { patients: PATIENTS, readings: READINGS, days: DAYS })
// Others share with other doctors: who reads all grants reads these too.
await runSql(
  ownerUrl,
  `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
   select 'other-' || n, 'dr-other-' || n % 50, 'view', 'other-' || n, 'test'
   from generate_series(1, 5000) n`,
)
const token = await issuer.token({ sub: 'doctor', doctorId: DOCTOR })

type List = {
  counts: { all: number; preparing: number }
  data: { patientUid: string; types: { readingType: string; newest: { at: string } | null }[] }[]
}
type Serving = { list: (query: string) => Promise<List>; add: (number: number) => Promise<string> }
type Work = { scans: number; readings: number; scansOfGrants: number }

/** What a process that does this has read. It has ended then, so nothing is left to be counted. */
async function workOf(work: (serving: Serving) => Promise<void>): Promise<Work> {
  const before = await counted()
  const server = await serveForLoad({
    DATABASE_URL: serveUrl,
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
  })
  const call = async (path: string, as: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    return (await answer.json()) as List
  }
  await work({
    list: (query) => call(`/care/patients/list?timeZone=Europe/Berlin&${query}`, token),
    async add(number) {
      const patientUid = uidOf(number)
      const now = Date.now()
      const reading = { patientUid, readingType: 'heartRate', value: 71, timestamp: now }
      await call('/casesheet/readings/add', await issuer.token({ patientUid }), reading)
      return new Date(now).toISOString()
    },
  })
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  const after = await counted()
  return {
    scans: after.scans - before.scans,
    readings: after.readings - before.readings,
    scansOfGrants: after.scansOfGrants - before.scansOfGrants,
  }
}

async function counted(): Promise<Work> {
  const [row] = await runSql<Work>(
    ownerUrl,
    `select sum(seq_scan) filter (where relname like 'readings%')::integer as scans,
       sum(idx_tup_fetch) filter (where relname like 'readings%')::integer as readings,
       sum(seq_scan) filter (where relname = 'grants')::integer as "scansOfGrants"
     from pg_stat_user_tables
     where schemaname = 'casesheet'`,
  )
  assert.ok(row)
  return row
}

test('summaries are made from a month of readings, found by index', async () => {
  const { scans, readings } = await workOf(async ({ list }) => {
    assert.equal((await list('limit=1')).counts.all, PATIENTS)
    await until(async () => (await list('limit=1')).counts.preparing === 0, 60_000, { everyMs: 200 })
  })
  assert.equal(scans, 0)
  // Each is read for its day, and those that are the newest of a type once more.
  assert.ok(readings <= PATIENTS * READINGS * 1.5, `${readings} readings`)
})

test('a reading that is added costs its day and not the month', async () => {
  const added = 50
  const { scans, readings } = await workOf(async ({ list, add }) => {
    for (let number = 0; number < added; number++) {
      const addedAt = await add(number)
      await until(async () => {
        const { data } = await list(`find=${uidOf(number)}&limit=100`)
        const types = data.find(({ patientUid }) => patientUid === uidOf(number))?.types
        return types?.find(({ readingType }) => readingType === 'heartRate')?.newest?.at === addedAt
      })
    }
  })
  assert.equal(scans, 0)
  assert.ok(readings <= added * 3 * READINGS_A_DAY, `${readings} readings`)
})

test('a request for the list reads no readings, in whatever order', async () => {
  const { scans, readings, scansOfGrants } = await workOf(async ({ list }) => {
    for (const sort of ['attention', 'name', 'share', 'daysWithData', 'lastReading', 'lastReview'])
      for (const order of ['asc', 'desc'])
        for (const filter of ['', 'status=attention', 'find=invented', 'silentAfter=3&worseBy=10'])
          assert.ok((await list(`sort=${sort}&order=${order}&${filter}`)).counts.all > 0)
  })
  assert.deepEqual([scans, readings, scansOfGrants], [0, 0, 0])
})
