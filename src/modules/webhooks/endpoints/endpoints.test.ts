import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import {
  assertRefused,
  closeServer,
  type Envelope,
  listen,
  runSql,
  startRounds,
  WITH_WEBHOOKS,
} from '../../../../test/support/harness.ts'
import type { Queries } from '../../../db/db.ts'
import { withSession } from '../../../db/session.ts'
import { createAddressRules } from '../delivery/allowed-address.ts'
import { createSecrets } from '../delivery/secrets.ts'
import { createAddEndpoint } from './add-endpoint.ts'
import { createListEndpoints } from './list-endpoints.ts'
import { createRotateSecret } from './rotate-secret.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ sub: 'integration', scope: 'webhooks:manage' })

type Body = Record<string, unknown>
type Answer = Envelope & { endpoint: Body & { endpointId: string }; secret: string; attempt: Body }

const UNKNOWN = '2c9d8f6e-41b7-4a55-9e0c-5b1f7a3d6e20'
let number = 0
/** An address of a receiver that is not there: nothing of this file is sent to it but what it says. */
const newUrl = () => `https://receiver-${++number}.example/rounds`

const post = async (operation: string, body: Body, as = token) => {
  const answer = await rounds.call(`/webhooks/endpoints/${operation}`, { token: as, body })
  return { ...answer, json: answer.json as Answer }
}
const mustPost = async (operation: string, body: Body) => {
  const { status, text, json } = await post(operation, body)
  assert.equal(status, 200, text)
  return json
}
const get = async (path: string, as = token) => rounds.call(`/webhooks/${path}`, { token: as })
const listed = async (endpointId: string) => {
  const { json } = await get('endpoints/list')
  return json.data.find((endpoint) => endpoint['endpointId'] === endpointId)
}
const addPaused = async (body: Body = {}) => {
  const added = await mustPost('add', { url: newUrl(), ...body })
  await mustPost('pause', { endpointId: added.endpoint.endpointId })
  return { ...added, endpointId: added.endpoint.endpointId }
}
const placeOf = async (endpointId: string) =>
  (
    await runSql<{ xid: string; id: string; generation: string }>(
      rounds.ownerUrl,
      `select xid::text, id, generation from casesheet.followers where name = 'webhook:${endpointId}'`,
    )
  )[0]

test('an endpoint that was added is listed as it was added, and its follower begins now', async () => {
  const [snapshot] = await runSql<{ xmin: string }>(
    rounds.ownerUrl,
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
  )
  const url = newUrl()
  const body = {
    url,
    description: 'Copy for the “warehouse”, Ümlaut',
    events: ['patient.erased', 'readings.changed'],
    readingTypes: ['heartRate'],
    patientUids: ['patient "1"', 'patient\\2', 'null', '{}'],
    thin: true,
  }
  const { endpoint, secret, code, message } = await mustPost('add', body)
  assert.equal(code, 'Ok')
  assert.match(message, /shown once/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { endpointId, addedAt, ...rest } = endpoint
  assert.deepEqual(rest, {
    ...body,
    state: 'active',
    behindSince: null,
    failures: 0,
    replays: 0,
    addedBy: 'integration',
  })
  assert.ok(Math.abs(Date.parse(String(addedAt)) - Date.now()) < 60_000)
  assert.deepEqual(await listed(endpointId), endpoint)
  const place = await placeOf(endpointId)
  assert.ok(BigInt(place?.xid ?? 0) >= BigInt(snapshot?.xmin ?? ''))
  assert.equal(place?.id, '00000000-0000-0000-0000-000000000000')
  const fromStart = await mustPost('add', { url: newUrl(), from: 'beginning' })
  assert.deepEqual(fromStart.endpoint['events'], ['readings.changed', 'patient.erased', 'grant.changed'])
  assert.equal((await placeOf(fromStart.endpoint.endpointId))?.xid, '0')
  for (const id of [endpointId, fromStart.endpoint.endpointId]) await mustPost('remove', { endpointId: id })
})

test('an address has one endpoint, whoever adds it again and however it is spelled', async () => {
  const url = newUrl()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('add', { url })))
  const added = answers.filter(({ status }) => status === 200)
  assert.equal(added.length, 1)
  for (const answer of answers.filter((other) => other !== added[0]))
    assertRefused(answer, 409, 'EndpointExists')
  for (const spelling of [
    url.toUpperCase().replace('/ROUNDS', '/rounds'),
    url.replace('.example', '.example:443'),
  ])
    assertRefused(await post('add', { url: spelling, thin: true }), 409, 'EndpointExists')
  const endpointId = added[0]?.json.endpoint.endpointId ?? ''
  assert.equal((await listed(endpointId))?.['thin'], false)
  await mustPost('remove', { endpointId })
  await mustPost('remove', { endpointId: (await mustPost('add', { url })).endpoint.endpointId })
})

