import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'
import { newPatient, patientWithReadings, sequencesOf } from '../../../../test/support/patient.ts'

const rounds = await startRounds()
const LATEST = '/casesheet/readings/latest'

const latest = (token: string, query = '', headers: Record<string, string> = {}) =>
  rounds.call(`${LATEST}${query}`, { token, headers })

test('latest answers the newest reading of each type, in order of the types, each as readings/get has it', async () => {
  const { get, token } = await patientWithReadings(rounds, [1, 2, 3, 4, 5, 6, 7], ['b', 'a', 'c'])
  const { status, json, headers } = await latest(token)
  assert.deepEqual(
    [status, Object.keys(json), json.code],
    [200, ['code', 'message', 'data', 'typesBeyond'], 'Ok'],
  )
  assert.deepEqual(sequencesOf(json.data), [4, 6, 5])
  assert.equal(headers.get('cache-control'), 'no-store')
  const { json: all } = await get()
  assert.deepEqual(
    json.data,
    [4, 6, 5].map((sequence) => all.data[sequence]),
  )
})

test('the newest is the one measured last, whenever it arrived and in whichever unit its time was sent', async () => {
  const { token } = await patientWithReadings(rounds, [1_762_000_000, 1_762_000_000_500, 1_600_000_000_000])
  assert.deepEqual(sequencesOf((await latest(token)).json.data), [1])
})

test('of several readings of one instant it is the one that readings/get lists last', async () => {
  const { get, token } = await patientWithReadings(rounds, Array(9).fill(1_762_000_000))
  const { json } = await get()
  assert.deepEqual((await latest(token)).json.data, json.data.slice(-1))
})

test('only the types asked for come, each once, and none for a type that was never sent', async () => {
  const { token } = await patientWithReadings(rounds, [1, 2, 3, 4], ['a', 'b', 'c.d', 'symptom.'])
  const asked = await latest(token, '?readingType=c.d&readingType=a&readingType=c&readingType=c.d')
  assert.deepEqual(sequencesOf(asked.json.data), [0, 2])
  assert.deepEqual((await latest(token, '?readingType=B')).json.data, [])
  assert.deepEqual((await latest((await newPatient(rounds)).token)).json.data, [])
})

test('patients do not see each other, also when their requests share a statement', async () => {
  const patients = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const { patientUid } = await patientWithReadings(
        rounds,
        [10 + index, 30 + index],
        [`type-${index}`, 'shared'],
      )
      // One subject may ask for 20 at a time.
      return { patientUid, token: await rounds.token({ patientUid, sub: patientUid }) }
    }),
  )
  const answers = await Promise.all(
    patients.flatMap(({ token }) => [latest(token), latest(token, '?readingType=shared')]),
  )
  for (const [index, { patientUid }] of patients.entries()) {
    const [ofAll, ofOne] = answers.slice(index * 2, index * 2 + 2).map(({ json }) => json.data)
    assert.deepEqual(
      ofAll?.map(({ readingType, timestamp }) => [readingType, timestamp]),
      [
        ['shared', 30 + index],
        [`type-${index}`, 10 + index],
      ],
    )
    assert.deepEqual([ofOne?.length, ofOne?.[0]?.['patientUid']], [1, patientUid])
  }
})

test('a patient of more than 200 types is asked to name those that are wanted', async () => {
  const types = Array.from({ length: 201 }, (_, index) => `type-${String(index).padStart(3, '0')}`)
  const { accessLog, add, patientUid, token } = await newPatient(rounds)
  const readings = types.map((readingType) => ({ patientUid, readingType, timestamp: 1_000 }))
  assert.equal((await add(readings.slice(0, 200))).status, 200)
  assert.deepEqual(
    (await latest(token)).json.data.map(({ readingType }) => readingType),
    types.slice(0, 200),
  )
  assert.equal((await add(readings.slice(200))).status, 200)
  const refused = await latest(token)
  assertRefused(refused, 400, 'ValidationFailed')
  assert.equal(refused.json.errors[0]?.pointer, '/readingType')
  assert.deepEqual(
    (await accessLog()).map((row) => row['readings_count']),
    [200],
  )
  assert.equal((await latest(token, '?readingType=type-200')).json.data.length, 1)
})

