import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Envelope, runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ sub: 'integration', scope: 'webhooks:manage' })

type Body = Record<string, unknown>
type Answer = Envelope & { endpoint: Body & { endpointId: string }; secret: string; attempt: Body }

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
const placeOf = async (endpointId: string) =>
  (
    await runSql<{ xid: string; id: string; generation: string }>(
      rounds.ownerUrl,
      `select xid::text, id, generation from casesheet.followers where name = 'webhook:${endpointId}'`,
    )
  )[0]

test('an endpoint that was added is listed as it was added, and its follower begins now', async () => {
  const [{ xmin = '' } = {}] = await runSql<{ xmin: string }>(
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
  assert.ok(BigInt(place?.xid ?? 0) >= BigInt(xmin))
  assert.equal(place?.id, '00000000-0000-0000-0000-000000000000')
  const fromStart = await mustPost('add', { url: newUrl(), from: 'beginning' })
  assert.deepEqual(fromStart.endpoint['events'], ['readings.changed', 'patient.erased', 'grant.changed'])
  assert.equal((await placeOf(fromStart.endpoint.endpointId))?.xid, '0')
  for (const id of [endpointId, fromStart.endpoint.endpointId]) await mustPost('remove', { endpointId: id })
})
