// Patient and $lastn: what each shows to whom, and which rows of the access log it leaves.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fillDirectory } from '../../../../test/support/directory.ts'
import { assertOutcome, matchesIn, nextIn, type Resource, startFhir } from '../../../../test/support/fhir.ts'
import { faultsOf } from '../../../../test/support/fhir-validation.ts'
import { runSql } from '../../../../test/support/harness.ts'

const rounds = await startFhir({ STAFF_REASON: 'required' })
const DOCTORS = ['doctor-1', 'doctor/é']
await fillDirectory(rounds.ownerUrl, {
  specialities: [],
  doctors: DOCTORS.map((doctorId) => ({ doctorId, name: 'Dr. Willow (invented)', specialities: [] })),
})
const START = 1_762_000_000

async function must(path: string, token: string, body: object) {
  const answer = await rounds.call(path, { token, body })
  assert.equal(answer.status, 200, answer.text)
}

/** A patient with one weight, and then six heart rates. */
async function newPatient() {
  const patientUid = randomUUID()
  const token = await rounds.token({ patientUid, sub: 'mia' })
  const readings = Array.from({ length: 6 }, (_, n) => ({
    patientUid,
    readingType: 'heartRate',
    value: 60 + n,
    timestamp: START + n,
  }))
  const weight = {
    patientUid,
    readingType: 'bodyWeight',
    value: 70,
    unit: 'kg',
    timestamp: START - 86_400,
  }
  await must('/casesheet/readings/add', token, [weight, ...readings])
  const give = (doctorId: string, terms: object = {}) =>
    must('/casesheet/grants/add', token, { patientUid, doctorId, permission: 'view', ...terms })
  return { patientUid, token, give }
}

async function get(path: string, token: string, headers = {}): Promise<Resource> {
  const { status, resource, text } = await rounds.fhir(path, { token, headers })
  assert.equal(status, 200, text)
  for (const one of [resource, ...(resource.resourceType === 'Bundle' ? matchesIn(resource) : [])])
    assert.deepEqual(faultsOf(one), [], JSON.stringify(one))
  return resource
}

const logOf = async (patientUid: string) =>
  (
    await runSql(
      rounds.ownerUrl,
      'select operation, read_by, allowed_as, readings_count, reason from casesheet.access_log where patient_uid = $1 order by at, operation',
      [patientUid],
    )
  ).map((row) => Object.values(row).join(' ').trim())

test('a Patient has the id, and for a doctor the name under which the patient shares', async () => {
  const { patientUid, token, give } = await newPatient()
  const identifier = [{ system: 'urn:rounds:patient', value: patientUid }]
  const plain = { resourceType: 'Patient', id: patientUid, identifier }
  assert.deepEqual(await get(`/Patient/${patientUid}`, token), plain)
  assert.deepEqual(matchesIn(await get('/Patient', token)), [plain])
  assert.deepEqual(matchesIn(await get(`/Patient?identifier=urn:rounds:patient|${patientUid}`, token)), [
    plain,
  ])
  await give('doctor-1', {
    sharedAs: 'Mia Example, born 2017',
    contact: '555 0142',
    readingTypes: ['heartRate'],
  })
  const doctor = await rounds.token({ sub: 'dr-1', doctorId: 'doctor-1' })
  const shared = { ...plain, name: [{ text: 'Mia Example, born 2017' }] }
  assert.deepEqual(await get(`/Patient/${patientUid}`, doctor), shared)
  assert.deepEqual(matchesIn(await get(`/Patient?_id=${patientUid}`, doctor)), [shared])
  const staff = await rounds.token({ sub: 'ward', scope: 'readings:read' })
  assertOutcome(await rounds.fhir(`/Patient/${patientUid}`, { token: staff }), 403, 'ReasonRequired')
  assert.deepEqual(
    await get(`/Patient/${patientUid}`, staff, { 'x-access-reason': 'Found%20at%20night' }),
    plain,
  )
  const stranger = await rounds.token({ sub: 'dr-2', doctorId: 'doctor/é' })
  assertOutcome(await rounds.fhir(`/Patient/${patientUid}`, { token: stranger }), 403, 'NotShared')
  const other = await rounds.token({ patientUid: 'another' })
  assertOutcome(await rounds.fhir(`/Patient/${patientUid}`, { token: other }), 403, 'PatientMismatch')
  assertOutcome(await rounds.fhir('/Patient', { token: doctor }), 400, 'ValidationFailed')
  assertOutcome(await rounds.fhir('/Patient?_id=a,b', { token }), 400, 'ValidationFailed')
  assertOutcome(await rounds.fhir('/Patient?identifier=urn:other|a', { token }), 400, 'ValidationFailed')
  assert.deepEqual(await logOf(patientUid), [
    ...Array.from({ length: 3 }, () => 'readings/get mia patient 0'),
    ...Array.from({ length: 2 }, () => 'readings/get dr-1 grant 0'),
    'readings/get ward staff 0 Found at night',
  ])
})

