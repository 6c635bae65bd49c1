// Medplum's client, as an app of Medplum would use it, against a server of Rounds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MedplumClient, OperationOutcomeError } from '@medplum/core'
import { heartRate, heartRates, type Resource, startFhir } from '../../support/fhir.ts'
import { FHIR_SENDERS, mustComeBack } from '../../support/fhir-senders.ts'

type Bundle = { entry: { resource: Resource; response: { status: string } }[] }

const rounds = await startFhir()

async function client(patientUid: string) {
  const accessToken = await rounds.token({ patientUid })
  return new MedplumClient({ baseUrl: rounds.url, fhirUrlPath: 'fhir', accessToken, cacheTime: 0 })
}

for (const [name, sender] of Object.entries(FHIR_SENDERS)) {
  test(`what is sent comes back: ${name}`, async () => {
    const patientUid = randomUUID()
    const medplum = await client(patientUid)
    const sent = sender(patientUid)
    const created = (await medplum.createResource(sent)) as Resource
    mustComeBack(sent, created)
    assert.deepEqual(await medplum.readResource('Observation', String(created['id'])), created)
    const again = (await medplum.createResource(sent)) as Resource
    assert.equal(again['id'], created['id'])
  })
}

test('all pages of a search are found, each Observation once', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  await medplum.executeBatch(heartRates(patientUid, 11))
  // Without a count, this client asks for pages of 1,000.
  for (const query of [`patient=${patientUid}&_count=4`, `patient=Patient/${patientUid}`]) {
    const found: string[] = []
    for await (const page of medplum.searchResourcePages('Observation', query)) {
      found.push(...(page as Resource[]).map(({ id }) => String(id)))
    }
    assert.equal(found.length, 11)
    assert.equal(new Set(found).size, 11)
  }
})

test('a batch that is sent again is stored once', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  const batch = heartRates(patientUid, 2)
  const statuses = async () =>
    ((await medplum.executeBatch(batch)) as Bundle).entry.map(({ response }) => response.status)
  assert.deepEqual(await statuses(), ['201 Created', '201 Created'])
  assert.deepEqual(await statuses(), ['200 OK', '200 OK'])
})

test('the Patient', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  assert.equal(((await medplum.readResource('Patient', patientUid)) as Resource)['id'], patientUid)
})

test('the last of each code', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  await medplum.executeBatch(heartRates(patientUid, 3))
  const url = medplum.fhirUrl('Observation', '$lastn')
  url.search = `patient=${patientUid}&max=2`
  assert.equal((await medplum.get<Bundle>(url)).entry.length, 2)
})

test('a refusal says what would be right', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  const sent = heartRate(patientUid)
  const refused = (work: Promise<unknown>, sentence: RegExp) =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof OperationOutcomeError)
      assert.match(error.message, sentence)
      return true
    })
  await refused(medplum.createResource({ ...sent, bodySite: { text: 'wrist' } }), /Observation\.bodySite/)
  const withoutQuantity = { ...sent, valueQuantity: undefined, valueInteger: 70 }
  await refused(medplum.createResource(withoutQuantity), /Observation\.value is required: valueQuantity/)
  const query = 'identifier=urn:example|1'
  await refused(medplum.createResourceIfNoneExist(sent, query), /sent again is stored once/)
  await refused(medplum.updateResource({ ...sent, id: 'any' }), /POST/)
  await refused(medplum.deleteResource('Observation', 'any'), /withdraw/)
})
