import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingText } from '../src/words/reading-text.ts'
import { catalogue } from './catalogue.ts'

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
  const { value, unit, others, flag } = said('bloodPressure', {
    systolic: 128,
    diastolic: 82,
    pulse: 70,
    position: 'sitting',
  })
  assert.deepEqual([value, unit, flag], ['128 / 82', 'mmHg', undefined])
  assert.deepEqual(others, [
    { name: 'Pulse', text: '70 /min' },
    { name: 'Position', text: 'sitting' },
  ])
})

test('a unit that the reading names is shown; where it names none, the first of its type is meant', () => {
  assert.equal(said('bloodGlucose', { value: 104, unit: 'mg/dL' }).unit, 'mg/dL')
  assert.equal(said('bloodGlucose', { value: 5.8 }).unit, 'mmol/L')
})

test('what is outside the usual range of its unit is said in words', () => {
  assert.equal(said('bodyTemperature', { value: 43.2, unit: 'Cel' }).flag, 'above usual')
  assert.equal(said('bodyTemperature', { value: 98.6, unit: '[degF]' }).flag, undefined)
  assert.equal(said('heartRate', { value: 20 }).flag, 'below usual')
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

test('stored readings that today’s catalogue would refuse are shown too', () => {
  assert.equal(said('heartRate', { value: 'high' }).value, 'high')
  assert.equal(said('symptom', { symptoms: 'none' }).value, 'none')
  assert.equal(said('symptom', { symptoms: [{ symptom: 'headache', severity: { a: 1 } }] }).value, 'headache')
  assert.equal(said('bloodPressure', { systolic: 120 }).value, '120')
})
