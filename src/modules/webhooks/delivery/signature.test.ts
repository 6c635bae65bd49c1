import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { createSecrets } from './secrets.ts'
import { messageIdOf, signedHeaders } from './signature.ts'

const { newSecret } = createSecrets(randomBytes(32))
const ENDPOINT = '0b6f2a3e-51a7-4a0e-8f6f-0f6f7d2f9c11'
const PAGE = { endpointId: ENDPOINT, replays: 0, place: '8:9' }
const BODIES = [
  '{"type":"endpoint.test","timestamp":"2026-11-17T12:00:00.000Z","data":{}}',
  '{"note":"Größe, 血圧, 🩺, \\u0000 and a \\" quote"}',
  '{"long":"'.padEnd(256 * 1_024, 'x').concat('"}'),
]

test('standardwebhooks verifies a message by its secret, and by either of two', () => {
  const [current, previous] = [newSecret(), newSecret()]
  for (const body of [...BODIES, ...BODIES.map((text) => Buffer.from(text))]) {
    const id = messageIdOf(PAGE, body)
    const one = signedHeaders({ id, body, secrets: [current], nowMs: Date.now() })
    assert.match(one['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(new Webhook(current).verify(body, one), JSON.parse(String(body)))

    const two = signedHeaders({ id, body, secrets: [current, previous], nowMs: Date.now() })
    assert.match(two['webhook-signature'], /^v1,\S{44} v1,\S{44}$/)
    for (const secret of [current, previous]) {
      assert.deepEqual(new Webhook(secret).verify(body, two), JSON.parse(String(body)))
    }
  }
})

test('standardwebhooks refuses another secret, body, id or time, and a message that is too old', () => {
  const secret = newSecret()
  const [body = ''] = BODIES
  const id = messageIdOf(PAGE, body)
  const nowMs = Date.now()
  const headers = signedHeaders({ id, body, secrets: [secret], nowMs })
  const old = signedHeaders({ id, body, secrets: [secret], nowMs: nowMs - 3_600_000 })
  const receiver = new Webhook(secret)
  const refused: (() => unknown)[] = [
    () => new Webhook(newSecret()).verify(body, headers),
    () => receiver.verify(`${body} `, headers),
    () => receiver.verify(body, { ...headers, 'webhook-id': `${id}x` }),
    () =>
      receiver.verify(body, {
        ...headers,
        'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1),
      }),
    () => receiver.verify(body, old),
  ]
  for (const verify of refused) assert.throws(verify, WebhookVerificationError)
  receiver.verify(body, headers)
})

// The vector of the specification's libraries, and digests made with openssl.
test('signatures and ids are those that were written down', () => {
  const headers = signedHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    nowMs: 1_614_265_330_999,
  })
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  assert.equal(messageIdOf({ ...PAGE, replays: 3 }, '{"data":{}}'), 'msg_HhL5Qk87L8lQd19sMmPyXNiUNP53oj-H')
})

test('an id is that of the endpoint, the replay, the place and the body', () => {
  const ids = [
    messageIdOf(PAGE, 'a'),
    messageIdOf({ ...PAGE, replays: 1 }, 'a'),
    messageIdOf({ ...PAGE, place: '8:10' }, 'a'),
    messageIdOf({ ...PAGE, endpointId: ENDPOINT.replace('0b', '0c') }, 'a'),
    messageIdOf(PAGE, 'b'),
  ]
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^msg_[\w-]{32}$/)
  assert.equal(messageIdOf({ ...PAGE }, Buffer.from('a')), ids[0])
})
