// What users of plain JavaScript get wrong, and the sentence that each mistake gets. Nothing is sent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadingQueue, createRoundsClient, flushWhenOnline, tokenByPatient } from '../src/client.ts'
import { connectionFailed } from '../src/connection-failed.ts'
import { indexedDbStorage } from '../src/indexeddb-storage.ts'
import { keyValueStorage } from '../src/key-value-storage.ts'

/** As if there were no compiler. */
type Unchecked = (...args: unknown[]) => unknown
const unchecked = (work: unknown) => work as Unchecked

const url = 'https://rounds.example'
const token = () => 'some-token'
const fetch = async () => assert.fail('something was sent')
const client = createRoundsClient({ url, token, fetch })

test('a client that cannot work is refused when it is made', () => {
  const mistakes: [unknown, RegExp][] = [
    [undefined, /^createRoundsClient must be an object with options, not undefined\.$/],
    [url, /must be an object with options, not a text\./],
    [{ token }, /needs url, such as 'https:\/\/rounds\.example', or both appointmentsUrl and casesheetUrl\./],
    [{ baseUrl: url, token }, /does not know the option baseUrl\. It knows url, appointmentsUrl, /],
    [{ casesheetUrl: url, token }, /needs url/],
    [{ url: 'rounds.example', token }, /^url must be an address that begins with https:\/\/ or http:\/\/\.$/],
    [{ url: 7, token }, /^url must be an address/],
    [{ url }, /needs token: a function that gives an access token, or the token itself, not undefined\./],
    [{ url, token: { access_token: 'x' } }, /needs token: .+, not an object\./],
    [{ url, token: Promise.resolve('x') }, /not a promise \(is an "await" missing\?\)\./],
    [{ url, token, attempts: 0 }, /^attempts must be a whole number of at least 1, not the number 0\.$/],
    [{ url, token, timeoutMs: '5000' }, /^timeoutMs must be a number of milliseconds above 0, not a text\.$/],
    [{ url, token, attemptTimeoutMs: -1 }, /^attemptTimeoutMs must be /],
    [{ url, token, fetch: 'node-fetch' }, /^fetch must be a function, not a text\.$/],
  ]
  for (const [options, sentence] of mistakes) {
    assert.throws(() => unchecked(createRoundsClient)(options), { name: 'TypeError', message: sentence })
  }
})

test('a call with wrong arguments is rejected, and nothing is sent', async () => {
  const mistakes: [() => unknown, RegExp][] = [
    [
      () => unchecked(client.getReadings)('patient-1'),
      /such as \{ patientUid: 'patient-1' \}, not a text\.$/,
    ],
    [
      () => unchecked(client.getReadings)({ from: new Date() }),
      /^from must be a number: use from: date\.get/,
    ],
    [
      () => unchecked(client.getReadings)({ from: Number.NaN }),
      /^from must be a text or a number, not NaN\.$/,
    ],
    [() => unchecked(client.getReadings)({ to: null }), /not null\. Leave it out, or pass undefined\.$/],
    [() => unchecked(client.listDoctors)({ q: {} }), /^q must be a text or a number, not an object\.$/],
    [() => unchecked(client.readingStatistics)(), /^The query must be an object/],
    [() => unchecked(client.latestReadings)({}, 5_000), /^The options of a call must be an object/],
    [
      () => unchecked(client.latestReadings)({}, { timeout: 5 }),
      /does not know the option timeout\. It knows sig/,
    ],
    [
      () => unchecked(client.latestReadings)({}, { signal: new AbortController() }),
      /such as controller\.signal/,
    ],
    [() => unchecked(client.listSpecialities)({ timeoutMs: 0 }), /^timeoutMs must be /],
    [() => unchecked(client.addReadings)(), /^Pass a reading, .+, or a list of them, not undefined\.$/],
    [() => unchecked(client.addReadings)([{}, 'x']), /not a text\.$/],
    [() => unchecked(client.addReadingsEach)(null), /not null\.$/],
    [() => unchecked(client.exportReadings)('xlsx'), /must be 'csv' or 'ndjson'\.$/],
  ]
  for (const [call, message] of mistakes) {
    await assert.rejects(async () => call(), { name: 'TypeError', message })
  }
  const pages = unchecked(client.eachReading)('patient-1') as AsyncGenerator
  await assert.rejects(pages.next(), /The query must be an object/)
})

