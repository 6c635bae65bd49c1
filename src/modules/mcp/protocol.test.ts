// The transport of the Model Context Protocol: what a client may send, how it is refused, how it finds the issuer, and that nothing
// is kept between two messages.
import assert from 'node:assert/strict'
import { connect as openSocket } from 'node:net'
import { test } from 'node:test'
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { detachPartitions, partitionsOf } from '../../../test/support/detach-partitions.ts'
import { metricOf } from '../../../test/support/event-stream.ts'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import { lockReadings } from '../../../test/support/lock-readings.ts'
import { startMcp } from '../../../test/support/mcp.ts'
import { newPatient, patientWithReadings } from '../../../test/support/patient.ts'
import { NOON } from '../../../test/support/shared-patient.ts'
import { until } from '../../../test/support/until.ts'
import { readServeConfig } from '../../config/config.ts'

const ORIGIN = 'https://app.example'
const rounds = await startMcp({ CORS_ORIGINS: ORIGIN })
const { token, patientUid } = await patientWithReadings(rounds, [NOON])

const LEGACY = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }

type Message = {
  id?: unknown
  error?: { code: number; message: string; data?: Record<string, unknown> }
  result?: Record<string, unknown>
}

async function send(
  message: unknown,
  {
    headers = {},
    as = token,
    raw,
  }: { headers?: Record<string, string>; as?: string; raw?: string | Buffer } = {},
) {
  const answer = await rounds.call('/mcp', {
    ...(as === '' ? {} : { token: as }),
    ...(raw === undefined ? { body: message } : { raw }),
    headers: { ...LEGACY, ...headers },
  })
  return { ...answer, message: answer.json as unknown as Message }
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const call = (name: string, sent: object = {}) => request('tools/call', { name, arguments: sent })

test('one POST has one answer in JSON, without a session, whatever was sent before', async () => {
  const { status, headers, message } = await send(call('latest_readings'))
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('mcp-session-id'), null)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(Object(message.result?.['structuredContent'])['patientUid'], patientUid)
  const initialized = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([initialized.status, initialized.text], [202, ''])
  const hello = await send(
    request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    }),
  )
  assert.equal(hello.message.result?.['protocolVersion'], '2025-11-25')
  assert.deepEqual(hello.message.result?.['capabilities'], { tools: {} })
})

test('GET and DELETE are 405: there are no streams and no sessions', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await rounds.call('/mcp', { token, method })
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'], method)
  }
})

test('without a good token it is 401, and says where the issuer is named', async () => {
  for (const as of ['', 'not-a-token', await rounds.token({ exp: 1 })]) {
    const { status, headers, message } = await send(call('latest_readings'), { as })
    assert.equal(status, 401)
    assert.match(
      headers.get('www-authenticate') ?? '',
      new RegExp(
        `^Bearer realm="rounds".*, resource_metadata="${rounds.url}/.well-known/oauth-protected-resource/mcp"$`,
      ),
    )
    assert.match(String(message.error?.data?.['code']), /^Token/)
  }
  const metadata = await discoverOAuthProtectedResourceMetadata(`${rounds.url}/mcp`)
  assert.equal(metadata.resource, `${rounds.url}/mcp`)
  assert.deepEqual(metadata.authorization_servers, [rounds.issuer.url])
})

test('a page may call only from an origin that the operator names', async () => {
  for (const [origin, status] of [
    [ORIGIN, 200],
    ['https://evil.example', 403],
    [`${ORIGIN}.evil.example`, 403],
    [rounds.url, 403],
    ['null', 403],
    ['', 403],
  ] as const) {
    const answer = await send(request('ping'), { headers: { origin } })
    assert.equal(answer.status, status, origin)
    if (status === 403)
      assert.match(answer.message.error?.message ?? '', /^Pages of this origin may not call/)
  }
  const preflight = await rounds.call('/mcp', {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
  })
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'authorization'])
    assert.ok(preflight.headers.get('access-control-allow-headers')?.includes(name), name)
})

