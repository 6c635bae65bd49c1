import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { FHIR_ELEMENTS } from '../../../../test/support/fhir-elements.ts'
import { RANDOM_READINGS } from '../../../../test/support/fhir-readings.ts'
import { checkReading } from '../../casesheet/reading.ts'
import { readingIdOf } from '../../casesheet/reading-id.ts'
import { createObservationIds } from './observation-id.ts'
import { observationToReading } from './observation-to-reading.ts'
import { newBudget } from './read-other-fields.ts'
import { readingToObservation } from './reading-to-observation.ts'
import { storedObservation } from './stored-observation.ts'

const ids = createObservationIds(Buffer.alloc(32, 7))

const checking = () => ({
  budget: newBudget(),
  check: checkReading,
  maxErrors: 20,
  base: 'https://rounds.example/fhir',
})

/** As it arrives: through JSON. */
const sent = (resource: object) => JSON.parse(JSON.stringify(resource)) as unknown

test('elements that a sender adds come back as they are, in their places', () => {
  const reading = { patientUid: 'patient-1', readingType: 'heartRate', value: 72, timestamp: 1_762_000_000 }
  const { code, category = [], ...base } = readingToObservation(reading)
  const property = fc.property(
    FHIR_ELEMENTS,
    ({ code: codings = [], category: further = [], ...elements }) => {
      const observation = {
        ...base,
        ...elements,
        code: { coding: [...(codings as object[]), ...(code.coding ?? [])] },
        category: [...(further as object[]), ...category],
      }
      const read = observationToReading(sent(observation), checking())
      const back = readingToObservation(read)
      // Profiles are claimed where they hold, and not kept.
      const aside = { meta: 0, code: 0, category: 0 }
      assert.deepEqual({ ...back, ...aside }, { ...(sent(observation) as object), ...aside })
      assert.deepEqual(back.code.coding, [...(code.coding ?? []), ...(codings as object[])])
      const sorted = (list: object[]) => list.map((one) => JSON.stringify(one)).toSorted()
      // Our own category is written once.
      const others = (further as object[]).filter((one) => !isDeepStrictEqual(one, category[0]))
      assert.deepEqual(sorted(back.category ?? []), sorted([...others, ...category]))
      assert.equal(checkReading(read).length, 0)
      // What is given back with the service's own identifier is the same reading.
      const stored = {
        reading: read,
        id: 'x',
        readingId: readingIdOf(read),
        updatedAt: '2025-11-01T12:27:41.250Z',
      }
      assert.deepEqual(observationToReading(sent(storedObservation(stored)), checking()), read)
    },
  )
  fc.assert(property, { numRuns: 500, seed: 20261118 })
})

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
      const id = ids.idOf(patientUid, { readingId, timestamp })
      const stored = storedObservation({ reading, id, readingId, updatedAt: '2025-11-01T12:27:41.250Z' })
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
