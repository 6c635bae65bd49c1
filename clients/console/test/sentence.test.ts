// The sentence with which Today begins, and the order of the cards.
import './words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading, Target } from '../../typescript/src/client.ts'
import { rangesOf } from '../src/care/in-target.ts'
import { cardsOf as cardsFrom } from '../src/screens/today/attention.ts'
import { sentenceOf } from '../src/screens/today/sentence.ts'
import { shapeOf } from '../src/screens/today/spark-shape.ts'
import { inOrder } from '../src/screens/today/use-latest.ts'
import { weekOf } from '../src/screens/today/week.ts'
import { catalogue } from './catalogue.ts'
import './words.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-17T12:00:00Z')
const ZONE = 'Europe/Berlin'

const reading = (readingType: string, fields: object, daysAgo = 0): StoredReading => ({
  patientUid: 'patient-1',
  readingType,
  timestamp: (NOW - daysAgo * DAY) / 1_000,
  readingId: `${readingType}-id`,
  measuredAt: new Date(NOW - daysAgo * DAY).toISOString(),
  receivedAt: new Date(NOW).toISOString(),
  ...fields,
})

const target = (readingType: string, unit: string, fields: Target['fields']): Target => ({
  targetId: 'a-target',
  patientUid: 'patient-1',
  readingType,
  unit,
  fields,
  expectEvery: null,
  label: null,
  preset: null,
  author: { kind: 'patient', name: 'patient-1' },
  isForAll: false,
  judges: true,
  setBy: 'ada-example',
  setAt: new Date(NOW).toISOString(),
})

const HEART_RATE = target('heartRate', '/min', { value: { low: 50, high: 100 } })
const SYSTOLIC = target('bloodPressure', 'mm[Hg]', { systolic: { high: 135 } })
const pressures = (diastolic: Target['fields'][string]) =>
  target('bloodPressure', 'mm[Hg]', { systolic: { high: 135 }, diastolic })
const PRESSURES = pressures({ high: 85 })
const GLUCOSE = target('bloodGlucose', 'mg/dL', { value: { low: 70, high: 180 } })
const WEIGHT = target('bodyWeight', 'kg', { value: { high: 80 } })

const cardsOf = (readings: StoredReading[], targets: Target[]) =>
  cardsFrom(inOrder(readings, catalogue), {
    catalogue,
    targetOf: (type) => targets.find(({ readingType }) => readingType === type),
    now: NOW,
  })

const said = (readings: StoredReading[], targets: Target[], whose?: string) =>
  sentenceOf({
    whose,
    types: targets.map(({ readingType }) => readingType),
    cards: cardsOf(readings, targets),
    measuredAt: (type) => readings.find(({ readingType }) => readingType === type)?.measuredAt,
    now: NOW,
    zone: ZONE,
  }).join('; ')

const PULSE = reading('heartRate', { value: 80 })
const PRESSURE = reading('bloodPressure', { systolic: 142, diastolic: 84 })
const STICK = reading('bloodGlucose', { value: 10, unit: 'mmol/L' })

test('a sensor comes first, then what was measured last', () => {
  const readings = [
    reading('bodyWeight', { value: 99, unit: 'kg' }, 9),
    reading('oxygenSaturation', { value: 71 }, 2),
    PULSE,
    reading('interstitialGlucose', { value: 6, unit: 'mmol/L' }, 3),
    reading('acme.grip', { value: 3 }, 1),
  ]
  assert.deepEqual(
    cardsOf(readings, [HEART_RATE, WEIGHT]).map(({ readingType, group }) => [readingType, group]),
    [
      ['interstitialGlucose', 'without'],
      ['heartRate', 'in'],
      ['acme.grip', 'without'],
      ['oxygenSaturation', 'without'],
      ['bodyWeight', 'old'],
    ],
  )
})

test('a sensor that has sent nothing for a quarter of an hour is not in target, and is not missing', () => {
  const SENSOR = target('interstitialGlucose', 'mmol/L', { value: { low: 3.9, high: 10 } })
  const sensor = (minutesAgo: number) =>
    reading('interstitialGlucose', { value: 6, unit: 'mmol/L' }, minutesAgo / 1_440)
  assert.equal(said([sensor(15), PULSE], [SENSOR, HEART_RATE]), 'All 2 in target')
  for (const minutes of [16, 90, 1_500]) {
    const readings = [sensor(minutes), PULSE]
    assert.equal(cardsOf(readings, [SENSOR, HEART_RATE])[0]?.judged, undefined)
    assert.equal(said(readings, [SENSOR, HEART_RATE]), 'Heart rate in target')
  }
})

