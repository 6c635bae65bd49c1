import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DayOfField } from './day-sums.ts'

const MINUTE = 60_000
const RANGE = { low: 70, high: 180, farLow: 54, farHigh: 250 }

/** `at` in minutes of the day. */
function sensorDay(...values: [at: number, value: number][]) {
  const field = new DayOfField(RANGE, true)
  for (const [at, value] of values) field.take(value, at * MINUTE)
  return field.finish()
}

function day(
  values: [at: number, value: number][],
  bounds: ConstructorParameters<typeof DayOfField>[0] = { high: 135 },
) {
  const field = new DayOfField(bounds, false)
  for (const [at, value] of values) field.take(value, at)
  return field.finish()
}

const rounded = (sums: object | undefined) =>
  Object.fromEntries(
    Object.entries(sums ?? {}).map(([name, value]) => [name, Number(Number(value).toFixed(4))]),
  )

test('a value of a sensor stands until the next, at most 20 minutes, and never beyond its day', () => {
  assert.deepEqual(rounded(sensorDay([0, 100], [5, 60], [10, 50], [40, 200], [45, 300], [1_430, 100])), {
    values: 6,
    sum: 810,
    total: 1.0833,
    inRange: 0.25,
    below: 0.4167,
    farBelow: 0.3333,
    above: 0.4167,
    farAbove: 0.3333,
    lowest: 50,
    highest: 300,
  })
})

test('at a limit is not beyond it, also where a sum of fractions is not exact', () => {
  const sums = sensorDay([0, 70], [5, 180], [10, 54], [15, 250])
  assert.deepEqual(rounded({ inRange: sums?.inRange, farBelow: sums?.farBelow, farAbove: sums?.farAbove }), {
    inRange: 0.1667,
    farBelow: 0,
    farAbove: 0,
  })
  assert.equal(
    day([
      [0, 135],
      [1_000, 135 + 1e-10],
    ])?.above,
    0,
  )
})

test('other values are counted one by one, and one that was sent twice once', () => {
  const sums = day([
    [0, 140],
    [400, 140],
    [999, 140.0000000001],
    [999, 141],
    [1_000, 140],
  ])
  assert.deepEqual([sums?.values, sums?.above, sums?.total, sums?.inRange], [3, 3, 3, 0])
})

test('without a range each value is in range, and a day without a value has no sums', () => {
  assert.equal(day([[0, 40]], {})?.inRange, 1)
  assert.equal(day([]), undefined)
  assert.equal(sensorDay(), undefined)
})
