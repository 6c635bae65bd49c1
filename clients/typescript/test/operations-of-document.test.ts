// The client has a method for every operation of the OpenAPI document, and calls nothing that is not in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds, WITH_WEBHOOKS } from '../../../test/support/harness.ts'
import { createRoundsClient, type Reading, type RoundsClient } from '../src/client.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const READING: Reading = { patientUid: 'patient-1', readingType: 'acme.step', timestamp: 1_763_000_000 }
const STORED = {
  patientUid: 'patient-1',
  readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  timestamp: 1_763_000_000,
}
const GRANT = { patientUid: 'patient-1', doctorId: 'doctor-1' }
const TARGET = { patientUid: 'patient-1', readingType: 'oxygenSaturation' }
const ALERT = { patientUid: 'patient-1', alertId: STORED.readingId }
const RULE = { ...TARGET, severity: 'warning', missing: { for: 'P2D' } } as const
const REVIEW = { patientUid: 'patient-1', reviewId: STORED.readingId, seenUpTo: '1', saw: [] }
const ENDPOINT = { endpointId: STORED.readingId }
const RANGE = { from: 0, to: 1 }
const STATISTICS = { readingType: 'heartRate', ...RANGE }

type Group =
  | 'grants'
  | 'patients'
  | 'myPatients'
  | 'targets'
  | 'reviews'
  | 'timeline'
  | 'rules'
  | 'alerts'
  | 'reports'
  | 'webhooks'
type Method =
  | Exclude<keyof RoundsClient, 'byPatient' | Group>
  | { [Name in Group]: `${Name}.${string & keyof RoundsClient[Name]}` }[Group]

/** One call of each method; the compiler asks for an entry when a method is added. */
const CALLS: Record<Method, (client: RoundsClient) => unknown> = {
  listDoctors: (client) => client.listDoctors(),
  eachDoctor: (client) => client.eachDoctor().next(),
  listSpecialities: (client) => client.listSpecialities(),
  addReadings: (client) => client.addReadings(READING),
  addReadingsEach: (client) => client.addReadingsEach(READING),
  getReadings: (client) => client.getReadings(),
  eachReading: (client) => client.eachReading().next(),
  latestReadings: (client) => client.latestReadings(),
  readingStatistics: (client) => client.readingStatistics(STATISTICS),
  exportReadings: (client) => client.exportReadings('csv'),
  accessLog: (client) => client.accessLog(),
  eachAccess: (client) => client.eachAccess().next(),
  withdrawReading: (client) => client.withdrawReading(STORED),
  restoreReading: (client) => client.restoreReading(STORED),
  changes: (client) => client.changes({}, { mayRepeat: () => false }).next(),
  watch: async (client) => {
    const stop = client.watch({ onChange: () => {}, onReset: () => {} })
    // It asks for a token first; nothing else stands before the request.
    await new Promise(setImmediate)
    stop()
  },
  listReadingTypes: (client) => client.listReadingTypes(),
  'grants.add': (client) => client.grants.add({ ...GRANT, permission: 'view' }),
  'grants.revoke': (client) => client.grants.revoke(GRANT),
  'grants.list': (client) => client.grants.list(),
  'grants.each': (client) => client.grants.each().next(),
  'grants.history': (client) => client.grants.history(),
  'grants.eachChange': (client) => client.grants.eachChange().next(),
  'patients.list': (client) => client.patients.list(),
  'patients.each': (client) => client.patients.each().next(),
  'targets.set': (client) => client.targets.set({ ...TARGET, fields: { value: { low: 90 } } }),
  'targets.remove': (client) => client.targets.remove(TARGET),
  'targets.list': (client) => client.targets.list(),
  'reviews.add': (client) => client.reviews.add(REVIEW),
  'reviews.undo': (client) => client.reviews.undo(REVIEW),
  'timeline.list': (client) => client.timeline.list(),
  'timeline.each': (client) => client.timeline.each().next(),
  'rules.set': (client) => client.rules.set(RULE),
  'rules.remove': (client) => client.rules.remove({ ruleId: STORED.readingId }),
  'rules.list': (client) => client.rules.list(),
  'rules.preview': (client) => client.rules.preview(RULE),
  'alerts.list': (client) => client.alerts.list(),
  'alerts.each': (client) => client.alerts.each().next(),
  'alerts.acknowledge': (client) => client.alerts.acknowledge(ALERT),
  'myPatients.list': (client) => client.myPatients.list(),
  'myPatients.each': (client) => client.myPatients.each().next(),
  'reports.glucose': (client) => client.reports.glucose(RANGE),
  'reports.bloodPressure': (client) => client.reports.bloodPressure(RANGE),
  'reports.timeInTarget': (client) => client.reports.timeInTarget(STATISTICS),
  'reports.daysWithData': (client) => client.reports.daysWithData(RANGE),
  'targets.presets': (client) => client.targets.presets(),
  'webhooks.add': (client) => client.webhooks.add({ url: 'https://receiver.example/' }),
  'webhooks.remove': (client) => client.webhooks.remove(ENDPOINT),
  'webhooks.test': (client) => client.webhooks.test(ENDPOINT),
  'webhooks.pause': (client) => client.webhooks.pause(ENDPOINT),
  'webhooks.resume': (client) => client.webhooks.resume(ENDPOINT),
  'webhooks.skip': (client) => client.webhooks.skip({ ...ENDPOINT, messageId: `msg_${'x'.repeat(32)}` }),
  'webhooks.replay': (client) => client.webhooks.replay({ ...ENDPOINT, since: 'beginning' }),
  'webhooks.rotateSecret': (client) => client.webhooks.rotateSecret(ENDPOINT),
  'webhooks.list': (client) => client.webhooks.list(),
  'webhooks.each': (client) => client.webhooks.each().next(),
  'webhooks.attempts': (client) => client.webhooks.attempts(ENDPOINT),
  'webhooks.eachAttempt': (client) => client.webhooks.eachAttempt(ENDPOINT).next(),
}

