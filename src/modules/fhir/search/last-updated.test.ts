// _lastUpdated: what was received, withdrawn or restored since a time, in that order, in one small read however long the history is.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { assertOutcome, matchesIn, nextIn, type Resource, startFhir } from '../../../../test/support/fhir.ts'
import { runSql } from '../../../../test/support/harness.ts'
import { createDoctor, createSharedPatient } from '../../../../test/support/shared-patient.ts'
import { openConnections } from '../../../db/connections.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { updatedStatement } from '../../casesheet/get/read-updated.ts'
import { WITHOUT_GRANT } from '../../casesheet/reader.ts'

const rounds = await startFhir()
const TYPES = ['heartRate', 'respiratoryRate']

/** A patient with six readings, measured in the opposite order to that in which they were received, ten seconds apart. */
async function newPatient() {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  const body = Array.from({ length: 6 }, (_, n) => ({
    patientUid,
    readingType: TYPES[n % 2],
    value: 50 + n,
    timestamp: 1_762_000_000 - n,
  }))
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  await runSql(
    rounds.ownerUrl,
    `update casesheet.readings
     set received_at = '2026-01-01T00:00:00.000456Z'::timestamptz + interval '10 s' * (1762000000 - sent_timestamp)
     where patient_uid = $1`,
    [patientUid],
  )
  return { patientUid, token }
}

const valuesIn = (found: Resource[]) =>
  found.map((one) => (one['valueQuantity'] as { value: number }).value - 50).join('')

const own = await newPatient()

const EXAMPLES: [query: string, found: string][] = [
  ['_lastUpdated=ge2026-01-01T00:00:30Z', '345'],
  ['_lastUpdated=gt2026-01-01T00:00:30Z', '45'],
  ['_lastUpdated=gt2026-01-01T00:00:30.000Z', '45'],
  ['_lastUpdated=lt2026-01-01T00:00:30Z', '012'],
  ['_lastUpdated=le2026-01-01T00:00:30Z', '0123'],
  ['_lastUpdated=2026-01-01T00:00', '012345'],
  ['_lastUpdated=2026-01-01T00:00:20.000Z,2026-01-01T00:00:40.000Z', '24'],
  ['_lastUpdated=ge2026-01-01T00:00:10Z&_lastUpdated=lt2026-01-01T00:00:40Z', '123'],
  ['_lastUpdated=ne2026-01-01T00:00:10Z', '02345'],
  ['_lastUpdated=ge2027', ''],
  ['_sort=_lastUpdated', '012345'],
  ['_sort=-_lastUpdated', '543210'],
  ['_sort=-_lastUpdated&_lastUpdated=ge2026-01-01T00:00:20Z', '5432'],
  ['_lastUpdated=ge2025&code=8867-4', '024'],
  ['_lastUpdated=ge2025&date=lt2025-11-01T12:26:38Z', '345'],
  ['_lastUpdated=ge2025&code=nothing', ''],
]
for (const [query, found] of EXAMPLES) {
  test(`${query} finds ${found || 'nothing'}`, async () => {
    const whole = await rounds.search(`patient=${own.patientUid}&${query}`, own.token)
    assert.equal(valuesIn(whole), found)
    const paged = await rounds.search(`patient=${own.patientUid}&_count=1&${query}`, own.token)
    assert.deepEqual(paged, whole)
  })
}

test('what cannot be looked up in that order is refused', async () => {
  for (const wrong of [
    '_lastUpdated=ge2025&_sort=date',
    '_lastUpdated=yesterday',
    '_sort=_id',
    '_lastUpdated=ge2025&cursor=x',
  ])
    assert.equal((await rounds.fhir(`/Observation?${wrong}`, { token: own.token })).status, 400, wrong)
  const page = await rounds.fhir('/Observation?_lastUpdated=ge2025&_count=1', { token: own.token })
  const other = (nextIn(page.resource) ?? '').replace('_lastUpdated=ge2025', '_sort=-_lastUpdated')
  assertOutcome(await rounds.fhir(other, { token: own.token }), 400, 'InvalidCursor')
})

test('a withdrawal and a restoration are updates, and an Observation by its id is compared too', async () => {
  const { patientUid, token } = await newPatient()
  const { json } = await rounds.call('/casesheet/readings/get?limit=1', { token })
  const { readingId, timestamp } = json.data[0] as { readingId: string; timestamp: number }
  const body = { patientUid, readingId, timestamp }
  const since = '_lastUpdated=ge2026-06-01'
  const correct = async (action: string) =>
    assert.equal((await rounds.call(`/casesheet/readings/${action}`, { token, body })).status, 200)
  assert.equal((await rounds.search(since, token)).length, 0)
  await correct('withdraw')
  assert.equal((await rounds.search(since, token)).length, 0)
  const [wrong] = await rounds.search(`${since}&status=final,entered-in-error`, token)
  assert.equal(wrong?.['status'], 'entered-in-error')
  assert.equal(
    (await rounds.search(`_id=${String(wrong?.['id'])}&${since}&status=entered-in-error`, token)).length,
    1,
  )
  await correct('restore')
  const [restored, ...others] = await rounds.search(since, token)
  assert.deepEqual([restored?.['id'], restored?.['status'], others.length], [wrong?.['id'], 'final', 0])
  const lastUpdated = String(Object(restored?.['meta']).lastUpdated)
  assert.ok(lastUpdated > '2026-06-01')
  assert.deepEqual(await rounds.search(`_lastUpdated=gt${lastUpdated}`, token), [])
  for (const status of ['final', 'final,entered-in-error'])
    assert.deepEqual(await rounds.search(`_lastUpdated=${lastUpdated}&status=${status}`, token), [restored])
  assert.deepEqual(
    (await rounds.fhir(`/Observation/${String(restored?.['id'])}`, { token })).resource,
    restored,
  )
  for (const found of [
    await rounds.search('', token),
    await rounds.search('code=8867-4,9279-1&status=final,entered-in-error', token),
    await rounds.search(`_id=${String(restored?.['id'])}`, token),
    matchesIn((await rounds.fhir('/Observation/$lastn?max=10', { token })).resource),
    matchesIn((await rounds.fhir(`/Patient/${patientUid}/Observation`, { token })).resource),
  ])
    assert.deepEqual(
      found.find(({ id }) => id === restored?.['id']),
      restored,
    )
})

