import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access } from '../../typescript/src/client.ts'
import { sentenceOf, visitsOf } from '../src/screens/access/sentences.ts'
import './words.ts'

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
const nameOfDoctor = (doctorId: string) => ({ name: `Dr ${doctorId}`, speciality: 'Cardiology' })
const sentences = (entries: Access[], subject = 'ada') =>
  visitsOf(entries, 'UTC').map((visit) =>
    sentenceOf(visit, subject, { zone: 'UTC', whose: 'your readings', nameOfDoctor }),
  )

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

test('a correction is a sentence of its own, with the reading and the reason', () => {
  const correction = (fields: Partial<NonNullable<Access['correction']>>) => ({
    action: 'withdraw' as const,
    readingId: '9f6ecc13-2b58-8da5-82f7-507d60a06af8',
    readingType: 'heartRate',
    measuredAt: '2026-11-14T09:12:00.000Z',
    reason: 'entered for the wrong person',
    ...fields,
  })
  const entries = [
    access({ operation: 'readings/latest', at: '2026-11-15T09:16:00.000Z' }),
    access({ operation: 'readings/withdraw', readingsCount: 1, correction: correction({}) }),
    access({
      operation: 'readings/restore',
      correction: correction({ action: 'restore', readingType: 'oxygenSaturation', reason: null }),
    }),
    access({ operation: 'readings/restore', readBy: 'ada', allowedAs: 'patient' }),
  ]
  const [read, withdrew = '', restored = '', tried] = sentences(entries)
  assert.equal(read, 'dr-willow, staff, read the newest of each type.')
  assert.match(
    withdrew,
    /^dr-willow, staff, withdrew a heart rate of .*14.*9:12.*: entered for the wrong person$/,
  )
  assert.match(restored, /^dr-willow, staff, restored an? \S.* of .*14.*9:12[^:]*\.$/)
  assert.equal(tried, 'You tried to restore a reading, which changed nothing.')
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
  assert.equal(visitsOf(entries, 'UTC').length, 4)
  assert.equal(visitsOf(entries.slice(0, 1), 'UTC').length, 1)
  assert.deepEqual(visitsOf([], 'UTC'), [])
})

test('a doctor is named as in the directory, not by the subject of the token', () => {
  const byGrant = { readBy: 'sub-7', allowedAs: 'grant', doctorId: 'Willow Sample' } as const
  assert.deepEqual(sentences([access(byGrant)]), ['Dr Willow Sample, Cardiology, read 20 readings.'])
  assert.deepEqual(sentences([access(byGrant)], 'sub-7'), ['You read 20 readings.'])
  const another = access({ ...byGrant, doctorId: 'Ash Sample' })
  assert.equal(sentences([access(byGrant), another]).length, 2)
})

test('the reason of staff ends their sentence, and another reason begins another one', () => {
  const [first, second] = [access({ reason: 'Chest pain' }), access({ reason: 'Follow-up' })]
  assert.deepEqual(sentences([first, first, second]), [
    'dr-willow, staff, read 40 readings: Chest pain',
    'dr-willow, staff, read 20 readings: Follow-up',
  ])
})

test('an operation that a later service adds is named, not hidden', () => {
  assert.deepEqual(sentences([access({ operation: 'readings/compare' })]), [
    'dr-willow, staff, used readings/compare.',
  ])
})

test('what a webhook sent is said with the host that it was sent to, not as received', () => {
  const sent = { readBy: 'webhook copy.example', allowedAs: 'service', operation: 'webhooks' } as const
  assert.deepEqual(sentences([access({ ...sent, readingsCount: 1 })]), [
    'copy.example, a connected system, was sent 1 reading.',
  ])
  assert.deepEqual(sentences([access({ ...sent, readingsCount: 0 })]), [
    'copy.example, a connected system, was sent what is shared with doctors.',
  ])
  const copied = { readBy: 'warehouse', allowedAs: 'service', operation: 'readings/changes' } as const
  assert.deepEqual(sentences([access(copied)]), ['warehouse, a service, copied 20 readings as they changed.'])
})

test('what a connected system was sent in a day is one sentence, also between that of others', () => {
  const sent = (host: string, at: string, readingsCount = 133) =>
    access({
      readBy: `webhook ${host}`,
      allowedAs: 'service',
      operation: 'webhooks',
      at: `2026-11-${at}:00.000Z`,
      readingsCount,
    })
  const entries = [
    sent('copy.example', '15T18:00'),
    sent('ward.example', '15T17:59'),
    access({ at: '2026-11-15T12:00:00.000Z' }),
    sent('copy.example', '15T09:00'),
    sent('ward.example', '15T09:00', 0),
    sent('copy.example', '15T00:00'),
    sent('copy.example', '14T23:59'),
  ]
  assert.deepEqual(sentences(entries), [
    'copy.example, a connected system, was sent 399 readings.',
    'ward.example, a connected system, was sent 133 readings and what is shared with doctors.',
    'dr-willow, staff, read 20 readings.',
    'copy.example, a connected system, was sent 133 readings.',
  ])
  const [copy] = visitsOf(entries, 'UTC')
  assert.deepEqual([copy?.from, copy?.to], ['2026-11-15T00:00:00.000Z', '2026-11-15T18:00:00.000Z'])
})

test('reads of targets are said in words', () => {
  const byDoctor = { allowedAs: 'grant', doctorId: 'Sample', readingsCount: 0 } as const
  assert.deepEqual(
    sentences([
      access({ ...byDoctor, operation: 'timeline' }),
      access({ ...byDoctor, operation: 'targets/list' }),
      access({ ...byDoctor, operation: 'readings/latest' }),
    ]),
    ['Dr Sample, Cardiology, read the newest of each type, the targets and what happened before.'],
  )
})

test('a look at the list of patients is told as such, with what was read in the same visit', () => {
  const look = access({
    operation: 'care/patients/list',
    allowedAs: 'grant',
    doctorId: 'Willow Sample',
    from: '2026-10-17T00:00:00.000Z',
    readingsCount: 0,
  })
  assert.deepEqual(sentences([look]), [
    'Dr Willow Sample, Cardiology, looked at your readings in the list of patients.',
  ])
  const report = { ...look, operation: 'reports/glucose', at: '2026-11-15T09:15:00.000Z', from: null }
  const timeline = { ...report, operation: 'timeline' }
  assert.deepEqual(sentences([timeline, report, look]), [
    'Dr Willow Sample, Cardiology, looked at your readings in the list of patients and read the glucose report and what happened before.',
  ])
  const alerts = [
    { ...look, operation: 'care/alerts/list' },
    { ...report, operation: 'alerts/history' },
    { ...report, operation: 'alerts/list' },
  ]
  assert.deepEqual(sentences(alerts), [
    'Dr Willow Sample, Cardiology, looked at the list of alerts and read the alerts and what became of an alert.',
  ])
})

test('alert rules are sentences too: those that were read, and one that was tried out', () => {
  const of = (operation: string, readingTypes: string[] | null = null) => access({ operation, readingTypes })
  assert.deepEqual(sentences([of('rules/list'), of('alerts/list'), of('alerts/history')]), [
    'dr-willow, staff, read the alert rules, the alerts and what became of an alert.',
  ])
  assert.deepEqual(sentences([of('care/rules/preview', ['heartRate']), of('care/alerts/list')]), [
    'dr-willow, staff, looked at the list of alerts and tried out an alert rule on your readings of heart rate.',
  ])
})
