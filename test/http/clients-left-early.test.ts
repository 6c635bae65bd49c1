// Clients that disconnect while their token is being verified or the database is waited for: what was to be begun for them is not begun, and no place that
// they would have had is taken.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { metricOf, openStream, requestStream } from '../support/event-stream.ts'
import { type Rounds, startRounds } from '../support/harness.ts'
import { newPatient } from '../support/patient.ts'
import { until } from '../support/until.ts'

const PAST_THE_COOL_DOWN = 6_000

// The server would give up on the keys after two seconds, in which a busy machine has not connected all clients.
AbortSignal.timeout = () => new AbortController().signal

/** An issuer that publishes one more key each time, and answers the fetch for it only when it is released. */
function holdKeyFetches({ issuer, skip }: Rounds) {
  let kids = 0
  return async () => {
    const kid = `slow-${++kids}`
    issuer.keys.push({ ...issuer.keys[0], kid })
    const held = Promise.withResolvers<void>()
    issuer.failWith((request, response) => {
      const isDiscovery = request.url === '/.well-known/openid-configuration'
      const answer = isDiscovery
        ? { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }
        : { keys: issuer.keys }
      void held.promise.then(() => response.end(JSON.stringify(answer)))
    })
    skip(PAST_THE_COOL_DOWN)
    return { kid, release: held.resolve }
  }
}

