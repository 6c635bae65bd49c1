import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { assertRefused, startRounds } from '../../../../test/support/harness.ts'
import { newPatient } from '../../../../test/support/patient.ts'
import { CATALOGUE } from './catalogue.ts'

const PATH = '/casesheet/readings/types'
const rounds = await startRounds()
const token = await rounds.token()
const list = (headers: Record<string, string> = {}) => rounds.call(PATH, { token, headers })

type Limits = { least: number; most: number }
type Range = { unit: string; loinc: string | null; possible: Limits; plausible: Limits | null }
type Entry = {
  readingType: string
  units: string[]
  loinc: string[]
  numbers: { field: string; isRequired: boolean; isWhole: boolean; below: string | null; ranges: Range[] }[]
  example: Record<string, unknown>
  schema: { $schema: string; title: string }
}
const entries = (await list()).json.data as Entry[]
const entryOf = (name: string) =>
  entries.find(({ readingType }) => readingType === name) ?? assert.fail(`no ${name}`)

// Ajv as it comes, which also refuses words that it does not know; it writes what it finds unusual to the console.
const ajv = new Ajv2020({ logger: false })
const validators = new Map(entries.map(({ readingType, schema }) => [readingType, ajv.compile(schema)]))

test('all types of the catalogue come in the envelope of the module, symptom and note first', async () => {
  const { status, json, headers } = await list()
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^application\/json/)
  assert.deepEqual(Object.keys(json), ['code', 'message', 'data'])
  assert.equal(json.code, 'Ok')
  assert.deepEqual(
    entries.map(({ readingType }) => readingType),
    ['symptom', 'note', ...Object.keys(CATALOGUE)],
  )
  const fields = ['readingType', 'units', 'loinc', 'numbers', 'example', 'schema']
  for (const entry of entries) assert.deepEqual(Object.keys(entry), fields)
})

test('units, codes, and possible and plausible ranges are there for each number, in each unit', () => {
  assert.deepEqual(entryOf('bodyTemperature').numbers, [
    {
      field: 'value',
      isRequired: true,
      isWhole: false,
      below: null,
      ranges: [
        {
          unit: 'Cel',
          loinc: '8310-5',
          possible: { least: 20, most: 46 },
          plausible: { least: 33, most: 42.5 },
        },
        {
          unit: '[degF]',
          loinc: '8310-5',
          possible: { least: 68, most: 114.8 },
          plausible: { least: 91.4, most: 108.5 },
        },
      ],
    },
  ])
  const codesOf = (name: string) =>
    entryOf(name).numbers.flatMap(({ field, ranges }) =>
      ranges.map(({ unit, loinc }) => [field, unit, loinc].join(' ')),
    )
  assert.deepEqual(codesOf('bloodPressure'), [
    'systolic mm[Hg] 8480-6',
    'diastolic mm[Hg] 8462-4',
    'pulse /min 8867-4',
  ])
  assert.deepEqual(codesOf('bloodGlucose'), ['value mmol/L 15074-8', 'value mg/dL 41653-7'])
  assert.deepEqual(codesOf('sleep').slice(0, 2), ['value min 93832-4', 'deep min '])
  assert.deepEqual(codesOf('heartRateVariabilityRmssd'), ['value ms '])
  const { numbers } = entryOf('bloodPressure')
  assert.deepEqual(
    numbers.map(({ isRequired, below }) => [isRequired, below]),
    [
      [true, null],
      [true, 'systolic'],
      [false, null],
    ],
  )
  assert.deepEqual(entryOf('painScore').numbers[0]?.isWhole, true)
})

test('the catalogue can be had with any valid token, and leaves no trace in the access log', async () => {
  const { token: ofPatient, accessLog } = await newPatient(rounds)
  assert.equal((await rounds.call(PATH, { token: ofPatient })).status, 200)
  assert.deepEqual(await accessLog(), [])
  assertRefused(await rounds.call(PATH), 401, 'TokenMissing')
  assertRefused(await rounds.call(`${PATH}?type=heartRate`, { token }), 400, 'ValidationFailed')
})

