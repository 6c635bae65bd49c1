// Watching a patient with the client, against the real server: a screen that reads the range at each reset and takes every
// change ends with what is stored, whatever happens to its connections.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { closeServer, listen, startRounds } from '../../../test/support/harness.ts'
import { startStage } from '../../../test/support/simulate-stage.ts'
import { until } from '../../../test/support/until.ts'
import { createRoundsClient, type Fetch, type RoundsClient } from '../src/client.ts'
import { clientOfNewPatient, firstNumbers } from './client-of.ts'

const rounds = await startRounds()

/** A screen: what it shows, and how often it had to read everything. */
function show(client: RoundsClient, patientUid?: string) {
  const shown = new Set<unknown>()
  const ended = Promise.withResolvers<unknown>()
  let resets = 0
  let changes = 0
  const stop = client.watch({
    patientUid,
    async onReset() {
      for await (const reading of client.eachReading({ patientUid })) shown.add(reading['sequence'])
      resets++
    },
    onChange(change) {
      changes++
      if (change.state === 'present') shown.add(change.reading['sequence'])
      if (change.state === 'withdrawn') shown.delete(change.reading['sequence'])
    },
    onEnd: ended.resolve,
  })
  after(stop)
  return {
    stop,
    ended: ended.promise,
    resets: () => resets,
    changes: () => changes,
    numbers: () => [...shown].toSorted((a, b) => Number(a) - Number(b)),
  }
}

const unwanted = () => assert.fail('That was not to be called.')

test('what was there is read once the stream is open, and what changes comes by itself', async () => {
  const { client, steps, patientUid } = await clientOfNewPatient(rounds)
  await client.addReadings(steps(2))
  const screen = show(client)
  await until(() => screen.numbers().length === 2)
  await client.addReadings(steps(4))
  await until(() => screen.numbers().length === 4)
  const [first] = (await client.getReadings({ limit: 1 })).data
  assert.ok(first)
  await client.withdrawReading({ patientUid, readingId: first.readingId, timestamp: first.timestamp })
  await until(() => screen.numbers().length === 3)
  assert.deepEqual([screen.resets(), screen.numbers()], [1, [1, 2, 3]])
  screen.stop()
  const before = screen.changes()
  await client.addReadings(steps(9))
  const other = show(client)
  await until(() => other.numbers().length === 8)
  other.stop()
  assert.equal(screen.changes(), before, 'no function is called after stop')
})

test('a server that is killed and started again: nothing is missed, and nothing is read again', async () => {
  const stage = await startStage()
  const patientUid = `patient-${randomUUID()}`
  const token = await stage.token({ patientUids: [patientUid] })
  const client = createRoundsClient({ url: stage.url, token })
  const add = (first: number, count: number) =>
    client.addReadings(
      firstNumbers(count).map((nth) => ({
        patientUid,
        readingType: 'acme.step',
        timestamp: 1_763_000_000_000 + first + nth,
        sequence: first + nth,
      })),
    )
  await add(0, 3)
  const screen = show(client, patientUid)
  await until(() => screen.numbers().length === 3)
  await add(3, 3)
  await until(() => screen.numbers().length === 6)
  await stage.killAndRestart()
  await add(6, 3)
  await until(() => screen.numbers().length === 9)
  await add(9, 3)
  await until(() => screen.numbers().length === 12)
  assert.deepEqual([screen.resets(), screen.changes()], [1, 9])
  screen.stop()
})

test('while a transaction holds changes back the screen is told how late they are, and when that is over', async () => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const delays: number[] = []
  const shown: unknown[] = []
  const stop = client.watch({
    onReset: () => {},
    onChange: (change) => void shown.push(change.state),
    onDelay: (seconds) => void delays.push(seconds),
  })
  after(stop)
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  await holder.query('select pg_current_xact_id()')
  await client.addReadings(steps(1))
  await until(() => (delays.at(-1) ?? 0) >= 3)
  assert.deepEqual(shown, [])
  await holder.query('rollback')
  await until(() => shown.length === 1 && delays.at(-1) === 0)
  stop()
})

