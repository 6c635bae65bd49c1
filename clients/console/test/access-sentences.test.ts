import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access } from '../../typescript/src/client.ts'
import { sentenceOf, visitsOf } from '../src/screens/access/sentences.ts'

const access = (fields: Partial<Access>): Access => ({
  at: '2026-11-15T09:14:00.000Z',
  readBy: 'dr-willow',
  allowedAs: 'staff',
  operation: 'readings/get',
  from: null,
  to: null,
  readingTypes: null,
  readingsCount: 20,
  requestId: 'a',
  ...fields,
})
const sentences = (entries: Access[], subject = 'ada') =>
  visitsOf(entries).map((visit) => sentenceOf(visit, subject, 'UTC'))

test('a read is a sentence with who, in which role, and how much', () => {
  assert.deepEqual(sentences([access({})]), ['dr-willow, staff, read 20 readings.'])
  assert.deepEqual(sentences([access({ readBy: 'ada', allowedAs: 'patient', readingsCount: 1 })]), [
    'You read 1 reading.',
  ])
  assert.deepEqual(sentences([access({ readBy: 'robin', allowedAs: 'patient' })]), [
    'robin, signed in for this patient, read 20 readings.',
  ])
  assert.deepEqual(sentences([access({ operation: 'patient/export', allowedAs: 'operator' })]), [
    'dr-willow, an operator of this service, exported the whole record, 20 readings.',
  ])
})

test('types and range of a read are in its sentence', () => {
  const [sentence = ''] = sentences([
    access({
      readingTypes: ['bloodGlucose', 'heartRate'],
      from: '2026-10-16T00:00:00.000Z',
      to: '2026-11-15T00:00:00.000Z',
    }),
  ])
  assert.match(sentence, /read 20 readings of blood glucose and heart rate, .*16.*15.*2026\.$/)
  assert.match(sentences([access({ from: '2026-10-16T00:00:00.000Z' })])[0] ?? '', /, since .*16/)
  assert.match(sentences([access({ to: '2026-10-16T00:00:00.000Z' })])[0] ?? '', /, until .*16/)
})

test('the requests of one visit are one sentence', () => {
  const entries = [
    access({ operation: 'readings/access-log', at: '2026-11-15T09:16:00.000Z' }),
    ...['heartRate', 'bloodPressure', 'bodyWeight', 'sleep', 'fev1'].map((type) =>
      access({ operation: 'readings/statistics', readingTypes: [type], at: '2026-11-15T09:15:00.000Z' }),
    ),
    access({ operation: 'readings/latest' }),
    access({ operation: 'readings/stream' }),
  ]
  assert.deepEqual(sentences(entries), [
    'dr-willow, staff, read the newest of each type and summaries of 5 types, watched new readings arrive and looked at who has read.',
  ])
})

test('another reader, another role and a pause each begin another sentence', () => {
  const entries = [
    access({ at: '2026-11-15T12:00:00.000Z' }),
    access({ at: '2026-11-15T11:54:59.000Z' }),
    access({ at: '2026-11-15T11:54:00.000Z', allowedAs: 'patient' }),
    access({ at: '2026-11-15T11:53:00.000Z', readBy: 'other', allowedAs: 'patient' }),
  ]
  assert.equal(visitsOf(entries).length, 4)
  assert.equal(visitsOf(entries.slice(0, 1)).length, 1)
  assert.deepEqual(visitsOf([]), [])
})

test('an operation that a later service adds is named, not hidden', () => {
  assert.deepEqual(sentences([access({ operation: 'readings/compare' })]), [
    'dr-willow, staff, used readings/compare.',
  ])
})
