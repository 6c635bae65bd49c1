import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { connectDb, type Db } from '../../../db/db.ts'
import { ALL_PERMISSIONS } from '../../../http/tokens/smart-scopes.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { checkReading } from '../reading.ts'
import { createAddEach } from './add-each.ts'
import { countReadings } from './add-readings.ts'
import { createRefusedPatients } from './refused-patients.ts'

const rounds = await startRounds()
const ADD = '/casesheet/readings/add'
const PREFER = { prefer: 'return=representation' }

async function newSender() {
  const patient = await newPatient(rounds)
  const addEach = (body: unknown) => rounds.call(ADD, { token: patient.token, body, headers: PREFER })
  const verdictsOf = async (body: unknown) => (await addEach(body)).json.data.map(({ verdict }) => verdict)
  return { ...patient, addEach, verdictsOf }
}

/** A time that deserves no warning. */
const AT = 1_762_000_000

test('each reading is answered for itself and in order, and a rejected one keeps none from being stored', async () => {
  const { add, addEach, stored, symptom } = await newSender()
  assert.equal((await add(symptom(AT + 1))).status, 200)
  const answer = await addEach([
    symptom(AT + 1),
    symptom(AT + 2, { symptoms: [{ symptom: 'headache', severity: 'low' }] }),
    symptom(AT + 3),
    symptom(AT + 4, { patientUid: 'somebody-else' }),
    7,
    symptom(AT + 5, { note: 'x'.repeat(70_000) }),
    symptom(AT + 3),
  ])
  const data = await stored()
  const idOf = (timestamp: number) =>
    data.find((reading) => reading['timestamp'] === timestamp)?.['readingId']
  assert.deepEqual([answer.status, answer.headers.get('preference-applied')], [200, 'return=representation'])
  assert.deepEqual(answer.json, {
    code: 'Ok',
    message: 'Of 7 readings 1 was stored, 2 were duplicates, 4 were rejected.',
    data: [
      { verdict: 'duplicate', readingId: idOf(AT + 1) },
      {
        verdict: 'rejected',
        code: 'ValidationFailed',
        message: 'severity must be upper case, such as MODERATE.',
        retryable: false,
        errors: [{ pointer: '/symptoms/0/severity', message: 'must be upper case, such as MODERATE' }],
      },
      { verdict: 'stored', readingId: idOf(AT + 3) },
      {
        verdict: 'rejected',
        code: 'PatientMismatch',
        message: 'The access token is for another patient.',
        retryable: false,
      },
      {
        verdict: 'rejected',
        code: 'ValidationFailed',
        message: 'The request must be object.',
        retryable: false,
        errors: [{ pointer: '', message: 'must be object' }],
      },
      {
        verdict: 'rejected',
        code: 'BodyTooLarge',
        message: 'One reading may take 64 KiB, also in a list.',
        retryable: false,
      },
      { verdict: 'duplicate', readingId: idOf(AT + 3) },
    ],
  })
  assert.deepEqual(
    data.map(({ timestamp }) => timestamp),
    [AT + 1, AT + 3],
  )
})

test('one object gets the same answer with one verdict', async () => {
  const { addEach, symptom } = await newSender()
  const first = await addEach(symptom(AT + 1))
  assert.equal(first.json.message, 'Of 1 reading 1 was stored, 0 were duplicates, 0 were rejected.')
  assert.deepEqual(
    first.json.data.map(({ verdict }) => verdict),
    ['stored'],
  )
  const [again] = (await addEach(symptom(AT + 1))).json.data
  assert.deepEqual(again, { verdict: 'duplicate', readingId: first.json.data[0]?.['readingId'] })
  const [bad] = (await addEach(symptom(-1))).json.data
  assert.equal(bad?.['verdict'], 'rejected')
})

test('where all are rejected nothing is stored, and the answer says so', async () => {
  const { addEach, stored, symptom } = await newSender()
  const { status, json } = await addEach([symptom(-1), symptom('x')])
  assert.deepEqual(
    [status, json.message],
    [200, 'Of 2 readings 0 were stored, 0 were duplicates, 2 were rejected.'],
  )
  assert.deepEqual(await stored(), [])
})

