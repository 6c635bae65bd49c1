/// <reference types="fhir" />
// Every kind of resource that is sent out is valid FHIR R4, and an error of each kind would be noticed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { readingIdOf } from '../../src/modules/casesheet/reading-id.ts'
import { createObservationIds } from '../../src/modules/fhir/observation/observation-id.ts'
import { storedObservation } from '../../src/modules/fhir/observation/stored-observation.ts'
import type { Observation } from '../../src/modules/fhir/resources.ts'
import { fillDirectory } from '../support/directory.ts'
import { type FhirAnswer, matchesIn, nextIn, type Resource, startFhir } from '../support/fhir.ts'
import { RANDOM_READINGS, type RandomReading } from '../support/fhir-readings.ts'
import { FHIR_SENDERS } from '../support/fhir-senders.ts'
import { faultsOf } from '../support/fhir-validation.ts'

const ids = createObservationIds(Buffer.alloc(32, 7))
const rounds = await startFhir()
const patientUid = randomUUID()
const token = await rounds.token({ patientUid })
await fillDirectory(rounds.ownerUrl, {
  specialities: [{ title: 'Ear, Nose & Throat', specialityId: 'ent' }],
  doctors: [
    {
      doctorId: 'doctor-1',
      name: 'Dr. Invented Willow',
      specialities: ['Ear, Nose & Throat'],
      gender: 'Female',
      languages: ['en-IN', 'hi'],
      qualifications: ['MBBS'],
      registrationNumber: 'EXAMPLE-1',
      city: 'Pune',
      photoUrl: 'https://example.org/1.png',
    },
    {
      doctorId: 'docteur/é',
      name: 'Invented\u00a0Space',
      specialities: [],
      gender: 'non-binary',
      isActive: false,
    },
  ],
})

const sample = [...RANDOM_READINGS.values()].flatMap((readings) =>
  fc.sample(readings, { numRuns: 2, seed: 3 }).map((reading) => ({ ...reading, patientUid })),
)

/** The compiler sees to it that what is written has the types of R4. */
const asR4 = (observation: Observation): fhir4.Observation => observation

function assertValid(resource: Resource) {
  const contained = (resource['contained'] ?? []) as Resource[]
  for (const one of [resource, ...contained]) assert.deepEqual(faultsOf(one), [], JSON.stringify(resource))
  // dom-3, which no validator here sees: what is contained is referred to.
  for (const { id } of contained)
    assert.match(JSON.stringify(resource), RegExp(`"reference":"#${String(id)}"`))
}

/** The resource, and those within it. */
function assertAllValid(resource: Resource) {
  assertValid(resource)
  for (const { resource: one, response } of (resource['entry'] ?? []) as Entry[]) {
    if (one) assertAllValid(one)
    if (response?.outcome) assertValid(response.outcome)
  }
}

type Entry = { resource?: Resource; response?: { status: string; outcome?: Resource } }

for (const [readingType, readings] of RANDOM_READINGS) {
  test(`random readings of ${readingType} are valid Observations`, () => {
    const observationOf = (reading: RandomReading) => {
      const readingId = readingIdOf(reading)
      const id = ids.idOf(reading.patientUid, { readingId, timestamp: reading.timestamp })
      return storedObservation({ id, readingId, updatedAt: '2025-11-01T12:27:41.250Z', reading })
    }
    const property = fc.property(readings, (reading) => assertValid({ ...asR4(observationOf(reading)) }))
    fc.assert(property, { numRuns: 15, seed: 20261115 })
    // What a withdrawal adds is the same whatever the reading holds.
    const withdrawn = { at: '2025-11-01T12:27:41.250Z', by: 'test', reason: null }
    for (const reading of fc.sample(readings, { numRuns: 2, seed: 20261115 }))
      assertValid(observationOf({ ...reading, withdrawn }))
  })
}

test('Bundles with the results of a search are valid, page by page, also without results', async () => {
  const added = await rounds.call('/casesheet/readings/add', { token, body: sample })
  assert.equal(added.status, 200, added.text)
  for (const query of ['_count=7', '_count=500&unknown=1', 'code=none', 'date=lt1980']) {
    const { resource } = await rounds.fhir(`/Observation?${query}`, { token })
    assertValid(resource)
    for (const match of matchesIn(resource)) assertValid(match)
  }
})

