// Readings in the queue that the service will never accept: they are found, handed over, and do not hold up the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import {
  createReadingQueue,
  createRoundsClient,
  type Fetch,
  type Reading,
  RoundsError,
} from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)

test('readings that are not valid are handed over with their own errors, and block nothing', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const refused: [unknown, ...unknown[]][] = []
  const queue = createReadingQueue({
    client,
    onRefused: (reading, { code, status, errors }) =>
      void refused.push([reading['sequence'], code, status, errors.map(({ pointer }) => pointer)]),
  })
  await queue.add(
    steps(1_000).map((reading, index) => {
      if (index === 3) return { ...reading, timestamp: -1 }
      if (index === 700) return { ...reading, note: 'x'.repeat(70_000) }
      return index === 999 ? { ...reading, readingType: 'symptom', symptoms: [] } : reading
    }),
  )
  const before = network.requests()
  assert.deepEqual(await queue.flush(), { sent: 997, refused: 3 })
  assert.deepEqual(
    refused.toSorted(([one], [other]) => Number(one) - Number(other)),
    [
      [3, 'ValidationFailed', 400, ['/timestamp']],
      [700, 'BodyTooLarge', 413, []],
      [999, 'ValidationFailed', 400, ['/symptoms']],
    ],
  )
  assert.equal(network.requests() - before, 2, 'the list, and once more for a verdict on each')
  const bad = new Set<unknown>([3, 700, 999])
  assert.deepEqual(
    await storedSequences(),
    firstNumbers(1_000).filter((sequence) => !bad.has(sequence)),
  )
})

test('once a reading was refused, verdicts are asked for at once', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const refused: unknown[] = []
  const queue = createReadingQueue({ client, onRefused: ({ sequence }) => void refused.push(sequence) })
  const isBad = (index: number) => index % 500 === 7
  await queue.add(
    steps(3_000).map((reading, index) => (isBad(index) ? { ...reading, timestamp: -1 } : reading)),
  )
  const before = network.requests()
  assert.deepEqual(await queue.flush(), { sent: 2_994, refused: 6 })
  assert.equal(network.requests() - before, 4)
  assert.deepEqual(refused, [7, 507, 1_007, 1_507, 2_007, 2_507])
  assert.deepEqual(
    await storedSequences(),
    firstNumbers(3_000).filter((index) => !isBad(index)),
  )
})

test('a verdict with warnings is no refusal: the reading is stored and leaves the queue', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds)
  const [bad, ...others] = steps(3)
  const readings = [
    { ...bad, timestamp: -1 } as Reading,
    ...others.map((one, index) => ({ ...one, timestamp: 1 + index })),
  ]
  const { data } = await client.addReadingsEach(readings)
  const codes = data.map((one) =>
    one.verdict === 'rejected' ? one.code : one.warnings?.map(({ code }) => code),
  )
  assert.deepEqual(codes, ['ValidationFailed', ['Before2000'], ['Before2000']])
  const refused: unknown[] = []
  const queue = createReadingQueue({ client, onRefused: ({ sequence }) => void refused.push(sequence) })
  await queue.add(readings)
  assert.deepEqual(await queue.flush(), { sent: 2, refused: 1 })
  assert.deepEqual(refused, [0])
  assert.deepEqual(await storedSequences(), [1, 2])
})

test('an older service, which gives no verdicts, has the list divided until the bad readings are alone', async () => {
  const older: Fetch = (url, init) => {
    const { prefer: _, ...headers } = init.headers as Record<string, string>
    return fetch(url, { ...init, headers })
  }
  const options = { url: network.url, fetch: older }
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, options)
  const refused: unknown[] = []
  const queue = createReadingQueue({
    client,
    onRefused: ({ sequence }, { code, status }) => void refused.push([sequence, code, status]),
  })
  const note = 'x'.repeat(70_000)
  await queue.add(
    steps(1_500).map((reading, index) => {
      if (index === 3 || index === 1_400) return { ...reading, timestamp: -1 }
      return index === 700 ? { ...reading, note } : reading
    }),
  )
  const before = network.requests()
  assert.deepEqual(await queue.flush(), { sent: 1_497, refused: 3 })
  assert.deepEqual(
    new Set(refused.map(String)),
    new Set(['3,ValidationFailed,400', '1400,ValidationFailed,400', '700,BodyTooLarge,413']),
  )
  assert.ok(network.requests() - before < 45, 'a few halvings, not a request for each reading')
  assert.equal((await storedSequences()).length, 1_497)
})

