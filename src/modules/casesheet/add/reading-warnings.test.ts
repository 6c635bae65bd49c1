import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { CATALOGUE } from '../catalogue/catalogue.ts'

const rounds = await startRounds()
const AT = 1_762_000_000
const DAY_SECONDS = 86_400

type Warned = { verdict: string; warnings?: { code: string; pointer: string; message: string }[] }

async function newSender() {
  const patient = await newPatient(rounds)
  const reading = (readingType: string, fields: object, timestamp = AT) => ({
    patientUid: patient.patientUid,
    readingType,
    timestamp,
    ...fields,
  })
  async function warningsOf(...readings: object[]) {
    const headers = { prefer: 'return=representation' }
    const { json } = await rounds.call('/casesheet/readings/add', {
      token: patient.token,
      body: readings,
      headers,
    })
    return json.data as Warned[]
  }
  return { ...patient, reading, warningsOf }
}

test('a number outside the plausible range of its type is stored as sent, with a warning in the unit that was sent', async () => {
  const { reading, warningsOf, stored } = await newSender()
  const verdicts = await warningsOf(
    reading('bloodGlucose', { value: 45, unit: 'mmol/L' }),
    reading('bloodGlucose', { value: 45, unit: 'mg/dL' }),
    reading('bloodGlucose', { value: 20, unit: 'mg/dL' }),
    reading('heartRate', { value: 300 }),
    reading('bloodPressure', { systolic: 270, diastolic: 20, pulse: 20 }),
    reading('painScore', { value: 10 }),
    reading('acme.any', { value: 1e300 }),
  )
  const unusual = (field: string, range: string) => ({
    code: 'Implausible',
    pointer: `/${field}`,
    message: `${field} is outside ${range}, which is very unusual: check the number and its unit.`,
  })
  assert.deepEqual(
    verdicts.map(({ warnings }) => warnings),
    [
      [unusual('value', '2.2 to 33.3 mmol/L')],
      undefined,
      [unusual('value', '39.63 to 599.92 mg/dL')],
      [unusual('value', '25 to 240 /min')],
      [
        unusual('systolic', '60 to 260 mm[Hg]'),
        unusual('diastolic', '30 to 160 mm[Hg]'),
        unusual('pulse', '25 to 240 /min'),
      ],
      undefined,
      undefined,
    ],
  )
  assert.ok(verdicts.every(({ verdict }) => verdict === 'stored'))
  const values = (await stored()).map(({ value, systolic }) => value ?? systolic)
  assert.deepEqual(new Set(values), new Set([45, 20, 300, 270, 10, 1e300]))
})

test('a time before 2000 or ahead of now has a warning, and a clock that is a little ahead has none', async () => {
  const { reading, warningsOf } = await newSender()
  const now = Math.floor(Date.now() / 1_000)
  const of = (timestamp: number) => reading('acme.any', {}, timestamp)
  const verdicts = await warningsOf(
    of(0),
    of(946_684_799.999),
    of(946_684_800),
    of(now),
    of(now + 30),
    of(now + DAY_SECONDS),
    of((now + DAY_SECONDS) * 1_000),
  )
  assert.deepEqual(
    verdicts.map(({ warnings }) => warnings?.map(({ code, pointer }) => `${code} ${pointer}`)),
    [
      ['Before2000 /timestamp'],
      ['Before2000 /timestamp'],
      undefined,
      undefined,
      undefined,
      ['AheadOfNow /timestamp'],
      ['AheadOfNow /timestamp'],
    ],
  )
})

test('a duplicate has its warnings too, a rejected reading has only its errors, and the message counts no warning', async () => {
  const { reading, warningsOf, token } = await newSender()
  const fast = reading('heartRate', { value: 300 }, 1)
  await warningsOf(fast)
  const [again, wrong] = await warningsOf(fast, reading('heartRate', { value: 400 }, 1))
  assert.equal(again?.verdict, 'duplicate')
  assert.deepEqual(
    again.warnings?.map(({ code }) => code),
    ['Implausible', 'Before2000'],
  )
  assert.deepEqual([wrong?.verdict, wrong && 'warnings' in wrong], ['rejected', false])
  const plain = await rounds.call('/casesheet/readings/add', { token, body: fast })
  assert.deepEqual(plain.json, { code: 'Ok', message: 'The reading was added successfully.' })
})

test('the examples of the catalogue have no warning', async () => {
  const { reading, warningsOf } = await newSender()
  const examples = Object.entries(CATALOGUE).map(([readingType, { example }]) =>
    reading(readingType, example),
  )
  const verdicts = await warningsOf(...examples)
  assert.ok(verdicts.every(({ verdict, warnings }) => verdict === 'stored' && warnings === undefined))
})

test('a thousand readings with every warning have the first of each and a thousand more', async () => {
  const { reading, warningsOf } = await newSender()
  const verdicts = await warningsOf(
    ...Array.from({ length: 1_000 }, (_, second) =>
      reading('bloodPressure', { systolic: 270, diastolic: 20, pulse: 20 }, second),
    ),
  )
  const counts = verdicts.map(({ warnings }) => warnings?.length ?? 0)
  assert.ok(counts.every((count) => count >= 1 && count <= 4))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2_000,
  )
})
