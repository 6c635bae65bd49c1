// Which child stands first: far low, low, the rest, and last those whose sensor says nothing of now.
import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading, Target } from '../../typescript/src/client.ts'
import { SENSOR, sensorState, trendOf, urgencyOf } from '../src/screens/everyone/sensor-state.ts'
import { entryOf } from './catalogue.ts'

const NOW = Date.parse('2026-11-17T12:00:00Z')

const of = (kind: Target['author']['kind'], fields: Target['fields'], judges = true) =>
  ({ readingType: SENSOR, unit: 'mg/dL', author: { kind, name: kind }, fields, judges }) as Target

function stateOf(fields: object, minutesAgo: number, ...targets: Target[]) {
  const measuredAt = new Date(NOW - minutesAgo * 60_000).toISOString()
  const reading: StoredReading = {
    patientUid: 'child-1',
    readingType: SENSOR,
    readingId: 'one',
    timestamp: NOW / 1_000,
    receivedAt: measuredAt,
    measuredAt,
    unit: 'mmol/L',
    ...fields,
  }
  return sensorState(reading, { entry: entryOf(SENSOR), targets, now: NOW })
}
const LIMITS = of('doctor', { value: { low: 70, farLow: 54, high: 180 } })

test('low is what somebody called low, in any unit, and nothing without', () => {
  const place = (value: number, ...targets: Target[]) => stateOf({ value }, 1, ...targets).place
  assert.deepEqual(
    [2.4, 3.4, 3.9, 10, 10.1].map((value) => place(value, LIMITS)),
    ['farLow', 'low', 'in', 'in', 'above'],
  )
  assert.equal(stateOf({ value: 3.4 }, 1, LIMITS).limit, 3.9)
  assert.equal(place(2.4), undefined)
  assert.equal(stateOf({ outOfRange: 'low' }, 1).place, 'farLow')
})

test('below an act limit is far low; without a limit below, the carer’s own holds beside the range of the doctor', () => {
  const acts = of('doctor', { value: { actBelow: 54 } })
  const own = of('patient', { value: { low: 80 } }, false)
  const judged = (value: number, ...targets: Target[]) => {
    const { place, limit, lowTarget } = stateOf({ value, unit: 'mg/dL' }, 1, ...targets)
    return [place, limit, lowTarget?.author.kind]
  }
  assert.deepEqual(judged(53, acts, own), ['farLow', 54, 'doctor'])
  assert.deepEqual(judged(54, acts, own), [undefined, undefined, 'doctor'])
  const high = of('doctor', { value: { high: 180, actBelow: null } })
  assert.deepEqual(judged(79, high, own), ['low', 80, 'patient'])
  assert.deepEqual(judged(181, high, own), ['above', undefined, 'patient'])
  assert.deepEqual(judged(40, high), ['in', undefined, undefined])
})

test('after 15 minutes a value says nothing of now: no arrow, and behind those that do', () => {
  const fresh = stateOf({ value: 2.4, trend: 'falling' }, 15, LIMITS)
  assert.deepEqual([fresh.isStale, fresh.trend, urgencyOf(fresh)], [false, 'falling', 0])
  const stale = stateOf({ value: 2.4, trend: 'falling' }, 16, LIMITS)
  assert.deepEqual([stale.isStale, stale.minutes, stale.trend, urgencyOf(stale)], [true, 16, undefined, 3])
  assert.deepEqual(
    [3.4, 6].map((value) => urgencyOf(stateOf({ value }, 1, LIMITS))),
    [1, 2],
  )
  assert.equal(urgencyOf(undefined), 4)
})

test('the arrow is the sensor’s own word, and none where it says another', () => {
  assert.deepEqual(['SingleDown', 'falling fast', 'flat', 'FortyFiveUp', 'odd', 3, undefined].map(trendOf), [
    'fallingFast',
    'fallingFast',
    'steady',
    'rising',
    undefined,
    undefined,
    undefined,
  ])
})
