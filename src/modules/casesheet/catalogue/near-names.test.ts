// Which names are nearly one of the catalogue and which are not, and that the catalogue's own never refuse each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../../test/support/harness.ts'
import { patientTrying } from '../../../../test/support/patient-trying.ts'
import { CATALOGUE } from './catalogue.ts'
import { fieldsOf } from './catalogue-check.ts'
import { createFieldFinder, createNameFinder } from './near-names.ts'

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

const MISNAMED_FIELDS: [readingType: string, fields: object, wrong: string, right: string][] = [
  ['heartRate', { value: 72, units: '/min' }, 'units', 'unit'],
  ['heartRate', { value: 72, unit: '/min', units: '/min' }, 'units', 'unit'],
  ['heartRate', { value: 72, Unit: 'bpm' }, 'Unit', 'unit'],
  ['heartRate', { value: 72, uint: 'bpm' }, 'uint', 'unit'],
  ['heartRate', { Value: 72 }, 'Value', 'value'],
  ['heartRate', { value: 72, Value: [1] }, 'Value', 'value'],
  ['heartRate', { 'val ue': 72 }, 'val ue', 'value'],
  ['heartRate', { vlaue: 72 }, 'vlaue', 'value'],
  ['heartRate', { value: 72, 'con\u200btext': 'rest' }, 'con\u200btext', 'context'],
  ['bloodPressure', { ...PRESSURE, pusle: 70 }, 'pusle', 'pulse'],
  ['bloodPressure', { diastolic: 80, systolc: 120 }, 'systolc', 'systolic'],
  ['bloodPressure', { systolic: 120, diastolik: 80 }, 'diastolik', 'diastolic'],
  ['sleep', { value: 400, REM: 90 }, 'REM', 'rem'],
  ['sleep', { value: 400, started_at: 1_762_000_000 }, 'started_at', 'startedAt'],
  [
    'oxygenSaturation',
    { value: 97, 'supplemental-oxygen': true },
    'supplemental-oxygen',
    'supplementalOxygen',
  ],
  ['bodyWeight', { value: 71, units: 'kg' }, 'units', 'unit'],
]

test('a field that nearly is one of the type is refused with the right name, and that alone is said of it', async () => {
  for (const [readingType, fields, wrong, right] of MISNAMED_FIELDS) {
    const { refuses, stored } = await patientTrying(rounds, readingType)
    const message = `is not a field of ${readingType}: write ${right}`
    await refuses(fields, { pointer: `/${wrong}`, message })
    assert.deepEqual(await stored(), [])
  }
})

test('fields that mean something else are kept, also where their names resemble', async () => {
  const kept: [readingType: string, fields: object][] = [
    [
      'heartRate',
      { value: 72, note: 'a', device: {}, rate: 1, valve: 'mitral', values: [71, 73], value2: 73 },
    ],
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

test('no field of the catalogue, nor one that every reading has, is taken for one of another type', () => {
  const common = [
    'patientUid',
    'readingType',
    'timestamp',
    'readingId',
    'measuredAt',
    'receivedAt',
    'symptoms',
  ]
  const all = [...new Set([...Object.values(CATALOGUE).flatMap(fieldsOf), ...common])]
  for (const type of Object.values(CATALOGUE)) {
    const own = fieldsOf(type)
    const fieldMeantBy = createFieldFinder(own)
    for (const name of all.filter((other) => !own.includes(other))) {
      assert.equal(fieldMeantBy(name, { [name]: 1 }), undefined, `${name} beside ${own.join()}`)
    }
  }
})

test('at most twenty misnamed fields are named, however many there are', async () => {
  const { add, patientUid } = await patientTrying(rounds, 'heartRate')
  const names = Array.from(
    { length: 900 },
    (_, index) => `v${'_'.repeat(index % 30)}alue${'-'.repeat(1 + Math.floor(index / 30))}`,
  )
  const many = Object.fromEntries(names.map((name) => [name, 1]))
  const { json } = await add({ patientUid, readingType: 'heartRate', timestamp: 1, ...many })
  assert.equal(json.errors.length, 20)
  assert.equal(json.errors[0]?.pointer, '/value-')
})

test('names that would grow when normalised cost no more than others', () => {
  const fieldMeantBy = createFieldFinder(['value', 'unit'])
  // Of this thread alone: garbage is collected, and code compiled, in others. Both kinds together, since the system counts the
  // sum exactly and divides it by samples.
  const cpuMsOf = (name: string) => {
    const began = process.threadCpuUsage()
    for (let times = 0; times < 2_000; times++) fieldMeantBy(name, { [name]: 1 })
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1_000
  }
  const usualName = `v${'\u4e00'.repeat(99)}`
  // U+FDFA becomes 18 characters; marks that follow a letter are put into another order.
  for (const name of [`v${'\ufdfa'.repeat(99)}`, `v${'\u0300\u0316'.repeat(49)}`]) {
    // The least of several looks at each: other processes disturb some of them.
    const looks = Array.from({ length: 10 }, () => ({ cost: cpuMsOf(name), usual: cpuMsOf(usualName) }))
    const cost = Math.min(...looks.map((look) => look.cost))
    const usual = Math.min(...looks.map((look) => look.usual))
    assert.ok(cost < 4 * usual, `${cost} ms, and ${usual} ms for letters of which each stays one`)
  }
})