test('addresses that must not be called are refused with what is wrong', async () => {
  const before = await get('endpoints/list')
  const cases: [url: string, message: RegExp][] = [
    ['', /must be an https address/],
    ['receiver.example', /cannot be read/],
    ['ftp://receiver.example/', /must begin with https/],
    ['http://receiver.example/', /must begin with https/],
    ['https://user:pass@receiver.example/', /user name or a password/],
    ['https://receiver.example/#there', /fragment/],
    ['https://receiver.example/a b', /blanks/],
    ['https://10.0.0.1/', /not public/],
    ['https://169.254.169.254/latest/meta-data/', /not public/],
    ['https://[fd00::1]/', /not public/],
    ['https://0x0a000001/', /not public/],
    ['https://[::ffff:10.0.0.1]/', /not public/],
    [`https://receiver.example/${'a'.repeat(2_000)}`, /at most 2000 characters/],
    [`https://receiver.example/${'ü'.repeat(400)}`, /at most 2000 characters/],
  ]
  for (const [url, message] of cases) {
    const answer = await post('add', { url })
    assertRefused(answer, 400, 'ValidationFailed')
    assert.equal(answer.json.errors[0]?.pointer, '/url', url)
    assert.match(answer.json.message, message, url)
    assert.doesNotMatch(answer.json.message, /\.\.$|The URL/)
  }
  assert.deepEqual((await get('endpoints/list')).json.data, before.json.data)
})

test('what is wrong in a body is named by its field', async () => {
  const url = newUrl()
  const cases: [operation: string, body: Body, pointer: string][] = [
    ['add', {}, '/url'],
    ['add', { url: 1 }, '/url'],
    ['add', { url, description: '' }, '/description'],
    ['add', { url, description: 'x'.repeat(201) }, '/description'],
    ['add', { url, description: 'two\nlines' }, '/description'],
    ['add', { url, events: [] }, '/events'],
    ['add', { url, events: ['endpoint.test'] }, '/events/0'],
    ['add', { url, events: ['patient.erased', 'patient.erased'] }, '/events'],
    ['add', { url, readingTypes: [] }, '/readingTypes'],
    ['add', { url, readingTypes: ['heart rate'] }, '/readingTypes/0'],
    ['add', { url, readingTypes: Array.from({ length: 51 }, (_, n) => `t${n}`) }, '/readingTypes'],
    ['add', { url, patientUids: [] }, '/patientUids'],
    ['add', { url, patientUids: [''] }, '/patientUids/0'],
    ['add', { url, patientUids: ['x'.repeat(129)] }, '/patientUids/0'],
    ['add', { url, patientUids: ['a', 'a'] }, '/patientUids'],
    ['add', { url, patientUids: Array.from({ length: 1_001 }, (_, n) => `p${n}`) }, '/patientUids'],
    ['add', { url, patientUids: null }, '/patientUids'],
    ['add', { url, thin: 'yes' }, '/thin'],
    ['add', { url, from: 'yesterday' }, '/from'],
    ['add', { url, secret: 'whsec_mine' }, '/secret'],
    ['replay', { endpointId: UNKNOWN }, '/since'],
    ['replay', { endpointId: UNKNOWN, since: 'yesterday' }, '/since'],
    ['replay', { endpointId: UNKNOWN, since: '2026-02-30T00:00:00Z' }, '/since'],
    ['replay', { endpointId: UNKNOWN, since: '2099-01-01T00:00:00Z' }, '/since'],
    ['rotate-secret', { endpointId: UNKNOWN, overlapHours: -1 }, '/overlapHours'],
    ['rotate-secret', { endpointId: UNKNOWN, overlapHours: 169 }, '/overlapHours'],
    ['rotate-secret', { endpointId: UNKNOWN, overlapHours: 1.5 }, '/overlapHours'],
    ...['remove', 'pause', 'resume', 'test', 'replay', 'rotate-secret'].map(
      (operation): [string, Body, string] => [
        operation,
        { endpointId: 'x', since: 'beginning' },
        '/endpointId',
      ],
    ),
  ]
  for (const [operation, body, pointer] of cases) {
    const answer = await post(operation, body)
    assertRefused(answer, 400, 'ValidationFailed')
    const named = answer.json.errors.map((error) => error.pointer)
    assert.ok(named.includes(pointer), `${operation} ${JSON.stringify(body).slice(0, 80)}: ${answer.text}`)
  }
  assertRefused(await get('endpoints/list?limit=101'), 400, 'ValidationFailed')
  assertRefused(await get('attempts/list'), 400, 'ValidationFailed')
  assertRefused(
    await rounds.call('/webhooks/endpoints/add?a=1', { token, body: { url } }),
    400,
    'ValidationFailed',
  )
  for (const path of ['endpoints/list?', `attempts/list?endpointId=${UNKNOWN}&`])
    assertRefused(await get(`${path}cursor=WyJhIl0`), 400, 'InvalidCursor')
})