test('a token that expires is renewed, and the stream goes on behind its last event', async () => {
  const patientUid = `patient-${randomUUID()}`
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
  const issued: string[] = []
  const issue = async () => {
    issued.push(await rounds.token({ patientUid, exp: inSeconds(issued.length === 0 ? 60 : 600) }))
    return issued.at(-1) ?? ''
  }
  let held = await issue()
  const sent: (string | null)[] = []
  const watching: Fetch = (url, init) => {
    if (url.includes('/stream')) sent.push(new Headers(init.headers).get('last-event-id'))
    return fetch(url, init)
  }
  const client = createRoundsClient({
    url: rounds.url,
    fetch: watching,
    token: async (refused) => (refused === undefined ? held : (held = await issue())),
  })
  // With a token of its own, so that it is the stream that has to get a new one.
  const device = createRoundsClient({
    url: rounds.url,
    token: await rounds.token({ patientUid, exp: inSeconds(600) }),
  })
  const screen = show(client)
  await until(() => screen.resets() === 1)
  // The stream ends at the expiry; as everywhere, the token itself is accepted for five seconds more.
  rounds.skip(70_000)
  after(() => rounds.skip(-70_000))
  await device.addReadings({ patientUid, readingType: 'acme.step', timestamp: 1_763_000_000, sequence: 1 })
  await until(() => issued.length >= 2 && screen.numbers().length === 1)
  assert.equal(issued.length, 2)
  assert.deepEqual([screen.resets(), screen.changes()], [1, 1])
  assert.match(String(sent.at(-1)), /^[0-9a-f]{8}\.1\.\d+\./)
  screen.stop()
})

test('a token function that throws ends nothing: it is called again, and the stream opens', async () => {
  const { client, steps, patientUid } = await clientOfNewPatient(rounds)
  await client.addReadings(steps(1))
  const token = await rounds.token({ patientUid })
  let calls = 0
  const watching = createRoundsClient({
    url: rounds.url,
    async token() {
      // The first token is refused, as one that has expired is; then the issuer is away for two calls.
      if (++calls === 1) return 'expired'
      if (calls <= 3) throw new Error('The issuer is away.')
      return token
    },
  })
  const screen = show(watching)
  const ended = await Promise.race([screen.ended, until(() => screen.numbers().length === 1, 30_000)])
  assert.deepEqual([ended, screen.resets()], [undefined, 1])
  screen.stop()
  const mistaken = show(createRoundsClient({ url: rounds.url, token: () => '' }))
  assert.ok((await mistaken.ended) instanceof TypeError)
})

test('what does not pass ends it, with the error: another patient, a function that throws', async () => {
  const [one, other] = [await clientOfNewPatient(rounds), await clientOfNewPatient(rounds)]
  const refused = show(one.client, other.patientUid)
  assert.equal(Object(await refused.ended).code, 'PatientMismatch')
  assert.equal(refused.resets(), 0)
  const thrown = Promise.withResolvers<unknown>()
  one.client.watch({
    onChange: () => {},
    onReset: () => Promise.reject(new Error('The screen is broken.')),
    onEnd: thrown.resolve,
  })
  assert.match(String(await thrown.promise), /The screen is broken/)
  for (const wrong of [{}, { onChange: () => {} }, { onChange: 1, onReset: () => {} }]) {
    assert.throws(() => one.client.watch(wrong as never), TypeError)
  }
})

/** Something in place of Rounds, which answers each stream with the next of these. */
async function answering(...answers: ((response: ServerResponse) => void)[]) {
  const ids: unknown[] = []
  const server = createServer((request, response) => {
    ids.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    answers[Math.min(ids.length, answers.length) - 1]?.(response)
  })
  const url = await listen(server)
  after(() => closeServer(server))
  return { client: createRoundsClient({ url, token: 'some-token' }), ids }
}

test('a reset is reported, its id is sent back, and a stream that is cut is opened again', async () => {
  const { client, ids } = await answering(
    (response) =>
      void response.write('retry: 500\nid: 1.1.a\nevent: open\ndata: {}\n\n', () => response.destroy()),
    (response) => void response.end('event: open\ndata: {}\n\nid: 1.9.b\nevent: reset\ndata: {}\n\n'),
    (response) => void response.write('event: open\ndata: {}\n\n'),
  )
  let resets = 0
  const stop = client.watch({ onChange: unwanted, onReset: () => void resets++, onEnd: unwanted })
  after(stop)
  await until(() => ids.length === 3)
  assert.deepEqual([ids, resets], [[undefined, '1.1.a', '1.9.b'], 2])
  stop()
})

test('a line without end is an error, and not repeated', async () => {
  const { client, ids } = await answering((response) => {
    const more = () => !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more))
    more()
  })
  const ended = Promise.withResolvers<unknown>()
  client.watch({ onChange: unwanted, onReset: unwanted, onEnd: ended.resolve })
  assert.equal(Object(await ended.promise).code, 'UnexpectedAnswer')
  assert.equal(ids.length, 1)
})