test('more than a mebibyte of readings is refused without a trace, and fewer types of them are answered', async () => {
  const { accessLog, add, patientUid, token } = await newPatient(rounds)
  const types = Array.from({ length: 20 }, (_, index) => `type-${String(index).padStart(2, '0')}`)
  const note = 'x'.repeat(64_000)
  for (const readingType of types)
    assert.equal((await add({ patientUid, readingType, timestamp: 1_000, note })).status, 200)
  const named = (count: number) =>
    `?${types
      .slice(0, count)
      .map((type) => `readingType=${type}`)
      .join('&')}`
  for (const [query, message] of [
    ['', /^is required: .* 1 MiB/],
    [named(17), /^must name fewer types: .* 1 MiB/],
  ] as const) {
    const refused = await latest(token, query)
    assertRefused(refused, 400, 'ValidationFailed')
    assert.equal(refused.json.errors[0]?.pointer, '/readingType')
    assert.match(refused.json.errors[0]?.message ?? '', message)
  }
  assert.deepEqual(await accessLog(), [])
  for (const count of [1, 2, 16]) {
    const { json, text } = await latest(token, named(count))
    assert.deepEqual(
      json.data.map(({ readingType }) => readingType),
      types.slice(0, count),
    )
    assert.ok(text.length < 1_100_000)
  }
  assert.equal((await accessLog()).length, 3)
})

test('a query that is not as described is 400, pointing at the parameter', async () => {
  const { token } = await newPatient(rounds)
  const bad: Record<string, string> = {
    'readingType=a%20b': '/readingType/0',
    'readingType=': '/readingType/0',
    [Array.from({ length: 51 }, (_, index) => `readingType=t${index}`).join('&')]: '/readingType',
    'patientUid=': '/patientUid',
    'patientUid=a&patientUid=b': '/patientUid',
    'from=1': '/from',
    'limit=1': '/limit',
    'to=': '/to',
    'to=-1': '/to',
    'to=1e3': '/to',
    'to=253402300800000': '/to',
    'to=1&to=2': '/to',
  }
  for (const [query, pointer] of Object.entries(bad)) {
    const { status, json } = await latest(token, `?${query}`)
    assert.deepEqual([status, json.code, json.errors[0]?.pointer], [400, 'ValidationFailed', pointer], query)
  }
})

test('every read leaves its row in the access log, and a refused one none', async () => {
  const { accessLog, patientUid, token } = await patientWithReadings(
    rounds,
    [1_000, 2_000, 3_000],
    ['a', 'b'],
  )
  const staff = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })
  await latest(token, '?readingType=b&readingType=none&to=2000.0625', { 'x-request-id': 'by-the-patient' })
  await latest(staff, `?patientUid=${patientUid}&to=253402300799999`, { 'x-request-id': 'by-staff' })
  const common = { page: 0, operation: 'readings/latest', range_from: '-infinity' }
  assert.deepEqual(await accessLog(), [
    {
      ...common,
      range_to: '1970-01-01 00:33:20.0625+00',
      request_id: 'by-the-patient',
      read_by: 'test',
      allowed_as: 'patient',
      reading_types: ['b', 'none'],
      readings_count: 1,
    },
    {
      ...common,
      range_to: '9999-12-31 23:59:59.999+00',
      request_id: 'by-staff',
      read_by: 'dr-invented',
      allowed_as: 'staff',
      reading_types: null,
      readings_count: 2,
    },
  ])
  const other = await rounds.token({ patientUid: 'someone-else' })
  const same = { 'x-request-id': 'same' }
  const [ofOne, ofNobody] = [
    await latest(other, `?patientUid=${patientUid}`, same),
    await latest(other, `?patientUid=${randomUUID()}`, same),
  ]
  assertRefused(ofOne, 403, 'PatientMismatch')
  assert.equal(ofOne.text, ofNobody.text)
  assert.equal((await accessLog()).length, 2)
})
