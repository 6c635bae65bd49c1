// Which signatures are accepted, and what is remembered of a token once it was verified.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readServeConfig } from '../../src/config/config.ts'
import { createTokens } from '../../src/http/tokens/tokens.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { AUDIENCE, startIssuer, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { ACCEPTED, startIssuerOfManyKeys } from '../support/many-keys.ts'
import { assertAccepts, assertRefuses, OWN } from '../support/protected-paths.ts'

const issuer = await startIssuerOfManyKeys()
const rounds = await startRounds({ ...WITH_WEBHOOKS, AUTH_ISSUER: issuer.url })

for (const alg of ACCEPTED) {
  test(`accepted: ${alg}`, async () => {
    const key = issuer.privateKeys.get(alg)
    assert.ok(key)
    const token = await issuer.token({ patientUid: OWN }, { header: { alg, kid: alg }, key })
    await assertAccepts(rounds, { token })
  })
}

test('accepted: no key id where the issuer has one key', async () => {
  const only = await startRounds(WITH_WEBHOOKS)
  const token = await only.token({ patientUid: OWN }, { header: { kid: undefined } })
  await assertAccepts(only, { token })
})

test('accepted: no key id, with any key of the issuer that fits the algorithm', async () => {
  for (const alg of ACCEPTED) {
    const key = issuer.privateKeys.get(alg)
    assert.ok(key)
    const token = await issuer.token({ patientUid: OWN }, { header: { alg, kid: undefined }, key })
    await assertAccepts(rounds, { token })
  }
  const expired = await issuer.token({ exp: 1 }, { header: { kid: undefined } })
  await assertRefuses(rounds, { token: expired }, 'TokenExpired')
})

test('accepted: one key id that two keys share, with either', async () => {
  const twins = await startIssuer()
  const other = await startIssuer()
  twins.keys.push(...other.keys)
  const both = await startRounds({ ...WITH_WEBHOOKS, AUTH_ISSUER: twins.url })
  await assertAccepts(both, { token: await twins.token({ patientUid: OWN }) })
  await assertAccepts(both, { token: await other.token({ patientUid: OWN, iss: twins.url }) })
})

test('a token without a key id, signed with a key that was published since, is accepted after one fetch', async () => {
  const rotating = await startRounds(WITH_WEBHOOKS)
  const next = await startIssuer()
  const token = await next.token(
    { patientUid: OWN, iss: rotating.issuer.url },
    { header: { kid: undefined } },
  )
  rotating.issuer.keys.splice(0, 1, ...next.keys)
  await assertRefuses(rotating, { token }, 'TokenInvalid')
  rotating.skip(6_000)
  await assertAccepts(rotating, { token })
  assert.equal(rotating.issuer.keyFetches(), 2)
})

test('a token is verified once, however often it is sent', async (t) => {
  const token = await issuer.token({ patientUid: OWN })
  const { mock } = t.mock.method(crypto.subtle, 'verify')
  for (let time = 0; time < 20; time++) await assertAccepts(rounds, { token })
  assert.equal(mock.callCount(), 1)
})

test('a cached token with another payload or signature is another token', async () => {
  const token = await issuer.token({ patientUid: 'patient-other' })
  const [header = '', payload = '', signature = ''] = token.split('.')
  assert.equal((await rounds.call('/casesheet/readings/get', { token })).status, 200)
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const tampered = Buffer.from(JSON.stringify({ ...claims, patientUid: OWN })).toString('base64url')
  const changed = signature.startsWith('A') ? 'B' : 'A'
  for (const forged of [
    `${header}.${tampered}.${signature}`,
    `${header}.${payload}.${changed}${signature.slice(1)}`,
  ]) {
    await assertRefuses(rounds, { token: forged }, 'TokenInvalid')
  }
  assert.equal((await rounds.call('/casesheet/readings/get', { token })).status, 200)
})

test('a cached token stops at its exp, to the second', async () => {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  const token = await issuer.token({ patientUid: OWN, exp })
  const neverSent = await issuer.token({ patientUid: OWN, exp })
  await assertAccepts(rounds, { token })
  // Five seconds are allowed for clocks that differ.
  rounds.skip((exp + 3) * 1000 - Date.now())
  await assertAccepts(rounds, { token })
  rounds.skip(2_000)
  for (const late of [token, neverSent]) await assertRefuses(rounds, { token: late }, 'TokenExpired')
})

test('a token whose key is withdrawn while it is being verified is not cached', async (t) => {
  const { url, keys, token } = await startIssuer()
  const { auth } = readServeConfig({
    DATABASE_URL: 'postgres://nowhere',
    AUTH_ISSUER: url,
    AUTH_AUDIENCE: AUDIENCE,
  })
  const { verify, refreshKeys, close } = createTokens(auth, {
    warn: assert.fail,
    now: Date.now,
    metrics: createMetrics(),
  })
  await refreshKeys()
  const verifySignature = crypto.subtle.verify.bind(crypto.subtle)
  t.mock.method(crypto.subtle, 'verify', async (...signed: Parameters<typeof verifySignature>) => {
    keys.splice(0, 1, ...(await startIssuer()).keys)
    await refreshKeys()
    return verifySignature(...signed)
  })
  const withdrawn = await token()
  await verify(withdrawn)
  t.mock.restoreAll()
  await assert.rejects(verify(withdrawn), { code: 'TokenInvalid' })
  close()
})
