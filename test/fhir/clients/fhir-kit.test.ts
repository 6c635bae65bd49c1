// fhir-kit-client against a server of Rounds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client, type FhirResource } from 'fhir-kit-client'
import { heartRate, heartRates, startFhir } from '../../support/fhir.ts'
import { FHIR_SENDERS, mustComeBack } from '../../support/fhir-senders.ts'

type Bundle = FhirResource & {
  entry?: { resource: FhirResource; response: { status: string; location: string } }[]
  link: { relation: string; url: string }[]
}

const rounds = await startFhir()
const resourceType = 'Observation'

async function client(patientUid: string) {
  const bearerToken = await rounds.token({ patientUid })
  return new Client({ baseUrl: `${rounds.url}/fhir`, bearerToken })
}

const typesIn = (bundle: FhirResource) => (bundle as Bundle).entry?.map((one) => one.resource.resourceType)

for (const [name, sender] of Object.entries(FHIR_SENDERS)) {
  test(`what is sent comes back: ${name}`, async () => {
    const patientUid = randomUUID()
    const kit = await client(patientUid)
    const sent = sender(patientUid)
    const created = await kit.create({ resourceType, body: sent })
    mustComeBack(sent, created)
    const { response } = Client.httpFor(created)
    assert.equal(response?.status, 201)
    assert.deepEqual(await kit.resolve({ reference: response?.headers.get('location') ?? '' }), created)
    assert.deepEqual(await kit.read({ resourceType, id: String(created['id']) }), created)
    assert.equal(Client.httpFor(await kit.create({ resourceType, body: sent })).response?.status, 200)
  })
}

test('links lead through all pages, of an address, a form and a compartment', async () => {
  const patientUid = randomUUID()
  const kit = await client(patientUid)
  await kit.batch({ body: heartRates(patientUid, 5) })
  const searchParams = { _count: 2 }
  const firsts = [
    await kit.search({ resourceType, searchParams: { ...searchParams, patient: patientUid } }),
    await kit.search({
      resourceType,
      searchParams: { ...searchParams, patient: patientUid },
      options: { postSearch: true },
    }),
    await kit.search({
      resourceType,
      compartment: { resourceType: 'Patient', id: patientUid },
      searchParams,
    }),
  ]
  for (const first of firsts) {
    const found: unknown[] = []
    let page: FhirResource | undefined = first
    while (page) {
      found.push(...((page as Bundle).entry ?? []).map((one) => one.resource['id']))
      page = await kit.nextPage({ bundle: page as Bundle })
    }
    assert.equal(new Set(found).size, 5)
    assert.equal(found.length, 5)
  }
})

test('a batch answers for each entry', async () => {
  const patientUid = randomUUID()
  const kit = await client(patientUid)
  const { entry, ...bundle } = heartRates(patientUid, 2)
  const wrong = { ...entry[0], resource: { ...heartRate(patientUid), status: 'preliminary' } }
  const statuses = (answer: FhirResource) => (answer as Bundle).entry?.map((one) => one.response.status)
  const batch = await kit.batch({ body: { ...bundle, entry: [entry[0], wrong] } })
  assert.deepEqual(statuses(batch), ['201 Created', '400 Bad Request'])
  assert.deepEqual(statuses(await kit.batch({ body: { ...bundle, entry } })), ['200 OK', '201 Created'])
})

test('the Patient, and the last of each code', async () => {
  const patientUid = randomUUID()
  const kit = await client(patientUid)
  await kit.batch({ body: heartRates(patientUid, 3) })
  assert.equal((await kit.read({ resourceType: 'Patient', id: patientUid }))['id'], patientUid)
  const patient = await kit.search({ resourceType: 'Patient', searchParams: { _id: patientUid } })
  assert.deepEqual(typesIn(patient), ['Patient'])
  const input = { patient: patientUid, code: 'http://loinc.org|8867-4' }
  const last = await kit.operation({ name: 'lastn', resourceType, method: 'GET', input })
  assert.equal((last as Bundle).entry?.[0]?.resource['effectiveDateTime'], '2025-11-01T12:26:02Z')
  assert.deepEqual(typesIn(last), [resourceType])
})

test('a search for an identifier is refused, and does not find everything', async () => {
  const patientUid = randomUUID()
  const kit = await client(patientUid)
  const searchParams = { patient: patientUid, identifier: 'urn:example|1' }
  await assert.rejects(kit.search({ resourceType, searchParams }), (error) => {
    assert.match(JSON.stringify(Object(error).response), /400.*identifier is not searched here/)
    return true
  })
})

test('the CapabilityStatement names what was used here', async () => {
  const statement = JSON.stringify(await (await client('patient-1')).capabilityStatement())
  for (const name of ['Patient', 'Observation', 'lastn', 'batch']) {
    assert.match(statement, RegExp(`"${name}"`))
  }
})