test('of a week each reading counts that is in target with all its numbers', () => {
  const points = (
    [
      [134, 84, 0],
      [136, 84, 1],
      [134, 86, 2],
      [120, 70, 6],
      [120, 70, 8],
    ] as const
  ).map(([systolic, diastolic, daysAgo]) => ({ atMs: NOW - daysAgo * DAY, values: { systolic, diastolic } }))
  const targets = rangesOf(PRESSURES, catalogue.get('bloodPressure'))
  assert.deepEqual(weekOf({ points }, { targets, now: NOW, zone: ZONE }), { count: 4, inTarget: 2 })
  // One measurement that was sent twice counts once, and two values at one instant count each.
  const [first] = points
  assert.ok(first)
  const again = [
    { ...first, atMs: Math.floor(first.atMs / 1_000) * 1_000 + 999 },
    { ...first, values: { systolic: 133, diastolic: 84 } },
  ]
  assert.deepEqual(weekOf({ points: [...points, ...again] }, { targets, now: NOW, zone: ZONE }), {
    count: 5,
    inTarget: 3,
  })
  assert.deepEqual(weekOf({ points: [] }, { targets, now: NOW, zone: ZONE }), { count: 0, inTarget: 0 })
  // Of a sensor they are not known one by one.
  assert.equal(weekOf({ points: undefined }, { targets, now: NOW, zone: ZONE }), undefined)
})

test('the sentence counts the newest readings with a target, and names those that are old or missing', () => {
  const cases: [StoredReading[], Target[], string][] = [
    [[PULSE, PRESSURE, STICK], [HEART_RATE, PRESSURES, GLUCOSE], '2 of 3 in target'],
    [[PULSE, PRESSURE, STICK], [HEART_RATE, GLUCOSE], 'All 2 in target'],
    [
      [PULSE, PRESSURE],
      [target('heartRate', '/min', { value: { high: 70 } }), SYSTOLIC],
      'None of 2 in target',
    ],
    [[PRESSURE], [PRESSURES], 'Blood pressure: systolic above target'],
    [[PRESSURE], [pressures({ high: 80 })], 'Blood pressure above target'],
    [[PULSE], [HEART_RATE], 'Heart rate in target'],
    [[PRESSURE], [pressures({ low: 90 })], 'Blood pressure: systolic above target, diastolic below target'],
    [
      [PULSE, reading('bodyWeight', { value: 99, unit: 'kg' }, 9)],
      [HEART_RATE, WEIGHT],
      'Heart rate in target; no body weight for 9 days',
    ],
    // Exactly a week is not old yet.
    [[reading('bodyWeight', { value: 79, unit: 'kg' }, 7)], [WEIGHT], 'Body weight in target'],
    [[PULSE], [WEIGHT, GLUCOSE], 'No body weight yet and no blood glucose yet'],
    [[PULSE], [WEIGHT, GLUCOSE, SYSTOLIC], 'No recent reading of 3 types with a target'],
    [[PULSE, PRESSURE], [], ''],
  ]
  for (const [readings, targets, text] of cases) assert.equal(said(readings, targets), text)
})

test('several patients are told apart', () => {
  assert.equal(said([PULSE], [HEART_RATE], 'child-1'), 'child-1: Heart rate in target')
})

test('the target lies behind the small chart, to the edge where it is open or far away', () => {
  const days = Array.from({ length: 2 }, (_, index) => ({
    startMs: index * DAY,
    endMs: (index + 1) * DAY,
    count: 1,
    ranges: {},
  }))
  const extreme = (field: string, value: number) =>
    ({ field, kind: 'lowest', value, atMs: 0, isDayOnly: true }) as const
  const month = (values: [string, number][]) => ({
    days,
    points: [],
    extremes: values.map(([field, value]) => extreme(field, value)),
    count: 2,
  })
  const measured = month([
    ['systolic', 140],
    ['diastolic', 80],
  ])
  const bandsOf = (set: Target, of = measured) =>
    shapeOf(of, ['systolic', 'diastolic'], rangesOf(set, catalogue.get(set.readingType))).bands.map(
      ({ from, to, lines }) => [from, to, ...lines].map((height) => Number(height.toFixed(3))),
    )
  // The scale is from 80 to 140; the upper band ends below where the lower one begins.
  assert.deepEqual(bandsOf(PRESSURES), [
    [0.083, 0.917, 0.917],
    [0, 0.083, 0.083],
  ])
  assert.deepEqual(bandsOf(target('bloodPressure', 'mm[Hg]', { systolic: { low: 110 } })), [[0.5, 1, 0.5]])
  const pulse = month([
    ['value', 60],
    ['value', 70],
  ])
  // 75 is near, 200 is not: the scale is from 60 to 75.
  assert.deepEqual(bandsOf(target('heartRate', '/min', { value: { low: 75, high: 200 } }), pulse), [
    [1, 1, 1],
  ])
  assert.deepEqual(bandsOf(target('heartRate', '/min', { value: { low: 20, high: 200 } }), pulse), [[0, 1]])
})