test('a body that is no list of readings is refused as a whole, and so is a token that names no patient', async () => {
  const { stored, symptom, token } = await newSender()
  const call = (raw: string, as = token) => rounds.call(ADD, { token: as, raw, headers: PREFER })
  const many = JSON.stringify(Array.from({ length: 1_001 }, (_, index) => symptom(index)))
  const refusals: [raw: string, status: number, code: string][] = [
    ['{', 400, 'MalformedJson'],
    ['null', 400, 'ValidationFailed'],
    ['7', 400, 'ValidationFailed'],
    ['[]', 400, 'ValidationFailed'],
    [many, 400, 'ValidationFailed'],
    [`[${JSON.stringify(symptom(1))},{"value":NaN}]`, 400, 'MalformedJson'],
    [`[${JSON.stringify(symptom(1))},{"value":9007199254740993]`, 400, 'MalformedJson'],
    [JSON.stringify(symptom(1, { note: 'x'.repeat(70_000) })), 413, 'BodyTooLarge'],
  ]
  for (const [raw, status, code] of refusals) {
    const answer = await call(raw)
    assert.deepEqual([answer.status, answer.json.code], [status, code], raw.slice(0, 50))
    assert.equal(answer.headers.get('preference-applied'), null)
  }
  const staff = await rounds.token({ scope: 'readings:read' })
  const asStaff = await call(JSON.stringify([symptom(1)]), staff)
  assert.deepEqual([asStaff.status, asStaff.json.code], [403, 'PatientNotInToken'])
  assert.deepEqual(await stored(), [])
})

/** What a reading cannot hold although it is JSON, with the field at fault. */
const FAULTS: [what: string, fields: string, pointer: string][] = [
  ['a number that no double holds', '"value":9007199254740993', '/value'],
  ['a number beyond all doubles', '"values":[1,-1e999]', '/values/1'],
  ['a number that is too long', `"value":${'1'.repeat(2_000)}`, '/value'],
  ['a text with a NUL', '"note":"a\\u0000"', '/note'],
  ['half of a surrogate pair', '"notes":{"a":"\\ud800"}', '/notes/a'],
  ['a name given twice', '"a":1,"a":2', '/a'],
  ['a name that reaches for a prototype', '"__proto__":{}', '/__proto__'],
  ['a name that is too long', `"${'k'.repeat(1_025)}":1`, `/${'k'.repeat(254)}…`],
  ['nesting that is too deep', `"a":${'['.repeat(16)}${']'.repeat(16)}`, `/a${'/0'.repeat(15)}`],
  ['nesting without measure', `"a":${'['.repeat(20_000)}${']'.repeat(20_000)}`, `/a${'/0'.repeat(15)}`],
]

test('what JSON can write and a reading cannot hold rejects that reading alone, and without verdicts the list', async () => {
  const { patientUid, stored, symptom, token } = await newSender()
  const [before, behind] = [JSON.stringify(symptom(1)), JSON.stringify(symptom(2))]
  const wrong = (fields: string, timestamp: number | string = 3) =>
    `{"patientUid":"${patientUid}","readingType":"acme.any","timestamp":${timestamp},${fields}}`
  const nanoseconds = wrong('"value":1', '1762000000123456789')
  const all = [...FAULTS.map(([, fields]) => wrong(fields)), nanoseconds]
  const body = `[${before},${all.join(',\n')},${behind}]`
  const whole = await rounds.call(ADD, { token, raw: body })
  assert.deepEqual([whole.status, whole.json.code], [400, 'ValidationFailed'])
  assert.deepEqual(whole.json.errors, [
    { pointer: '/1/value', message: 'must be a number that a double can hold exactly' },
  ])
  assert.deepEqual(Object(whole.json).position, {
    line: 1,
    column: body.indexOf('9007199254740993') + 1,
    byte: body.indexOf('9007199254740993'),
  })
  assert.deepEqual(await stored(), [])

  const { status, json } = await rounds.call(ADD, { token, raw: body, headers: PREFER })
  assert.equal(status, 200)
  assert.deepEqual(
    json.data.map(({ verdict }) => verdict),
    ['stored', ...all.map(() => 'rejected'), 'stored'],
  )
  for (const [index, [what, , pointer]] of [...FAULTS, ['nanoseconds', '', '/timestamp']].entries()) {
    const rejected = json.data[index + 1] as { code: string; message: string; errors: { pointer: string }[] }
    assert.equal(rejected.code, 'ValidationFailed', what)
    assert.deepEqual(
      rejected.errors.map((error) => error.pointer),
      [pointer],
      what,
    )
    assert.doesNotMatch(rejected.message, /line \d/, what)
  }
  assert.equal((await stored()).length, 2)
})

