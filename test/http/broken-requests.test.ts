// Requests so broken that no route ever sees them: they too are answered in the one shape, and in time.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { assertRefused, startRounds } from '../support/harness.ts'
import { parseRaw, sendRaw } from '../support/raw-http.ts'

const rounds = await startRounds()
const token = await rounds.token({ patientUid: 'p1' })
const [ADD, GET, DOCTORS] = [
  '/casesheet/readings/add',
  '/casesheet/readings/get',
  '/appointments/doctors/list',
]

const HOST = 'Host: x\r\n'
const CALLER = `${HOST}Authorization: Bearer ${token}\r\nConnection: close\r\n`
const JSON_TYPE = 'Content-Type: application/json\r\n'
const get = (path: string, headers = CALLER) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
const add = (headers: string, body: string) =>
  `POST ${ADD} HTTP/1.1\r\n${CALLER}${JSON_TYPE}${headers}\r\n${body}`

const NOT_HTTP: Record<string, string> = {
  'no HTTP at all': 'HELLO\r\n\r\n',
  'another version of HTTP': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a tunnel': `CONNECT evil.example:80 HTTP/1.1\r\n${HOST}\r\n`,
  'no host': get(GET, `Authorization: Bearer ${token}\r\nConnection: close\r\n`),
  'two hosts': get(GET, `${HOST}${CALLER}`),
  'two equal hosts on a path that is not there': get('/nothing', `${HOST}${HOST}Connection: close\r\n`),
  'two lengths': add('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
  'a length and chunks': add('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  'chunks that are not the last encoding': add('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'),
  'a chunk with an endless extension': add(
    'Transfer-Encoding: chunked\r\n',
    `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  'lines that end with a bare LF': get(GET).replaceAll('\r\n', '\n'),
  'one header that ends with a bare LF': get(GET, `${CALLER}X-A: a\nX-B: b\r\n`),
  'a bare CR in a header': get(GET, `${CALLER}X-A: a\rX-B: b\r\n`),
  'a folded header': get(GET, `${CALLER}X-A: a\r\n b\r\n`),
  'a bad escape in the path': get('/casesheet/%zz'),
  'a bad escape in the query': get(`${GET}?patientUid=%zz`),
  'a NUL in the query': get(`${DOCTORS}?q=%00`),
  'a NUL after a second question mark': get(`${DOCTORS}?q=a?%00`),
  'bytes that are no UTF-8 after a second question mark': get(`${DOCTORS}?q=a?%ff`),
  'a fragment': get(`${GET}#part`),
  'a NUL in a fragment': get(`${DOCTORS}#q=%00`),
}
for (const [name, bytes] of Object.entries(NOT_HTTP)) {
  test(`400 for ${name}`, async () =>
    assertRefused(parseRaw(await sendRaw(rounds.url, bytes)), 400, 'ValidationFailed'))
}

const TOO_LARGE: Record<string, string> = {
  '20 KB of headers': get(GET, `${HOST}X-A: ${'x'.repeat(20_000)}\r\n`),
  '1,500 headers': get(GET, `${CALLER}${'x-a: b\r\n'.repeat(1_500)}`),
  '1,500 headers of one letter': get(GET, `${CALLER}${'a:\r\n'.repeat(1_500)}`),
  'an address of 20 KB': get(`${GET}?patientUid=${'x'.repeat(20_000)}`),
  'a token whose key id takes 1 MB': get(GET, `${HOST}Authorization: Bearer ${'A'.repeat(1_000_000)}\r\n`),
}
for (const [name, bytes] of Object.entries(TOO_LARGE)) {
  test(`431 for ${name}`, async () =>
    assertRefused(parseRaw(await sendRaw(rounds.url, bytes)), 431, 'HeadersTooLarge'))
}

const UNUSUAL: Record<string, string> = {
  'HTTP/1.0 without a host': `GET ${GET} HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  'an absolute address': get(`http://elsewhere.example${GET}`),
  'an expectation that nobody knows': get(GET, `${CALLER}Expect: 200-maybe\r\n`),
  'a body that a get does not need': get(GET, `${CALLER}Content-Length: 2\r\n`) + '{}',
  'a wish for another protocol': get(
    GET,
    `${CALLER.replace('close', 'close, upgrade')}Upgrade: websocket\r\n`,
  ),
}
for (const [name, bytes] of Object.entries(UNUSUAL)) {
  test(`served: ${name}`, async () => {
    const { status, headers } = parseRaw(await sendRaw(rounds.url, bytes))
    assert.equal(status, 200)
    assert.ok(headers.get('x-request-id'))
  })
}

test('slow headers, a slow body and a silent connection are cut off in time', async () => {
  const started = Date.now()
  const since = async (...parts: string[]) => ({
    ...parseRaw(await sendRaw(rounds.url, ...parts)),
    seconds: (Date.now() - started) / 1000,
  })
  const [headers, body, silent] = await Promise.all([
    since('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    since(add('Content-Length: 99\r\n', '{')),
    since(),
  ])
  for (const answer of [headers, body, silent]) assertRefused(answer, 408, 'RequestTimeout')
  assert.ok(
    headers.seconds < 7 && body.seconds < 12 && silent.seconds < 15,
    JSON.stringify([headers.seconds, body.seconds, silent.seconds]),
  )
})

test('a caller who leaves while sending is no fault of ours, and no outage of the database', async () => {
  const { hostname, port } = new URL(rounds.url)
  const socket = connect(Number(port), hostname)
  socket.write(add('Content-Length: 99\r\nExpect: 100-continue\r\n', ''))
  // The server asks for the body, so it has begun to read; then nothing more comes.
  await new Promise((asked) => socket.once('data', asked))
  socket.resetAndDestroy()
  // What was sent later is answered later.
  for (let time = 0; time < 5; time++) assert.equal((await rounds.call(GET, { token })).status, 200)
  assert.doesNotMatch(rounds.log(), /"level":(50|60)/)
})