test('what is no message of the protocol is refused with a sentence, and bounded', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  for (const [name, sent, status, code] of [
    ['a batch', { raw: JSON.stringify([request('ping'), request('ping', {}, 2)]) }, 400, -32_600],
    ['a batch of two thousand', { raw: JSON.stringify(Array(2_000).fill(request('ping'))) }, 413, -32_000],
    ['no JSON', { raw: '{' }, 400, -32_700],
    ['an empty body', { raw: '' }, 400, undefined],
    ['a number', { raw: '1' }, 400, undefined],
    ['not UTF-8', { raw: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32_700],
    [
      'deep JSON',
      {
        raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_readings","arguments":${deep}}}`,
      },
      400,
      undefined,
    ],
    ['66 KB', { raw: JSON.stringify(request('ping', { x: 'x'.repeat(66_000) })) }, 413, -32_000],
    [
      'many fields',
      {
        raw: JSON.stringify(
          call('get_readings', Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, n]))),
        ),
      },
      400,
      -32_600,
    ],
    ['a long id', { raw: JSON.stringify(request('ping', {}, 'x'.repeat(257))) }, 400, -32_600],
    ['another type', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415, -32_000],
    [
      'a version that is not served',
      { raw: JSON.stringify(request('ping')), headers: { 'mcp-protocol-version': '2025-03-26' } },
      400,
      undefined,
    ],
  ] as const) {
    const answer = await send(undefined, sent)
    assert.equal(answer.status, status, `${name}: ${answer.text}`)
    assert.ok(answer.text.length < 2_000, name)
    assert.match(answer.message.error?.message ?? '', /\w/, name)
    if (code !== undefined) assert.equal(answer.message.error?.code, code, name)
  }
  for (const method of [
    'resources/list',
    'prompts/list',
    'subscriptions/listen',
    'logging/setLevel',
    'no/such',
  ]) {
    const { message } = await send(request(method))
    assert.equal(message.error?.code, -32_601, method)
  }
  const { message } = await send(request('tools/call', { name: 7 }))
  assert.equal(message.error?.code, -32_602)
})

test('messages of any kind are answered in JSON, and never with a fault of ours', async () => {
  const names = fc.constantFrom(
    'get_readings',
    'latest_readings',
    'reading_statistics',
    'report_glucose',
    'list_doctors',
  )
  const times = fc.constantFrom(
    '2025-11-01T00:00:00Z',
    '2025-11-02T00:00:00.000001+14:00',
    '9999-12-31T23:59:59Z',
    '',
  )
  const sent = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('from', 'to', 'readingType', 'limit', 'cursor', 'bucket', 'reason'),
      fc.oneof(times, fc.jsonValue()),
    ),
  )
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping'),
      params: fc.oneof(fc.record({ name: names, arguments: sent }), fc.jsonValue()),
    }),
  )
  await fc.assert(
    fc.asyncProperty(message, async (body) => {
      const { status, text, headers } = await send(body)
      const about = `${status} ${text.slice(0, 300)} for ${JSON.stringify(body).slice(0, 1_000)}`
      assert.ok([200, 202, 400, 404].includes(status), about)
      if (text !== '') assert.match(headers.get('content-type') ?? '', /^application\/json/, about)
      assert.doesNotMatch(text, /Internal/i, about)
    }),
    { numRuns: 300, seed: Number(process.env['SEED'] ?? 20261118) },
  )
  assert.doesNotMatch(rounds.log(), /a fault of ours/)
})

test('a client cannot subscribe, and a stream is never opened', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const { headers: answered, message } = await send(
    request('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: meta }),
    { headers },
  )
  assert.match(answered.get('content-type') ?? '', /^application\/json/)
  assert.ok(message.error, JSON.stringify(message))
})

test('a call counts once against the limits of its subject', async () => {
  const limited = await startMcp({ RATE_LIMIT_PER_MINUTE: '5' })
  const subject = await limited.token({ patientUid: 'p' })
  const answers = []
  for (let count = 0; count < 7; count++)
    answers.push(
      await limited.call('/mcp', { token: subject, body: call('latest_readings'), headers: LEGACY }),
    )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429],
  )
  const { error } = Object(answers[6]?.json) as Message
  assert.deepEqual([error?.data?.['code'], error?.data?.['retryable']], ['RateLimited', true])
  assert.match(error?.message ?? '', /At most 5 requests a minute/)
})