test('an endpoint that there is not is not found, and removing it is no mistake', async () => {
  for (const operation of ['pause', 'resume', 'test', 'rotate-secret'])
    assertRefused(await post(operation, { endpointId: UNKNOWN }), 404, 'EndpointNotFound')
  assertRefused(await post('replay', { endpointId: UNKNOWN, since: 'beginning' }), 404, 'EndpointNotFound')
  assertRefused(await get(`attempts/list?endpointId=${UNKNOWN}`), 404, 'EndpointNotFound')
  await mustPost('remove', { endpointId: UNKNOWN })
})

test('only a token with the scope manages webhooks, whatever else it may', async () => {
  const { endpointId, endpoint } = await addPaused()
  const others = [
    {},
    { patientUid: 'patient-1' },
    { doctorId: 'doctor-1' },
    { scope: 'readings:read-all readings:withdraw readings:changes' },
    { scope: 'webhooks:manage2 webhooks:* manage' },
    { scope: 'system/*.cruds' },
  ]
  for (const claims of others) {
    const other = await rounds.token(claims)
    for (const operation of ['add', 'remove', 'pause', 'resume', 'test', 'replay', 'rotate-secret']) {
      const body = { endpointId, url: newUrl(), since: 'beginning' }
      assertRefused(await post(operation, body, other), 403, 'ScopeMissing')
    }
    assertRefused(await get('endpoints/list', other), 403, 'ScopeMissing')
    assertRefused(await get(`attempts/list?endpointId=${endpointId}`, other), 403, 'ScopeMissing')
  }
  assert.deepEqual(await listed(endpointId), { ...endpoint, state: 'paused', pausedBecause: 'asked' })
  assertRefused(await rounds.call('/webhooks/endpoints/list'), 401, 'TokenMissing')
  await mustPost('remove', { endpointId })
})

test('a secret is shown once, and stands readable in no table, list or log', async () => {
  const { endpointId, secret } = await addPaused()
  const rotated = await mustPost('rotate-secret', { endpointId })
  assert.notEqual(rotated.secret, secret)
  const answers = await Promise.all([
    get('endpoints/list'),
    get(`attempts/list?endpointId=${endpointId}`),
    post('pause', { endpointId }),
    post('resume', { endpointId }),
    post('pause', { endpointId }),
    post('add', { url: rotated.endpoint['url'] }),
  ])
  const stored = await runSql(
    rounds.ownerUrl,
    'select endpoints::text as row, secret from webhooks.endpoints',
  )
  const seen = [JSON.stringify(stored), ...answers.map(({ text }) => text), rounds.log()].join('\n')
  for (const shown of [secret, rotated.secret]) {
    const key = shown.slice('whsec_'.length)
    const bytes = Buffer.from(key, 'base64')
    for (const form of [key, bytes.toString('hex'), bytes.toString('latin1'), bytes.toString('base64url')])
      assert.ok(!seen.includes(form))
    assert.ok(!seen.includes(Buffer.from(shown).toString('hex')))
  }
  assert.ok(!rounds.log().includes('receiver-'), 'the log names no receiver')
  await mustPost('remove', { endpointId })
})

