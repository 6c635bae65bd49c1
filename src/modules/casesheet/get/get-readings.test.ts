import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientWithReadings, sequencesOf } from '../../../../test/support/patient.ts'

const rounds = await startRounds()

const patientWith = (timestamps: number[], readingTypes?: string[]) =>
  patientWithReadings(rounds, timestamps, readingTypes)

test('get answers code, message, data and nextCursor', async () => {
  const { get, patientUid } = await patientWith([1_762_000_000_000])
  const { status, json, headers } = await get({ patientUid })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(json), ['code', 'message', 'data', 'nextCursor'])
  assert.deepEqual([json.code, json.data.length, json.nextCursor], ['Ok', 1, null])
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('both ends of a range are included, and either may be left out', async () => {
  const { get } = await patientWith([1_000, 2_000, 3_000, 4_000])
  assert.deepEqual(sequencesOf((await get({ from: 2_000, to: 3_000 })).json.data), [1, 2])
  assert.deepEqual(sequencesOf((await get({ from: 3_000 })).json.data), [2, 3])
  assert.deepEqual(sequencesOf((await get({ to: 1_000 })).json.data), [0])
  assert.deepEqual(sequencesOf((await get({ from: 1_001, to: 1_999 })).json.data), [])
  assert.deepEqual(sequencesOf((await get({ from: 2_000, to: 2_000 })).json.data), [1])
})

test('a range asked in one unit finds readings sent in the other', async () => {
  const { get } = await patientWith([1_500_000_000, 1_500_000_000_500])
  assert.deepEqual(sequencesOf((await get({ from: 1_500_000_000, to: 1_500_000_001 })).json.data), [0, 1])
  assert.deepEqual(
    sequencesOf((await get({ from: 1_500_000_000_001, to: 1_500_000_001_000 })).json.data),
    [1],
  )
  assert.deepEqual(sequencesOf((await get({ from: '1500000000.25', to: '1500000000.75' })).json.data), [1])
})

test('newest first, and only the types asked for', async () => {
  const { get } = await patientWith([1, 2, 3, 4, 5, 6], ['a', 'b', 'c'])
  assert.deepEqual(sequencesOf((await get({ order: 'desc' })).json.data), [5, 4, 3, 2, 1, 0])
  assert.deepEqual(sequencesOf((await get({ readingType: 'b' })).json.data), [1, 4])
  const two = await rounds.call('/casesheet/readings/get?readingType=a&readingType=c&order=desc', {
    token: (await patientWith([])).token,
  })
  assert.deepEqual(two.json.data, [])
})

test('from after to is an InvalidRange, also across units', async () => {
  const { get } = await patientWith([])
  for (const query of [
    { from: 2_000, to: 1_000 },
    { from: 1_500_000_000_001, to: 1_500_000_000 },
  ]) {
    assert.deepEqual((await get(query)).json.code, 'InvalidRange')
  }
})

test('a query that is not as described is 400, pointing at the parameter', async () => {
  const { token } = await patientWith([])
  const bad: Record<string, string> = {
    'from=abc': '/from',
    'from=': '/from',
    'from=%20': '/from',
    'from=0x10': '/from',
    'from=1e3': '/from',
    'from=-1': '/from',
    'from=1&from=2': '/from',
    'to=99999999999999999999': '/to',
    'to=253402300800000': '/to',
    'limit=0': '/limit',
    'limit=1001': '/limit',
    'limit=1.5': '/limit',
    'limit=': '/limit',
    'order=down': '/order',
    'readingType=a%20b': '/readingType/0',
    'patientUid=': '/patientUid',
    'patientUid=a&patientUid=b': '/patientUid',
    'patientUid[]=a': '/patientUid[]',
    'unknown=1': '/unknown',
    'cursor=a&cursor=b': '/cursor',
    'patientUid=a%0Ab': '/patientUid',
  }
  for (const [query, pointer] of Object.entries(bad)) {
    const { status, json } = await rounds.call(`/casesheet/readings/get?${query}`, { token })
    assert.deepEqual([status, json.code], [400, 'ValidationFailed'], query)
    assert.equal(json.errors[0]?.pointer, pointer, query)
  }
  for (const query of ['patientUid=%00', 'patientUid=%ff', 'patientUid=%zz', 'patientUid=%']) {
    assert.equal((await rounds.call(`/casesheet/readings/get?${query}`, { token })).status, 400, query)
  }
})

test('patientUid may be left out only when the token names exactly one', async () => {
  const { get, patientUid } = await patientWith([1_000])
  assert.equal((await get()).json.data.length, 1)
  const carer = await rounds.token({ patientUid: ['kid-1', patientUid] })
  assert.deepEqual((await get({}, { as: carer })).json.errors[0]?.pointer, '/patientUid')
  assert.equal((await get({ patientUid }, { as: carer })).json.data.length, 1)
  const staff = await rounds.token({ scope: 'readings:read' })
  assert.deepEqual((await get({}, { as: staff })).json.errors[0]?.pointer, '/patientUid')
})

test('every read leaves its row in the access log, with who, why and what', async () => {
  const { accessLog, get, patientUid } = await patientWith([1_000, 2_000, 3_000])
  const staff = await rounds.token({ sub: 'dr-invented', scope: 'openid readings:read' })
  await get({ from: 1_000, to: 2_000, readingType: 'acme.step' }, { requestId: 'by-the-patient' })
  await get({ patientUid, limit: 2, order: 'desc' }, { as: staff, requestId: 'by-staff' })
  await get({ patientUid, from: 9_000 }, { as: staff, requestId: 'nothing-found' })
  assert.deepEqual(await accessLog(), [
    {
      request_id: 'by-the-patient',
      page: 0,
      read_by: 'test',
      allowed_as: 'patient',
      operation: 'readings/get',
      range_from: '1970-01-01 00:16:40+00',
      range_to: '1970-01-01 00:33:20+00',
      reading_types: ['acme.step'],
      readings_count: 2,
    },
    {
      request_id: 'by-staff',
      page: 0,
      read_by: 'dr-invented',
      allowed_as: 'staff',
      operation: 'readings/get',
      range_from: '-infinity',
      range_to: 'infinity',
      reading_types: null,
      readings_count: 2,
    },
    {
      request_id: 'nothing-found',
      page: 0,
      read_by: 'dr-invented',
      allowed_as: 'staff',
      operation: 'readings/get',
      range_from: '1970-01-01 02:30:00+00',
      range_to: 'infinity',
      reading_types: null,
      readings_count: 0,
    },
  ])
})

test('a refused read leaves no row, and says the same of a patient who does not exist', async () => {
  const { accessLog, get, patientUid } = await patientWith([1_000])
  const other = await rounds.token({ patientUid: 'someone-else' })
  const answers = [
    await get({ patientUid }, { as: other, requestId: 'same' }),
    await get({ patientUid: randomUUID() }, { as: other, requestId: 'same' }),
  ]
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.code]),
    [
      [403, 'PatientMismatch'],
      [403, 'PatientMismatch'],
    ],
  )
  assert.equal(answers[0]?.text, answers[1]?.text)
  assert.deepEqual(await accessLog(), [])
})
