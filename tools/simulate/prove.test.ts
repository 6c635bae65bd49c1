import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading } from '../../clients/typescript/src/client.ts'
import { measuredAtMs, readingsOfDay } from './devices.ts'
import { DAY_MS, simulatedPatient } from './patient.ts'
import { findFaults } from './prove.ts'

const days = { first: 20_454, end: 20_456 }
const patient = simulatedPatient(7, 1)

/** The readings of some days as the service would answer them. */
const stored = (first = days.first, end = days.end): StoredReading[] =>
  Array.from({ length: end - first }, (_, index) => readingsOfDay(patient, first + index))
    .flat()
    .map((reading, index) => ({
      ...reading,
      readingId: `id-${index}`,
      measuredAt: new Date(measuredAtMs(reading)).toISOString(),
      receivedAt: new Date(0).toISOString(),
    }))
const kindsIn = async (readings: StoredReading[]) =>
  (await findFaults(patient, days, each(readings))).map(({ kind }) => kind)

async function* each<T>(items: T[]) {
  yield* items
}

/** All as it should be, but for one reading. */
const changed = (change: (reading: StoredReading) => StoredReading[]) => {
  const [first, ...others] = stored()
  assert.ok(first)
  return [...change(first), ...others]
}

test('what was generated, once each and in any order of time and fields, is proven', async () => {
  assert.deepEqual(await kindsIn(stored()), [])
  const turned = stored().map(
    (reading) => Object.fromEntries(Object.entries(reading).toReversed()) as StoredReading,
  )
  assert.deepEqual(await kindsIn(turned.toReversed()), [])
})

test('one reading less is missing, one twice is doubled, a strange one is unexpected', async () => {
  assert.deepEqual(await kindsIn(changed(() => [])), ['missing'])
  assert.deepEqual(await kindsIn(changed((first) => [first, { ...first, readingId: 'other' }])), ['doubled'])
  assert.deepEqual(await kindsIn(changed((first) => [first, { ...first, readingType: 'acme.step' }])), [
    'unexpected',
  ])
})

test('a reading that changed in any way is unexpected, and the one that was sent is missing', async () => {
  const changes: ((reading: StoredReading) => object)[] = [
    ({ value }) => ({ value: Number(value) + 1e-9 }),
    ({ value }) => ({ value: String(value) }),
    () => ({ unit: undefined }),
    () => ({ note: null }),
    ({ timestamp }) => ({ timestamp: timestamp / 1_000 }),
    () => ({ patientUid: 'simulated-7-0002' }),
    ({ timestamp }) => ({ measuredAt: new Date(timestamp + 1).toISOString() }),
  ]
  for (const change of changes) {
    const readings = changed((first) => [{ ...first, ...change(first) }])
    assert.deepEqual(await kindsIn(readings), ['unexpected', 'missing'], String(change))
  }
})

test('readings that another run of the same seed left on other days are no fault, but anything else there is', async () => {
  const longer = stored(days.first - 2, days.end + 3)
  assert.deepEqual(await kindsIn(longer), [])
  const [first, ...others] = longer
  assert.ok(first)
  assert.ok(measuredAtMs(first) < days.first * DAY_MS)
  assert.deepEqual(await kindsIn([{ ...first, value: 1 }, ...others]), ['unexpected'])
})