test('a paused endpoint says why, stays paused when it is paused again, and begins anew when it is resumed', async () => {
  const { endpointId } = await addPaused()
  const again = await mustPost('pause', { endpointId })
  assert.deepEqual([again.endpoint['state'], again.endpoint['pausedBecause']], ['paused', 'asked'])
  await runSql(
    rounds.ownerUrl,
    `update webhooks.endpoints
     set paused_because = 'gone', failures = 7, failing_since = now(), next_attempt_at = now() + interval '1 hour'
     where endpoint_id = '${endpointId}'`,
  )
  const gone = await mustPost('pause', { endpointId })
  assert.deepEqual([gone.endpoint['pausedBecause'], gone.endpoint['failures']], ['gone', 7])
  assert.ok(gone.endpoint['failingSince'])
  assert.equal(gone.endpoint['nextAttemptAt'], undefined)
  for (let time = 0; time < 2; time++) {
    const { endpoint } = await mustPost('resume', { endpointId })
    assert.deepEqual([endpoint['state'], endpoint['failures']], ['active', 0])
    for (const name of ['pausedBecause', 'failingSince', 'nextAttemptAt'])
      assert.ok(!(name in endpoint), name)
  }
  await mustPost('remove', { endpointId })
})

test('a rotated secret leaves the one before valid for the overlap, and none without one', async () => {
  const { endpointId } = await addPaused()
  const secretsOf = async () =>
    (
      await runSql<{ secret: Buffer; previous_secret: Buffer | null }>(
        rounds.ownerUrl,
        `select secret, previous_secret from webhooks.endpoints where endpoint_id = '${endpointId}'`,
      )
    )[0]
  const first = await secretsOf()
  const { endpoint } = await mustPost('rotate-secret', { endpointId })
  const hours = (Date.parse(String(endpoint['previousSecretUntil'])) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24.1, `${hours}`)
  const second = await secretsOf()
  assert.deepEqual(second?.previous_secret, first?.secret)
  const longer = await mustPost('rotate-secret', { endpointId, overlapHours: 168 })
  assert.ok(Date.parse(String(longer.endpoint['previousSecretUntil'])) - Date.now() > 167 * 3_600_000)
  assert.deepEqual((await secretsOf())?.previous_secret, second?.secret)
  // Stored under another key, it could sign nothing.
  await runSql(
    rounds.ownerUrl,
    `update webhooks.endpoints set key_id = 'other' where endpoint_id = '${endpointId}'`,
  )
  assert.ok(!('previousSecretUntil' in (await mustPost('rotate-secret', { endpointId })).endpoint))
  assert.ok('previousSecretUntil' in (await mustPost('rotate-secret', { endpointId })).endpoint)
  const none = await mustPost('rotate-secret', { endpointId, overlapHours: 0 })
  assert.ok(!('previousSecretUntil' in none.endpoint))
  assert.equal((await secretsOf())?.previous_secret, null)
  await mustPost('remove', { endpointId })
})

