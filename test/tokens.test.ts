// Which signatures are accepted, and what is remembered of a token once it was verified.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readServeConfig } from '../src/config.ts'
import { createTokens } from '../src/http/tokens.ts'
import { createMetrics } from '../src/metrics.ts'
import { AUDIENCE, startIssuer, startRounds } from './harness.ts'
import { ACCEPTED, startIssuerOfManyKeys } from './many-keys.ts'
import { assertAllAccept, assertAllRefuse, OWN } from './protected-paths.ts'

const issuer = await startIssuerOfManyKeys()
const rounds = await startRounds({ AUTH_ISSUER: issuer.url })

for (const alg of ACCEPTED) {
  test(`accepted: ${alg}`, async () => {
    const key = issuer.privateKeys.get(alg)
    assert.ok(key)
    const token = await issuer.token({ patientUid: OWN }, { header: { alg, kid: alg }, key })
    await assertAllAccept(rounds, { token })
  })
}

test('accepted: no key id where the issuer has one key', async () => {
  const only = await startRounds()
  const token = await only.token({ patientUid: OWN }, { header: { kid: undefined } })
  await assertAllAccept(only, { token })
})

test('a token is verified once, however often it is sent', async (t) => {
  const token = await issuer.token({ patientUid: OWN })
  const { mock } = t.mock.method(crypto.subtle, 'verify')
  for (let time = 0; time < 20; time++) await assertAllAccept(rounds, { token })
  assert.equal(mock.callCount(), 1)
})

test('a remembered token with another payload or signature is another token', async () => {
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
    await assertAllRefuse(rounds, { token: forged }, 'TokenInvalid')
  }
  assert.equal((await rounds.call('/casesheet/readings/get', { token })).status, 200)
})

test('a remembered token stops at its exp, to the second', async () => {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  const token = await issuer.token({ patientUid: OWN, exp })
  const neverSent = await issuer.token({ patientUid: OWN, exp })
  await assertAllAccept(rounds, { token })
  // Five seconds are allowed for clocks that differ.
  rounds.skip((exp + 3) * 1000 - Date.now())
  await assertAllAccept(rounds, { token })
  rounds.skip(2_000)
  for (const late of [token, neverSent]) await assertAllRefuse(rounds, { token: late }, 'TokenExpired')
})

test('a token whose key is withdrawn while it is being verified is not remembered', async (t) => {
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
