import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientTrying } from '../../../../test/support/patient-trying.ts'
import { rangesOf } from './limits.ts'

const rounds = await startRounds()

const CONVERTED: [readingType: string, unit: string, limits: string][] = [
  ['bodyTemperature', 'Cel', '20 to 46'],
  ['bodyTemperature', '[degF]', '68 to 114.8'],
  ['bloodGlucose', 'mmol/L', '0 to 55'],
  ['bloodGlucose', 'mg/dL', '0 to 990.86'],
  ['interstitialGlucose', 'mg/dL', '0 to 990.86'],
  ['bodyWeight', 'kg', '0.2 to 700'],
  ['bodyWeight', 'g', '200 to 700000'],
  ['bodyWeight', '[lb_av]', '0.44 to 1543.24'],
  ['bodyHeight', 'cm', '10 to 300'],
  ['bodyHeight', '[in_i]', '3.93 to 118.12'],
]
for (const [readingType, unit, limits] of CONVERTED) {
  test(`${readingType} in ${unit} may be from ${limits}`, async () => {
    const { refuses } = await patientTrying(rounds, readingType)
    await refuses({ value: -1, unit }, { pointer: '/value', message: `must be from ${limits} ${unit}` })
  })
}

test('limits in another unit are not widened by the error of the conversion', () => {
  const type = { units: ['Cel', '[degF]'], loinc: [], quantities: {}, example: {} } as const
  const [, fahrenheit] = rangesOf({ possible: [34, 46], plausible: [36.5, 41.5] }, type)
  assert.deepEqual(fahrenheit, { unit: '[degF]', possible: [93.2, 114.8], plausible: [97.7, 106.7] })
})

test('the diastolic pressure must be below the systolic', async () => {
  const { accepts, refuses } = await patientTrying(rounds, 'bloodPressure')
  const tooHigh = { pointer: '/diastolic', message: 'must be below systolic' }
  await refuses({ systolic: 80, diastolic: 120 }, tooHigh)
  await refuses({ systolic: 120, diastolic: 120 }, tooHigh)
  await accepts({ systolic: 120, diastolic: 119.9 })
  // Of a systolic that is no number, only that is said.
  await refuses({ systolic: '80', diastolic: 120 }, { pointer: '/systolic', message: 'must be a number' })
})

test('everything that is wrong with a reading is said at once', async () => {
  const { refuses } = await patientTrying(rounds, 'bloodPressure')
  await refuses(
    { systolic: 400, pulse: 0, unit: 'kPa' },
    { pointer: '/diastolic', message: 'is required' },
    { pointer: '/systolic', message: 'must be from 20 to 350 mm[Hg]' },
    { pointer: '/pulse', message: 'must be from 1 to 350 /min' },
    { pointer: '/unit', message: 'must be one of mm[Hg]' },
  )
})

for (const readingType of [
  'acme.heartRate',
  'heart.rate',
  'heartRates',
  'constructor',
  '__proto__',
  'value',
]) {
  test(`the unknown type ${readingType} is accepted with whatever fields it brings`, async () => {
    const { accepts, acceptedAreStored } = await patientTrying(rounds, readingType)
    await accepts({})
    await accepts({ value: null, unit: 'furlong', systolic: 1, diastolic: 2 })
    await accepts({ value: 'high', symptoms: 'none', unit: [], startedAt: -1 })
    await acceptedAreStored()
  })
}

test('a reading of the catalogue comes back as it was sent, and sent twice it is stored once', async () => {
  const { patientUid, add, stored } = await patientTrying(rounds, 'bloodGlucose')
  const sent = {
    patientUid,
    readingType: 'bloodGlucose',
    timestamp: 1_762_000_000_000,
    value: 104,
    unit: 'mg/dL',
    specimen: 'capillary',
    device: { model: 'X1' },
  }
  for (const copy of [sent, sent, Object.fromEntries(Object.entries(sent).toReversed())]) {
    assert.equal((await add(copy)).json.code, 'Ok')
  }
  const [found = {}, ...others] = await stored()
  assert.deepEqual(others, [])
  const { readingId: _id, measuredAt: _measured, receivedAt: _received, ...back } = found
  assert.deepEqual(back, sent)
})

test('of a thousand wrong readings in a list, twenty errors are named and none is stored', async () => {
  const { patientUid, add, stored } = await patientTrying(rounds, 'bloodPressure')
  const wrong = Array.from({ length: 1_000 }, (_, index) => ({
    patientUid,
    readingType: 'bloodPressure',
    timestamp: 1_762_000_000_000 + index,
    systolic: -1,
  }))
  const { status, json } = await add([{ ...wrong[0], systolic: 120, diastolic: 80 }, ...wrong.slice(1)])
  assert.equal(status, 400)
  assert.equal(json.errors.length, 20)
  assert.deepEqual(json.errors.slice(0, 3), [
    { pointer: '/1/diastolic', message: 'is required' },
    { pointer: '/1/systolic', message: 'must be from 20 to 350 mm[Hg]' },
    { pointer: '/2/diastolic', message: 'is required' },
  ])
  assert.match(json.message, /^diastolic is required \(19 more in errors\)\.$/)
  assert.deepEqual(await stored(), [])
})
