import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading } from '../../typescript/src/client.ts'
import { merged } from '../src/screens/readings/use-readings.ts'
import { linesOf } from '../src/screens/today/spark-lines.ts'
import { inOrder, newestOf } from '../src/screens/today/use-latest.ts'
import { catalogue } from './catalogue.ts'

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

test('what changes is shown in its place, and what is new only on the newest page', () => {
  const page = [reading('heartRate', EVENING), reading('heartRate', MORNING)]
  const withdrawn = reading('heartRate', MORNING, { withdrawn: { at: NOON, by: 'ada' } })
  assert.deepEqual(merged(page, [withdrawn], false), [page[0], withdrawn])
  assert.equal(merged(page, [reading('heartRate', NOON)], true).length, 3)
  assert.equal(merged(page, [reading('heartRate', NOON)], false).length, 2)
  // A full page ends with its oldest reading: an older one belongs to the next.
  const full = Array.from({ length: 50 }, (_, index) =>
    reading('heartRate', new Date(Date.parse(NOON) + index).toISOString()),
  ).toReversed()
  assert.equal(merged(full, [reading('heartRate', MORNING)], true).length, 50)
})

test('a day without readings is a gap in the small line, and both pressures share a scale', () => {
  const summary = (mean: number) => ({
    count: 2,
    min: mean - 5,
    max: mean + 5,
    mean,
    p50: mean,
    p95: mean,
    first: mean,
    last: mean,
  })
  const bucket = (fields: Record<string, ReturnType<typeof summary>>) => ({
    start: '',
    end: '',
    localStart: '',
    count: 2,
    fields,
  })
  const data = [
    bucket({ systolic: summary(120), diastolic: summary(80) }),
    bucket({}),
    bucket({ systolic: summary(140), diastolic: summary(90) }),
  ]
  const { lines, min, max, count } = linesOf({ data }, ['systolic', 'diastolic'])
  assert.deepEqual([min, max, count], [75, 145, 4])
  assert.deepEqual(
    lines.map(({ points }) => points.map((point) => point && Number(point.height.toFixed(3)))),
    [
      [0.667, undefined, 1],
      [0, undefined, 0.167],
    ],
  )
  assert.equal(linesOf({ data: [bucket({})] }, ['value']).count, 0)
})
