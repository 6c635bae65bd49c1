import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { askStatistics, type StatisticsQuery } from '../../../../test/support/statistics.ts'

const rounds = await startRounds()
const DAY = 86_400
// 2025-11-01T00:00:00Z, a Saturday.
const FROM = 1_761_955_200

/** A patient with these readings, an hour apart from FROM on unless they say when. */
async function patientWith(readings: Record<string, unknown>[], readingType = 'acme.any') {
  const patient = await newPatient(rounds)
  const { patientUid, token } = patient
  const sent = readings.map((fields, hour) => ({
    patientUid,
    readingType,
    timestamp: FROM + hour * 3_600,
    ...fields,
  }))
  if (sent.length > 0) assert.equal((await patient.add(sent)).status, 200)
  const ask = (query: StatisticsQuery = {}, headers: Record<string, string> = {}, as = token) =>
    askStatistics(rounds, { readingType, from: FROM, to: FROM + DAY - 1, ...query }, { token: as, headers })
  return { ...patient, ask }
}

test('each bucket has its bounds, its count, and the summary of each field', async () => {
  const { ask } = await patientWith(
    [70, 88, 64, 72].map((value) => ({ value })),
    'heartRate',
  )
  const { status, json, headers } = await ask({ to: FROM + 2 * DAY - 1 })
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
  assert.deepEqual(json, {
    code: 'Ok',
    message: 'Statistics obtained successfully.',
    data: [
      {
        start: '2025-11-01T00:00:00.000Z',
        end: '2025-11-02T00:00:00.000Z',
        localStart: '2025-11-01T00:00:00+00:00',
        count: 4,
        // p95 stands at place 2.85 of the places 0 to 3: 72 + 0.85 × 16.
        fields: {
          value: { count: 4, min: 64, max: 88, mean: 73.5, p50: 71, p95: 85.6, first: 70, last: 72 },
        },
      },
      {
        start: '2025-11-02T00:00:00.000Z',
        end: '2025-11-03T00:00:00.000Z',
        localStart: '2025-11-02T00:00:00+00:00',
        count: 0,
        fields: {},
      },
    ],
    units: { value: '/min' },
  })
})

test('readings between from and to count, both included, and buckets stay whole', async () => {
  const { ask } = await patientWith([1, 2, 4, 8].map((value) => ({ value })))
  const { json } = await ask({
    from: FROM + 3_600,
    to: FROM + 7_200,
    bucket: 'week',
    timeZone: 'Asia/Kolkata',
  })
  const [{ start, end, localStart, count, fields } = assert.fail()] = json.data
  assert.deepEqual(
    [json.data.length, start, end, localStart],
    [1, '2025-10-26T18:30:00.000Z', '2025-11-02T18:30:00.000Z', '2025-10-27T00:00:00+05:30'],
  )
  assert.deepEqual([count, fields['value']?.min, fields['value']?.max], [2, 2, 4])
})

test('values come in the unit asked for, else in the first of the type, whichever they were sent in', async () => {
  const { ask, patientUid } = await patientWith(
    [
      { value: 98.6, unit: '[degF]' },
      { value: 36, unit: 'Cel' },
    ],
    'bodyTemperature',
  )
  // From before the unit was required: the first of the type is meant.
  await store(patientUid, 'bodyTemperature', ['{"value":37}'])
  const celsius = (await ask()).json
  assert.deepEqual(celsius.units, { value: 'Cel' })
  assert.deepEqual(celsius.data[0]?.fields['value']?.count, 3)
  assert.ok(Math.abs((celsius.data[0]?.fields['value']?.mean ?? 0) - 110 / 3) < 1e-9)
  const fahrenheit = (await ask({ unit: '[degF]' })).json
  assert.deepEqual(fahrenheit.units, { value: '[degF]' })
  const { min = 0, max = 0, last = 0 } = fahrenheit.data[0]?.fields['value'] ?? {}
  for (const [value, expected] of [
    [min, 96.8],
    [max, 98.6],
    [last, 96.8],
  ] as const) {
    assert.ok(Math.abs(value - expected) < 1e-9, `${value}`)
  }
})

test('each quantity of a type has a summary of its own, in a unit of its own, where it occurs', async () => {
  const { ask } = await patientWith(
    [
      { systolic: 120, diastolic: 80 },
      { systolic: 140, diastolic: 90, pulse: 70, position: 'sitting', note: 7 },
    ],
    'bloodPressure',
  )
  const { data, units } = (await ask()).json
  assert.deepEqual([data[0]?.count, units], [2, { systolic: 'mm[Hg]', diastolic: 'mm[Hg]', pulse: '/min' }])
  const means = Object.entries(data[0]?.fields ?? {}).map(([name, { count, mean }]) => [name, count, mean])
  assert.deepEqual(means, [
    ['diastolic', 2, 85],
    ['pulse', 1, 70],
    ['systolic', 2, 130],
  ])
})

