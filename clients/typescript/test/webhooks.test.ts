// Webhooks as a service manages them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRounds, WITH_WEBHOOKS } from '../../../test/support/harness.ts'
import { createRoundsClient, type Fetch } from '../src/client.ts'
import { failureOf } from './client-of.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ scope: 'webhooks:manage' })
const clientWith = (fetch?: Fetch) => createRoundsClient({ url: rounds.url, token, ...(fetch && { fetch }) })
const { webhooks } = clientWith()

const messageId = `msg_${'x'.repeat(32)}`

test('a service adds, changes, tests and removes an endpoint', async () => {
  const { endpoint, secret } = await webhooks.add({ url: 'https://127.0.0.1:1/', events: ['patient.erased'] })
  const { endpointId } = endpoint
  assert.match(secret, /^whsec_/)
  assert.equal((await failureOf(webhooks.add({ url: 'https://127.0.0.1:1/' }))).code, 'EndpointExists')
  assert.equal((await webhooks.pause({ endpointId })).endpoint.state, 'paused')
  assert.equal((await webhooks.test({ endpointId })).attempt.error, 'refused')
  assert.equal((await webhooks.replay({ endpointId, since: 'beginning' })).endpoint.replays, 1)
  assert.equal(
    (await webhooks.skip({ endpointId, messageId })).message,
    'Nothing was skipped: the last attempt did not fail, or was of another message.',
  )
  assert.notEqual((await webhooks.rotateSecret({ endpointId, overlapHours: 1 })).secret, secret)
  const other = await webhooks.add({ url: 'https://127.0.0.1:2/' })
  const ids: string[] = []
  for await (const one of webhooks.each({ limit: 1 })) ids.push(one.endpointId)
  assert.deepEqual(ids, [endpointId, other.endpoint.endpointId])
  assert.equal((await webhooks.list()).data.length, 2)
  const attempts: string[] = []
  for await (const { event, outcome } of webhooks.eachAttempt({ endpointId, limit: 1 }))
    attempts.push(`${event} ${outcome}`)
  assert.deepEqual(attempts, ['endpoint.test failed'])
  assert.equal((await webhooks.attempts({ endpointId })).data[0]?.error, 'refused')
  assert.equal((await webhooks.resume({ endpointId })).endpoint.state, 'active')
  for (let time = 0; time < 2; time++) await webhooks.remove({ endpointId })
  assert.equal((await failureOf(webhooks.pause({ endpointId }))).code, 'EndpointNotFound')
})

test('what must happen once is not sent again after an answer that was lost, and the rest is', async () => {
  const { endpoint } = await webhooks.add({ url: 'https://127.0.0.1:3/' })
  const { endpointId } = endpoint
  const sent: string[] = []
  const client = clientWith(async (url, init) => {
    const response = await fetch(url, init)
    const path = new URL(url).pathname.split('/').at(-1) ?? ''
    sent.push(path)
    if (sent.filter((one) => one === path).length > 1) return response
    throw new TypeError('fetch failed')
  })
  const once = [
    () => client.webhooks.rotateSecret({ endpointId }),
    () => client.webhooks.test({ endpointId }),
    () => client.webhooks.replay({ endpointId, since: 'beginning' }),
    () => client.webhooks.add({ url: 'https://127.0.0.1:4/' }),
  ]
  for (const call of once) assert.equal((await failureOf(call())).code, 'ConnectionFailed')
  await client.webhooks.pause({ endpointId })
  await client.webhooks.resume({ endpointId })
  await client.webhooks.skip({ endpointId, messageId })
  await client.webhooks.remove({ endpointId })
  assert.deepEqual(sent.toSorted(), [
    'add',
    'pause',
    'pause',
    'remove',
    'remove',
    'replay',
    'resume',
    'resume',
    'rotate-secret',
    'skip',
    'skip',
    'test',
  ])
})

test('what is no endpoint is refused before it is sent', async () => {
  for (const wrong of [undefined, null, 'x', 7, []])
    for (const send of [webhooks.add, webhooks.remove, webhooks.pause, webhooks.test])
      await assert.rejects(send(wrong as never), /Pass an endpoint, such as/)
})
