import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANDOM_READINGS } from '../../../../test/support/fhir-readings.ts'
import { CATALOGUE } from '../../casesheet/catalogue/catalogue.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { observationIdsOf } from './observation-id.ts'
import { observationPrinter } from './print-observation.ts'
import type { Reading } from './reading-to-observation.ts'
import { storedObservation } from './stored-observation.ts'

function assertPrinted(reading: Reading) {
  const { patientUid, readingType, timestamp, ...fields } = reading
  const readingId = readingIdOf(reading)
  const receivedAt = '2025-11-01T12:27:41.250Z'
  const id = observationIdsOf(patientUid)(readingId, timestamp)
  const printed = observationPrinter(patientUid)({ readingType, timestamp, readingId, receivedAt, fields })
  const wanted = storedObservation({ reading, id, readingId, receivedAt })
  assert.equal(printed.text, JSON.stringify(wanted))
  for (const part of [wanted, ...(wanted.component ?? [])])
    assert.ok(!('referenceRange' in part) && !('interpretation' in part), 'nobody has set a range')
  assert.deepEqual(
    [printed.id, printed.about.status, printed.about.code, printed.about.category],
    [id, wanted.status, wanted.code, wanted.category],
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

test('readings with nothing but numbers and a source are printed as they are mapped, whatever stands in the source', () => {
  const texts = [
    'Cuff',
    '"\\ é',
    'sample-of-a-source: device name',
    'device name',
    '987654321.5',
    ' led',
    '🩺',
  ]
  const reading = { patientUid: 'patient-1', readingType: 'bloodPressure', timestamp: 1_762_000_000 }
  for (const kind of ['device', 'manual', 'import']) {
    for (const name of texts) {
      const others = texts.toReversed()
      const devices = [
        undefined,
        { name },
        { serial: others[0], name },
        { name, manufacturer: others[1], model: others[2], serial: others[3] },
      ]
      for (const device of devices) {
        for (const app of [undefined, { name }, { version: others[4], name: others[5] }]) {
          const source = { kind, ...(device ? { device } : {}), ...(app ? { app } : {}) }
          // Twice, as the first makes a template.
          assertPrinted({ ...reading, systolic: 120, diastolic: 80, source })
          assertPrinted({ ...reading, source, diastolic: 70, systolic: 110.5 })
        }
      }
    }
  }
})

test('a unit with the name of a field is printed as a unit', () => {
  const sleep = { patientUid: 'patient-1', readingType: 'sleep', timestamp: 1_762_000_000, value: 432 }
  assertPrinted({ ...sleep, deep: 80 })
  assertPrinted({ ...sleep, unit: 'deep' })
  assertPrinted({ ...sleep, unit: 'min', deep: 80 })
  assertPrinted({ ...sleep, unit: 'min deep' })
})