test('a login page that answers for the service settles nothing', async () => {
  const { client, steps, token } = await clientOfNewPatient(rounds)
  let answers = 0
  const loginPage: Fetch = async (url, init) =>
    answers++ === 0 ? fetch(url, init) : new Response('<html>Sign in</html>', { status: 200 })
  const misled = createRoundsClient({ url: rounds.url, token: () => token, fetch: loginPage })
  const queue = createReadingQueue({ client: misled, onRefused: () => assert.fail('it was handed over') })
  await queue.add([...steps(2), ...steps(1, { timestamp: -1 })])
  assert.equal((await failureOf(queue.flush())).code, 'UnexpectedAnswer')
  assert.equal(await queue.count(), 3)
  assert.deepEqual((await client.getReadings()).data, [])
})

test('readings of a patient that the token does not name are handed over without a request for each', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const refused: [string, string][] = []
  const queue = createReadingQueue({
    client,
    onRefused: ({ patientUid }, { code }) => void refused.push([patientUid, code]),
  })
  await queue.add([...steps(200, { patientUid: 'somebody-else' }), ...steps(300)])
  const before = network.requests()
  assert.deepEqual(await queue.flush(), { sent: 300, refused: 200 })
  assert.equal(network.requests() - before, 2)
  assert.deepEqual(new Set(refused.map(String)), new Set(['somebody-else,PatientMismatch']))
  assert.deepEqual(await storedSequences(), firstNumbers(300))
})

test('a refused reading stays until the callback has taken it', async () => {
  const { client, steps } = await clientOfNewPatient(rounds)
  const full = new Error('The disk is full.')
  let canTake = false
  const queue = createReadingQueue({
    client,
    onRefused: async () => {
      if (!canTake) throw full
    },
  })
  await queue.add(steps(1, { timestamp: -1 }))
  await assert.rejects(queue.flush(), full)
  assert.equal(await queue.count(), 1)
  canTake = true
  assert.deepEqual(await queue.flush(), { sent: 0, refused: 1 })
  assert.equal(await queue.count(), 0)
})

test('a refusal that is not about the readings hands nothing over', async () => {
  const { steps, token } = await clientOfNewPatient(rounds)
  const handedOver: Reading[] = []
  const forbidden = async () => new Response('<html>Forbidden by the firewall</html>', { status: 403 })
  const proxied = createRoundsClient({ url: rounds.url, token: () => token, fetch: forbidden })
  const signedOut = createRoundsClient({ url: rounds.url, token: () => 'not.a.token' })
  for (const [client, code] of [
    [proxied, 'UnexpectedAnswer'],
    [signedOut, 'TokenInvalid'],
  ] as const) {
    const queue = createReadingQueue({ client, onRefused: (reading) => void handedOver.push(reading) })
    await queue.add(steps(2))
    assert.equal((await failureOf(queue.flush())).code, code)
    assert.deepEqual([await queue.count(), handedOver], [2, []])
  }
})

test('a reading that its verdict rejects has the status that it would have had alone', async () => {
  const code = 'PatientErased'
  const message = 'The patient was erased.'
  const rejected = { verdict: 'rejected', code, message, retryable: false } as const
  const statuses: number[] = []
  const queue = createReadingQueue({
    client: {
      addReadings: async () => {
        throw new RoundsError({ code, message, retryable: false, status: 403 })
      },
      addReadingsEach: async () => ({ code: 'Ok', message: '', data: [rejected, rejected] }),
    },
    onRefused: (_reading, { status }) => void statuses.push(status),
  })
  await queue.add([1, 2].map((timestamp) => ({ patientUid: 'p', readingType: 'acme.x', timestamp })))
  await queue.flush()
  assert.deepEqual(statuses, [403, 403])
})

test('a list whose patients several clusters serve is divided by patient, once, and nothing is handed over', async () => {
  const bodies: unknown[] = []
  const misdirected = {
    status: 'error',
    code: 'MisdirectedRequest',
    message: 'Another cluster serves a patient.',
    retryable: true,
  }
  const sharded: Fetch = async (_url, { body }) => {
    const sent = [JSON.parse(body as string)].flat() as Reading[]
    const patients = new Set(sent.map(({ patientUid }) => patientUid))
    bodies.push([...patients].join())
    if (patients.size > 1) return Response.json(misdirected, { status: 421 })
    return Response.json({ code: 'Ok', message: 'Stored.' })
  }
  const client = createRoundsClient({ url: rounds.url, token: 'x', fetch: sharded })
  const queue = createReadingQueue({ client, onRefused: () => assert.fail('it was handed over') })
  await queue.add(
    ['p', 'q', 'p'].map((patientUid, timestamp) => ({ patientUid, readingType: 'acme.x', timestamp })),
  )
  assert.deepEqual(await queue.flush(), { sent: 3, refused: 0 })
  assert.deepEqual(bodies, ['p,q', 'p', 'q'])
})