async function operationsOfDocument(): Promise<string[]> {
  const { text } = await rounds.call('/openapi.json')
  const { paths } = JSON.parse(text) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

/** What a method of the client calls. */
async function operationOf(method: Method): Promise<string> {
  let called = 'nothing'
  const client = createRoundsClient({
    url: rounds.url,
    token: 'some-token',
    attempts: 1,
    fetch: async (url, init) => {
      called = `${init.method ?? 'GET'} ${new URL(url).pathname}`
      throw new Error('That is all that the test needs to know.')
    },
  })
  await Promise.resolve(CALLS[method](client)).catch(() => undefined)
  return called
}

test('the client has a method for every operation of the document', async () => {
  const called = new Set(await Promise.all((Object.keys(CALLS) as Method[]).map(operationOf)))
  const missing = (await operationsOfDocument()).filter((operation) => !called.has(operation))
  assert.deepEqual(
    missing,
    [],
    `The client lacks ${missing.join(', ')}: add a method to RoundsClient in clients/typescript/src/client.ts and to CALLS in this test.`,
  )
})

test('every method of the client calls an operation of the document', async () => {
  const client = createRoundsClient({ url: rounds.url, token: 'x' })
  const methods = Object.entries(client).flatMap(([name, value]) => {
    if (typeof value === 'function') return [name]
    return Object.keys(value).map((method) => `${name}.${method}`)
  })
  assert.deepEqual(methods.toSorted(), Object.keys(CALLS).toSorted(), 'Add the method to CALLS in this test.')
  const operations = new Set(await operationsOfDocument())
  for (const method of methods as Method[]) {
    const called = await operationOf(method)
    assert.ok(operations.has(called), `${method} calls ${called}, which the OpenAPI document does not have.`)
  }
})
