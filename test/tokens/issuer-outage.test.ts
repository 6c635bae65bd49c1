// A server that starts while its issuer is in trouble: it says so, does not wait for long, and recovers by itself.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startIssuer, startRounds, WITH_WEBHOOKS } from '../support/harness.ts'
import { assertAccepts, assertRefuses, callPath, OWN, PROTECTED_PATHS } from '../support/protected-paths.ts'

const PAST_THE_COOL_DOWN = 6_000
const TWO_TIMEOUTS_MS = 4_000

const issuer = await startIssuer()
const neighbour = await startIssuer()
const [goodKey] = issuer.keys
const discovery = { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }

/** An issuer in order, but for what is said here. */
const answering =
  ({ code = 200, document = discovery as object, keys = [goodKey] as unknown, end = '' }): RequestListener =>
  (request, response) =>
    response.writeHead(code).end(JSON.stringify(request.url === '/jwks' ? { keys } : document) + end)
/** Discovery is in order; the trouble is with the keys. */
const thenKeys =
  (answer: RequestListener): RequestListener =>
  (request, response) =>
    (request.url === '/jwks' ? answer : answering({}))(request, response)
const redirecting: RequestListener = (request, response) =>
  response.writeHead(302, { location: `${neighbour.url}${request.url}` }).end()
const saying =
  (text: string | Buffer, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(text)
const hanging: RequestListener = () => {}
const dripping: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => clearInterval(timer))
}
const endless: RequestListener = (_, response) => {
  const pour = () =>
    void (response.write(' '.repeat(65_536)) ? setImmediate(pour) : response.once('drain', pour))
  pour()
}
const padding = ' '.repeat(70_000)
const symmetric = { kty: 'oct', kid: 'test-1', alg: 'HS256', k: randomBytes(32).toString('base64url') }

const FAULTS: Record<string, RequestListener> = {
  'drops the connection': (request) => request.socket.destroy(),
  'answers 500': answering({ code: 500 }),
  'answers 404': answering({ code: 404 }),
  'redirects to another issuer': redirecting,
  hangs: hanging,
  'sends drop by drop': dripping,
  'sends without end': endless,
  'sends too much': answering({ end: padding }),
  'sends too much, compressed': saying(gzipSync(JSON.stringify(discovery) + padding), {
    'content-encoding': 'gzip',
  }),
  'sends no JSON': saying('<html>'),
  'sends null': saying('null'),
  'names itself otherwise': answering({ document: { ...discovery, issuer: neighbour.url } }),
  'names no keys': answering({ document: { issuer: issuer.url } }),
  'names a file for its keys': answering({ document: { ...discovery, jwks_uri: 'file:///etc/passwd' } }),
  'answers 500 for its keys': thenKeys(answering({ code: 500 })),
  'redirects to keys': thenKeys(redirecting),
  'hangs over its keys': thenKeys(hanging),
  'sends huge keys': thenKeys(answering({ end: padding })),
  'sends too many keys': answering({ keys: Array(51).fill(goodKey) }),
  'sends keys that are no list': answering({ keys: { 0: goodKey } }),
  'sends no keys': answering({ keys: [] }),
  'sends nothing that is a key': answering({ keys: [null, 7, 'key', [], {}] }),
  'sends symmetric keys only': answering({ keys: [symmetric] }),
  'sends keys for encryption only': answering({ keys: [{ ...goodKey, use: 'enc' }] }),
}

issuer.failWith(hanging)
const rounds = await startRounds({ ...WITH_WEBHOOKS, AUTH_ISSUER: issuer.url })
const token = await issuer.token({ patientUid: OWN })
const readiness = async () => {
  const response = await fetch(`${rounds.adminUrl}/readyz`)
  return [response.status, ((await response.json()) as { checks: { issuer: boolean } }).checks.issuer]
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`503 while the issuer ${name}`, async () => {
    issuer.failWith(fault)
    rounds.skip(PAST_THE_COOL_DOWN)
    const started = performance.now()
    for (const path of PROTECTED_PATHS) {
      const { status, json, headers } = await callPath(rounds, path, { token })
      assert.deepEqual([status, json.code, json.retryable], [503, 'IssuerUnavailable', true])
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal(headers.get('www-authenticate'), null)
    }
    assert.ok(performance.now() - started < TWO_TIMEOUTS_MS, 'it waited for more than one fetch')
    assert.deepEqual(await readiness(), [503, false])
  })
}

test('what is no token at all is still 401', async () => {
  await assertRefuses(rounds, {}, 'TokenMissing')
  await assertRefuses(rounds, { token: 'a.b.c' }, 'TokenInvalid')
})

test('a hundred requests wait for one fetch, and all get its result', async () => {
  let fetches = 0
  issuer.failWith(() => void fetches++)
  rounds.skip(PAST_THE_COOL_DOWN)
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => rounds.call('/casesheet/readings/get', { token })),
  )
  assert.ok(answers.every(({ json }) => json.code === 'IssuerUnavailable'))
  assert.ok(fetches <= 1, `${fetches} fetches`)
})

test('the log names the issuer and the reason', () => {
  assert.match(
    rounds.log(),
    new RegExp(`The keys of ${issuer.url} could not be fetched: the issuer answered 500`),
  )
})

test('once the issuer is well again, so is the server', async () => {
  issuer.failWith()
  rounds.skip(PAST_THE_COOL_DOWN)
  await assertAccepts(rounds, { token })
  assert.deepEqual(await readiness(), [200, true])
  assert.equal(neighbour.keyFetches(), 0, 'a redirect was followed')
})