test('a caller that holds the catalogue gets 304 without a body', async () => {
  const { headers } = await list()
  const etag = String(headers.get('etag'))
  assert.match(etag, /^"[^"]+"$/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  const held = await list({ 'if-none-match': etag })
  assert.deepEqual([held.status, held.text, held.headers.get('etag')], [304, '', etag])
  assert.equal((await list({ 'if-none-match': '"other"' })).status, 200)
})

test('each schema is JSON Schema of 2020-12, and its example fits it and can be added', async () => {
  const { add, patientUid } = await newPatient(rounds)
  for (const { readingType, schema, example } of entries) {
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema')
    assert.equal(schema.title, readingType)
    assert.ok(ajv.validateSchema(schema), `${readingType}: ${ajv.errorsText()}`)
    assert.ok(validators.get(readingType)?.(example), readingType)
    assert.equal((await add({ ...example, patientUid })).status, 200, readingType)
  }
})

/** Readings of all kinds of wrong, and right ones, of a type that the catalogue describes. */
function readingsOf({ readingType, units, numbers, example }: Entry, patientUid: string) {
  const fields = numbers.map(({ field, ranges }) => {
    const inside = ranges.map(({ possible: { least, most } }) =>
      fc.oneof(fc.constantFrom(least, most), fc.double({ min: least, max: most, noNaN: true })),
    )
    const around = ranges.flatMap(({ possible: { least, most } }) => [least - 0.01, most + 0.01])
    const value = fc.oneof(
      { weight: 8, arbitrary: fc.oneof(...inside) },
      { weight: 2, arbitrary: fc.constantFrom(...around) },
      { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.constantFrom(null, '71', true)) },
    )
    return [field, value] as const
  })
  const unit = fc.constantFrom(...units, ...units, 'furlong', null)
  const required = numbers.filter(({ isRequired }) => isRequired).map(({ field }) => field)
  const model: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(fields), unit }
  const some = fc.record(model, { requiredKeys: [] })
  const most = fc.record(model, { requiredKeys: required })
  const shown = Object.keys(example).filter((field) => !/^(patientUid|readingType|timestamp)$/.test(field))
  const changed = fc
    .tuple(fc.constantFrom(...shown), fc.constantFrom(null, 'x', 7, [], {}, true))
    .map(([field, value]) => ({ ...example, [field]: value }))
  const arbitrary =
    numbers.length > 0 ? fc.oneof({ weight: 3, arbitrary: most }, some, changed) : fc.oneof(changed)
  // As JSON has it: −0 is 0.
  return arbitrary.map(
    (given) =>
      JSON.parse(
        JSON.stringify({ ...given, patientUid, readingType, timestamp: 1_762_000_000_000 }),
      ) as Record<string, unknown>,
  )
}

test('a reading is accepted exactly when the served schema, and that of the OpenAPI document, accept it', async () => {
  const { patientUid, add } = await newPatient(rounds)
  const document = JSON.parse((await rounds.call('/openapi.json')).text) as object
  const described = new Ajv2020({ strict: false, validateFormats: false })
    .addSchema({ $id: 'document', ...document })
    .compile({ $ref: 'document#/components/schemas/Reading' })
  const outcomes = { accepted: 0, refused: 0 }
  const any = fc.constantFrom(...entries).chain((entry) => readingsOf(entry, patientUid))
  await fc.assert(
    fc.asyncProperty(any, async (reading) => {
      const fits = validators.get(String(reading['readingType']))?.(reading) ?? assert.fail()
      assert.equal(described(reading), fits, 'the document and the served schema differ')
      // JSON Schema cannot compare two fields.
      const isOrdered = entryOf(String(reading['readingType'])).numbers.every(
        ({ field, below }) => below === null || !(Number(reading[field]) >= Number(reading[below])),
      )
      const { status, text } = await add(reading)
      assert.equal(status, fits && isOrdered ? 200 : 400, text)
      outcomes[status === 200 ? 'accepted' : 'refused']++
    }),
    { numRuns: 1_000 },
  )
  assert.ok(Math.min(outcomes.accepted, outcomes.refused) > 200, JSON.stringify(outcomes))
})
