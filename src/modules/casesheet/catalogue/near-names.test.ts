// Which names of types are nearly one of the catalogue and which are not, and that the catalogue's own never refuse each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientTrying } from '../../../../test/support/patient-trying.ts'
import { CATALOGUE } from './catalogue.ts'
import { createNameFinder } from './near-names.ts'

const rounds = await startRounds()

const MISNAMED_TYPES: [sent: string, right: string][] = [
  ...['heartrate', 'HeartRate', 'HEARTRATE', 'heart_rate', 'heart-rate', 'Heart Rate', '_heartRate-'].map(
    (sent) => [sent, 'heartRate'] as [string, string],
  ),
  // No-break space, ideographic space, zero-width space, en dash, minus, soft hyphen, full-width letters.
  ...['heart\u00a0rate', 'heart\u3000Rate', 'heart\u200bRate', 'heart\u2013rate', 'heart\u2212rate'].map(
    (sent) => [sent, 'heartRate'] as [string, string],
  ),
  ['heart\u00adrate', 'heartRate'],
  ['heart\uff3frate', 'heartRate'],
  ['\uff48eartRate', 'heartRate'],
  ['BloodGlucose', 'bloodGlucose'],
  ['blood_glucose', 'bloodGlucose'],
  ['FEV-1', 'fev1'],
  ['Symptom', 'symptom'],
  ['heart_rate_variability_sdnn', 'heartRateVariabilitySdnn'],
]

test('a type that differs from one of the catalogue in case or separators only is refused with the right name', async () => {
  for (const [sent, right] of MISNAMED_TYPES) {
    const { refuses, stored } = await patientTrying(rounds, sent)
    await refuses({ value: 72 }, { pointer: '/readingType', message: `must be written ${right}` })
    assert.deepEqual(await stored(), [])
  }
})

test('every type of the catalogue is refused in other spellings, and no type is another', () => {
  const typeMeantBy = createNameFinder(Object.keys(CATALOGUE))
  for (const name of Object.keys(CATALOGUE)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    for (const sent of [name, name.toUpperCase(), snake, snake.replaceAll('_', ' ')]) {
      assert.equal(typeMeantBy(sent), name)
    }
  }
})

test('what else is wrong with a reading of a misnamed type is said too', async () => {
  const { refuses } = await patientTrying(rounds, 'heartrate')
  await refuses(
    { timestamp: null },
    { pointer: '/readingType', message: 'must be written heartRate' },
    {
      pointer: '/timestamp',
      message: 'must be a number of epoch seconds or milliseconds, from 1970 to the end of the year 9999',
    },
  )
})

test('types that only resemble one of the catalogue are accepted, and a long or odd name is refused as before', async () => {
  for (const readingType of ['heart.rate', 'acme-heartRate', 'heartRate2', 'rate', 'glucose', 'heartRat']) {
    await (await patientTrying(rounds, readingType)).accepts({ value: 'anything' })
  }
  const message = 'must be a text of 1 to 64 letters, digits, "_", "-" or "."'
  for (const readingType of ['heart/rate', `heartRate${' '.repeat(50_000)}`, '', 7, null, ['heartRate']]) {
    const { refuses } = await patientTrying(rounds, 'heartRate')
    await refuses({ value: 72, readingType }, { pointer: '/readingType', message })
  }
})

const PRESSURE = { systolic: 120, diastolic: 80 }

test('a field that is missing under its name is required, whatever else is sent', async () => {
  const { refuses } = await patientTrying(rounds, 'heartRate')
  await refuses({ Value: 72 }, { pointer: '/value', message: 'is required' })
})

test('fields beside those of the type are kept, also where their names resemble', async () => {
  const kept: [readingType: string, fields: object][] = [
    [
      'heartRate',
      { value: 72, note: 'a', device: {}, rate: 1, valve: 'mitral', values: [71, 73], value2: 73 },
    ],
    ['heartRate', { value: 72, units: 'bpm', Unit: 'bpm', vlaue: 1, Value: [1], content: 'text' }],
    ['heartRate', { value: 72, content: 'text', contextual: true, unitId: 4, v: 1, values: { min: 60 } }],
    ['bloodPressure', { ...PRESSURE, side: 'left', size: 'large', pulse2: 71, cite: 1, systolicA: 118 }],
    [
      'sleep',
      { value: 400, awoke: 1_762_000_000, wake: 1, night: 3, re: 1, remark: 'x', sight: 1, deeper: 2 },
    ],
    [
      'bodyWeight',
      { value: 71, unit: 'kg', measured_at: 'noon', patient_uid: 'x', reading_id: 7, TimeStamp: 1 },
    ],
    [
      'symptom',
      { symptoms: [{ symptom: 'cough', severity: 'MILD' }], symptom: 'cough', Symptoms: 1, unit: [] },
    ],
    ['acme.any', { Value: 1, units: 'furlong', 'va lue': 2 }],
  ]
  for (const [readingType, fields] of kept) {
    const { accepts, acceptedAreStored } = await patientTrying(rounds, readingType)
    await accepts(fields)
    await acceptedAreStored()
  }
})