test('NaN refuses the body, because it is no JSON, and is pointed to', async () => {
  const { stored, symptom, token } = await newSender()
  const raw = `[${JSON.stringify(symptom(1))},\n{"readingType":"heartRate","value":NaN}]`
  const { status, json } = await rounds.call(ADD, { token, raw, headers: PREFER })
  assert.deepEqual([status, json.code], [400, 'MalformedJson'])
  assert.deepEqual(json.errors, [
    { pointer: '/1/value', message: 'must be a number: NaN and Infinity are not JSON' },
  ])
  assert.deepEqual(Object(json).position, { line: 2, column: 36, byte: raw.indexOf('NaN') })
  assert.deepEqual(await stored(), [])
})

test('of sixty equal readings at once, with and without verdicts, at most one is called stored', async () => {
  const { add, addEach, stored, symptom } = await newSender()
  for (let round = 0; round < 5; round++) {
    const reading = symptom(1_000 + round)
    const asked = await Promise.all(Array.from({ length: 30 }, () => addEach([reading, reading])))
    const mixed = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? add : addEach)(symptom(2_000 + round))),
    )
    const storedOf = (answers: typeof asked) =>
      answers.flatMap(({ json }) => json.data ?? []).filter(({ verdict }) => verdict === 'stored').length
    assert.equal(storedOf(asked), 1)
    assert.ok(storedOf(mixed) <= 1)
  }
  assert.equal((await stored()).length, 10)
})

test('whatever a list holds, verdicts are those of its readings one after the other', async () => {
  const { patientUid, verdictsOf } = await newSender()
  const known = new Set<number>()
  const item = fc.oneof(
    { weight: 4, arbitrary: fc.record({ number: fc.nat(40), fault: fc.constant(null) }) },
    {
      weight: 1,
      arbitrary: fc.record({ number: fc.nat(40), fault: fc.constantFrom('patient', 'time', 'type') }),
    },
  )
  const readingOf = ({ number, fault }: { number: number; fault: string | null }) => ({
    patientUid: fault === 'patient' ? 'somebody-else' : patientUid,
    readingType: fault === 'type' ? 'no type' : 'acme.step',
    timestamp: fault === 'time' ? null : number,
  })
  const property = fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 60 }), async (items) => {
    const expected = items.map(({ number, fault }) => {
      if (fault !== null) return 'rejected'
      if (known.has(number)) return 'duplicate'
      known.add(number)
      return 'stored'
    })
    assert.deepEqual(await verdictsOf(items.map(readingOf)), expected)
  })
  // Shrinking would send readings again that are stored by now.
  await fc.assert(property, { numRuns: 40, seed: 20261115, endOnFailure: true })
})

test('a reading that our own repeated statement finds is called duplicate, and is there once', async () => {
  const { patientUid, stored, symptom } = await newSender()
  const settings = { url: rounds.serveUrl, poolSize: 2, maxWaiting: 10, maxWhenBusy: 10, deadlineMs: 10_000 }
  const db = connectDb({ ...settings, warn: () => {}, metrics: createMetrics() })
  let answersToLose = 1
  const lossyDb: Db = {
    ...db,
    attempt: async (statement) => {
      const outcome = await db.attempt<never>(statement)
      if (answersToLose-- > 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      return outcome
    },
  }
  const guards = { refused: createRefusedPatients(undefined), warn: () => [] }
  const { addEach } = createAddEach(lossyDb, countReadings(db.metrics), guards)
  const caller = {
    subject: 'test',
    patientUids: [patientUid],
    isStaff: false,
    needsReason: false,
    mayWithdraw: false,
    mayFollowChanges: false,
    mayManageWebhooks: false,
    own: ALL_PERMISSIONS,
    doctorId: undefined,
    practiceIds: [],
    shared: ALL_PERMISSIONS,
    expiresAtMs: 0,
    isService: false,
    signingKey: { isTrusted: () => true },
  }
  const sender = { caller, isGone: () => false, check: checkReading }
  const verdicts = await addEach([symptom(1), symptom(2)], undefined, sender)
  assert.deepEqual(
    verdicts.map(({ verdict }) => verdict),
    ['duplicate', 'duplicate'],
  )
  const [next] = await addEach([symptom(3)], undefined, sender)
  await db.end()
  assert.equal(next?.verdict, 'stored')
  assert.equal((await stored()).length, 3)
})
