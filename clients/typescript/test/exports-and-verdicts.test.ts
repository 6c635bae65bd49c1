// What goes beyond the four operations, as an app calls it: exports, the access log, and a verdict on each reading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createRoundsClient, type Reading } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)
const { client, steps, token } = await clientOfNewPatient(rounds)
await client.addReadings(steps(1_000))

test('an export is the response, to be saved or streamed', async () => {
  const csv = await client.exportReadings('csv', { from: 1_763_000_000_000 })
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="readings-from-2025-11-13.csv"')
  assert.equal((await csv.text()).split('\r\n').length, 1_002)
  const lines = await client.exportReadings('ndjson')
  let text = ''
  for await (const chunk of lines.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  const sequences = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Reading)['sequence'])
  assert.deepEqual(sequences, firstNumbers(1_000))
})

test('an export in pages says where to go on', async () => {
  const first = await client.exportReadings('ndjson', { limit: 600 })
  const cursor = first.headers.get('x-next-cursor') ?? ''
  const rest = await client.exportReadings('ndjson', { limit: 600, cursor })
  assert.deepEqual(
    [(await first.text()).split('\n').length, (await rest.text()).split('\n').length],
    [601, 401],
  )
  assert.equal(rest.headers.get('x-next-cursor'), null)
})

test('a refused export is a RoundsError, and one that cannot be reached is tried again', async () => {
  const refused = await failureOf(client.exportReadings('csv', { from: 2, to: 1 }))
  assert.deepEqual([refused.code, refused.status], ['InvalidRange', 400])
  const far = createRoundsClient({ url: network.url, token: () => token })
  network.cutRequests(1)
  assert.equal((await far.exportReadings('csv', { limit: 1 })).status, 200)
  const others = [
    new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
    Response.json({ code: 'Ok', message: 'An older service.', data: [], nextCursor: null }),
  ]
  for (const other of others) {
    const misled = createRoundsClient({ url: rounds.url, token: () => token, fetch: async () => other })
    assert.equal((await failureOf(misled.exportReadings('csv'))).code, 'UnexpectedAnswer')
  }
})

test('an export that is under way can be cancelled', async () => {
  const cancel = new AbortController()
  const large = await clientOfNewPatient(rounds)
  const note = 'x'.repeat(40_000)
  for (let first = 0; first < 900; first += 90) {
    await large.client.addReadings(large.steps(90, { first, note }))
  }
  const response = await large.client.exportReadings('ndjson', {}, { signal: cancel.signal })
  const reader = response.body?.getReader()
  assert.equal((await reader?.read())?.done, false)
  cancel.abort(new Error('The view was closed.'))
  const toTheEnd = async () => {
    while (!(await reader?.read())?.done);
  }
  await assert.rejects(toTheEnd(), /The view was closed/)
})

test('the access log says who read, page after page', async () => {
  const { client: patient, patientUid } = await clientOfNewPatient(rounds)
  const staffToken = await rounds.token({ sub: 'dr-invented', scope: 'readings:read' })
  const staff = createRoundsClient({ url: rounds.url, token: () => staffToken })
  for (let reads = 0; reads < 3; reads++) await staff.getReadings({ patientUid, from: reads + 1 })
  const { data } = await patient.accessLog({ limit: 1 })
  assert.deepEqual(
    data.map(({ readBy, allowedAs, from, to }) => [readBy, allowedAs, from, to]),
    [['dr-invented', 'staff', '1970-01-01T00:00:03.000Z', null]],
  )
  const byStaff = []
  for await (const access of patient.eachAccess({ limit: 2 })) {
    if (access.allowedAs === 'staff') byStaff.push(access.from)
  }
  assert.deepEqual(
    byStaff,
    [3, 2, 1].map((second) => `1970-01-01T00:00:0${second}.000Z`),
  )
})

test('each reading of an add has its verdict, also when the first answer was lost on its way', async () => {
  const sender = await clientOfNewPatient(rounds, { url: network.url })
  const [good, bad] = sender.steps(2)
  const mixed = [good, { ...bad, timestamp: -1 }, good] as Reading[]
  const { data } = await sender.client.addReadingsEach(mixed)
  assert.deepEqual(
    data.map(({ verdict }) => verdict),
    ['stored', 'rejected', 'duplicate'],
  )
  const [, rejected] = data
  assert.ok(rejected?.verdict === 'rejected')
  assert.deepEqual([rejected.code, rejected.errors?.[0]?.pointer], ['ValidationFailed', '/timestamp'])
  network.loseAnswers(1)
  const again = await sender.client.addReadingsEach(sender.steps(1, { again: true }))
  assert.deepEqual(
    again.data.map(({ verdict }) => verdict),
    ['duplicate'],
  )
})

test('a service that gives no verdicts is recognised', async () => {
  const plain = async () => Response.json({ code: 'Ok', message: 'The readings were added successfully.' })
  const older = createRoundsClient({ url: rounds.url, token: () => token, fetch: plain })
  assert.equal((await failureOf(older.addReadingsEach(steps(1)))).code, 'UnexpectedAnswer')
})