test('a patient of another database cluster is refused with the status by which a router knows', async () => {
  const own = await startMcp()
  const there = await newPatient(own)
  await detachPartitions(own.ownerUrl, await partitionsOf(own.ownerUrl, there.patientUid))
  const refused = await own.call('/mcp', {
    token: there.token,
    body: call('get_readings', { patientUid: there.patientUid }),
    headers: LEGACY,
  })
  assert.equal(refused.status, 421)
  assert.equal((refused.json as unknown as Message).error?.data?.['code'], 'MisdirectedRequest')
  assert.equal((refused.json as unknown as Message).error?.data?.['retryable'], true)
})

test('a fault of ours is a 500 that discloses nothing, and is logged and counted', async () => {
  const broken = await startMcp()
  const { patientUid: own, token: of } = await newPatient(broken)
  await runSql(broken.ownerUrl, 'alter table casesheet.access_log drop column reason')
  const answer = await broken.call('/mcp', {
    token: of,
    body: call('latest_readings', { patientUid: own }),
    headers: LEGACY,
  })
  assert.ok([500, 503].includes(answer.status), answer.text)
  assert.doesNotMatch(answer.text, /column|reason|select|patient-/)
  assert.match(broken.log(), /"route":"\/mcp"/)
  assert.doesNotMatch(broken.log(), new RegExp(own))
})

test('refusals of tools are counted and logged by their code', async () => {
  await send(call('get_readings', { patientUid: 'someone-else' }))
  await until(() => rounds.log().includes('"code":"PatientMismatch"'))
  assert.match(rounds.log(), /"route":"\/mcp","status":200,"code":"PatientMismatch"/)
})

test('work of a client that has gone is not begun', async () => {
  const waiting = await startMcp()
  const { patientUid: own, token: of, accessLog } = await newPatient(waiting)
  const range = { from: '2025-11-01T00:00:00Z', to: '2025-11-02T00:00:00Z' }
  const message = call('reading_statistics', { ...range, patientUid: own, readingType: 'heartRate' })
  const ask = () => waiting.call('/mcp', { token: of, body: message, headers: LEGACY })
  assert.equal((await ask()).status, 200)
  const unlock = await lockReadings(waiting.ownerUrl)
  const body = JSON.stringify(message)
  const { hostname, port } = new URL(waiting.url)
  const head = Object.entries({
    ...LEGACY,
    host: hostname,
    authorization: `Bearer ${of}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}`)
  const sockets = Array.from({ length: 15 }, () => {
    const socket = openSocket(Number(port), hostname).on('error', () => {})
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
    return socket
  })
  // Summaries go one at a time, unless the database finds that one is blocked.
  const queued = () => metricOf(waiting.adminUrl, 'rounds_queue_requests{kind="statistics"}')
  await until(async () => (await queued()) >= 5)
  const notBegun = await queued()
  for (const socket of sockets) socket.destroy()
  await until(() => waiting.log().split('"status":499').length > 15)
  await unlock()
  assert.equal((await ask()).status, 200)
  const rows = (await accessLog()).length
  assert.ok(rows <= 2 + 15 - notBegun, `${rows} rows, ${notBegun} not begun`)
})

test('a process without the module has no such path, and one with it needs something to read', async () => {
  const without = await startRounds()
  const of = await without.token()
  assert.equal((await without.call('/mcp', { token: of, body: request('ping') })).status, 404)
  assert.equal((await without.call('/.well-known/oauth-protected-resource/mcp')).status, 404)
  assert.throws(
    () =>
      readServeConfig({
        DATABASE_URL: 'postgres://x/y',
        AUTH_ISSUER: 'https://i.example',
        AUTH_AUDIENCE: 'a',
        MODULES: 'mcp',
      }),
    /The module mcp needs another one to read/,
  )
  const directory = await startMcp({ MODULES: 'appointments,mcp', MCP_PATH: '/tools/mcp' })
  const answer = await directory.call('/tools/mcp', {
    token: await directory.token(),
    body: request('tools/list'),
    headers: LEGACY,
  })
  const { tools } = (answer.json as unknown as { result: { tools: { name: string }[] } }).result
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['list_doctors', 'list_specialities'],
  )
})
