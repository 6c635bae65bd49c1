// Patients of another cell, asked for as FHIR: the same answer that the plain operations give, and nothing read or stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, type Issue, startFhir } from '../../../test/support/fhir.ts'
import { runSql } from '../../../test/support/harness.ts'
import { LOWER, patientIn, setSlots, UPPER } from '../../../test/support/slots.ts'

const rounds = await startFhir()

const observationOf = (patientUid: string) => ({
  resourceType: 'Observation',
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
    },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  subject: { reference: `Patient/${patientUid}` },
  effectiveDateTime: '2026-01-01T10:00:00Z',
  valueQuantity: { value: 72, unit: '/min', system: 'http://unitsofmeasure.org', code: '/min' },
})
const entryOf = (patientUid: string) => ({
  request: { method: 'POST', url: 'Observation' },
  resource: observationOf(patientUid),
})

const placesIn = (issues: Issue[]) => issues.map(({ expression }) => expression)

for (const { of, slots, status, code } of [
  { of: 'another cell', slots: { open: LOWER }, status: 421, code: 'WrongCell' },
  { of: 'slots that move', slots: { open: LOWER, closing: UPPER }, status: 503, code: 'PatientMoving' },
])
  test(`a patient of ${of} is an OperationOutcome with ${status}`, async () => {
    await setSlots(rounds.ownerUrl, slots)
    const [here, there] = [patientIn('lower'), patientIn('upper')]
    const token = await rounds.token({ patientUid: [here, there] })
    const post = (path: string, body: unknown) => rounds.fhir(path, { token, body })
    assert.equal((await post('/Observation', observationOf(here))).status, 201)
    assertOutcome(await post('/Observation', observationOf(there)), status, code)
    for (const path of [
      `/Observation?patient=${there}`,
      `/Patient/${there}`,
      `/Patient?_id=${there}`,
      `/Patient/${there}/Observation`,
      `/Patient/${there}/$everything`,
      `/Device?patient=${there}`,
      `/Consent?patient=${there}`,
      `/Observation/$lastn?patient=${there}`,
    ]) {
      assertOutcome(await rounds.fhir(path, { token }), status, code)
      const batch = {
        resourceType: 'Bundle',
        type: 'batch',
        entry: [{ request: { method: 'GET', url: path.slice(1) } }],
      }
      if (status === 421) assertOutcome(await post('', batch), status, code)
      else assert.match((await post('', batch)).text, /"status":"503 Service Unavailable".*PatientMoving/)
    }
    const transaction = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [entryOf(here), entryOf(there)],
    }
    const issues = assertOutcome(await post('', transaction), status, code)
    if (status === 421) assert.deepEqual(placesIn(issues), [['Bundle.entry[1].resource']])
    const stored = await runSql(
      rounds.ownerUrl,
      'select from casesheet.readings where patient_uid = $1 union all select from casesheet.access_log where patient_uid = $1',
      [there],
    )
    assert.equal(stored.length, 0)
  })

test('a transaction with many Observations of another cell names the first twenty', async () => {
  await setSlots(rounds.ownerUrl, { open: LOWER })
  const [here, there] = [patientIn('lower'), patientIn('upper')]
  const token = await rounds.token({ patientUid: [here, there] })
  const entry = [entryOf(here), ...Array.from({ length: 99 }, () => entryOf(there))]
  const body = { resourceType: 'Bundle', type: 'transaction', entry }
  const issues = assertOutcome(await rounds.fhir('', { token, body }), 421, 'WrongCell')
  assert.deepEqual(
    placesIn(issues),
    Array.from({ length: 20 }, (_, index) => [`Bundle.entry[${index + 1}].resource`]),
  )
})