test('one measurement counts once, however often it was sent', async () => {
  const fahrenheit = { value: 38 * 1.8 + 32, unit: '[degF]' }
  const { ask } = await patientWith(
    [
      { value: 38, unit: 'Cel' },
      { value: 38, unit: 'Cel', timestamp: FROM, app: 'second' },
      { value: 37, unit: 'Cel', timestamp: FROM * 1_000 + 300 },
      { ...fahrenheit, timestamp: FROM * 1_000 + 999 },
      // A second later.
      { value: 38, unit: 'Cel', timestamp: FROM * 1_000 + 1_000 },
    ],
    'bodyTemperature',
  )
  const [temperature] = (await ask()).json.data
  assert.deepEqual([temperature?.count, temperature?.fields['value']?.count], [3, 3])
  assert.deepEqual(temperature?.fields['value']?.p50, 38)
})

test('of equal readings of one second one counts, each field by itself, and symptoms by text and severity', async () => {
  const at = { timestamp: FROM }
  const pressure = await patientWith(
    [
      { systolic: 120, diastolic: 80, ...at },
      { systolic: 120, diastolic: 80, ...at, app: 'second' },
      { systolic: 120, diastolic: 90, ...at },
      { systolic: 120, diastolic: 80, pulse: 70, ...at },
    ],
    'bloodPressure',
  )
  const [day] = (await pressure.ask()).json.data
  const counts = Object.entries(day?.fields ?? {}).map(([name, { count }]) => [name, count])
  assert.deepEqual(
    [day?.count, counts],
    [
      2,
      [
        ['diastolic', 2],
        ['pulse', 1],
        ['systolic', 1],
      ],
    ],
  )
  const symptom = (severity: string, beside = {}) => ({
    symptoms: [{ symptom: 'tired', severity }],
    ...at,
    ...beside,
  })
  const tired = await patientWith(
    [symptom('MILD'), symptom('MILD', { app: 'second' }), symptom('SEVERE')],
    'symptom',
  )
  assert.equal((await tired.ask()).json.data[0]?.count, 2)
})

/** Stores what an add would refuse, as it may have come before there were checks. */
const store = (patientUid: string, readingType: string, details: string[]) =>
  runSql(
    rounds.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp($2::float8), gen_random_uuid(), $3, $2, details, 'test'
     from unnest($4::json[]) as details`,
    [patientUid, FROM + 60, readingType, details],
  )

test('what is stored of a type of the catalogue and is no number of a known unit counts as a reading alone', async () => {
  const { ask, patientUid } = await patientWith([{ value: 5.5, unit: 'mmol/L' }], 'bloodGlucose')
  const values = ['{"value":"6.1"}', '{"value":null}', '{"value":[1]}', '{}']
  await store(patientUid, 'bloodGlucose', [
    ...values,
    '{"value":90,"unit":"bananas"}',
    '{"value":99,"unit":7}',
    '{"value":6.5,"unit":null,"device":{"unit":"mg/dL"}}',
  ])
  const { count, fields } = (await ask()).json.data[0] ?? {}
  assert.deepEqual([count, fields?.['value']?.count, fields?.['value']?.max], [8, 2, 6.5])
  // A quantity with a unit of its own does not go by the reading's.
  await store(patientUid, 'bloodPressure', ['{"systolic":16,"diastolic":11,"pulse":70,"unit":"kPa"}'])
  const pressure = (await ask({ readingType: 'bloodPressure' })).json.data[0]
  assert.deepEqual([pressure?.count, Object.keys(pressure?.fields ?? {})], [1, ['pulse']])
})

test('of any other type every field that is a number counts, and junk beside it fails nothing', async () => {
  const { ask } = await patientWith([
    { value: 1, 'a "b" \\ c': -2.5, toString: 3 },
    { value: '2', nested: { value: 9 }, list: [1, 2], flag: true, nothing: null },
    { value: 3e99, tiny: 1e-99, unit: 12 },
    { value: 1e300, tiny: 1e-300, other: -1e100 },
    { value: '-', text: '5', date: '2025-11-01' },
    {},
  ])
  const { status, json } = await ask()
  assert.equal(status, 200)
  const [{ count, fields } = assert.fail()] = json.data
  assert.equal(count, 6)
  assert.deepEqual(json.units, {})
  assert.deepEqual(
    Object.entries(fields).map(([name, summary]) => [name, summary.count, summary.first]),
    [
      ['a "b" \\ c', 1, -2.5],
      ['tiny', 1, 1e-99],
      ['toString', 1, 3],
      ['unit', 1, 12],
      ['value', 2, 1],
    ],
  )
})

test('a type whose name every object knows is a type like any other', async () => {
  for (const readingType of ['constructor', '__proto__', 'toString', 'symptom']) {
    const { status, json } = await (await patientWith([])).ask({ readingType })
    assert.deepEqual([status, json.data[0]?.count, json.units], [200, 0, {}])
  }
})
