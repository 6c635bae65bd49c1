// The offline queue on lines that are slow, on which large requests never get through: batches become as small as they must.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { utf8Bytes } from '../src/body-bytes.ts'
import { createReadingQueue, type Fetch, type Reading } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const textOf = ({ body }: RequestInit) => (typeof body === 'string' ? body : '')
const noRefusal = (_reading: Reading, error: Error) => Promise.reject(error)

test('a backlog gets through a line on which no request may take longer than some time, once and in few requests', async () => {
  const network = await startFaultyNetwork(rounds.url)
  // About 12 KB get through in one request; the backlog is three times as large.
  network.slowDown({ bytesPerSecond: 8_192, cutAfterMs: 1_500 })
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(280))
  assert.deepEqual(await queue.flush(), { sent: 280, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(280))
  const requests = network.requests()
  assert.ok(requests >= 4 && requests <= 30, `${requests} requests`)

  // What was learned is used by the next flush; when the line is fast again, batches grow.
  await queue.add(steps(20, { again: true }))
  const second = network.requests()
  await queue.flush()
  assert.ok(network.requests() - second <= 2)
  network.slowDown()
  await queue.add(steps(5_000, { later: true }))
  const third = network.requests()
  await queue.flush()
  // About nine. With the batches of the slow line it would be more than a hundred.
  assert.ok(network.requests() - third < 60, `${network.requests() - third} requests`)
  assert.equal((await storedSequences()).length, 5_300)
})

test('a batch that timed out is not repeated as it is, and a line that carries nothing ends the flush soon', async () => {
  const network = await startFaultyNetwork(rounds.url)
  network.hang()
  const lengths: number[] = []
  const watching: Fetch = (url, init) => {
    lengths.push([JSON.parse(textOf(init)) as unknown].flat().length)
    return fetch(url, init)
  }
  const options = { url: network.url, fetch: watching, attempts: 3, attemptTimeoutMs: 50 }
  const { client, steps } = await clientOfNewPatient(rounds, options)
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(1_000))
  assert.equal((await failureOf(queue.flush())).code, 'TimedOut')
  assert.deepEqual(lengths, [1_000, 500, 125, 15, 1, 1, 1])
  assert.equal(await queue.count(), 1_000)
})

test('connections that are cut at once are repeated as they are; the next flush sends less', async () => {
  const network = await startFaultyNetwork(rounds.url)
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, {
    url: network.url,
    attempts: 2,
  })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(1_000))
  network.cutRequests(2)
  assert.equal((await failureOf(queue.flush())).code, 'ConnectionFailed')
  assert.equal(network.requests(), 2)
  await queue.flush()
  assert.equal(network.requests(), 4, 'two halves')
  assert.deepEqual(await storedSequences(), firstNumbers(1_000))
})

test('a proxy that lets no large body pass gets smaller ones, and no reading is refused for it', async () => {
  let requests = 0
  const proxied: Fetch = async (url, init) => {
    requests++
    const isLarge = init.method === 'POST' && textOf(init).length > 20_000
    return isLarge ? new Response('<html>Too Large</html>', { status: 413 }) : fetch(url, init)
  }
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { fetch: proxied })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(2_500))
  assert.deepEqual(await queue.flush(), { sent: 2_500, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(2_500))
  assert.ok(requests < 60, `${requests} requests`)
})

test('a batch never exceeds the 4 MiB that the service takes, to the byte', async () => {
  const bodies: number[] = []
  const watching: Fetch = (url, init) => {
    if (init.method === 'POST') bodies.push(Buffer.byteLength(textOf(init)))
    return fetch(url, init)
  }
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { fetch: watching })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  // Of one, two, three and four bytes in UTF-8.
  const notes = ['x', 'é', 'ह', '😀'].map((letter) => letter.repeat(60_000 / Buffer.byteLength(letter)))
  await queue.add(steps(200).map((reading, index) => ({ ...reading, note: notes[index % 4] })))
  assert.deepEqual(await queue.flush(), { sent: 200, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(200))
  assert.equal(bodies.length, 3)
  for (const bytes of bodies) assert.ok(bytes <= 4 * 1_048_576)
  for (const bytes of bodies.slice(0, 2))
    assert.ok(bytes > 4 * 1_048_576 - 61_000, 'and no more room is left')
})

test('bytes are counted as UTF-8 has them', () => {
  for (const text of ['', 'abc', 'é\u07ff', 'ह\uffff\u0800', 'a😀é', JSON.stringify('\ud800 lone')]) {
    assert.equal(utf8Bytes(text), Buffer.byteLength(text), text)
  }
})
