// Who may do what: the same decisions as elsewhere, and scopes of SMART that limit a token or stand for the staff scope.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOutcome, startFhir } from '../../../test/support/fhir.ts'
import { startRounds } from '../../../test/support/harness.ts'
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

type Claims = { patientUid?: string; scope?: string; patient?: string; fhirUser?: unknown }

/** Of the own patient: search, read, add; of another: search. 0 is 403. */
const TABLE: [claims: Claims, search: number, read: number, add: number, others: number][] = [
  [{ patientUid: OWN }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'openid profile' }, 1, 1, 1, 0],
  [{}, 0, 0, 0, 0],
  [{ scope: 'readings:read' }, 1, 1, 0, 1],
  [{ patientUid: OWN, scope: 'patient/Observation.rs' }, 1, 1, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.r' }, 0, 1, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.s' }, 1, 0, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.c' }, 0, 0, 1, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.cruds' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'patient/*.rs' }, 1, 1, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.read' }, 1, 1, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.write' }, 0, 0, 1, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.*' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'patient/*.*' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.r patient/Observation.s' }, 1, 1, 0, 0],
  // For other resources, in a wrong order, or under a condition that is not enforced.
  [{ patientUid: OWN, scope: 'patient/Condition.rs' }, 0, 0, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.sr' }, 0, 0, 0, 0],
  [{ patientUid: OWN, scope: 'patient/Observation.rs?category=vital-signs' }, 0, 0, 0, 0],
  [{ patientUid: OWN, scope: 'patient/observation.rs' }, 0, 0, 0, 0],
  // A user who may be the patient sees no others.
  [{ patientUid: OWN, scope: 'user/Observation.rs' }, 1, 1, 0, 0],
  [{ patientUid: OWN, scope: 'system/*.*' }, 1, 1, 1, 0],
  [{ scope: 'system/Observation.rs' }, 1, 1, 0, 1],
  [{ scope: 'system/Observation.read' }, 1, 1, 0, 1],
  [{ scope: 'system/Observation.cruds' }, 1, 1, 0, 1],
  [{ scope: 'system/Observation.r' }, 0, 0, 0, 0],
  [{ scope: 'system/Observation.c' }, 0, 0, 0, 0],
  [{ scope: 'patient/Observation.rs' }, 0, 0, 0, 0],
  // The user may be a patient, named by another claim than the one that is read here.
  [{ patient: OWN, scope: 'launch/patient patient/Observation.rs user/Observation.rs' }, 0, 0, 0, 0],
  [{ scope: 'patient/Observation.rs user/Observation.rs' }, 0, 0, 0, 0],
  [{ scope: 'user/Observation.cruds patient/Condition.r' }, 0, 0, 0, 0],
  [{ scope: 'launch/patient user/Observation.rs' }, 0, 0, 0, 0],
  [{ scope: 'launch/patient system/Observation.rs' }, 0, 0, 0, 0],
  [{ scope: 'launch user/Observation.rs' }, 0, 0, 0, 0],
  [{ scope: 'launch user/*.read', fhirUser: 'Practitioner/1' }, 1, 1, 0, 1],
  [{ patientUid: OWN, scope: 'patient/Observation.c user/Observation.rs' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'launch/patient patient/Observation.rs system/Observation.rs' }, 1, 1, 0, 0],
  // Scopes of others, which only look alike; and one of SMART that lacks its end.
  [{ patientUid: OWN, scope: 'user/profile' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'system/' }, 1, 1, 1, 0],
  [{ patientUid: OWN, scope: 'patient/Observation' }, 0, 0, 0, 0],
  [{ patientUid: OWN, scope: 'readings:read patient/Observation.c' }, 1, 1, 1, 1],
]

for (const [index, [claims, ...allowed]] of TABLE.entries()) {
  test(`with ${JSON.stringify(claims)}`, async () => {
    const token = await rounds.token(claims)
    const answers = [
      await rounds.fhir(`/Observation?patient=${OWN}`, { token }),
      await rounds.fhir(locations.get(OWN) ?? '', { token }),
      await rounds.fhir('/Observation', { token, body: observationOf(OWN, 100 + index) }),
      await rounds.fhir(`/Observation?patient=${OTHER}`, { token }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => Number(status < 300)),
      allowed,
      JSON.stringify(answers.map(({ status, text }) => [status, text.slice(0, 200)])),
    )
    for (const answer of answers) {
      if (answer.status >= 300) assert.equal(answer.status, 403)
    }
    // The same token at the same decisions elsewhere.
    const got = await rounds.call(`/casesheet/readings/get?patientUid=${OWN}`, { token })
    assert.equal(Number(got.status === 200), allowed[0])
    const added = await rounds.call('/casesheet/readings/add', {
      token,
      body: { patientUid: OWN, readingType: 'acme.n', timestamp: 1 },
    })
    assert.equal(Number(added.status === 200), allowed[2])
  })
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

test('where FHIR is not served, scopes of SMART limit a token and grant nothing', async () => {
  const plain = await startRounds()
  const token = await plain.token({ patientUid: OWN, scope: 'patient/Observation.rs' })
  const body = { patientUid: OWN, readingType: 'acme.n', timestamp: 1 }
  assert.equal((await plain.call('/casesheet/readings/add', { token, body })).status, 403)
  assert.equal((await plain.call('/casesheet/readings/get', { token })).status, 200)
  const system = await plain.token({ scope: 'system/Observation.rs' })
  assert.equal((await plain.call(`/casesheet/readings/get?patientUid=${OWN}`, { token: system })).status, 403)
  assert.equal((await plain.call('/fhir/metadata')).status, 404)
})
