// What the client does when the network or the service fails: it repeats what may succeed, waits as it is asked to, loses
// and doubles nothing, and knows when to stop.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import type { Fetch } from '../src/client.ts'
import { clientOfNewPatient, failureOf, firstNumbers } from './client-of.ts'
import { startFaultyNetwork } from './faulty-network.ts'

const rounds = await startRounds()
const network = await startFaultyNetwork(rounds.url)

test('connections that are cut before the request gets through are tried again', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  network.cutRequests(3)
  assert.equal((await client.addReadings(steps(10))).code, 'Ok')
  assert.deepEqual(await storedSequences(), firstNumbers(10))
  network.cutRequests(1)
  assert.equal((await client.getReadings()).data.length, 10)
})

test('an add whose answer was lost after it was committed is repeated and stored once', async () => {
  const { client, steps, storedSequences } = await clientOfNewPatient(rounds, { url: network.url })
  const before = network.requests()
  network.loseAnswers(2)
  await client.addReadings(steps(10))
  assert.equal(network.requests() - before, 3)
  assert.deepEqual(await storedSequences(), firstNumbers(10))
})

test('a 503 is tried again after the time that the service asks for', async () => {
  const statuses: number[] = []
  const watching: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    statuses.push(response.status)
    if (response.status === 503) {
      await runSql(rounds.ownerUrl, 'grant insert on casesheet.access_log to rounds_server')
    }
    return response
  }
  const { client } = await clientOfNewPatient(rounds, { fetch: watching })
  await runSql(rounds.ownerUrl, 'revoke insert on casesheet.access_log from rounds_server')
  const startedAt = performance.now()
  assert.deepEqual((await client.getReadings()).data, [])
  assert.deepEqual(statuses, [503, 200])
  assert.ok(performance.now() - startedAt >= 990, 'Retry-After is one second')
})

test('a wait that would go past the time of the call is not begun: the error comes at once', async () => {
  const limited = await startRounds({ RATE_LIMIT_PER_MINUTE: '1' })
  const { client } = await clientOfNewPatient(limited, { timeoutMs: 900 })
  // The limit may fall between two minutes of the clock, so a second call need not be the first that is refused.
  const failures = await Promise.all(
    [0, 1, 2].map(() => client.listSpecialities().catch((error: unknown) => error)),
  )
  const error = await failureOf(Promise.reject(failures.find((answer) => answer instanceof Error)))
  assert.deepEqual([error.code, error.status, error.retryable], ['RateLimited', 429, true])
  assert.ok(Number(error.retryAfterMs) >= 1_000)
})

test('attempts are bounded, and the last failure is reported with its cause', async () => {
  const { client } = await clientOfNewPatient(rounds, { url: network.url, attempts: 2 })
  const before = network.requests()
  network.cutRequests(2)
  const error = await failureOf(client.listSpecialities())
  assert.deepEqual([error.code, error.status, error.retryable], ['ConnectionFailed', 0, true])
  assert.ok(error.cause instanceof Error)
  assert.equal(network.requests() - before, 2)
})

test('a refusal is not repeated', async () => {
  const { client, steps } = await clientOfNewPatient(rounds, { url: network.url })
  const before = network.requests()
  const error = await failureOf(client.addReadings(steps(1, { patientUid: 'somebody-else' })))
  assert.deepEqual([error.code, error.status, error.retryable], ['PatientMismatch', 403, false])
  assert.equal(network.requests() - before, 1)
})

test('an answer that never comes is given up, attempt by attempt and as a whole', async () => {
  const silent = await startFaultyNetwork(rounds.url)
  silent.hang()
  const impatient = await clientOfNewPatient(rounds, { url: silent.url, attempts: 2, attemptTimeoutMs: 50 })
  assert.equal((await failureOf(impatient.client.listSpecialities())).code, 'TimedOut')
  assert.equal(silent.requests(), 2)
  const { client } = await clientOfNewPatient(rounds, { url: silent.url })
  const error = await failureOf(client.listSpecialities({ timeoutMs: 50 }))
  assert.deepEqual([error.code, error.retryable], ['TimedOut', true])
  assert.equal(silent.requests(), 3)
})

test('a caller can abort a call under way, a wait between attempts, and a call not yet begun', async () => {
  const silent = await startFaultyNetwork(rounds.url)
  silent.hang()
  const { client } = await clientOfNewPatient(rounds, { url: silent.url })
  const left = new Error('The user went away.')
  const leaving = new AbortController()
  const underWay = client.getReadings({}, { signal: leaving.signal })
  leaving.abort(left)
  await assert.rejects(underWay, left)
  await assert.rejects(client.getReadings({}, { signal: leaving.signal }), left)

  const waiting = new AbortController()
  const busy: Fetch = async () => {
    setImmediate(() => waiting.abort(left))
    return new Response('busy', { status: 503, headers: { 'retry-after': '60' } })
  }
  const { client: delayed } = await clientOfNewPatient(rounds, { fetch: busy })
  await assert.rejects(delayed.getReadings({}, { signal: waiting.signal }), left)
})
