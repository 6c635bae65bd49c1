// Every failure answers in the one shape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'

const rounds = await startRounds({ CORS_ORIGINS: 'https://app.example' })
const token = await rounds.token({ patientUid: 'p1' })
const reading = { patientUid: 'p1', readingType: 'acme.x', timestamp: 1_762_000_000_000 }
const ADD = '/casesheet/readings/add'

test('unknown paths are 404, however they are spelled', async () => {
  const paths = [
    '/nothing',
    '/casesheet',
    '/casesheet/readings/add/',
    '/CASESHEET/readings/get',
    '//casesheet/readings/get',
    '/casesheet/readings%2fget',
    '/casesheet/readings%2Fget',
    '/%63asesheet/readings/get',
    '/casesheet/readings/%67et',
    '/casesheet/readings/ge%74?patientUid=p1',
    '/%61ppointments/doctors/list',
    '/%64ocs',
    '/openapi%2Ejson',
    '/casesheet/readings/get%3FpatientUid=p1',
    '/metrics',
    '/livez',
    '/readyz',
    // Letters that a router's patterns are made of.
    '/*a',
    '/casesheet/*/get',
    '/casesheet/:a(',
    '/:a(^(x+)+$)',
    '/casesheet/readings/get:a',
  ]
  for (const path of paths) assertRefused(await rounds.call(path, { token }), 404, 'NotFound')
})

test('a wrong method is 405 and names the right one', async () => {
  const cases: [string, string, string][] = [
    ['GET', ADD, 'POST'],
    ['PUT', ADD, 'POST'],
    ['DELETE', '/casesheet/readings/get', 'GET'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of cases) {
    const answer = await rounds.call(path, { token, method })
    assertRefused(answer, 405, 'MethodNotAllowed')
    assert.equal(answer.headers.get('allow'), allow)
  }
  const override = await rounds.call(ADD, { token, headers: { 'x-http-method-override': 'POST' } })
  assertRefused(override, 405, 'MethodNotAllowed')
})

test('a body that is not JSON is 400, one that is not called so is 415', async () => {
  for (const raw of ['{"patientUid":', '', '\ufeff{}', 'NaN']) {
    assertRefused(await rounds.call(ADD, { token, raw }), 400, 'MalformedJson')
  }
  const headers: Record<string, string>[] = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': 'application/jsonx' },
    { 'content-type': '' },
  ]
  for (const header of headers) {
    const answer = await rounds.call(ADD, {
      token,
      raw: JSON.stringify(reading),
      headers: header,
    })
    assertRefused(answer, 415, 'UnsupportedMediaType')
  }
  for (const type of [
    'application/json; charset=UTF-8',
    'APPLICATION/JSON',
    'application/json;charset="utf-8"',
  ]) {
    assert.equal(
      (await rounds.call(ADD, { token, body: reading, headers: { 'content-type': type } })).status,
      200,
      type,
    )
  }
})

test('one reading may take 64 KiB, a list 4 MiB, and more is 413', async () => {
  const padded = (bytes: number) => ({ ...reading, note: 'x'.repeat(bytes) })
  assert.equal((await rounds.call(ADD, { token, body: padded(64_000) })).status, 200)
  assertRefused(await rounds.call(ADD, { token, body: padded(65_536) }), 413, 'BodyTooLarge')
  const list = Array.from({ length: 60 }, (_, index) => ({ ...padded(64_000), index }))
  assert.equal((await rounds.call(ADD, { token, body: list })).status, 200)
  assertRefused(await rounds.call(ADD, { token, body: [padded(65_536)] }), 413, 'BodyTooLarge')
  for (const bytes of [4_194_304, 20_000_000]) {
    assertRefused(await rounds.call(ADD, { token, body: [padded(bytes)] }), 413, 'BodyTooLarge')
  }
})

test('a request id of the caller is kept when it is well-formed, and made otherwise', async () => {
  const kept = await rounds.call('/nothing', { headers: { 'x-request-id': 'trace-1.2:3_4' } })
  assert.equal(kept.json.requestId, 'trace-1.2:3_4')
  for (const id of ['a b', 'x'.repeat(129), '<script>']) {
    const made = await rounds.call('/nothing', { headers: { 'x-request-id': id } })
    assert.match(made.json.requestId, /^[0-9a-f-]{36}$/)
  }
})

test('a fault of ours is 500 and tells nothing of the inside, nor does the log name people', async () => {
  await runSql(
    rounds.ownerUrl,
    'alter table casesheet.readings add constraint broken check (false) not valid',
  )
  const answer = await rounds.call(ADD, { token, body: { ...reading, note: 'canary-note' } })
  await runSql(rounds.ownerUrl, 'alter table casesheet.readings drop constraint broken')
  assertRefused(answer, 500, 'InternalError')
  assert.doesNotMatch(answer.text, /constraint|broken|23514|select|insert/i)
  const line = rounds
    .log()
    .split('\n')
    .find((entry) => entry.includes('a fault of ours'))
  assert.match(line ?? '', /"code":"23514"/)
  assert.ok(line?.includes(answer.json.requestId))
  for (const secret of ['canary-note', '"p1"', token, 'patientUid'])
    assert.equal(rounds.log().includes(secret), false, secret)
})

test('only the named web apps may call from a browser, and their preflight needs no token', async () => {
  const preflight = (origin: string) =>
    rounds.call(ADD, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
  const allowed = await preflight('https://app.example')
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example')
  assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null)
  const real = await rounds.call(ADD, { token, body: reading, headers: { origin: 'https://app.example' } })
  assert.equal(real.headers.get('access-control-allow-origin'), 'https://app.example')
})
