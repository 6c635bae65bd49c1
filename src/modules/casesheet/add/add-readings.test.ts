import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runSql, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'

const rounds = await startRounds()

/** What was sent, out of what came back. */
function asSent({ readingId, measuredAt, receivedAt, ...sent }: Record<string, unknown>) {
  for (const given of [readingId, measuredAt, receivedAt]) assert.equal(typeof given, 'string')
  return sent
}

test('add answers exactly code and message', async () => {
  const { add, symptom } = await newPatient(rounds)
  const { status, json } = await add(symptom(1_762_000_000_000))
  assert.equal(status, 200)
  assert.deepEqual(json, { code: 'Ok', message: 'The reading was added successfully.' })
})

test('a reading comes back as it was sent, with unknown fields', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const sent = symptom(1_762_000_000_500, {
    device: { model: 'X1', tags: [1, 2.5, null, true, 'ünïcode 😀', '"\\\n', 1e-7, 1e300] },
    note: '',
    'odd/key~': {},
    '12': 'number-like keys',
  })
  assert.equal((await add(sent)).status, 200)
  assert.deepEqual((await stored()).map(asSent), [sent])
})

test('any JSON fields at all survive the journey', async () => {
  const { patientUid, add, stored } = await newPatient(rounds)
  const field = fc.jsonValue({ maxDepth: 5, noUnicodeString: false })
  const details = fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), field, { maxKeys: 5 })
  const sent = fc
    .sample(details, { numRuns: 300, seed: 20261115 })
    .filter((value) => !/\\u0000|__proto__|constructor/.test(JSON.stringify(value)))
    .map((value, index) => ({
      ...value,
      patientUid,
      readingType: 'acme.any',
      timestamp: 1_700_000_000 + index,
    }))
  assert.ok(sent.length > 200)
  const answer = await add(sent)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual((await stored()).map(asSent), sent)
})

test('epoch seconds and milliseconds are each returned as sent, beside the instant they mean', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const instants = new Map([
    [0, '1970-01-01T00:00:00.000Z'],
    [1_500_000_000, '2017-07-14T02:40:00.000Z'],
    [1_500_000_000.25, '2017-07-14T02:40:00.250Z'],
    [1_500_000_000.000_001, '2017-07-14T02:40:00.000001Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    [1_762_000_000_500, '2025-11-01T12:26:40.500Z'],
    [1_762_000_000_500.125, '2025-11-01T12:26:40.500125Z'],
    [253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
  ])
  assert.equal((await add([...instants.keys()].map((timestamp) => symptom(timestamp)))).status, 200)
  const found = new Map((await stored()).map(({ timestamp, measuredAt }) => [timestamp, measuredAt]))
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(instants))
})

test('sixty copies at once, with their fields in any order, are stored once and each answered Ok', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const copy = symptom(1_763_000_000_000, { device: { a: 1, b: [2] } })
  const reversed = Object.fromEntries(Object.entries(copy).toReversed())
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => add(index % 2 ? copy : reversed)),
  )
  assert.deepEqual(new Set(answers.map(({ json }) => json.code)), new Set(['Ok']))
  assert.equal((await stored()).length, 1)
})

test('lists that share readings in opposite orders never fail each other', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const list = Array.from({ length: 200 }, (_, index) => symptom(1_763_000_000_000 + index))
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => add(index % 2 ? list : list.toReversed())),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await stored()).length, 200)
})

test('readings that differ in anything are different readings', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const base = symptom(1_763_100_000_000)
  const others = [
    { note: 'x' },
    { note: '1' },
    { note: 1 },
    { note: null },
    { note: [1] },
    { symptoms: [{ symptom: 'cough', severity: 'MILD' }] },
    { timestamp: 1_763_100_000 },
  ]
  for (const other of others) assert.equal((await add({ ...base, ...other })).status, 200)
  assert.equal((await stored()).length, others.length)
})

test('a list with one bad reading stores none, and the error points into the list', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const { status, json } = await add([
    symptom(1_765_000_000_000),
    symptom(1_765_000_000_001, { symptoms: [] }),
  ])
  assert.equal(status, 400)
  assert.deepEqual(json.errors, [{ pointer: '/1/symptoms', message: 'must be a list of 1 to 100 symptoms' }])
  assert.deepEqual(await stored(), [])
})

test('a list may hold 1,000 readings and no more', async () => {
  const { add, stored, symptom } = await newPatient(rounds)
  const list = Array.from({ length: 1_001 }, (_, index) => symptom(1_763_000_000_000 + index))
  assert.equal((await add(list)).json.code, 'ValidationFailed')
  assert.equal((await add(list.slice(1))).json.message, 'The readings were added successfully.')
  assert.equal((await stored()).length, 1_000)
})

test('the staff scope does not let anyone add, and another patient is refused in a list too', async () => {
  const { patientUid, token, symptom } = await newPatient(rounds)
  const staff = await rounds.token({ scope: 'readings:read readings:write' })
  const asStaff = await rounds.call('/casesheet/readings/add', { token: staff, body: symptom(1) })
  assert.deepEqual([asStaff.status, asStaff.json.code], [403, 'PatientNotInToken'])
  const body = [symptom(1), symptom(2, { patientUid: `${patientUid}-other` })]
  const mixed = await rounds.call('/casesheet/readings/add', { token, body })
  assert.deepEqual([mixed.status, mixed.json.code], [403, 'PatientMismatch'])
})

test('who added a reading, how large its text is and when it arrived is stored; nobody where it was the patient', async () => {
  const { patientUid, symptom } = await newPatient(rounds)
  for (const [number, sub] of ['phone-of-the-parent', patientUid].entries()) {
    const token = await rounds.token({ patientUid, sub })
    await rounds.call('/casesheet/readings/add', { token, body: symptom(1_763_000_000_000 + number) })
  }
  const rows = await runSql(
    rounds.ownerUrl,
    `select added_by, details_bytes = octet_length(details::text) as is_size, now() - received_at < interval '1 minute' as is_recent
     from casesheet.readings
     where patient_uid = $1
     order by measured_at`,
    [patientUid],
  )
  assert.deepEqual(
    rows,
    ['phone-of-the-parent', null].map((added_by) => ({ added_by, is_size: true, is_recent: true })),
  )
})
