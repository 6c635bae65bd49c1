// Answers of programs between a device and Rounds: login pages, gateways, proxies. None of them is an Ok.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { after, test } from 'node:test'
import { closeServer, listen } from '../../../test/support/harness.ts'
import { createRoundsClient, type Reading } from '../src/client.ts'
import { failureOf } from './client-of.ts'

const READING: Reading = { patientUid: 'patient-1', readingType: 'acme.step', timestamp: 1_763_000_000_000 }
let requests = 0
let answer: RequestListener = (_request, response) => void response.end()
const stranger = createServer((request, response) => {
  requests++
  request.resume()
  answer(request, response)
})
const url = await listen(stranger)
after(() => closeServer(stranger))

function answering(status: number, body: string, headers: Record<string, string> = {}) {
  requests = 0
  answer = (_request, response) => void response.writeHead(status, headers).end(body)
  const client = createRoundsClient({ url, token: () => 'some-token', attempts: 2 })
  return failureOf(client.addReadings(READING))
}

test('a login page that answers 200 is no Ok, and is not asked again', async () => {
  for (const body of ['<html>Welcome to the hotel</html>', '', '"Ok"', 'null', '[]']) {
    const error = await answering(200, body)
    assert.deepEqual(
      [error.code, error.status, error.retryable, requests],
      ['UnexpectedAnswer', 200, false, 1],
    )
  }
})

test('a redirect is not followed, so that readings go nowhere else', async () => {
  let visits = 0
  const elsewhere = createServer((_request, response) => {
    visits++
    response.end('{"code":"Ok","message":"Thank you."}')
  })
  const location = await listen(elsewhere)
  after(() => closeServer(elsewhere))
  assert.equal((await answering(307, '', { location })).code, 'ConnectionFailed')
  assert.equal(visits, 0)
})

test('a gateway that says the service is away is asked again, as often as attempts allow', async () => {
  for (const status of [429, 502, 503, 504]) {
    const error = await answering(status, '<html>Bad Gateway</html>', { 'retry-after': '0' })
    assert.deepEqual(
      [error.code, error.status, error.retryable, requests],
      ['UnexpectedAnswer', status, true, 2],
    )
  }
})

test('an answer of ours that arrives cut short is asked for again', async () => {
  const error = await answering(200, '{"code":"Ok","message":"The readi')
  assert.deepEqual([error.code, error.retryable, requests], ['UnexpectedAnswer', true, 2])
})

test('Retry-After may be a date', async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  requests = 0
  answer = (_request, response) => void response.writeHead(503, { 'retry-after': inAMinute }).end()
  const client = createRoundsClient({ url, token: () => 'some-token', timeoutMs: 1_000 })
  const { retryAfterMs } = await failureOf(client.listSpecialities())
  assert.ok(Number(retryAfterMs) > 50_000 && Number(retryAfterMs) <= 60_000, String(retryAfterMs))
  assert.equal(requests, 1)
})