test('what was withdrawn is valid, and says that it was entered in error, by whom and why', async () => {
  const [reading] = (await rounds.call('/casesheet/readings/get?limit=1', { token })).json.data
  const body = {
    patientUid,
    readingId: reading?.['readingId'],
    timestamp: reading?.['timestamp'],
    reason: 'Typed wrongly',
  }
  assert.equal((await rounds.call('/casesheet/readings/withdraw', { token, body })).status, 200)
  const [found, ...others] = await rounds.search('status=entered-in-error', token)
  assert.equal(others.length, 0)
  assert.equal(found?.['status'], 'entered-in-error')
  assert.match(JSON.stringify(found?.['note']), /"authorString":"test".*"text":"Typed wrongly"/)
  assertValid(found ?? { resourceType: 'Observation' })
})

test('doctors are valid Practitioners and PractitionerRoles, whatever the directory says of them', async () => {
  for (const type of ['Practitioner', 'PractitionerRole']) {
    const { resource } = await rounds.fhir(`/${type}`, { token })
    assertValid(resource)
    const found = matchesIn(resource)
    assert.equal(found.length, 2)
    for (const one of found) {
      assertValid(one)
      const { resource: read } = await rounds.fhir(`/${type}/${String(one['id'])}`, { token })
      assert.deepEqual(read, one)
    }
  }
})

for (const [name, sender] of Object.entries(FHIR_SENDERS)) {
  test(`what comes back is valid: ${name}`, async () => {
    const { status, resource, text } = await rounds.fhir('/Observation', { token, body: sender(patientUid) })
    assert.equal(status, 201, text)
    assertValid(resource)
  })
}

test('Patients and what operations answer are valid, for the patient and for a doctor', async () => {
  const patient = randomUUID()
  const own = await rounds.token({ patientUid: patient })
  const device = { name: 'Invented cuff', manufacturer: 'Example', model: 'C1', serial: '17' }
  const source = { kind: 'device', device, app: { name: 'Invented app', version: '2' } }
  const readings = sample.slice(0, 8).map((reading) => ({ ...reading, patientUid: patient, source }))
  assert.equal((await rounds.call('/casesheet/readings/add', { token: own, body: readings })).status, 200)
  const grant = { patientUid: patient, doctorId: 'doctor-1', permission: 'view', sharedAs: 'Invented Mia' }
  const given = await rounds.call('/casesheet/grants/add', { token: own, body: grant })
  assert.equal(given.status, 200, given.text)
  const doctor = await rounds.token({ doctorId: 'doctor-1' })
  const addresses = [
    `/Patient/${patient}`,
    `/Patient?_id=${patient}`,
    `/Patient/${patient}/Observation?_count=3`,
    `/Observation/$lastn?patient=${patient}&max=3`,
    `/Observation?patient=${patient}&_summary=count`,
    `/Observation?patient=${patient}&_lastUpdated=gt2020-01-01`,
  ]
  const kinds = new Set<string>()
  for (const bearer of [own, doctor]) {
    for (const address of addresses) {
      let next: string | undefined = address
      while (next !== undefined) {
        const { status, resource, text }: FhirAnswer = await rounds.fhir(next, { token: bearer })
        assert.equal(status, 200, `${address} ${text}`)
        assertAllValid(resource)
        const isBundle = resource['type'] === 'searchset'
        const found = isBundle ? matchesIn(resource) : [resource]
        for (const { resourceType, id } of found) {
          kinds.add(resourceType)
          if (resourceType === 'Observation' || typeof id !== 'string') continue
          const read = await rounds.fhir(`/${resourceType}/${id}`, { token: bearer })
          assert.equal(read.status, 200, read.text)
          assertValid(read.resource)
        }
        next = isBundle ? nextIn(resource) : undefined
      }
    }
  }
  assert.deepEqual([...kinds].toSorted(), ['Observation', 'Patient'])
  const { resource } = await rounds.fhir(`/Patient/${patient}`, { token: doctor })
  assert.deepEqual(resource['name'], [{ text: 'Invented Mia' }])
})

