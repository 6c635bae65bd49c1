// Every vital sign that leaves holds what US Core asks of it, whatever the reading holds beside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readingToObservation } from '../../src/modules/fhir/observation/reading-to-observation.ts'
import type { Resource } from '../support/fhir.ts'
import { RANDOM_READINGS } from '../support/fhir-readings.ts'
import { US_CORE_VITAL_SIGNS, usCoreFaultsOf } from '../support/us-core.ts'

const PROFILE_OF: Readonly<Record<string, string>> = {
  heartRate: 'heart-rate',
  respiratoryRate: 'respiratory-rate',
  bodyTemperature: 'body-temperature',
  bodyWeight: 'body-weight',
  bodyHeight: 'body-height',
  bodyMassIndex: 'bmi',
  headCircumference: 'head-circumference',
  oxygenSaturation: 'pulse-oximetry',
  bloodPressure: 'blood-pressure',
}

test('every profile of US Core for a vital sign is looked at', () => {
  assert.deepEqual(Object.values(PROFILE_OF).toSorted(), Object.keys(US_CORE_VITAL_SIGNS).toSorted())
})

for (const [readingType, profile] of Object.entries(PROFILE_OF)) {
  test(`random readings of ${readingType} hold us-core-${profile}`, () => {
    const property = fc.property(RANDOM_READINGS.get(readingType) ?? fc.constant(undefined), (reading) => {
      assert.ok(reading)
      const observation = JSON.parse(JSON.stringify(readingToObservation(reading))) as Resource
      assert.deepEqual(usCoreFaultsOf(profile, observation), [], JSON.stringify(observation))
    })
    fc.assert(property, { numRuns: 20, seed: 20261118 })
  })
}
