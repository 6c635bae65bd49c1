// What reports refuse, what they show under a grant, and what they leave in the access log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../../../../test/support/harness.ts'
import { newReportPatient } from '../../../../test/support/reports.ts'
import { createDoctor, createSharedPatient, NOON } from '../../../../test/support/shared-patient.ts'

const rounds = await startRounds({ STAFF_REASON: 'required' })
const RANGE = { from: 0, to: 86_400 }
const OWN: Record<string, Record<string, string>> = {
  glucose: {},
  'blood-pressure': {},
  'days-with-data': {},
  'time-in-target': { readingType: 'heartRate' },
}

test('a query that is not as described is 400, pointing at the parameter', async () => {
  const { ask } = await newReportPatient(rounds)
  const bad: [query: Record<string, string | number>, pointer: string, message: RegExp][] = [
    [{ from: 'abc' }, '/from', /epoch seconds or milliseconds/],
    [{ to: -1 }, '/to', /epoch seconds or milliseconds/],
    [{ to: 400 * 86_400 + 0.001 }, '/to', /at most 400 days after from/],
    [{ timeZone: 'CET' }, '/timeZone', /IANA time zone/],
    [{ timeZone: 'Nowhere/City' }, '/timeZone', /IANA time zone/],
    [{ limit: 5 }, '/limit', /not known/],
    [{ patientUid: '' }, '/patientUid', /1 to 128 characters/],
  ]
  for (const [report, own] of Object.entries(OWN)) {
    for (const [query, pointer, message] of bad) {
      const answer = await ask(report, { ...RANGE, ...own, ...query })
      assertRefused(answer, 400, 'ValidationFailed')
      assert.equal(answer.json.errors[0]?.pointer, pointer, `${report} ${JSON.stringify(query)}`)
      assert.match(answer.json.errors[0]?.message ?? '', message)
    }
    assertRefused(await ask(report, { ...own, from: 2, to: 1 }), 400, 'InvalidRange')
    assert.equal((await ask(report, { ...own, from: 0, to: 400 * 86_400 })).status, 200)
  }
  const others: [report: string, query: Record<string, string>, pointer: string, message: RegExp][] = [
    ['glucose', { unit: 'mg/dl' }, '/unit', /one of/],
    ['time-in-target', {}, '/readingType', /required/],
    ['time-in-target', { readingType: 'acme.any' }, '/readingType', /type of the catalogue/],
    ['time-in-target', { readingType: 'note' }, '/readingType', /type of the catalogue that has numbers/],
    ['time-in-target', { readingType: 'heartrate' }, '/readingType', /must be written heartRate/],
    ['time-in-target', { readingType: 'constructor' }, '/readingType', /type of the catalogue/],
    ['blood-pressure', { readingType: 'heartRate' }, '/readingType', /not known/],
  ]
  for (const [report, query, pointer, message] of others) {
    const answer = await ask(report, { ...RANGE, ...query })
    assertRefused(answer, 400, 'ValidationFailed')
    assert.equal(answer.json.errors[0]?.pointer, pointer, JSON.stringify(query))
    assert.match(answer.json.errors[0]?.message ?? '', message)
  }
})

test('every report leaves its row in the access log, with its range and what it looked at', async () => {
  const { patientUid, add, ask, accessLog } = await newReportPatient(rounds)
  const readings = [
    { readingType: 'interstitialGlucose', value: 100, unit: 'mg/dL' },
    { readingType: 'bloodPressure', systolic: 120, diastolic: 80 },
    { readingType: 'bloodPressure', systolic: 121, diastolic: 80 },
    { readingType: 'heartRate', value: 60 },
  ]
  await add(readings.map((fields, nth) => ({ patientUid, timestamp: 1_000 + nth, ...fields })))
  for (const [report, own] of Object.entries(OWN))
    assert.equal((await ask(report, { ...RANGE, ...own })).status, 200)
  await ask('days-with-data', { ...RANGE, readingType: 'bloodPressure' })
  const staff = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })
  assertRefused(await ask('glucose', { ...RANGE, patientUid }, { token: staff }), 403, 'ReasonRequired')
  const headers = { 'x-access-reason': 'Emergency' }
  assert.equal((await ask('glucose', { ...RANGE, patientUid }, { token: staff, headers })).status, 200)
  assert.deepEqual(
    (await accessLog()).map(
      ({ operation, reading_types, readings_count, allowed_as, range_from, range_to }) => {
        assert.deepEqual([range_from, range_to], ['1970-01-01 00:00:00+00', '1970-01-02 00:00:00+00'])
        return [operation, reading_types, readings_count, allowed_as]
      },
    ),
    [
      ['reports/glucose', ['interstitialGlucose'], 1, 'patient'],
      ['reports/blood-pressure', ['bloodPressure'], 2, 'patient'],
      ['reports/days-with-data', null, 4, 'patient'],
      ['reports/time-in-target', ['heartRate'], 1, 'patient'],
      ['reports/days-with-data', ['bloodPressure'], 2, 'patient'],
      ['reports/glucose', ['interstitialGlucose'], 1, 'staff'],
    ],
  )
})

