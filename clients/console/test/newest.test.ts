import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading } from '../../typescript/src/client.ts'
import { shapeOf } from '../src/screens/today/spark-shape.ts'
import { inOrder, newestOf } from '../src/screens/today/use-latest.ts'
import { catalogue } from './catalogue.ts'
import './words.ts'

const reading = (readingType: string, measuredAt: string, fields = {}): StoredReading => ({
  patientUid: 'patient-1',
  readingType,
  timestamp: Date.parse(measuredAt),
  readingId: `${readingType} ${measuredAt}`,
  measuredAt,
  receivedAt: measuredAt,
  ...fields,
})
const [MORNING, NOON, EVENING] = ['2026-11-15T08:00:00Z', '2026-11-15T12:00:00Z', '2026-11-15T20:00:00Z']

test('a reading that arrives late does not take the place of a newer one', () => {
  const newest = newestOf([
    reading('heartRate', NOON),
    reading('heartRate', MORNING),
    reading('bodyWeight', MORNING),
    reading('bodyWeight', EVENING),
  ])
  assert.deepEqual(
    newest.map(({ measuredAt }) => measuredAt),
    [NOON, EVENING],
  )
})

test('cards stand in the order of the catalogue, then symptoms, then what only its device knows', () => {
  const types = ['zoo.x', 'symptom', 'acme.grip', 'bloodPressure', 'heartRate']
  const ordered = inOrder(
    types.map((type) => reading(type, NOON)),
    catalogue,
  )
  assert.deepEqual(
    ordered.map(({ readingType }) => readingType),
    ['heartRate', 'bloodPressure', 'symptom', 'acme.grip', 'zoo.x'],
  )
})

const DAY_MS = 86_400_000
const dayWith = (index: number, ranges: Record<string, { min: number; max: number }>) => ({
  startMs: index * DAY_MS,
  endMs: (index + 1) * DAY_MS,
  count: Object.keys(ranges).length,
  ranges: Object.fromEntries(
    Object.entries(ranges).map(([field, range]) => [field, { ...range, mean: range.min, count: 1 }]),
  ),
})

test('a small chart draws each day from its least to its most, and joins no days', () => {
  const days = [
    dayWith(0, { value: { min: 5, max: 12 } }),
    dayWith(1, {}),
    dayWith(2, { value: { min: 2, max: 10 } }),
    dayWith(3, { value: { min: 7, max: 7 } }),
  ]
  const extremes = [
    { field: 'value', kind: 'lowest' as const, value: 2, atMs: 2.1 * DAY_MS, isDayOnly: false },
    { field: 'value', kind: 'highest' as const, value: 12, atMs: 0, isDayOnly: true },
  ]
  const shape = shapeOf({ days, points: undefined, extremes, count: 900 }, ['value'])
  assert.deepEqual(shape.strokes, [
    [
      { at: 0.125, from: 0.3, to: 1 },
      { at: 0.625, from: 0, to: 0.8 },
      { at: 0.875, from: 0.5, to: 0.5 },
    ],
  ])
  assert.deepEqual(shape.extremes, [
    { at: 0.625, from: 0, to: 0 },
    { at: 0.125, from: 1, to: 1 },
  ])
})

test('a small chart of few readings has a dot for each, at its time, and a line within each pair', () => {
  const days = [dayWith(0, {}), dayWith(1, {})]
  const points = [
    { atMs: 0.5 * DAY_MS, values: { systolic: 150, diastolic: 90 } },
    { atMs: 1.5 * DAY_MS, values: { systolic: 140 } },
  ]
  const extremes = [
    { field: 'systolic', kind: 'highest' as const, value: 150, atMs: 0.5 * DAY_MS, isDayOnly: false },
    { field: 'diastolic', kind: 'lowest' as const, value: 90, atMs: 0.5 * DAY_MS, isDayOnly: false },
  ]
  const shape = shapeOf({ days, points, extremes, count: 2 }, ['systolic', 'diastolic'])
  assert.deepEqual(shape.pairs, [{ at: 0.25, from: 0, to: 1 }])
  assert.deepEqual(
    shape.strokes.map((ofField) => ofField.map(({ at, from }) => [at, Number(from.toFixed(3))])),
    [
      [
        [0.25, 1],
        [0.75, 0.833],
      ],
      [[0.25, 0]],
    ],
  )
})
