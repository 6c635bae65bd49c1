// fhirclient, the library of SMART apps, against a server of Rounds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { heartRate, heartRates, type Resource, startFhir } from '../../support/fhir.ts'
import { FHIR_SENDERS, mustComeBack } from '../../support/fhir-senders.ts'

type Bundle = { entry: { resource: Resource; response: { status: string } }[] }

type Options = { flat?: boolean; pageLimit?: number; resolveReferences?: string[] }
type Asked = string | { url: string; method: string; headers: Record<string, string>; body: string }

/** What is used of it here: its own types bring those of a browser along, which are others than Node's. */
type Client = {
  create(resource: object): Promise<Resource>
  request<Answer>(asked: Asked, options?: Options): Promise<Answer>
  resources(url: string): AsyncIterable<Resource>
  patient: { read(): Promise<Resource>; request: Client['request'] }
}
type Smart = (
  request: IncomingMessage,
  response: ServerResponse,
) => { client(state: { serverUrl: string; tokenResponse: object }): Client }

const require = createRequire(import.meta.url)
const smart = require('fhirclient') as Smart

const rounds = await startFhir()

/** A client as an app has it after its launch. */
async function client(patientUid: string): Promise<Client> {
  const access_token = await rounds.token({ patientUid })
  const request = new IncomingMessage(new Socket())
  return smart(request, new ServerResponse(request)).client({
    serverUrl: `${rounds.url}/fhir`,
    tokenResponse: { access_token, patient: patientUid },
  })
}

async function post(app: Client, body: object): Promise<Bundle> {
  const headers = { 'content-type': 'application/fhir+json' }
  return app.request<Bundle>({ url: '/', method: 'POST', headers, body: JSON.stringify(body) })
}

for (const [name, sender] of Object.entries(FHIR_SENDERS)) {
  test(`what is sent comes back: ${name}`, async () => {
    const patientUid = randomUUID()
    const app = await client(patientUid)
    const sent = sender(patientUid)
    const created = await app.create(sent)
    mustComeBack(sent, created)
    assert.deepEqual(await app.request(`Observation/${String(created['id'])}`), created)
    assert.equal((await app.create(sent))['id'], created['id'])
  })
}

test('an app crawls all pages of the patient of its launch', async () => {
  const patientUid = randomUUID()
  const app = await client(patientUid)
  await post(app, heartRates(patientUid, 7))
  const flat = await app.patient.request<Resource[]>('Observation?_count=3', { pageLimit: 0, flat: true })
  const crawled: Resource[] = []
  for await (const one of app.resources(`Observation?patient=${patientUid}&_count=3`)) crawled.push(one)
  for (const found of [flat, crawled]) {
    assert.equal(new Set(found.map(({ id }) => id)).size, 7)
    assert.equal(found.length, 7)
  }
})

test('a batch, and one that is sent again', async () => {
  const patientUid = randomUUID()
  const app = await client(patientUid)
  const batch = heartRates(patientUid, 2)
  const statuses = ({ entry }: Bundle) => entry.map(({ response }) => response.status)
  assert.deepEqual(statuses(await post(app, batch)), ['201 Created', '201 Created'])
  assert.deepEqual(statuses(await post(app, batch)), ['200 OK', '200 OK'])
})

test('the patient of the launch is read, and found behind the references to it', async () => {
  const patientUid = randomUUID()
  const app = await client(patientUid)
  await app.create(heartRate(patientUid))
  assert.equal((await app.patient.read())['id'], patientUid)
  const [found] = await app.patient.request<{ subject: Resource }[]>('Observation', {
    resolveReferences: ['subject'],
    flat: true,
    pageLimit: 1,
  })
  assert.equal(found?.subject.resourceType, 'Patient')
})

test('the last of each code', async () => {
  const patientUid = randomUUID()
  const app = await client(patientUid)
  await post(app, heartRates(patientUid, 5))
  const last = await app.request<Bundle>(
    `Observation/$lastn?patient=${patientUid}&category=vital-signs&max=1`,
  )
  assert.equal(last.entry[0]?.resource['effectiveDateTime'], '2025-11-01T12:26:04Z')
})
