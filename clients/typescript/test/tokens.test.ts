// Where tokens come from: asked before every request, and once more when the service refuses one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds } from '../../../test/support/harness.ts'
import { newPatient } from '../../../test/support/patient.ts'
import { until } from '../../../test/support/until.ts'
import { createRoundsClient, type TokenProvider } from '../src/client.ts'
import { failureOf } from './client-of.ts'

const rounds = await startRounds()
const { patientUid, token: good } = await newPatient(rounds)
const expired = await rounds.token({ patientUid, exp: Math.floor(Date.now() / 1_000) - 60 })

/** A client whose provider gives what `give` says, and everything that the provider was asked. */
function clientAsking(give: TokenProvider) {
  const asked: (string | undefined)[] = []
  const client = createRoundsClient({
    url: rounds.url,
    token: (refused) => {
      asked.push(refused)
      return give(refused)
    },
  })
  return { client, asked }
}

test('an expired token and an invalid one are replaced once, and the call succeeds', async () => {
  for (const old of [expired, 'not.a.token']) {
    const { client, asked } = clientAsking((refused) => (refused === undefined ? old : good))
    assert.deepEqual((await client.getReadings()).data, [])
    assert.deepEqual(asked, [undefined, old])
  }
})

test('a token that is refused too is not replaced again', async () => {
  const { client, asked } = clientAsking((refused) => (refused === undefined ? expired : 'not.a.token'))
  const error = await failureOf(client.getReadings())
  assert.deepEqual([error.code, error.status, error.retryable], ['TokenInvalid', 401, false])
  assert.deepEqual(asked, [undefined, expired])
})

test('a provider that has no other token is not made to send the same one twice', async () => {
  const before = rounds.log().length
  const { client } = clientAsking(() => expired)
  assert.equal((await failureOf(client.getReadings())).code, 'TokenExpired')
  assert.equal(
    rounds
      .log()
      .slice(before)
      .match(/"status":401/g)?.length,
    1,
  )
})

test('calls that meet the same expired token share one refresh', async () => {
  let current = expired
  let refreshes = 0
  const before = rounds.log().length
  const refusals = () =>
    rounds
      .log()
      .slice(before)
      .match(/"status":401/g)?.length ?? 0
  const { client } = clientAsking(async (refused) => {
    if (refused !== undefined) {
      refreshes++
      await until(async () => refusals() === 20)
      current = good
    }
    return current
  })
  await Promise.all(Array.from({ length: 20 }, () => client.getReadings()))
  assert.equal(refreshes, 1)
})

test('a refusal that arrives after another call had the token replaced does not replace it again', async () => {
  let current = expired
  let refreshes = 0
  let requests = 0
  const { promise: isReplaced, resolve: tellReplaced } = Promise.withResolvers<void>()
  const client = createRoundsClient({
    url: rounds.url,
    token: (refused) => {
      if (refused !== undefined) {
        refreshes++
        current = good
      }
      return current
    },
    fetch: async (url, init) => {
      const isFirst = requests++ === 0
      const response = await fetch(url, init)
      if (isFirst) await isReplaced
      return response
    },
  })
  const late = client.getReadings()
  await until(async () => requests === 1)
  await client.getReadings()
  tellReplaced()
  assert.deepEqual((await late).data, [])
  assert.equal(refreshes, 1)
})

test('what the provider throws reaches the caller, and nothing is sent', async () => {
  const signedOut = new Error('Signed out.')
  const { client } = clientAsking(async () => {
    throw signedOut
  })
  await assert.rejects(client.getReadings(), signedOut)
  for (const notAToken of ['', 'Bearer x', 'a\r\nb']) {
    await assert.rejects(clientAsking(() => notAToken).client.getReadings(), /must give an access token/)
  }
})
