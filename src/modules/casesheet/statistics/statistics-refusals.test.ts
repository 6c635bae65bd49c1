// What statistics refuse, and what they leave in the access log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient, patientWithReadings } from '../../../../test/support/patient.ts'
import { askStatistics, type StatisticsQuery } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const RANGE = { readingType: 'heartRate', from: 0, to: 86_400 }
const patient = await newPatient(rounds)
const ask = (query: StatisticsQuery) =>
  askStatistics(rounds, { ...RANGE, ...query }, { token: patient.token })

test('a query that is not as described is 400, pointing at the parameter', async () => {
  const bad: [StatisticsQuery, string, RegExp][] = [
    [{ from: 'abc' }, '/from', /epoch seconds or milliseconds/],
    [{ to: -1 }, '/to', /epoch seconds or milliseconds/],
    [{ readingType: 'a b' }, '/readingType', /1 to 64 letters/],
    [{ bucket: 'minute' }, '/bucket', /one of/],
    [{ bucket: 'Day' }, '/bucket', /one of/],
    [{ unit: 'mg/dL' }, '/unit', /one of \/min/],
    [{ readingType: 'bloodGlucose', unit: 'mg/dl' }, '/unit', /one of mmol\/L, mg\/dL: write mg\/dL$/],
    [{ readingType: 'acme.any', unit: 'kg' }, '/unit', /left out/],
    [{ readingType: 'symptom', unit: '' }, '/unit', /left out/],
    [{ limit: 5 }, '/limit', /not known/],
    [{ patientUid: '' }, '/patientUid', /1 to 128 characters/],
  ]
  for (const [query, pointer, message] of bad) {
    const answer = await ask(query)
    assertRefused(answer, 400, 'ValidationFailed')
    assert.equal(answer.json.errors[0]?.pointer, pointer, JSON.stringify(query))
    assert.match(answer.json.errors[0]?.message ?? '', message)
  }
  for (const missing of ['readingType', 'from', 'to']) {
    const query = Object.fromEntries(Object.entries(RANGE).filter(([name]) => name !== missing))
    const { json } = await askStatistics(rounds, query, { token: patient.token })
    assert.deepEqual(json.errors, [{ pointer: `/${missing}`, message: 'is required' }])
  }
  assertRefused(await ask({ from: 2, to: 1 }), 400, 'InvalidRange')
})

test('a type with more than 50 fields that are numbers is refused', async () => {
  const { add, patientUid, token } = await newPatient(rounds)
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]))
  for (const [readingType, count] of [
    ['acme.wide', 50],
    ['acme.wider', 51],
  ] as const) {
    await add({ patientUid, readingType, timestamp: 1_000, ...fields(count) })
  }
  const [wide, wider] = await Promise.all(
    ['acme.wide', 'acme.wider'].map((readingType) =>
      askStatistics(rounds, { ...RANGE, readingType }, { token }),
    ),
  )
  assert.equal(Object.keys(wide?.json.data[0]?.fields ?? {}).length, 50)
  assert.deepEqual([wider?.status, wider?.json.errors[0]?.pointer], [400, '/readingType'])
})

test('every read leaves its row in the access log, and a refused one none', async () => {
  const { accessLog, patientUid, token } = await patientWithReadings(
    rounds,
    [1_000, 2_000, 3_000],
    ['a', 'b'],
  )
  const query = { readingType: 'a', from: 1_000, to: 3_000 }
  await askStatistics(rounds, query, { token, headers: { 'x-request-id': 'by-the-patient' } })
  const staff = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })
  await askStatistics(
    rounds,
    { ...query, patientUid, to: 2_000 },
    { token: staff, headers: { 'x-request-id': 'by-staff' } },
  )
  const common = {
    page: 0,
    operation: 'readings/statistics',
    reading_types: ['a'],
    range_from: '1970-01-01 00:16:40+00',
  }
  assert.deepEqual(await accessLog(), [
    {
      ...common,
      request_id: 'by-the-patient',
      read_by: 'test',
      allowed_as: 'patient',
      range_to: '1970-01-01 00:50:00+00',
      readings_count: 2,
    },
    {
      ...common,
      request_id: 'by-staff',
      read_by: 'dr-invented',
      allowed_as: 'staff',
      range_to: '1970-01-01 00:33:20+00',
      readings_count: 1,
    },
  ])
  const other = await rounds.token({ patientUid: 'someone-else' })
  const asked = { token: other, headers: { 'x-request-id': 'same' } }
  const [ofOne, ofNobody] = [
    await askStatistics(rounds, { ...query, patientUid }, asked),
    await askStatistics(rounds, { ...query, patientUid: randomUUID() }, asked),
  ]
  assertRefused(ofOne, 403, 'PatientMismatch')
  assert.equal(ofOne.text, ofNobody.text)
  assert.equal((await accessLog()).length, 2)
})

test('statistics that the database stopped are refused for good, and stand in the access log', async () => {
  const { accessLog, patientUid, token } = await newPatient(rounds)
  const role = new URL(rounds.serveUrl).username
  // For the connections of the server one function takes longer than a statement may.
  await runSql(
    rounds.ownerUrl,
    `create schema slow;
     grant usage on schema slow to ${role};
     create function slow.date_trunc(text, timestamp) returns timestamp language sql volatile
       as $$ select pg_catalog.date_trunc($1, $2) from pg_catalog.pg_sleep(60) $$;
     alter role ${role} set search_path = slow, pg_catalog;
     select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
  )
  try {
    const began = performance.now()
    const stopped = await askStatistics(rounds, { ...RANGE, patientUid }, { token })
    const tookMs = performance.now() - began
    assertRefused(stopped, 400, 'ValidationFailed')
    assert.equal(stopped.json.errors[0]?.pointer, '/to')
    assert.ok(tookMs < 10_000, `it took ${tookMs} ms`)
    assert.deepEqual(
      (await accessLog()).map(({ operation, readings_count }) => [operation, readings_count]),
      [['readings/statistics', 0]],
    )
  } finally {
    await runSql(
      rounds.ownerUrl,
      `alter role ${role} reset search_path;
       select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    )
  }
})