test('a replay sets an endpoint back to the mark before the time, never forward, and tries at once', async () => {
  const { endpointId } = await addPaused()
  const set = (sql: string) => runSql(rounds.ownerUrl, sql)
  await set(`
    delete from casesheet.feed_marks;
    insert into casesheet.feed_marks (at, generation, xid)
    select at::timestamptz, generation, xid::xid8
    from casesheet.feed
    cross join (values ('2026-01-01', '100'), ('2026-01-02', '200')) as marks (at, xid);
    insert into casesheet.feed_marks (at, generation, xid)
    values ('2026-01-03', gen_random_uuid(), '300');`)
  const begin = (xid: string) =>
    set(`
      update casesheet.followers set xid = '${xid}', id = 'ffffffff-0000-0000-0000-000000000000' where name = 'webhook:${endpointId}';
      update webhooks.endpoints
      set page_xid = '1', page_id = gen_random_uuid(), failures = 3, failing_since = now(), next_attempt_at = 'infinity'
      where endpoint_id = '${endpointId}';`)
  const cases: [since: string, from: string, to: string][] = [
    ['2026-01-02T12:00:00Z', '900', '200'],
    // The mark of another generation says nothing.
    ['2026-01-04T12:00:00+02:00', '900', '200'],
    ['2026-01-02T00:00:00+00:00', '200', '200'],
    ['2026-01-01T23:59:59.999Z', '900', '100'],
    ['2025-12-31T23:59:59Z', '900', '0'],
    ['beginning', '900', '0'],
    ['2026-01-02T12:00:00Z', '150', '150'],
    ['2026-01-02T12:00:00Z', '100', '100'],
  ]
  for (const [index, [since, from, to]] of cases.entries()) {
    await begin(from)
    const { endpoint } = await mustPost('replay', { endpointId, since })
    assert.deepEqual([endpoint['replays'], endpoint['failures'], endpoint['state']], [index + 1, 0, 'paused'])
    const place = await placeOf(endpointId)
    assert.equal(place?.xid, to, since)
    const isMoved = from !== to || from === '200'
    assert.equal(place?.id.startsWith('ffffffff'), !isMoved, since)
    const [row] = await set(`
      select page_xid, page_id, failing_since, next_attempt_at::text as next
      from webhooks.endpoints where endpoint_id = '${endpointId}'`)
    assert.deepEqual(row, { page_xid: null, page_id: null, failing_since: null, next: '-infinity' })
  }
  await mustPost('remove', { endpointId })
})

test('an endpoint is behind since its follower was last caught up, unless somebody paused it', async () => {
  const { endpointId } = await addPaused()
  const behind = (set: string) =>
    withSession(rounds.ownerUrl, 'test', async (client) => {
      await client.query(`
        set timezone = 'UTC';
        begin;
        update casesheet.followers set caught_up_at = now() - interval '14 seconds' where name = 'webhook:${endpointId}';
        ${set}`)
      const db: Queries = { query: async (statement) => (await client.query(statement)).rows }
      const { data } = await createListEndpoints(db)({}, 'test')
      await client.query('rollback')
      return data.find((endpoint) => endpoint.endpointId === endpointId)?.behindSince
    })
  const active = "update webhooks.endpoints set state = 'active', paused_because = null;"
  const late = "update casesheet.followers set caught_up_at = '2026-01-01T00:00:00Z';"
  assert.equal(await behind(active), null)
  assert.equal(await behind(late), null)
  assert.equal(await behind(`${active}${late}`), '2026-01-01T00:00:00.000Z')
  const gone = "update webhooks.endpoints set paused_because = 'gone';"
  assert.equal(await behind(`${gone}${late}`), '2026-01-01T00:00:00.000Z')
  await mustPost('remove', { endpointId })
})

test('what a lost connection sends again finds what it did the first time', async () => {
  const key = Buffer.from(WITH_WEBHOOKS.WEBHOOK_KEY, 'base64')
  const secrets = createSecrets(key)
  const url = newUrl()
  await withSession(rounds.serveUrl, 'test', async (client) => {
    await client.query("set timezone = 'UTC'")
    const twice: Queries = {
      async query(statement) {
        await client.query(statement)
        return (await client.query(statement)).rows
      },
    }
    const rules = createAddressRules([])
    const { endpoint, secret } = await createAddEndpoint(twice, { secrets, rules })({ url }, 'test')
    const { endpointId } = endpoint
    await mustPost('pause', { endpointId })
    const stored = async (column: string) => {
      const { rows } = await client.query<{ bytes: Buffer }>(
        `select ${column} as bytes from webhooks.endpoints where endpoint_id = $1`,
        [endpointId],
      )
      return secrets.decrypt(rows[0]?.bytes ?? Buffer.of(), endpointId)
    }
    assert.equal(await stored('secret'), secret)
    const rotated = await createRotateSecret(twice, secrets)({ endpointId }, 'test')
    assert.ok(rotated.endpoint.previousSecretUntil)
    assert.deepEqual([await stored('secret'), await stored('previous_secret')], [rotated.secret, secret])
    await mustPost('remove', { endpointId })
  })
})

/** A receiver of the test, on this machine. */
async function startReceiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      answer(request, response)
    })
  })
  const url = await listen(server)
  after(() => closeServer(server))
  return { url: `${url}/`, received, stop: () => closeServer(server) }
}