test('a search below a Patient is the search for Observations of that patient', async () => {
  const { patientUid, token } = await newPatient()
  const below = await get(`/Patient/${patientUid}/Observation?code=8867-4&_count=4`, token)
  const direct = await get(`/Observation?code=8867-4&_count=4&patient=${patientUid}`, token)
  assert.deepEqual(below, direct)
  assert.equal(matchesIn(await get(nextIn(below) ?? '', token)).length, 2)
  const elsewhere = await rounds.fhir(`/Patient/${patientUid}/Observation?patient=other`, { token })
  assertOutcome(elsewhere, 400, 'ValidationFailed')
})

test('lastn has the newest of each type, by code and category, and more of each if asked', async () => {
  const { patientUid, token } = await newPatient()
  await must('/casesheet/readings/add', token, [
    { patientUid, readingType: 'bloodGlucose', value: 5, unit: 'mmol/L', timestamp: START },
    { patientUid, readingType: 'bloodGlucose', value: 90, unit: 'mg/dL', timestamp: START + 9 },
    { patientUid, readingType: 'acme.grip', newtons: 3, timestamp: START + 5 },
    // A clock far ahead hides nothing.
    { patientUid, readingType: 'acme.grip', newtons: 4, timestamp: 4_000_000_000 },
  ])
  const last = async (query: string) =>
    matchesIn(await get(`/Observation/$lastn?patient=${patientUid}&${query}`, token)).map((one) => {
      const { coding } = one['code'] as { coding: { code: string }[] }
      return `${coding.at(-1)?.code} ${String(one['effectiveDateTime']).slice(17, 19)}`
    })
  assert.deepEqual(await last(''), ['acme.grip 45', 'bloodGlucose 49', 'bodyWeight 40', 'heartRate 45'])
  assert.deepEqual(await last('category=vital-signs'), ['bodyWeight 40', 'heartRate 45'])
  assert.deepEqual(await last('category=vital-signs&max=2'), [
    'bodyWeight 40',
    'heartRate 45',
    'heartRate 44',
  ])
  // The newest glucose has the code of another unit.
  const [mmol] = matchesIn(
    await get(
      `/Observation?patient=${patientUid}&date=le2025-11-01T12:26:40Z&code=urn:rounds:reading-type|bloodGlucose`,
      token,
    ),
  )
  const { coding }: { coding?: { code: string }[] } = Object(mmol?.['code'])
  assert.deepEqual(await last(`code=http://loinc.org|${coding?.[0]?.code}`), ['bloodGlucose 40'])
  assert.deepEqual(await last('code=acme.grip&max=5'), ['acme.grip 45'])
  assert.deepEqual(await last('code=nothing-here'), [])
  for (const wrong of ['max=0', 'max=11', 'max=x', 'max=1.5'])
    assertOutcome(await rounds.fhir(`/Observation/$lastn?${wrong}`, { token }), 400, 'ValidationFailed')
})