test('another patient is refused with the same words, whether or not there is one', async () => {
  const { patientUid, ask, accessLog } = await newReportPatient(rounds)
  const token = await rounds.token({ patientUid: 'someone-else' })
  const { token: doctor } = await createDoctor(rounds)
  for (const [report, own] of Object.entries(OWN)) {
    for (const [as, code] of [
      [token, 'PatientMismatch'],
      [doctor, 'NotShared'],
    ] as const) {
      const headers = { 'x-request-id': 'same' }
      const ofOne = await ask(report, { ...RANGE, ...own, patientUid }, { token: as, headers })
      const ofNobody = await ask(
        report,
        { ...RANGE, ...own, patientUid: randomUUID() },
        { token: as, headers },
      )
      assertRefused(ofOne, 403, code)
      assert.equal(ofOne.text, ofNobody.text)
    }
  }
  assert.deepEqual(await accessLog(), [])
})

test('a doctor sees reports of the types that are shared, and empty ones of others, which say so', async () => {
  const shared = await createSharedPatient(rounds)
  const { patientUid, patient } = shared
  const call = (path: string, token: string, body?: object) => rounds.call(path, { token, body })
  await call('/casesheet/readings/add', patient, [
    { patientUid, timestamp: NOON, readingType: 'interstitialGlucose', value: 100, unit: 'mg/dL' },
    { patientUid, timestamp: NOON, readingType: 'bloodPressure', systolic: 120, diastolic: 80 },
  ])
  for (const body of [
    { readingType: 'interstitialGlucose', unit: 'mg/dL', fields: { value: { low: 70, high: 180 } } },
    { readingType: 'bloodPressure', fields: { systolic: { high: 135 } } },
    { readingType: 'heartRate', fields: { value: { low: 40, high: 60 } } },
  ])
    assert.equal((await call('/care/targets/set', patient, { patientUid, ...body })).status, 200)
  const { doctorId, token } = await createDoctor(rounds)
  const readingTypes = ['heartRate', 'interstitialGlucose']
  await shared.give(doctorId, { readingTypes, permission: 'manage' })
  const range = `patientUid=${patientUid}&from=${NOON - 60}&to=${NOON + 600}`
  async function read(report: string) {
    const { status, text, headers } = await call(`/care/reports/${report}${range}`, token)
    assert.equal(status, 200, text)
    assert.equal(headers.get('x-limited-to'), readingTypes.join())
    const { data, limitedTo } = JSON.parse(text) as { data: Record<string, unknown>; limitedTo: string[] }
    assert.deepEqual(limitedTo, readingTypes)
    return data
  }
  // Never by the patient's own, in any report of a doctor; so the doctor sets one for the heart rate.
  const glucose = await read('glucose?')
  assert.deepEqual([glucose['readings'], glucose['bandsFrom'], glucose['target']], [1, 'consensus', null])
  const forHeart = { readingType: 'heartRate', expectEvery: null, fields: { value: { high: 60 } } }
  assert.equal((await call('/care/targets/set', token, { patientUid, ...forHeart })).status, 200)
  const pressure = await read('blood-pressure?')
  assert.deepEqual([pressure['readings'], pressure['target'], pressure['highest']], [0, null, null])
  const ofOthers = await read('time-in-target?readingType=bloodPressure&')
  assert.deepEqual([ofOthers['readings'], ofOthers['inTarget'], ofOthers['fields']], [0, null, {}])
  assert.equal((await read('time-in-target?readingType=heartRate&'))['inTarget'], 3)
  // Three of the heart rate and one of the sensor.
  assert.deepEqual((await read('days-with-data?'))['dates'], [
    { date: '2025-11-02', readings: 4, fromDevices: 0 },
  ])
  assert.equal((await read('days-with-data?readingType=bloodPressure&'))['daysWithData'], 0)
  const log = await runSql(
    rounds.ownerUrl,
    `select operation, reading_types, readings_count from casesheet.access_log
     where patient_uid = $1 and doctor_id = $2 order by at`,
    [patientUid, doctorId],
  )
  assert.deepEqual(
    log.map((row) => Object.values(row)),
    [
      ['reports/glucose', ['interstitialGlucose'], 1],
      ['reports/blood-pressure', [], 0],
      ['reports/time-in-target', [], 0],
      ['reports/time-in-target', ['heartRate'], 3],
      ['reports/days-with-data', readingTypes, 4],
      ['reports/days-with-data', [], 0],
    ],
  )
  await shared.revoke(doctorId)
  assertRefused(await call(`/care/reports/glucose?${range}`, token), 403, 'NotShared')
})
