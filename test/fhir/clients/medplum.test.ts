// Medplum's client, as an app of Medplum would use it, against a server of Rounds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MedplumClient, type MedplumClientOptions, OperationOutcomeError } from '@medplum/core'
import { heartRate, heartRates, type Resource, resourcesIn, startFhir } from '../../support/fhir.ts'
import { FHIR_SENDERS, mustComeBack } from '../../support/fhir-senders.ts'

type Bundle = { entry: { resource: Resource; response: { status: string } }[] }

const rounds = await startFhir()

async function client(patientUid: string, options: MedplumClientOptions = {}) {
  return clientWith(await rounds.token({ patientUid }), options)
}

function clientWith(accessToken: string, options: MedplumClientOptions = {}) {
  return new MedplumClient({
    baseUrl: rounds.url,
    fhirUrlPath: 'fhir',
    accessToken,
    cacheTime: 0,
    ...options,
  })
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

test('a batch adds, reads and searches; a transaction that is sent again is stored once', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  const { entry, ...bundle } = heartRates(patientUid, 2)
  const get = (url: string) => ({ request: { method: 'GET', url } })
  const statuses = async (sent: object) =>
    ((await medplum.executeBatch(sent as typeof bundle)) as Bundle).entry.map(
      ({ response }) => response.status,
    )
  assert.deepEqual(
    await statuses({
      ...bundle,
      entry: [...entry, get(`Observation?patient=${patientUid}`), get('Observation?patient=another')],
    }),
    ['201 Created', '201 Created', '200 OK', '403 Forbidden'],
  )
  assert.deepEqual(await statuses({ ...bundle, type: 'transaction', entry }), ['200 OK', '200 OK'])
})

test('requests that the client joins into one batch are answered one by one', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid, { autoBatchTime: 5 })
  const { id } = (await (await client(patientUid)).createResource(heartRate(patientUid))) as Resource
  const [read, found, patient] = (await Promise.all([
    medplum.readResource('Observation', String(id)),
    medplum.search('Observation', `patient=${patientUid}`),
    medplum.readResource('Patient', patientUid),
  ])) as [Resource, Bundle, Resource]
  assert.equal(read['id'], id)
  assert.equal(found.entry[0]?.resource['id'], id)
  assert.equal(patient['id'], patientUid)
  const refused = await Promise.allSettled([
    medplum.readResource('Observation', 'none'),
    medplum.search('Observation', 'patient=another'),
  ])
  for (const { status } of refused) assert.equal(status, 'rejected')
})

test('the Patient and everything about it', async () => {
  const patientUid = randomUUID()
  const medplum = await client(patientUid)
  await medplum.executeBatch(heartRates(patientUid, 3))
  assert.equal(((await medplum.readResource('Patient', patientUid)) as Resource)['id'], patientUid)
  const { entry } = (await medplum.readPatientEverything(patientUid)) as Bundle
  assert.deepEqual(
    entry.map(({ resource }) => resource.resourceType),
    ['Patient', 'Observation', 'Observation', 'Observation'],
  )
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

test('a backend service exports Observations', async () => {
  const patientUid = randomUUID()
  await (await client(patientUid)).executeBatch(heartRates(patientUid, 3))
  const medplum = clientWith(await rounds.token({ scope: 'system/Observation.rs' }))
  const { output = [] } = await medplum.bulkExport('', 'Observation', undefined, {
    pollStatusOnAccepted: true,
    pollStatusPeriod: 20,
  })
  const found: Resource[] = []
  for (const { url } of output as { url: string }[]) {
    const text = await (await medplum.download(url)).text()
    found.push(...resourcesIn(text))
  }
  const own = found.filter(({ subject }) => Object(subject).reference === `Patient/${patientUid}`)
  assert.equal(own.length, 3)
})
