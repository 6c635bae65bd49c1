// A doctor who may not read a patient learns nothing of the patient: who does not exist, never shared, has revoked or let a grant
// expire is refused alike, byte for byte, and at the same cost.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { watchCpu } from '../limits/cost.ts'
import { growthDuring } from '../support/scrape.ts'
import { until } from '../support/until.ts'
import { READS, type SharedPatient } from './reads.ts'
import { startStage } from './stage.ts'

const DOCTOR = 'doctor-1'
const stage = await startStage([DOCTOR], 1)
const [server] = stage.servers
const owner = new Client({ connectionString: stage.ownerUrl, application_name: 'test' })
await owner.connect()
after(() => owner.end())
const token = await stage.doctorToken(DOCTOR)
const read = (path: string, headers = {}) =>
  stage.call(0, path, { token, headers: { ...headers, 'x-request-id': 'same' } })

const stranger = await stage.newPatient(['heartRate', 'acme.grip'])
const revoked = await stage.newPatient(['heartRate', 'acme.grip'])
const expired = await stage.newPatient(['heartRate', 'acme.grip'])
const PATIENTS: Record<string, SharedPatient> = {
  'does not exist': { ...stranger, patientUid: randomUUID() },
  'has no grant': stranger,
  'has revoked it': revoked,
  'had one that expired': expired,
}
for (const patient of [revoked, expired]) {
  const validUntil = new Date(Date.now() + 2_000).toISOString()
  const given = await stage.give(0, patient, {
    doctorId: DOCTOR,
    ...(patient === expired ? { validUntil } : {}),
  })
  assert.equal(given.status, 200, given.text)
  // So that the process has cached it.
  const answer = await read(`/casesheet/readings/get?patientUid=${patient.patientUid}&limit=1`)
  assert.equal(answer.status, 200, answer.text)
}
assert.equal((await stage.revoke(0, revoked, DOCTOR)).status, 200)
await until(
  async () => (await read(`/casesheet/readings/get?patientUid=${expired.patientUid}&limit=1`)).status === 403,
)

/** An id that was made for one patient says so: reads by it are about one who is no patient here. */
const kinds = READS.map((kind) => ({
  ...kind,
  path: (patient: SharedPatient) => kind.path(patient, 0).replace(stranger.patientUid, patient.patientUid),
})).filter(({ name }) => name !== 'FHIR read')

for (const kind of kinds) {
  test(`${kind.name}: the same 403, whatever the reason`, async () => {
    const seen = new Map<string, string[]>()
    for (const [who, patient] of Object.entries(PATIENTS)) {
      const { status, text, headers } = await read(kind.path(patient), kind.headers)
      assert.equal(status, 403, text)
      assert.match(text, /"NotShared"/)
      const told = [...headers].filter(([name]) => name !== 'date' && name !== 'ratelimit')
      const answer = JSON.stringify([text, told])
      seen.set(answer, [...(seen.get(answer) ?? []), who])
    }
    assert.deepEqual([...seen.values()], [Object.keys(PATIENTS)])
  })
}

test('FHIR read: the same 403, whether or not there is such a reading', async () => {
  const answers = await Promise.all(
    [stranger, revoked, expired].map(({ observations }) => read(`/fhir/Observation/${observations[0]}`)),
  )
  const [first] = answers
  assert.equal(first?.status, 403, first?.text)
  for (const { text } of answers) assert.equal(text, first?.text)
})

const BATCH = 30
const BATCHES = 15
/** Between the cheapest and the costliest reason. */
const NOISE = 1.2
// A real difference is there at every look.
const LOOKS = 6

/** The median of what a refusal costs, in microseconds of CPU of the server and its sessions; reasons take turns. */
async function measureCosts(): Promise<Record<string, number>> {
  const readCpu = watchCpu(server?.child.pid ?? 0, owner)
  const costs: Record<string, number[]> = {}
  for (let batch = 0; batch <= BATCHES; batch++) {
    for (const [who, { patientUid }] of Object.entries(PATIENTS)) {
      const before = await readCpu()
      for (let nth = 0; nth < BATCH; nth++)
        await read(`/casesheet/readings/get?patientUid=${patientUid}&limit=20`)
      const now = await readCpu()
      const spentMs = now.loopMs + now.databaseMs - before.loopMs - before.databaseMs
      // The first batch is what the compiler needs.
      if (batch > 0) (costs[who] ??= []).push((spentMs * 1_000) / BATCH)
    }
  }
  return Object.fromEntries(
    Object.entries(costs).map(([who, all]) => [who, all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0]),
  )
}

test('a refusal takes as many statements, and as much CPU, whatever the reason', async (t) => {
  const statements: Record<string, number> = {}
  for (const [who, { patientUid }] of Object.entries(PATIENTS)) {
    const refuse = () => read(`/casesheet/readings/get?patientUid=${patientUid}`)
    // The first one after a revocation finds that a cached grant is over, which its doctor knew.
    await refuse()
    const grown = await growthDuring(server?.adminUrl ?? '', async () => {
      for (let nth = 0; nth < BATCH; nth++) await refuse()
    })
    // Beside a statement now and then that has nothing to do with them.
    statements[who] = Math.round(grown('rounds_statement_duration_seconds_count') / BATCH)
  }
  assert.equal(new Set(Object.values(statements)).size, 1, JSON.stringify(statements))
  let spread = Infinity
  let costs: Record<string, number> = {}
  for (let look = 1; look <= LOOKS && spread > NOISE; look++) {
    costs = await measureCosts()
    spread = Math.max(...Object.values(costs)) / Math.min(...Object.values(costs))
  }
  const shown = Object.entries(costs).map(([who, cost]) => `${who}: ${cost.toFixed(0)} µs`)
  t.diagnostic(`statements of a refusal: ${statements['has no grant']}; CPU of one: ${shown.join(', ')}`)
  assert.ok(spread <= NOISE, `${spread.toFixed(2)}: ${shown.join(', ')}`)
})
