// The server with tokens of a real OpenID provider, from discovery to the token endpoint.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { startDevIssuer } from '../../tools/dev/issuer.ts'
import { requestToken } from '../../tools/dev/request-token.ts'
import { assertRefused, closeServer, listen, startRounds } from '../support/harness.ts'

const audience = 'rounds-dev'
const issuer = await startDevIssuer({ audience })
after(issuer.stop)
const rounds = await startRounds({ AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: audience })

const [child, otherChild, stranger] = ['child-a', 'child-b', 'stranger'].map(
  (name) => `${name}-${randomUUID()}`,
)
assert.ok(child && otherChild && stranger)

const readingOf = (patientUid: string) => ({
  patientUid,
  readingType: 'acme.steps',
  timestamp: 1_762_000_000_000,
  steps: 9,
})
const add = (token: string, patientUid: string) =>
  rounds.call('/casesheet/readings/add', { token, body: readingOf(patientUid) })
const get = (token: string, patientUid: string) =>
  rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, { token })

test('the provider issues signed access tokens of the usual kind', async () => {
  const token = await requestToken(issuer, { patientUids: [child] })
  const { alg, typ } = decodeProtectedHeader(token)
  assert.deepEqual({ alg, typ }, { alg: 'ES256', typ: 'at+jwt' })
  const { iss, aud, sub, patientUid } = decodeJwt(token)
  assert.deepEqual(
    { iss, aud, sub, patientUid },
    { iss: issuer.url, aud: audience, sub: child, patientUid: child },
  )
})

test('a patient adds and reads, and reaches no other patient', async () => {
  const token = await requestToken(issuer, { patientUids: [child] })
  assert.equal((await add(token, child)).status, 200)
  const { status, json } = await get(token, child)
  assert.equal(status, 200)
  assert.deepEqual(
    json.data.map(({ steps }) => steps),
    [9],
  )
  assertRefused(await add(token, stranger), 403, 'PatientMismatch')
  assertRefused(await get(token, stranger), 403, 'PatientMismatch')
})

test('a carer adds and reads for each of two patients, and for no third', async () => {
  const token = await requestToken(issuer, { patientUids: [child, otherChild] })
  for (const patientUid of [child, otherChild]) {
    assert.equal((await add(token, patientUid)).status, 200)
    assert.equal((await get(token, patientUid)).json.data.length, 1)
  }
  assertRefused(await get(token, stranger), 403, 'PatientMismatch')
})

test('staff read every patient and add for none', async () => {
  const token = await requestToken(issuer, 'staff')
  for (const patientUid of [child, otherChild, stranger]) {
    assert.equal((await get(token, patientUid)).status, 200)
    assertRefused(await add(token, patientUid), 403, 'PatientNotInToken')
  }
})

test('a patient id of any characters makes its way through the provider', async () => {
  const patientUid = 'Zoë & co=1+1 100% 😀'
  const token = await requestToken(issuer, { patientUids: [patientUid] })
  assert.equal((await add(token, patientUid)).status, 200)
  assert.equal((await get(token, encodeURIComponent(patientUid))).json.data.length, 1)
})

test('without the secret there is no token', async () => {
  for (const clientSecret of ['', 'guess']) {
    await assert.rejects(requestToken({ ...issuer, clientSecret }, 'staff'), /The issuer gave no token/)
  }
})

test('a provider that is not configured is not trusted', async () => {
  const other = await startDevIssuer({ audience })
  after(other.stop)
  assertRefused(await get(await requestToken(other, 'staff'), child), 401, 'TokenInvalid')
})

test('a provider that comes back with a new key is followed, and its old tokens are not', async () => {
  const oldToken = await requestToken(issuer, 'staff')
  await issuer.stop()
  const successor = await startDevIssuer({ audience, port: Number(new URL(issuer.url).port) })
  after(successor.stop)
  rounds.skip(6_000)
  assert.equal((await get(await requestToken(successor, 'staff'), child)).status, 200)
  assertRefused(await get(oldToken, child), 401, 'TokenInvalid')
})

test('a token is asked for again where the issuer closed the connection instead of answering, but not for ever', async () => {
  let closed = 0
  let toClose = 1
  const closing = createServer((_request, response) => {
    if (closed === toClose) response.end(JSON.stringify({ access_token: 'one' }))
    else {
      closed++
      response.destroy()
    }
  })
  const source = { ...issuer, url: await listen(closing) }
  after(() => closeServer(closing))
  assert.equal(await requestToken(source, 'staff'), 'one')
  assert.equal(closed, 1)
  toClose = Number.POSITIVE_INFINITY
  await assert.rejects(requestToken(source, 'staff'), /does not answer/)
  assert.equal(closed, 5)
})

test('an issuer that takes the request and never answers is given up', async () => {
  const silent = createServer(() => {})
  const source = { ...issuer, url: await listen(silent) }
  after(() => closeServer(silent))
  await assert.rejects(requestToken(source, 'staff'), /does not answer/)
})
