// Who may do what: the same decisions as elsewhere. What scopes of SMART let a token do is in smart-rights.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, startFhir } from '../../../test/support/fhir.ts'
import { PROTECTED_FHIR_PATHS } from '../../../test/support/protected-paths.ts'
import { readingToObservation } from './observation/reading-to-observation.ts'

const rounds = await startFhir()
const [OWN, OTHER] = ['patient-own', 'patient-other']

const observationOf = (patientUid: string, value: number) =>
  readingToObservation({ patientUid, readingType: 'heartRate', value, timestamp: 1_762_000_000 + value })

const locations = new Map<string, string>()
for (const patientUid of [OWN, OTHER]) {
  const token = await rounds.token({ patientUid })
  const { headers } = await rounds.fhir('/Observation', { token, body: observationOf(patientUid, 70) })
  locations.set(patientUid, new URL(headers.get('location') ?? '').pathname.replace('/fhir', ''))
}

for (const [method, path] of PROTECTED_FHIR_PATHS) {
  test(`${method} /fhir${path} needs a valid token`, async () => {
    const options = { method, ...(method === 'POST' ? { body: {} } : {}) }
    assertOutcome(await rounds.fhir(path, options), 401, 'TokenMissing')
    const expired = await rounds.token({ patientUid: OWN, exp: Math.floor(Date.now() / 1_000) - 60 })
    assertOutcome(await rounds.fhir(path, { ...options, token: expired }), 401, 'TokenExpired')
    const foreign = await rounds.token({ patientUid: OWN, aud: 'another' })
    assertOutcome(await rounds.fhir(path, { ...options, token: foreign }), 401, 'TokenInvalid')
  })
}

test('what may be added but not read is stored, and not shown', async () => {
  const token = await rounds.token({ patientUid: OWN, scope: 'patient/Observation.c' })
  const answer = await rounds.fhir('/Observation', {
    token,
    body: observationOf(OWN, 250),
    headers: { prefer: 'return=representation' },
  })
  assert.deepEqual([answer.status, answer.text], [201, ''])
})

test('the patient of the token is meant where a search names none', async () => {
  const token = await rounds.token({ patientUid: OWN })
  const found = await rounds.search('', token)
  assert.ok(found.length > 0)
  assert.ok(found.every(({ subject }) => JSON.stringify(subject).includes(OWN)))
  const both = await rounds.token({ patientUid: [OWN, OTHER] })
  const [issue] = assertOutcome(await rounds.fhir('/Observation', { token: both }), 400, 'ValidationFailed')
  assert.match(issue?.details.text ?? '', /patient/i)
  assert.equal((await rounds.search(`patient=Patient/${OTHER}`, both)).length, 1)
})

test('an Observation of another patient is refused in the same way whether it exists or not', async () => {
  const token = await rounds.token({ patientUid: OWN })
  const exists = await rounds.fhir(locations.get(OTHER) ?? '', { token })
  assertOutcome(exists, 403, 'PatientMismatch')
  const none = await rounds.fhir('/Observation?patient=nobody', { token })
  assertOutcome(none, 403, 'PatientMismatch')
})

test('every read is in the access log, and so is one by its id', async () => {
  const patientUid = 'patient-logged'
  const token = await rounds.token({ patientUid })
  const { headers } = await rounds.fhir('/Observation', { token, body: observationOf(patientUid, 70) })
  const staff = await rounds.token({ sub: 'hospital', scope: 'system/Observation.rs' })
  await rounds.fhir(`/Observation?patient=${patientUid}&code=8867-4`, {
    token: staff,
    headers: { 'x-request-id': 'search-1' },
  })
  const path = new URL(headers.get('location') ?? '').pathname.replace('/fhir', '')
  await rounds.fhir(path, { token: staff, headers: { 'x-request-id': 'read-1' } })
  const { data } = (await rounds.call('/casesheet/readings/access-log', { token })).json
  assert.deepEqual(
    data.map(({ requestId, readBy, allowedAs, readingsCount }) => [
      requestId,
      readBy,
      allowedAs,
      readingsCount,
    ]),
    [
      ['read-1', 'hospital', 'staff', 1],
      ['search-1', 'hospital', 'staff', 1],
    ],
  )
})