test('a doctor sees the shared types alone, the look is logged, and a revoked grant reads nothing', async () => {
  const { patientUid, give, revoke } = await createSharedPatient(rounds)
  const { doctorId, token } = await createDoctor(rounds)
  await give(doctorId, { readingTypes: ['heartRate'] })
  const found = await rounds.search(`patient=${patientUid}&_lastUpdated=ge2020`, token)
  assert.equal(found.length, 3)
  assert.ok(found.every(({ code }) => JSON.stringify(code).includes('heartRate')))
  const rows = await runSql<{ readings_count: number; reading_types: string[] }>(
    rounds.ownerUrl,
    'select readings_count, reading_types from casesheet.access_log where patient_uid = $1 order by at',
    [patientUid],
  )
  assert.deepEqual(
    rows.map(({ readings_count, reading_types }) => [readings_count, reading_types]),
    [[3, ['heartRate']]],
  )
  await revoke(doctorId)
  assertOutcome(
    await rounds.fhir(`/Observation?patient=${patientUid}&_lastUpdated=ge2020`, { token }),
    403,
    'NotShared',
  )
})

test('the link behind a page of readings that are not shared says nothing of them', async () => {
  const { patientUid, patient, give } = await createSharedPatient(rounds)
  const doctor = await createDoctor(rounds)
  await give(doctor.doctorId, { readingTypes: ['weight'] })
  const body = Array.from({ length: 2_100 }, (_, n) => ({
    patientUid,
    readingType: 'heartRate',
    value: 60,
    timestamp: 1_762_000_000 + n,
  }))
  for (const from of [0, 700, 1_400]) {
    const part = body.slice(from, from + 700)
    assert.equal((await rounds.call('/casesheet/readings/add', { token: patient, body: part })).status, 200)
  }
  const query = `patient=${patientUid}&_lastUpdated=ge2020`
  const { resource } = await rounds.fhir(`/Observation?${query}`, { token: doctor.token })
  const next = nextIn(resource) ?? ''
  const cursor = new URLSearchParams(next).get('cursor') ?? ''
  assert.equal(matchesIn(resource).length, 0)
  assert.ok(cursor.length > 40)
  assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /updated|\d{4}-\d\d|[\da-f]{8}-/)
  assert.equal((await rounds.search(query, doctor.token)).length, 0)
  const altered = `${cursor.slice(0, -4)}AAAA`
  for (const wrong of [altered, 'x', cursor.slice(0, 20)])
    assertOutcome(
      await rounds.fhir(`/Observation?${query}&cursor=${wrong}`, { token: doctor.token }),
      400,
      'InvalidCursor',
    )
  // Among readings that the doctor knows, it would tell the time.
  const known = `_lastUpdated=ge2020&cursor=${cursor}`
  assertOutcome(await rounds.fhir(`/Observation?${known}`, { token: own.token }), 400, 'InvalidCursor')
})

test('one new reading after 200,000 old ones takes a few blocks', async () => {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid })
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, received_at, added_by)
     select $1, to_timestamp(1700000000 + n), gen_random_uuid(), 'acme.' || n % 20, 1700000000 + n, '{}', '2026-01-01', 'test'
     from generate_series(1, 200000) n`,
    [patientUid],
  )
  await runSql(rounds.ownerUrl, 'analyze casesheet.readings')
  const body = { patientUid, readingType: 'acme.7', n: 1, timestamp: 1_600_000_000 }
  assert.equal((await rounds.call('/casesheet/readings/add', { token, body })).status, 200)
  const found = await rounds.search('_lastUpdated=ge2026-06-01', token)
  assert.equal(found.length, 1)
  assert.equal((await rounds.search('_lastUpdated=ge2026-06-01&code=acme.8', token)).length, 0)
  const pools = openConnections({
    url: rounds.serveUrl,
    poolSize: 4,
    warn: () => {},
    metrics: createMetrics(),
  })
  after(() => Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end())))
  const session = await pools.feed.connect()
  try {
    const reader = { readBy: 'test', allowedAs: 'patient', requestId: 'test', ...WITHOUT_GRANT } as const
    const ends = { from: '2026-06-01T00:00:00.000Z', to: undefined }
    for (const order of ['asc', 'desc'] as const) {
      const request = {
        patientUid,
        ...ends,
        order,
        readingTypes: ['acme.8'],
        after: null,
        reader,
        page: 0,
        beganAt: null,
        size: 250,
      }
      const asked = { ...request, withdrawn: 'left-out' } as const
      const { text, values } = updatedStatement(order, 'left-out', [asked])
      const literals = values.map((value) => (value === null ? 'null' : session.escapeLiteral(value)))
      await session.query(`begin; prepare page as ${text}`)
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute page(${literals.join(', ')})`,
      )
      await session.query('rollback; deallocate page')
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.match(plan, /Index Scan (Backward )?using readings_\d+_by_update/)
      const blocks = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])
      assert.ok(blocks < 100, `${blocks} blocks`)
    }
  } finally {
    session.release()
  }
})
