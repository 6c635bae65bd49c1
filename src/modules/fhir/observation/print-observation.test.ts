import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANDOM_READINGS } from '../../../../test/support/fhir-readings.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { instantOf } from '../../casesheet/epoch-time.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { createObservationIds } from './observation-id.ts'
import { observationPrinter } from './print-observation.ts'
import type { Reading } from './reading-to-observation.ts'
import { storedObservation } from './stored-observation.ts'

const ids = createObservationIds(Buffer.alloc(32, 7))

/** As PostgreSQL prints an instant: without zeros at its end. */
function printedByDatabase(timestamp: number): string {
  return instantOf(timestamp)
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '+00')
}

function assertPrinted(reading: Reading) {
  const { patientUid, readingType, timestamp, ...fields } = reading
  const readingId = readingIdOf(reading)
  const updatedAt = '2025-11-01T12:27:41.250Z'
  const id = ids.idOf(patientUid, { readingId, timestamp })
  const measuredAt = printedByDatabase(timestamp)
  const print = observationPrinter(patientUid)
  const printed = print({ id, readingType, timestamp, readingId, measuredAt, updatedAt, fields })
  const wanted = storedObservation({ reading, id, readingId, updatedAt })
  assert.equal(printed.text, JSON.stringify(wanted))
  for (const part of [wanted, ...(wanted.component ?? [])])
    assert.ok(!('referenceRange' in part) && !('interpretation' in part), 'nobody has set a range')
  assert.deepEqual(
    [printed.about.status, printed.about.code, printed.about.category],
    [wanted.status, wanted.code, wanted.category],
  )
}

for (const [readingType, readings] of RANDOM_READINGS) {
  test(`Observations of ${readingType} are printed as they are mapped`, () => {
    fc.assert(fc.property(readings, assertPrinted), { numRuns: 50, seed: 20261115 })
    const type = CATALOGUE[readingType]
    if (!type) return
    // With nothing but numbers, which is printed in another way; twice, as the first makes a template.
    for (const unit of [...type.units, undefined]) {
      const numbers = Object.keys(type.quantities).map((name, index) => [name, 20.5 - index])
      const fields = { ...Object.fromEntries(numbers), ...(unit === undefined ? {} : { unit }) }
      for (const timestamp of [1_762_000_000, 1_762_000_000_123, 1_762_000_000.5]) {
        for (const patientUid of ['patient-1', 'a b', 'x'.repeat(128)]) {
          assertPrinted({ ...fields, patientUid, readingType, timestamp })
        }
      }
    }
  })
}

test('a unit with the name of a field is printed as a unit', () => {
  const sleep = { patientUid: 'patient-1', readingType: 'sleep', timestamp: 1_762_000_000, value: 432 }
  assertPrinted({ ...sleep, deep: 80 })
  assertPrinted({ ...sleep, unit: 'deep' })
  assertPrinted({ ...sleep, unit: 'min', deep: 80 })
  assertPrinted({ ...sleep, unit: 'min deep' })
})
