import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANDOM_READINGS } from '../../../../test/support/fhir-readings.ts'
import { checkReading } from '../../casesheet/reading.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { createObservationIds } from './observation-id.ts'
import { observationToReading } from './observation-to-reading.ts'
import { newBudget } from './read-other-fields.ts'
import { readingToObservation } from './reading-to-observation.ts'
import { storedObservation } from './stored-observation.ts'

const ids = createObservationIds(Buffer.alloc(32, 7))

const checking = () => ({ budget: newBudget(), check: checkReading, maxErrors: 20 })

/** As it arrives: through JSON. */
const sent = (resource: object) => JSON.parse(JSON.stringify(resource)) as unknown

for (const [readingType, readings] of RANDOM_READINGS) {
  test(`a reading of ${readingType} goes out as FHIR and comes back as the same reading`, () => {
    const property = fc.property(readings, (reading) => {
      const back = observationToReading(sent(readingToObservation(reading)), checking())
      assert.deepEqual(back, reading)
      assert.equal(readingIdOf(back), readingIdOf(reading))
    })
    fc.assert(property, { numRuns: 100, seed: 20261115 })
  })

  test(`a stored reading of ${readingType} comes back as the same reading, and its id leads to it`, () => {
    const property = fc.property(readings, (reading) => {
      const { patientUid, timestamp } = reading
      const readingId = readingIdOf(reading)
      const id = ids.idsOf(patientUid)(readingId, timestamp)
      const stored = storedObservation({ reading, id, readingId, receivedAt: '2025-11-01T12:27:41.250Z' })
      assert.deepEqual(observationToReading(sent(stored), checking()), reading)
      assert.match(id, /^[A-Za-z0-9.-]{64}$/)
      const place = ids.placeOf(id)
      assert.deepEqual([place?.readingId, place?.timestamp], [readingId, timestamp])
      assert.ok(
        place?.patientUid === patientUid ||
          (place?.patientUid === undefined && Buffer.byteLength(patientUid) > 23),
      )
    })
    fc.assert(property, { numRuns: 50, seed: 20261115 })
  })
}
