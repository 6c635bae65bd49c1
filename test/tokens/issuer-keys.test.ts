// How the keys of an issuer come, change and go while the server runs.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { followIssuerKeys } from '../../src/http/tokens/issuer-keys.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { type Rounds, startIssuer, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { assertAccepts, assertRefuses, callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'
import { until } from '../support/until.ts'

const PAST_THE_COOL_DOWN = 6_000
const HOUR = 3_600_000

async function assertUnavailable(rounds: Rounds, token: string) {
  for (const path of PROTECTED_PATHS) {
    const { status, json, headers } = await callPath(rounds, path, { token })
    assert.deepEqual([status, json.code, json.retryable], [503, 'IssuerUnavailable', true])
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(headers.get('www-authenticate'), null)
  }
}
const isReady = async ({ adminUrl }: Rounds) => (await fetch(`${adminUrl}/readyz`)).status === 200

/** A second key of the same issuer, and tokens signed with it. */
async function newKey() {
  const { keys, token } = await startIssuer()
  const header = { kid: 'test-2' }
  return {
    jwk: { ...keys[0], ...header },
    token: (iss: string) => token({ iss, patientUid: OWN }, { header }),
  }
}

test('2,000 unknown keys are refused, and cause one fetch in each cool-down', async () => {
  const rounds = await startRounds(WITH_WEBHOOKS)
  const [, payload, signature] = (await rounds.token({ patientUid: OWN })).split('.')
  rounds.skip(PAST_THE_COOL_DOWN)
  const [fetchesBefore, started] = [rounds.issuer.keyFetches(), Date.now()]
  for (let batch = 0; batch < 40; batch++) {
    const tokens = Array.from({ length: 50 }, (_, index) => {
      const header = JSON.stringify({ alg: 'RS256', kid: `unknown-${batch}-${index}` })
      return `${Buffer.from(header).toString('base64url')}.${payload}.${signature}`
    })
    const answers = await Promise.all(
      tokens.map((token) => rounds.call('/casesheet/readings/get', { token })),
    )
    assert.ok(answers.every(({ status, json }) => status === 401 && json.code === 'TokenInvalid'))
  }
  const coolDowns = Math.floor((Date.now() - started) / 5_000)
  assert.ok(rounds.issuer.keyFetches() - fetchesBefore <= 1 + coolDowns)
})

test('a new key works after one fetch; a withdrawn one stops, also for cached tokens', async () => {
  const rounds = await startRounds(WITH_WEBHOOKS)
  const { issuer } = rounds
  const key = await newKey()
  const [oldToken, newToken] = [await issuer.token({ patientUid: OWN }), await key.token(issuer.url)]
  // Within the cool-down, which runs by the real time too.
  const get = (token: string) => rounds.call('/casesheet/readings/get', { token })
  assert.equal((await get(oldToken)).status, 200)
  issuer.keys.push(key.jwk)
  const { status, json } = await get(newToken)
  assert.deepEqual([status, json.code, issuer.keyFetches()], [401, 'TokenInvalid', 1])
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertAccepts(rounds, { token: newToken })
  await assertAccepts(rounds, { token: oldToken })
  assert.equal(issuer.keyFetches(), 2)

  issuer.keys.shift()
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertRefuses(
    rounds,
    { token: await issuer.token({}, { header: { kid: 'nobody' } }) },
    'TokenInvalid',
  )
  await assertRefuses(rounds, { token: oldToken }, 'TokenInvalid')
  await assertAccepts(rounds, { token: newToken })
})

test('known keys work for a day without their issuer, and no longer', async () => {
  const rounds = await startRounds(WITH_WEBHOOKS)
  const { issuer } = rounds
  const lasting = { patientUid: OWN, exp: Math.floor(Date.now() / 1000) + 72 * 3_600 }
  const remembered = await rounds.token(lasting)
  await assertAccepts(rounds, { token: remembered })
  issuer.failWith((request) => request.socket.destroy())
  const unknown = await rounds.token(lasting, { header: { kid: 'unknown' } })
  for (const hours of [1, 22]) {
    rounds.skip(hours * HOUR)
    await assertAccepts(rounds, { token: remembered })
    await assertAccepts(rounds, { token: await rounds.token(lasting) })
    await assertUnavailable(rounds, unknown)
    assert.equal(await isReady(rounds), true)
  }
  rounds.skip(HOUR)
  await assertUnavailable(rounds, remembered)
  await assertUnavailable(rounds, await rounds.token(lasting))
  assert.equal(await isReady(rounds), false)

  issuer.failWith()
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertAccepts(rounds, { token: remembered })
  assert.equal(await isReady(rounds), true)
})