test('a test sends a signed message at once and notes the attempt in its minute', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(204).end())
  const { endpointId, secret } = await addPaused({ url: receiver.url })
  const { attempt } = await mustPost('test', { endpointId })
  const { durationMs, messageId } = attempt
  assert.deepEqual(attempt, { status: 204, durationMs, messageId })
  const [message] = receiver.received
  const headers = message?.headers ?? {}
  const parsed = JSON.parse(message?.body ?? '') as Body
  assert.equal(parsed['type'], 'endpoint.test')
  assert.equal(headers['content-type'], 'application/json')
  assert.match(String(headers['user-agent']), /^rounds\/\d/)
  assert.equal(headers['webhook-id'], messageId)
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], message?.body].join('.')
  const signatureOf = (whsec: string) =>
    `v1,${createHmac('sha256', Buffer.from(whsec.slice(6), 'base64'))
      .update(signed)
      .digest('base64')}`
  assert.equal(headers['webhook-signature'], signatureOf(secret))
  const rotated = await mustPost('rotate-secret', { endpointId })
  await mustPost('test', { endpointId })
  const both = receiver.received[1]?.headers['webhook-signature']?.toString().split(' ')
  assert.equal(both?.length, 2)
  assert.notEqual(rotated.secret, secret)
  const { json } = await get(`attempts/list?endpointId=${endpointId}`)
  const counted = json.data.map(({ attempts }) => Number(attempts)).reduce((sum, count) => sum + count, 0)
  assert.equal(counted, 2)
  const { at, longestMs, lastMessageId, bytes, attempts, ...entry } = json.data[0] ?? {}
  assert.deepEqual(entry, {
    outcome: 'delivered',
    event: 'endpoint.test',
    status: 204,
    error: null,
    changes: 0,
  })
  assert.match(String(at), /:00\.000Z$/)
  assert.match(String(lastMessageId), /^msg_[\w-]{32}$/)
  assert.ok(Number(bytes) >= Buffer.byteLength(message?.body ?? '') * Number(attempts))
  assert.ok(Number(longestMs) >= 0)
  await mustPost('remove', { endpointId })
})

test('a secret under a lost key signs nothing; a rotated one signs at once, without the one before', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(204).end())
  const { endpointId } = await addPaused({ url: receiver.url })
  const lost = createSecrets(Buffer.alloc(32, 9))
  await runSql(
    rounds.ownerUrl,
    'update webhooks.endpoints set secret = $2, key_id = $3 where endpoint_id = $1',
    [endpointId, lost.encrypt(lost.newSecret(), endpointId), lost.keyId],
  )
  const { attempt } = await mustPost('test', { endpointId })
  assert.equal(attempt['error'], 'key')
  assert.equal(receiver.received.length, 0)
  const { endpoint } = await mustPost('rotate-secret', { endpointId })
  assert.equal(endpoint['previousSecretUntil'], undefined)
  assert.equal((await mustPost('test', { endpointId })).attempt['status'], 204)
  assert.doesNotMatch(String(receiver.received[0]?.headers['webhook-signature']), / /)
})

test('a test that fails says how, and changes nothing of the endpoint', async () => {
  const answers = {
    '/moved': [302, 'redirect'],
    '/broken': [500, 'status'],
    '/gone': [410, 'status'],
  } as const
  const receiver = await startReceiver((request, response) => {
    const [status] = answers[request.url as keyof typeof answers]
    response.writeHead(status, { location: 'https://elsewhere.example/' }).end()
  })
  for (const [path, [status, error]] of Object.entries(answers)) {
    const { endpointId, endpoint } = await addPaused({ url: new URL(path, receiver.url).href })
    const { attempt } = await mustPost('test', { endpointId })
    assert.deepEqual([attempt['status'], attempt['error']], [status, error])
    assert.deepEqual(await listed(endpointId), { ...endpoint, state: 'paused', pausedBecause: 'asked' })
    await mustPost('remove', { endpointId })
  }
  await receiver.stop()
  const { endpointId } = await addPaused({ url: receiver.url })
  const { attempt } = await mustPost('test', { endpointId })
  assert.deepEqual([attempt['status'], attempt['error']], [undefined, 'refused'])
  // Stored under a key that this process does not have.
  await runSql(
    rounds.ownerUrl,
    `update webhooks.endpoints set secret = '\\x01' || sha256('other') where endpoint_id = '${endpointId}'`,
  )
  assert.equal((await mustPost('test', { endpointId })).attempt['error'], 'key')
  await mustPost('remove', { endpointId })
})