test('the CapabilityStatement is valid, whichever modules are served', async () => {
  const divided = ['casesheet,fhir', 'appointments,fhir'].map((MODULES) => startFhir({ MODULES }))
  for (const server of [rounds, ...(await Promise.all(divided))])
    assertValid((await server.fhir('/metadata')).resource)
})

test('answers to Bundles and every OperationOutcome are valid', async () => {
  const [, second] = await rounds.search('_count=2', token)
  const resource = { ...second, id: undefined }
  const request = { method: 'POST', url: 'Observation' }
  const wrong = { ...resource, issued: 'x', device: {}, valueInteger: 5 }
  const entry = [
    { resource, request },
    { resource: wrong, request },
  ]
  const answers: FhirAnswer[] = [
    await rounds.fhir('', { token, body: { resourceType: 'Bundle', type: 'batch', entry } }),
    await rounds.fhir('', { token, body: { resourceType: 'Bundle', type: 'batch' } }),
    await rounds.fhir('', { token, body: { resourceType: 'Bundle', type: 'transaction' } }),
    await rounds.fhir('', { token, raw: '{' }),
    await rounds.fhir('', { token, raw: '[{"a":1,"a":2}]' }),
    await rounds.fhir('/Observation?date=yesterday', { token }),
    await rounds.fhir('/Observation?patient=other', { token }),
    await rounds.fhir('/Observation'),
    await rounds.fhir('/Observation/none', { token }),
    await rounds.fhir('/Nothing', { token }),
    await rounds.fhir('/Observation/none', { token, method: 'DELETE' }),
    await rounds.fhir('/Observation', { token, raw: 'x', headers: { 'content-type': 'text/plain' } }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 400, 400, 400, 403, 401, 404, 404, 405, 415],
  )
  for (const { resource: answered } of answers) assertAllValid(answered)
})

/** A valid one, and what is done to it. */
const VALID = {
  resourceType: 'Observation',
  id: 'a',
  meta: {
    profile: [
      'http://hl7.org/fhir/StructureDefinition/vitalsigns',
      'http://hl7.org/fhir/StructureDefinition/heartrate',
    ],
  },
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
    },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  subject: { reference: 'Patient/1' },
  effectiveDateTime: '2025-11-01T12:26:40Z',
  valueQuantity: { value: 72, unit: '/min', system: 'http://unitsofmeasure.org', code: '/min' },
}

/** One of each kind that the validators look for. */
const FAULTS: Record<string, object> = {
  'no status': { status: undefined },
  'an element that there is not': { colour: 'red' },
  'an invariant: a value and why it is absent': { dataAbsentReason: { text: 'unknown' } },
  'a profile: another code of unit': { valueQuantity: { ...VALID.valueQuantity, code: 'Hz' } },
  'an extension with a value and others within': {
    extension: [{ url: 'urn:a', valueString: 'a', extension: [{ url: 'b', valueString: 'b' }] }],
  },
  'an instant without a zone': { issued: '2025-11-01T12:26:40' },
  'a subject of another type': { subject: { reference: 'Practitioner/1' } },
  'an empty list': { component: [] },
  'a profile: half a blood pressure': {
    meta: { profile: ['http://hl7.org/fhir/StructureDefinition/bp'] },
    code: { coding: [{ system: 'http://loinc.org', code: '85354-9' }] },
    valueQuantity: undefined,
    component: [
      {
        code: { coding: [{ system: 'http://loinc.org', code: '8480-6' }] },
        valueQuantity: { value: 120, unit: 'mm[Hg]', system: 'http://unitsofmeasure.org', code: 'mm[Hg]' },
      },
    ],
  },
}

test('the validators find a fault of each kind', () => {
  assertValid(VALID)
  for (const [name, change] of Object.entries(FAULTS)) {
    const changed = JSON.parse(JSON.stringify({ ...VALID, ...change })) as Resource
    assert.notDeepEqual(faultsOf(changed), [], name)
  }
})
