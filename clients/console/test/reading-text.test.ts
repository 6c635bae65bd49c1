import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingText } from '../src/format/reading-text.ts'
import { catalogue } from './catalogue.ts'
import './words.ts'

const COMMON = {
  patientUid: 'patient-1',
  timestamp: 1_762_000_000,
  readingId: '2f0c1a7e-94c5-8d53-a6f0-0c5b1f0e9a11',
  measuredAt: '2025-11-01T12:26:40.000Z',
  receivedAt: '2025-11-01T12:26:41.000Z',
}
const said = (readingType: string, fields: object) =>
  readingText({ ...COMMON, readingType, ...fields }, catalogue.get(readingType), 'UTC')

test('the value of a reading comes with its unit, and pressures as a pair', () => {
  const { value, unit, others } = said('bloodPressure', {
    systolic: 128,
    diastolic: 82,
    pulse: 70,
    position: 'sitting',
  })
  assert.deepEqual([value, unit], ['128 / 82', 'mmHg'])
  assert.deepEqual(others, [
    { name: 'Pulse', text: '70 /min' },
    { name: 'Position', text: 'sitting' },
  ])
})

test('of what another system wrote, notes are shown, and what only systems read is not', () => {
  const fhir = { identifier: [{ value: 'x-1' }], note: [{ text: 'After a walk' }, { text: 'Left arm' }] }
  const { value, others } = said('heartRate', { value: 71, fhir, source: { kind: 'import' } })
  assert.equal(value, '71')
  assert.deepEqual(others, [
    { name: 'Note', text: 'After a walk' },
    { name: 'Note', text: 'Left arm' },
    { name: 'Source', text: 'imported' },
  ])
})

test('a unit that the reading names is shown; where it names none, the first of its type is meant', () => {
  assert.equal(said('bloodGlucose', { value: 104, unit: 'mg/dL' }).unit, 'mg/dL')
  assert.equal(said('bloodGlucose', { value: 5.8 }).unit, 'mmol/L')
})

test('a unit that its type does not have is shown as it was sent', () => {
  const { value, unit } = said('bloodGlucose', { value: 45, unit: 'mg/dl' })
  assert.deepEqual([value, unit], ['45', 'mg/dl'])
  const pressure = said('bloodPressure', { systolic: 16, diastolic: 11, pulse: 70, unit: 'kPa' })
  assert.deepEqual([pressure.value, pressure.unit], ['16 / 11', 'kPa'])
  assert.deepEqual(pressure.others, [{ name: 'Pulse', text: '70 /min' }])
})

test('a value is never judged: nobody has set a range for this patient', () => {
  for (const value of [26, 72, 239, 300]) {
    const { value: text, unit, measured, others } = said('heartRate', { value })
    assert.deepEqual([text, unit, others], [String(value), '/min', []])
    assert.deepEqual(measured, [{ field: 'value', value, text: String(value), unit: '/min' }])
  }
})

test('minutes of sleep are hours and minutes', () => {
  const { value, unit, others } = said('sleep', { value: 432, deep: 80, startedAt: 1_761_955_200 })
  assert.deepEqual([value, unit], ['7 h 12 min', ''])
  assert.equal(others[0]?.text, '80 min')
  assert.match(others[1]?.text ?? '', /2025/)
})

test('symptoms are words with their severity', () => {
  const symptoms = [
    { symptom: 'headache', severity: 'MODERATE' },
    { symptom: 'nausea', severity: 'VERY_SEVERE' },
  ]
  assert.equal(said('symptom', { symptoms }).value, 'headache (moderate), nausea (very severe)')
})

test('a type that only its device knows is shown as it is, whatever it holds', () => {
  const grip = said('acme.grip', { newtons: 310, hand: 'left' })
  assert.deepEqual([grip.value, grip.unit], ['310', 'Newtons'])
  assert.deepEqual(grip.others, [{ name: 'Hand', text: 'left' }])
  const scale = said('acme.scale', { value: 70.5, unit: 'kg' })
  assert.deepEqual([scale.value, scale.unit], ['70.5', 'kg'])
  assert.equal(said('acme.odd', { value: 3 }).unit, 'no unit given')
  assert.equal(said('acme.nothing', {}).value, 'nothing measured')
  assert.equal(said('acme.deep', { a: { b: [1, null, { c: true }] } }).value, 'b: 1, none, c: yes')
  assert.equal(said('acme.markup', { text: '<b>bold</b>' }).value, '<b>bold</b>')
})

test('where a reading comes from is said once, after all else, and never in place of its value', () => {
  const device = { name: 'Contour Next', manufacturer: 'Ascensia', serial: '123' }
  const app = { name: 'Example Health', version: '4.1' }
  const SAID: [source: unknown, text: string][] = [
    [{ kind: 'device', device }, 'Contour Next (Ascensia), serial 123'],
    [
      { kind: 'device', device: { ...device, model: '7350' } },
      'Contour Next (Ascensia), model 7350, serial 123',
    ],
    [{ kind: 'device', device: { name: 'Omron M7', manufacturer: 'OMRON', model: 'M7' } }, 'Omron M7'],
    [{ kind: 'device', device, app }, 'Contour Next (Ascensia), serial 123, sent by Example Health 4.1'],
    [{ kind: 'device', app: { name: 'Example Health' } }, 'a device, sent by Example Health'],
    [{ kind: 'device' }, 'a device'],
    [{ kind: 'manual' }, 'typed in'],
    [{ kind: 'manual', app }, 'typed into Example Health 4.1'],
    [{ kind: 'manual', device: { name: 'Cuff' } }, 'typed in, measured with Cuff'],
    [{ kind: 'import' }, 'imported'],
    [{ kind: 'import', device: { name: 'Cuff' }, app }, 'imported by Example Health 4.1, measured with Cuff'],
  ]
  for (const [source, text] of SAID) {
    const { value, others } = said('bloodPressure', { source, systolic: 128, diastolic: 82, site: 'arm' })
    assert.equal(value, '128 / 82')
    assert.deepEqual(others, [
      { name: 'Site', text: 'arm' },
      { name: 'Source', text },
    ])
    const grip = said('acme.grip', { source, newtons: 310 })
    assert.deepEqual([grip.value, grip.others], ['310', [{ name: 'Source', text }]])
    assert.equal(said('acme.nothing', { source }).value, 'nothing measured')
  }
  // Stored before it was checked: as any other field.
  for (const [source, text] of [
    ['wristband', 'wristband'],
    [{ kind: 'guess' }, 'kind: guess'],
  ]) {
    assert.deepEqual(said('heartRate', { value: 72, source }).others, [{ name: 'Source', text }])
  }
})

test('stored readings that today’s catalogue would refuse are shown too', () => {
  assert.equal(said('heartRate', { value: 'high' }).value, 'high')
  assert.equal(said('symptom', { symptoms: 'none' }).value, 'none')
  assert.equal(said('symptom', { symptoms: [{ symptom: 'headache', severity: { a: 1 } }] }).value, 'headache')
  assert.equal(said('bloodPressure', { systolic: 120 }).value, '120')
})