test('removing an endpoint removes its follower and its attempts, and may be repeated', async () => {
  const receiver = await startReceiver((_request, response) => response.writeHead(204).end())
  const { endpointId } = await addPaused({ url: receiver.url })
  await mustPost('test', { endpointId })
  for (let time = 0; time < 2; time++) await mustPost('remove', { endpointId })
  assert.equal(await listed(endpointId), undefined)
  assert.equal(await placeOf(endpointId), undefined)
  const left = await runSql(
    rounds.ownerUrl,
    `select from webhooks.attempts where endpoint_id = '${endpointId}'`,
  )
  assert.equal(left.length, 0)
})

test('endpoints come in pages in the order in which they were added, and pages with many patients end early', async () => {
  const before = (await get('endpoints/list')).json.data.length
  const patientUids = Array.from({ length: 1_000 }, (_, n) => `${String(n).padEnd(127, 'é')}x`)
  const ids: string[] = []
  for (let count = 0; count < 7; count++) {
    const { endpoint } = await mustPost('add', { url: newUrl(), patientUids })
    ids.push(endpoint.endpointId)
  }
  for (const limit of [1, 2, 100]) {
    const found: string[] = []
    let pages = 0
    for (let next: string | null = ''; next !== null; pages++) {
      const { text, json }: { text: string; json: Envelope } = await get(
        `endpoints/list?limit=${limit}${next && `&cursor=${next}`}`,
      )
      assert.ok(text.length < 2_500_000, `${text.length}`)
      for (const { endpointId, patientUids: named } of json.data) {
        found.push(String(endpointId))
        if (ids.includes(String(endpointId))) assert.deepEqual(named, patientUids)
      }
      next = json.nextCursor
    }
    assert.deepEqual(found.slice(before), ids)
    assert.ok(limit === 1 ? pages === before + 7 : pages > 1, `${pages} pages of ${limit}`)
  }
  for (const endpointId of ids) await mustPost('remove', { endpointId })
})

test('all endpoints together name at most 100,000 patients', async () => {
  await runSql(
    rounds.ownerUrl,
    `insert into webhooks.endpoints (url, events, secret, key_id, added_by, state, paused_because, patient_uids)
     select 'https://named.example/' || number, '{patient.erased}', '', '', 'test', 'paused', 'asked',
       array(select 'p' || patient from generate_series(1, 999) as patient)
     from generate_series(1, 100) as number`,
  )
  const patientUids = Array.from({ length: 1_000 }, (_, at) => `p${at}`)
  assertRefused(await post('add', { url: newUrl(), patientUids }), 422, 'TooManyEndpoints')
  await mustPost('add', { url: newUrl() })
  await runSql(rounds.ownerUrl, "delete from webhooks.endpoints where url like 'https://named.example/%'")
})

test('there are at most 1,000 endpoints, also when several are added at once', async () => {
  const all = 'select count(*)::integer as count from webhooks.endpoints'
  const count = (await runSql<{ count: number }>(rounds.ownerUrl, all))[0]?.count ?? 0
  const url = newUrl()
  await mustPost('add', { url })
  await runSql(
    rounds.ownerUrl,
    `insert into webhooks.endpoints (url, events, secret, key_id, added_by, state, paused_because)
     select 'https://many.example/' || number, '{patient.erased}', '', '', 'test', 'paused', 'asked'
     from generate_series(1, ${1_000 - 2 - count}) as number`,
  )
  const answers = await Promise.all(Array.from({ length: 6 }, () => post('add', { url: newUrl() })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    assertRefused(answer, 422, 'TooManyEndpoints')
  assert.equal((await runSql<{ count: number }>(rounds.ownerUrl, all))[0]?.count, 1_000)
  assertRefused(await post('add', { url }), 409, 'EndpointExists')
  const followers = await runSql(
    rounds.ownerUrl,
    "select name from casesheet.followers where starts_with(name, 'webhook:')",
  )
  assert.equal(followers.length, count + 2)
  await runSql(rounds.ownerUrl, "delete from webhooks.endpoints where url like 'https://many.example/%'")
})
