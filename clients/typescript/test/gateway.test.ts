// A vendor's cloud that sends for many patients: a token for each by token exchange, tried against a real OpenID provider and
// the real server.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { startRounds } from '../../../test/support/harness.ts'
import {
  createReadingQueue,
  createRoundsClient,
  type IssuedToken,
  type PatientTokenOptions,
  type Reading,
  tokenByPatient,
} from '../src/client.ts'
import { failureOf, firstNumbers } from './client-of.ts'
import { startExchangeIssuer, TOKEN_EXCHANGE } from './exchange-issuer.ts'

const audience = 'rounds'
const issuer = await startExchangeIssuer({ audience, tokenSeconds: 600 })
const rounds = await startRounds({ AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: audience })

async function exchange(patientUid: string): Promise<IssuedToken> {
  const response = await fetch(`${issuer.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${issuer.clientId}:${issuer.clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: await issuer.subjectToken(patientUid),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience,
    }),
  })
  return response.json() as Promise<IssuedToken>
}

function patients(count: number): string[] {
  const uids = firstNumbers(count).map((number) => `patient-${number}-${randomUUID()}`)
  for (const uid of uids) issuer.consents.add(uid)
  return uids
}

function gateway(options: PatientTokenOptions = {}, provider = exchange) {
  const requests: string[] = []
  const client = createRoundsClient({
    url: rounds.url,
    token: tokenByPatient(provider, options),
    fetch: (url, init) => {
      requests.push(String(decodeJwt(new Headers(init.headers).get('authorization')?.slice(7) ?? '').sub))
      return fetch(url, init)
    },
  })
  return { client, requests }
}

const stepsOf = (patientUid: string, count: number, extra: object = {}): Reading[] =>
  firstNumbers(count).map((sequence) => ({
    patientUid,
    readingType: 'acme.step',
    timestamp: 1_763_000_000_000 + sequence,
    sequence,
    ...extra,
  }))

test('each patient has a token of their own, exchanged once and cached', async () => {
  const { client } = gateway()
  const before = issuer.exchanges()
  const [first = '', second = ''] = patients(2)
  for (const patientUid of [first, second]) {
    await client.addReadings(stepsOf(patientUid, 3))
    assert.equal((await client.getReadings({ patientUid })).data.length, 3)
    for await (const { patientUid: uid } of client.eachReading({ patientUid, limit: 2 })) {
      assert.equal(uid, patientUid)
    }
  }
  assert.equal(issuer.exchanges() - before, 2)
  const { data } = await client.accessLog({ patientUid: first, limit: 1 })
  assert.deepEqual(
    data.map(({ readBy, allowedAs }) => [readBy, allowedAs]),
    [[first, 'patient']],
  )
})

test('calls for one patient at the same time share one exchange', async () => {
  const { client } = gateway()
  const [patientUid = ''] = patients(1)
  const before = issuer.exchanges()
  await Promise.all(firstNumbers(20).map(() => client.getReadings({ patientUid })))
  assert.equal(issuer.exchanges() - before, 1)
})

test('a queue of many patients sends each batch with the token of its patient', async () => {
  const { client, requests } = gateway()
  const uids = patients(5)
  const queue = createReadingQueue({ client, onRefused: (_reading, error) => assert.fail(error) })
  // Mixed, as they arrive.
  for (const sequence of firstNumbers(30)) {
    await queue.add(uids.flatMap((uid) => stepsOf(uid, 30).slice(sequence, sequence + 1)))
  }
  assert.deepEqual(await queue.flush(), { sent: 150, refused: 0 })
  assert.deepEqual(requests, uids, 'one request for each patient')
  for (const patientUid of uids) {
    const { data } = await client.getReadings({ patientUid })
    assert.deepEqual(
      data.map(({ sequence }) => sequence),
      firstNumbers(30),
    )
  }
})

test('a patient without consent is held back, the others are sent, and all is sent once there is consent', async () => {
  const { client } = gateway()
  const [late = '', ...others] = patients(3)
  issuer.consents.delete(late)
  const held: string[] = []
  const queue = createReadingQueue({
    client,
    onRefused: (_reading, error) => assert.fail(error),
    onHeldBack: (patientUid, { code }) => void held.push(`${patientUid} ${code}`),
  })
  // More than one look into the storage brings.
  for (const part of firstNumbers(3)) await queue.add(stepsOf(late, 1_000, { part }))
  for (const patientUid of others) await queue.add(stepsOf(patientUid, 10))
  const error = await failureOf(queue.flush())
  assert.deepEqual([error.code, error.retryable], ['TokenUnavailable', false])
  assert.match(error.message, /invalid_grant/)
  assert.deepEqual(held, [`${late} TokenUnavailable`])
  assert.equal(await queue.count(), 3_000)
  for (const patientUid of others) assert.equal((await client.getReadings({ patientUid })).data.length, 10)
  issuer.consents.add(late)
  assert.deepEqual(await queue.flush(), { sent: 3_000, refused: 0 })
})

test('a refused token is replaced once; one that is refused again fails the call', async () => {
  const [patientUid = ''] = patients(1)
  const [other = ''] = patients(1)
  const asked: (string | undefined)[] = []
  const { client, requests } = gateway({}, async (uid, refused?: string) => {
    asked.push(refused)
    // A token that was issued for another service.
    return refused === undefined ? await rounds.token({ patientUid: uid, sub: 'wrong' }) : exchange(uid)
  })
  assert.deepEqual((await client.getReadings({ patientUid })).data, [])
  assert.equal(asked.length, 2)
  assert.equal(typeof asked[1], 'string')
  assert.deepEqual(requests, ['wrong', patientUid])
  const wrong = gateway({}, async (uid) => rounds.token({ patientUid: uid, sub: 'wrong' }))
  assert.equal((await failureOf(wrong.client.getReadings({ patientUid: other }))).code, 'TokenInvalid')
  assert.deepEqual(wrong.requests, ['wrong', 'wrong'])
})

test('a token is renewed before it expires', async (context) => {
  const { client } = gateway()
  const [patientUid = ''] = patients(1)
  const before = issuer.exchanges()
  await client.getReadings({ patientUid })
  const now = Date.now()
  context.mock.timers.enable({ apis: ['Date'], now: now + 530_000 })
  await client.getReadings({ patientUid })
  assert.equal(issuer.exchanges() - before, 1)
  context.mock.timers.setTime(now + 545_000)
  await client.getReadings({ patientUid }).catch(() => undefined)
  assert.equal(issuer.exchanges() - before, 2)
})

test('while the issuer fails, a token that is about to expire is still used', async (context) => {
  let isDown = false
  const { client } = gateway({}, async (uid) => {
    if (isDown) throw new Error('The issuer is down.')
    return exchange(uid)
  })
  const [patientUid = ''] = patients(1)
  await client.getReadings({ patientUid })
  isDown = true
  const now = Date.now()
  context.mock.timers.enable({ apis: ['Date'], now: now + 545_000 })
  const renewing = client.getReadings({ patientUid })
  context.mock.timers.reset()
  assert.deepEqual((await renewing).data, [])
  context.mock.timers.enable({ apis: ['Date'], now: now + 601_000 })
  const error = await failureOf(client.getReadings({ patientUid }))
  assert.deepEqual([error.code, String(error.cause)], ['TokenUnavailable', 'Error: The issuer is down.'])
})

test('tokens are cached for so many patients, and the one used least recently is evicted', async () => {
  const { client } = gateway({ maxPatients: 2 })
  const [a = '', b = '', c = ''] = patients(3)
  const before = issuer.exchanges()
  for (const patientUid of [a, b, a, c, a]) await client.getReadings({ patientUid })
  assert.equal(issuer.exchanges() - before, 3)
  await client.getReadings({ patientUid: b })
  assert.equal(issuer.exchanges() - before, 4)
})

test('a call about several patients, or about none, says what would be right', async () => {
  const { client } = gateway()
  const [a = '', b = ''] = patients(2)
  await assert.rejects(
    client.addReadings([...stepsOf(a, 1), ...stepsOf(b, 1)]),
    /readings of one patient only/,
  )
  await assert.rejects(client.listDoctors(), /give tokenByPatient the option withoutPatient/)
  await assert.rejects(client.getReadings(), /names none: pass patientUid/)
  const own = String(Object(await exchange(a)).access_token)
  assert.deepEqual((await gateway({ withoutPatient: () => own }).client.listDoctors()).data, [])
})
