// FHIR under requests of every kind: no fault of ours, and every failure a valid OperationOutcome.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readingToObservation } from '../../src/modules/fhir/observation/reading-to-observation.ts'
import { type FhirAnswer, startFhir } from '../support/fhir.ts'
import { RANDOM_READINGS } from '../support/fhir-readings.ts'
import { faultsOf } from '../support/fhir-validation.ts'

const rounds = await startFhir()
const patientUid = 'patient-1'
const token = await rounds.token({ patientUid })
const seed = Number(process.env['SEED'] ?? 20261115)

function assertAnswered({ status, text, resource, headers }: FhirAnswer, sent: unknown) {
  const about = `${status} ${text.slice(0, 500)} for ${JSON.stringify(sent).slice(0, 2_000)}`
  assert.ok([200, 201, 400, 403, 404, 405, 413].includes(status), about)
  assert.match(headers.get('content-type') ?? 'application/fhir+json', /^application\/fhir\+json/)
  if (status >= 300) {
    assert.equal(resource.resourceType, 'OperationOutcome', about)
    assert.deepEqual(faultsOf(resource), [], about)
  }
}

type Json = Record<string, unknown>

/** A valid Observation with one of its values, at any depth, replaced, removed or repeated. */
const mutated = fc
  .record({
    reading: fc.oneof(...RANDOM_READINGS.values()),
    step: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
    junk: fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', [], {}, 0, -1, 1e308, 'Patient/x', ['x'])),
    how: fc.constantFrom('replace', 'remove', 'add', 'list'),
  })
  .map(({ reading, step, junk, how }) => {
    const observation = JSON.parse(JSON.stringify(readingToObservation({ ...reading, patientUid }))) as Json
    let at: Json = observation
    for (const [depth, number] of step.entries()) {
      const names = Object.keys(at)
      const name = names[number % names.length] ?? 'x'
      const next = at[name]
      const isLeaf = typeof next !== 'object' || next === null || Object.keys(next).length === 0
      if (depth === step.length - 1 || isLeaf) {
        if (how === 'remove') delete at[name]
        else if (how === 'add') at[`${name}2`] = junk
        else at[name] = how === 'list' ? [next, junk] : junk
        break
      }
      at = next as Json
    }
    return observation
  })

test('Observations with something wrong in them', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async (observation) => {
      assertAnswered(await rounds.fhir('/Observation', { token, body: observation }), observation)
      const entry = [{ resource: observation, request: { method: 'POST', url: 'Observation' } }]
      const body = { resourceType: 'Bundle', type: 'batch', entry }
      assertAnswered(await rounds.fhir('', { token, body }), body)
    }),
    { numRuns: 150, seed },
  )
})

test('bodies that are anything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.json(), fc.string({ unit: 'binary' })),
      fc.constantFrom('', '/Observation'),
      async (raw, path) => {
        if (raw === '') return
        assertAnswered(await rounds.fhir(path, { token, raw }), raw)
      },
    ),
    { numRuns: 150, seed },
  )
})

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '2025-11-01',
    'ge2025',
    'lt9999-12-31T23:59:59Z',
    'eb0001',
    'ap1970',
    'ne2025-02',
    'http://loinc.org|8867-4',
    '|',
    '\\',
    'abc\0',
    ',',
    '-date',
    '-_lastUpdated',
    'count',
    '1',
    '500',
    patientUid,
  ),
)
const names = fc.oneof(
  fc.constantFrom(
    'patient',
    'subject',
    'code',
    'category',
    'date',
    'status',
    '_id',
    '_count',
    '_sort',
    'cursor',
    'name',
    'specialty',
    'communication',
    'practitioner',
    'active',
    'date:missing',
    'patient:identifier',
    'name:contains',
    '_lastUpdated',
    '_summary',
    'max',
  ),
  fc.string({ maxLength: 10 }),
)

const query = fc.array(fc.tuple(names, words), { maxLength: 5 })

test('searches for anything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Observation', 'Patient', 'Practitioner', 'PractitionerRole'),
      query,
      async (type, pairs) => {
        const path = `/${type}?${new URLSearchParams(pairs).toString()}`
        const strict = { token, headers: { prefer: 'handling=strict' } }
        assertAnswered(await rounds.fhir(path, strict), path)
        const answer = await rounds.fhir(path, { token })
        assertAnswered(answer, path)
        if (answer.status === 200) assert.deepEqual(faultsOf(answer.resource), [], path)
        const form = await rounds.fhir(`/${type}/_search`, {
          token,
          raw: new URLSearchParams(pairs).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
        assertAnswered(form, path)
        assert.equal(form.status, answer.status, path)
      },
    ),
    { numRuns: 300, seed },
  )
})

test('reads of anything', async () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.stringMatching(/^[A-Za-z0-9.-]{1,64}$/),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Observation', 'Practitioner', 'PractitionerRole', 'Patient'),
      id,
      async (type, text) => {
        const path = `/${type}/${encodeURIComponent(text)}`
        assertAnswered(await rounds.fhir(path, { token }), path)
      },
    ),
    { numRuns: 200, seed },
  )
})