test('an issuer that answers with no key has withdrawn all of them', async () => {
  const rounds = await startRounds(WITH_WEBHOOKS)
  const token = await rounds.token({ patientUid: OWN })
  await assertAccepts(rounds, { token })
  const keys = rounds.issuer.keys.splice(0)
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertUnavailable(rounds, await rounds.token({ patientUid: OWN }, { header: { kid: 'unknown' } }))
  await assertUnavailable(rounds, token)
  assert.equal(await isReady(rounds), false)
  rounds.issuer.keys.push(...keys)
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertAccepts(rounds, { token })
})

test('keys are fetched again every minute, after a failure every five seconds, until the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const issuer = await startIssuer()
  const { jwk } = await newKey()
  let [changes, failures] = [0, 0]
  const keys = followIssuerKeys({
    issuer: issuer.url,
    jwksUrl: undefined,
    allowHttp: false,
    now: Date.now,
    metrics: createMetrics(),
    onChange: () => changes++,
    onFailure: () => failures++,
  })
  const assertFetchesAfter = async (ms: number) => {
    const before = issuer.keyFetches()
    t.mock.timers.tick(ms)
    await until(() => issuer.keyFetches() > before)
    await keys.refresh()
  }
  await keys.refresh()
  issuer.keys.push(jwk)
  await assertFetchesAfter(60_000)
  assert.equal(changes, 2)
  issuer.keys.reverse()
  await assertFetchesAfter(60_000)
  assert.equal(changes, 2, 'the same keys in another order are no change')

  issuer.failWith((_, response) => response.writeHead(500).end())
  t.mock.timers.tick(60_000)
  await until(() => failures > 0)
  await keys.refresh()
  issuer.failWith()
  await assertFetchesAfter(5_000)

  keys.close()
  await keys.refresh()
  const asked: (string | undefined)[] = []
  issuer.failWith((request, response) => {
    asked.push(request.url)
    response.end()
  })
  t.mock.timers.tick(600_000)
  // A fetch that the timer started would arrive before, or between, these.
  for (let time = 0; time < 5; time++) await fetch(`${issuer.url}/by-the-test`)
  assert.deepEqual([...new Set(asked)], ['/by-the-test'])
})

/** What discovery ends with: the reason of the failure, or the address that the keys were asked for at. */
async function discover(
  t: TestContext,
  { issuer, jwksUri, allowHttp }: { issuer: string; jwksUri: unknown; allowHttp: boolean },
) {
  const answer = JSON.stringify({ issuer, jwks_uri: jwksUri })
  const { mock } = t.mock.method(globalThis, 'fetch', async () => new Response(answer))
  const failures: string[] = []
  const keys = followIssuerKeys({
    issuer,
    jwksUrl: undefined,
    allowHttp,
    now: Date.now,
    metrics: createMetrics(),
    onChange: () => assert.fail('it took the keys'),
    onFailure: (reason) => failures.push(reason),
  })
  await keys.refresh()
  keys.close()
  t.mock.restoreAll()
  const [, asked] = mock.calls.map(({ arguments: [url] }) => url)
  return asked ?? failures[0]
}
const UNUSABLE = 'discovery names no usable jwks_uri'

test('keys that were found by https are not fetched by http, whatever else is allowed', async (t) => {
  for (const allowHttp of [false, true]) {
    for (const jwksUri of ['http://id.example/jwks', 'http://127.0.0.1/jwks', 'HTTP://localhost/jwks']) {
      assert.equal(await discover(t, { issuer: 'https://id.example', jwksUri, allowHttp }), UNUSABLE)
    }
    const jwksUri = 'https://keys.example/jwks'
    assert.equal(await discover(t, { issuer: 'https://id.example', jwksUri, allowHttp }), jwksUri)
  }
})

test('an issuer on this machine may not lead to keys elsewhere by http, unless that is allowed', async (t) => {
  const issuer = 'http://localhost:8081'
  for (const jwksUri of [
    'http://id.example/jwks',
    'http://10.0.0.1/jwks',
    'http://127.0.0.1.evil.example/jwks',
  ]) {
    assert.equal(await discover(t, { issuer, jwksUri, allowHttp: false }), UNUSABLE)
    assert.equal(await discover(t, { issuer, jwksUri, allowHttp: true }), jwksUri)
  }
  for (const jwksUri of ['http://127.0.0.1/jwks', 'http://[::1]:9/jwks', 'https://id.example/jwks']) {
    assert.equal(await discover(t, { issuer, jwksUri, allowHttp: false }), jwksUri)
  }
  for (const jwksUri of ['file:///etc/passwd', 'data:application/json,{}', 'jwks', '', 7, null, undefined]) {
    assert.equal(await discover(t, { issuer, jwksUri, allowHttp: true }), UNUSABLE)
  }
})