test('a queue that cannot work is refused when it is made', async () => {
  const onRefused = () => undefined
  const mistakes: [unknown, RegExp][] = [
    [{ onRefused }, /needs client, as createRoundsClient makes one\./],
    [{ client }, /^onRefused must be a function, not undefined\.$/],
    [{ client, onRefused, storage: Promise.resolve() }, /it is a promise \(is an "await" missing\?\)\.$/],
    [{ client, onRefused, storage: {} }, /functions count, append, oldest, remove; it is an object without/],
    [{ client, onRefused, maxReadings: 1.5 }, /^maxReadings must be a whole number/],
    [{ client, onRefused, maxReading: 5 }, /does not know the option maxReading\. It knows client, /],
  ]
  for (const [options, message] of mistakes) {
    assert.throws(() => unchecked(createReadingQueue)(options), { name: 'TypeError', message })
  }
  const queue = createReadingQueue({ client, onRefused })
  await assert.rejects(async () => unchecked(queue.add)('x'), /^TypeError: Pass a reading/)
  await assert.rejects(async () => unchecked(queue.flush)({ limit: 5 }), /does not know the option limit/)
  await queue.add([])
  assert.throws(() => unchecked(flushWhenOnline)(queue, {}), /onError must be a function/)
  assert.throws(() => unchecked(tokenByPatient)('token'), /tokenByPatient must be a function, not a text\./)
  assert.throws(() => indexedDbStorage(), /There is no IndexedDB here/)
  await assert.rejects(
    async () => unchecked(keyValueStorage)(),
    /getItem, setItem, removeItem, not undefined/,
  )
})

test('what is undefined may be passed, also with exactOptionalPropertyTypes, and is left out', async () => {
  const asked: string[] = []
  const recording = createRoundsClient({
    url,
    token: 'a-token-that-never-changes',
    attempts: undefined,
    timeoutMs: undefined,
    fetch: async (address, { headers }) => {
      asked.push(address, new Headers(headers).get('authorization') ?? '')
      return Response.json({ code: 'Ok', data: [], nextCursor: null })
    },
  })
  const query = { patientUid: 'p', from: undefined, to: undefined, readingType: undefined, limit: 5 }
  await recording.getReadings(query, { signal: undefined, timeoutMs: undefined })
  assert.deepEqual(asked, [
    `${url}/casesheet/readings/get?patientUid=p&limit=5`,
    'Bearer a-token-that-never-changes',
  ])
  const statistics = { readingType: 'heartRate', from: 1, to: 2, timeZone: undefined }
  await recording.readingStatistics(statistics)
  // @ts-expect-error -- what is required may not be undefined
  await recording.readingStatistics({ ...statistics, readingType: undefined })
})

test('an unreachable service is explained by where the client runs', () => {
  const cause = new TypeError('Failed to fetch')
  const says = (surroundings: object, error: Error = cause) => connectionFailed(error, surroundings).message
  assert.match(says({ document: {} }), /In a browser this may mean: no network, a certificate .+CORS_ORIGINS/)
  assert.match(says({ WorkerGlobalScope: () => undefined }), /CORS_ORIGINS/)
  assert.match(says({ document: {}, navigator: { onLine: false } }), /: this device is offline\.$/)
  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
  })
  assert.match(says({}, refused), /or the connection was lost \(ECONNREFUSED\)\.$/)
  assert.match(says({}), /or the connection was lost\.$/)
})
