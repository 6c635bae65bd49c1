import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as always, boolean, double, integer, property, record } from 'fast-check'
import type { Reading } from '../../clients/typescript/src/client.ts'
import { measuredAtMs, readingsOfDay } from './devices.ts'
import { HOUR_MS, simulatedPatient } from './patient.ts'
import { type Days, type Faults, syncsByDay } from './syncs.ts'

const NO_FAULTS: Faults = { duplicateShare: 0, lateMs: 0, isOutOfOrder: false }
const days: Days = { first: 20_454, end: 20_458 }
const patient = simulatedPatient(7, 1)

const sentBy = (faults: Faults) => [...syncsByDay(patient, days, faults)].flat()
const readingsIn = (syncs: { readings: Reading[] }[]) => syncs.flatMap(({ readings }) => readings)
const generated = Array.from({ length: days.end - days.first }, (_, index) =>
  readingsOfDay(patient, days.first + index),
).flat()
/** Pairs of neighbours whose second was taken before the first. */
const inversions = (readings: Reading[]) =>
  readings.filter((reading, index) => {
    const before = readings[index - 1]
    return before !== undefined && measuredAtMs(before) > measuredAtMs(reading)
  }).length

test('without faults every reading is sent once, in order of time, a few times a day', () => {
  const syncs = sentBy(NO_FAULTS)
  assert.deepEqual(readingsIn(syncs), generated)
  assert.ok(syncs.length >= 4 * 3 && syncs.length <= 4 * 12, `${syncs.length} syncs in 4 days`)
})

test('with any faults every reading is sent, unchanged, and what is sent twice is counted', () => {
  const faults = record({
    duplicateShare: double({ min: 0, max: 1, noNaN: true }),
    lateMs: integer({ min: 0, max: 72 * HOUR_MS }),
    isOutOfOrder: boolean(),
  })
  const inOrder = (readings: Reading[]) => readings.map((reading) => JSON.stringify(reading)).toSorted()
  always(
    property(faults, (chosen) => {
      const syncs = sentBy(chosen)
      const sent = readingsIn(syncs)
      assert.deepEqual([...new Set(inOrder(sent))], inOrder(generated))
      const duplicates = syncs.reduce((sum, sync) => sum + sync.duplicates, 0)
      assert.equal(sent.length, generated.length + duplicates)
    }),
  )
})

test('about the share asked for is sent twice', () => {
  const duplicates = sentBy({ ...NO_FAULTS, duplicateShare: 0.5 }).reduce(
    (sum, sync) => sum + sync.duplicates,
    0,
  )
  assert.ok(duplicates > generated.length * 0.35 && duplicates < generated.length * 0.65)
})

test('a late reading comes after ones taken later, by no more than was asked for', () => {
  const lateMs = 2 * HOUR_MS
  const sent = readingsIn(sentBy({ ...NO_FAULTS, lateMs }))
  assert.ok(inversions(sent) > 5)
  let latest = 0
  for (const reading of sent) {
    assert.ok(latest - measuredAtMs(reading) <= lateMs)
    latest = Math.max(latest, measuredAtMs(reading))
  }
})

test('out of order, about half of the neighbours are the wrong way round', () => {
  const sent = readingsIn(sentBy({ ...NO_FAULTS, isOutOfOrder: true }))
  assert.ok(inversions(sent) > sent.length / 3)
})