/** Sends the head of a request, and what is sent with it. */
function send(rounds: Rounds, head: string, token: string): Socket {
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(`${head}\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** How many requests have ended; those whose clients disconnected, before there was an answer. */
async function ended({ adminUrl }: Rounds): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const counts = text.matchAll(/^rounds_http_request_duration_seconds_count\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Has clients send a request each and leave before their tokens are verified; returns once all of them have been. */
async function leaveWhileVerified(
  rounds: Rounds,
  clients: number,
  request: (index: number) => { head: string; claims: Record<string, unknown> },
) {
  const hold = holdings.get(rounds) ?? holdKeyFetches(rounds)
  holdings.set(rounds, hold)
  const { kid, release } = await hold()
  const requests = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const { head, claims } = request(index)
      return { head, token: await rounds.token(claims, { header: { kid } }) }
    }),
  )
  const checked = async () =>
    (await metricOf(rounds.adminUrl, 'rounds_token_checks_total{outcome="verified"}')) +
    (await metricOf(rounds.adminUrl, 'rounds_token_checks_total{outcome="refused"}'))
  const [endedBefore, checkedBefore] = [await ended(rounds), await checked()]
  const sockets = requests.map(({ head, token }) => send(rounds, head, token))
  await Promise.all(sockets.map((socket) => until(() => socket.bytesWritten > 0 && !socket.connecting)))
  for (const socket of sockets) socket.destroy()
  await until(async () => (await ended(rounds)) === endedBefore + clients)
  const refused = () => metricOf(rounds.adminUrl, 'rounds_token_checks_total{outcome="refused"}')
  const refusedBefore = await refused()
  release()
  await until(async () => (await checked()) === checkedBefore + clients)
  assert.equal(await refused(), refusedBefore, 'the keys came in time, and every token was verified')
  rounds.issuer.failWith()
}
const holdings = new WeakMap<Rounds, ReturnType<typeof holdKeyFetches>>()

test('no stream is left open by 560 clients of a patient that left, none is logged as read, and the patient may open one', async () => {
  const rounds = await startRounds()
  const { patientUid, addAt, token, accessLog } = await newPatient(rounds)
  const streams = () => metricOf(rounds.adminUrl, 'rounds_streams')
  // One that stays, so that changes are looked for.
  const staying = await openStream(rounds.url, await rounds.token({ patientUid, sub: 'staying' }))
  for (let part = 0; part < 8; part++)
    await leaveWhileVerified(rounds, 70, () => ({
      head: 'GET /casesheet/readings/stream HTTP/1.1',
      claims: { patientUid },
    }))
  assert.equal(await streams(), 1)
  const opened = await openStream(rounds.url, token)
  assert.match(opened.text(), /event: open/)
  await addAt([1])
  for (const { text } of [staying, opened]) await until(() => text().includes('"timestamp":1,'))
  const reads = await accessLog()
  assert.equal(reads.filter(({ ['operation']: operation }) => operation === 'readings/stream').length, 2)
  assert.equal(await streams(), 2)
  for (const { socket } of [staying, opened]) socket.destroy()
})

test('requests for changes of clients that left take no place of their subject', async () => {
  const rounds = await startRounds()
  const claims = { sub: 'warehouse', scope: 'readings:changes' }
  await leaveWhileVerified(rounds, 60, () => ({
    head: 'GET /casesheet/readings/changes?start=now&wait=30 HTTP/1.1',
    claims,
  }))
  assert.equal(await metricOf(rounds.adminUrl, 'rounds_changes_long_polls'), 0)
  const { status, headers } = await rounds.call('/casesheet/readings/changes', {
    token: await rounds.token(claims),
  })
  assert.equal(status, 200)
  // Nothing was begun for them: this request is the first that counts.
  const [, limit] = headers.get('ratelimit-policy')?.match(/^"subject";q=(\d+)/) ?? []
  const [, left] = headers.get('ratelimit')?.match(/^"subject";r=(\d+)/) ?? []
  assert.equal(Number(left), Number(limit) - 1)
})

test('large bodies of clients that left take no room of others', async () => {
  const rounds = await startRounds()
  const length = 4 * 1_024 * 1_024
  await leaveWhileVerified(rounds, 40, (index) => ({
    head: `POST /casesheet/readings/add HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${length}`,
    claims: { patientUid: `p-${index}`, sub: `s-${index}` },
  }))
  const { patientUid, add } = await newPatient(rounds)
  const body = { patientUid, readingType: 'acme.note', timestamp: 1, note: 'x'.repeat(60_000) }
  const readings = Array.from({ length: 60 }, (_, index) => ({ ...body, timestamp: index }))
  assert.equal((await add(readings)).status, 200)
})

test('clients that leave while the database is waited for leave no stream open', async () => {
  const rounds = await startRounds()
  const { token } = await newPatient(rounds)
  const holder = new Client({ connectionString: rounds.ownerUrl })
  await holder.connect()
  after(() => holder.end())
  await holder.query('begin')
  // What the first request reads, once.
  await holder.query('lock table casesheet.feed in access exclusive mode')
  const streams = () => metricOf(rounds.adminUrl, 'rounds_streams')
  const leaving = Array.from({ length: 20 }, () => requestStream(rounds.url, token))
  await until(async () => (await streams()) === 20)
  const late = requestStream(rounds.url, token)
  await until(() => late.text().startsWith('HTTP/1.1 429'))
  for (const { socket } of [...leaving, late]) socket.destroy()
  await until(async () => (await streams()) === 0)
  await holder.query('rollback')
  const opened = await openStream(rounds.url, token)
  assert.match(opened.text(), /event: open/)
  assert.equal(await streams(), 1)
  opened.socket.destroy()
})

test('one patient may open twenty streams, also when a hundred are requested at once', async () => {
  const rounds = await startRounds()
  const { token } = await newPatient(rounds)
  const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(rounds.url, token)))
  const isOpen = streams.filter(({ text }) => text().includes('event: open'))
  const refused = streams.filter(({ text }) => text().startsWith('HTTP/1.1 429'))
  assert.deepEqual([isOpen.length, refused.length], [20, 80])
  assert.equal(await metricOf(rounds.adminUrl, 'rounds_streams'), 20)
  for (const { socket } of isOpen) socket.destroy()
  await until(async () => (await metricOf(rounds.adminUrl, 'rounds_streams')) === 0)
  const again = await openStream(rounds.url, token)
  assert.match(again.text(), /event: open/)
  for (const { socket } of [...streams, again]) socket.destroy()
})
