// The offline queue against the real server: nothing lost, nothing doubled, whatever happens meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { createReadingQueue, memoryStorage, type Reading } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)
const noRefusal = (_reading: Reading, error: Error) => Promise.reject(error)

test('a flush sends everything in batches of up to 1,000, and the queue is empty', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  const readings = steps(2_500)
  for (const reading of readings.slice(0, 3)) await queue.add(reading)
  await queue.add(readings.slice(3))
  assert.equal(await queue.count(), 2_500)
  const before = network.requests()
  assert.deepEqual(await queue.flush(), { sent: 2_500, refused: 0 })
  assert.equal(network.requests() - before, 3)
  assert.equal(await queue.count(), 0)
  assert.deepEqual(await storedSequences(), firstNumbers(2_500))
  assert.deepEqual(await queue.flush(), { sent: 0, refused: 0 })
})

test('while the service cannot be reached a flush fails and keeps everything; the next one sends it once', async () => {
  const options = { url: network.url, attempts: 1 }
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, options)
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(30))
  network.cutRequests(1)
  assert.equal((await failureOf(queue.flush())).code, 'ConnectionFailed')
  network.loseAnswers(1)
  assert.equal((await failureOf(queue.flush())).code, 'ConnectionFailed')
  assert.equal(await queue.count(), 30)
  assert.deepEqual(await queue.flush(), { sent: 30, refused: 0 })
  assert.deepEqual(await storedSequences(), firstNumbers(30))
})

test('concurrent flushes are one, and what is added meanwhile goes with them', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const readings = steps(60)
  const queue = createReadingQueue({
    client: {
      async addReadings(sent, options) {
        const answer = await client.addReadings(sent, options)
        await queue.add(readings.splice(0, 20))
        return answer
      },
    },
    onRefused: noRefusal,
  })
  await queue.add(readings.splice(0, 20))
  const before = network.requests()
  const flushes = await Promise.all([queue.flush(), queue.flush(), queue.flush()])
  assert.deepEqual(new Set(flushes.map(({ sent, refused }) => `${sent} ${refused}`)), new Set(['60 0']))
  assert.equal(network.requests() - before, 3)
  assert.deepEqual(await storedSequences(), firstNumbers(60))
})

test('the client may be an object whose functions need it', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const counting = {
    sent: 0,
    async addReadings(readings: Reading | readonly Reading[]) {
      this.sent++
      return client.addReadings(readings)
    },
  }
  const queue = createReadingQueue({ client: counting, onRefused: noRefusal })
  await queue.add(steps(2))
  await queue.flush()
  assert.deepEqual([counting.sent, await storedSequences()], [1, [0, 1]])
})

test('a reading that is added before a flush is sent by it, also when another flush was about to end', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const storage = memoryStorage()
  const joined: Promise<unknown>[] = []
  const [late] = steps(1)
  const queue = createReadingQueue({
    client,
    onRefused: noRefusal,
    storage: {
      ...storage,
      async oldest(limit) {
        const found = await storage.oldest(limit)
        if (found.length === 0 && late && joined.length === 0) {
          joined.push(queue.add(late).then(() => queue.flush()))
        }
        return found
      },
    },
  })
  await queue.flush()
  await Promise.all(joined)
  assert.deepEqual([await storedSequences(), await queue.count()], [[0], 0])
})

test('a full queue refuses what is added and keeps what it has', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const queue = createReadingQueue({ client, onRefused: noRefusal, maxReadings: 5 })
  await queue.add(steps(4))
  const adds = await Promise.allSettled(
    steps(6)
      .slice(4)
      .map((reading) => queue.add(reading)),
  )
  assert.deepEqual(
    adds.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.equal((await failureOf(queue.add(steps(1)))).code, 'QueueFull')
  await queue.flush()
  assert.deepEqual(await storedSequences(), firstNumbers(5))
})

test('a reading is kept as it was when it was added', async () => {
  const { client, patientUid, storedSequences } = await clientOfNewPatient(rounds)
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  const reading = { patientUid, readingType: 'acme.step', timestamp: 1_763_000_000_000, sequence: 1 }
  const added = queue.add(reading)
  reading.sequence = 2
  await added
  await queue.flush()
  assert.deepEqual(await storedSequences(), [1])
})

test('an aborted flush keeps what was not acknowledged', async () => {
  const silent = await startFaultyNetwork(rounds.url)
  silent.hang()
  const { client, steps } = await clientOfNewPatient(rounds, { url: silent.url })
  const queue = createReadingQueue({ client, onRefused: noRefusal })
  await queue.add(steps(3))
  const leaving = new AbortController()
  const flush = queue.flush({ signal: leaving.signal })
  leaving.abort(new Error('The app goes to sleep.'))
  await assert.rejects(flush, /goes to sleep/)
  assert.equal(await queue.count(), 3)
})
