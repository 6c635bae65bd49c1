import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Envelope, runSql, startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { readServeConfig } from '../../../config/config.ts'
import { connectDb } from '../../../db/db.ts'
import { createMetrics } from '../../../metrics/metrics.ts'
import { trimHourly } from './trim-attempts.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const token = await rounds.token({ scope: 'webhooks:manage' })

async function addPaused(url: string): Promise<string> {
  const { json } = await rounds.call('/webhooks/endpoints/add', { token, body: { url } })
  const { endpoint } = json as Envelope & { endpoint: { endpointId: string } }
  const { endpointId } = endpoint
  await rounds.call('/webhooks/endpoints/pause', { token, body: { endpointId } })
  return endpointId
}

const insertAttempts = (endpointId: string, rows: string) =>
  runSql(
    rounds.ownerUrl,
    `insert into webhooks.attempts
       (endpoint_id, at, event, status, error, attempts, changes, bytes, longest_ms, last_message_id)
     select '${endpointId}', at::timestamptz, event, status, error, 2, 3, 9007199254740991, 5, 'msg_x' from ${rows}`,
  )

test('attempts come newest first, each outcome of a minute by itself, in pages without gaps', async () => {
  const [endpointId, other] = [
    await addPaused('https://receiver-1.example/'),
    await addPaused('https://receiver-2.example/'),
  ]
  const empty = await rounds.call(`/webhooks/attempts/list?endpointId=${endpointId}`, { token })
  assert.deepEqual([empty.status, empty.json.data, empty.json.nextCursor], [200, [], null])
  const minutes = "generate_series('2026-11-01T00:00Z'::timestamptz, '2026-11-01T00:40Z', '1 minute') as at"
  const outcomes = `(values ('readings.changed', 200, ''), ('readings.changed', 0, 'timeout'), ('patient.erased', 200, ''),
    ('readings.changed', 500, 'status')) as outcomes (event, status, error)`
  await insertAttempts(endpointId, `${minutes} cross join ${outcomes}`)
  await insertAttempts(other, `${minutes} cross join ${outcomes}`)
  for (const limit of [1, 3, 100, 1_000]) {
    const found: Record<string, unknown>[] = []
    for (let next: string | null = ''; next !== null; ) {
      const path = `/webhooks/attempts/list?endpointId=${endpointId}&limit=${limit}${next && `&cursor=${next}`}`
      const { status, json, text, headers } = await rounds.call(path, { token })
      assert.equal(status, 200, text)
      assert.equal(headers.get('cache-control'), 'no-store')
      found.push(...json.data)
      next = json.nextCursor
    }
    assert.equal(found.length, 41 * 4)
    assert.equal(new Set(found.map((entry) => JSON.stringify(entry))).size, 41 * 4)
    const times = found.map(({ at }) => String(at))
    assert.deepEqual(times, times.toSorted().toReversed())
    const failed = found.find(({ error }) => error === 'timeout')
    assert.deepEqual(failed, {
      at: '2026-11-01T00:40:00.000Z',
      outcome: 'failed',
      event: 'readings.changed',
      status: null,
      error: 'timeout',
      attempts: 2,
      changes: 3,
      bytes: 9007199254740991,
      longestMs: 5,
      lastMessageId: 'msg_x',
    })
  }
})

test('attempts of more than 30 days and secrets whose overlap is over are removed, and nothing else', async () => {
  const endpointId = await addPaused('https://receiver-3.example/')
  const kept = await addPaused('https://receiver-4.example/')
  await insertAttempts(
    endpointId,
    `(select date_trunc('minute', now()) - number * interval '1 minute' as at, 'readings.changed' as event, 200 as status, '' as error
      from generate_series(43190, 43190 + 12345) as number) as old`,
  )
  const previous = (overAfter: string) =>
    `previous_secret = 'old', previous_key_id = 'key', previous_until = now() + interval '${overAfter}'`
  await runSql(
    rounds.ownerUrl,
    `update webhooks.endpoints set ${previous('-1 second')} where endpoint_id = '${endpointId}';
     update webhooks.endpoints set ${previous('1 minute')} where endpoint_id = '${kept}';`,
  )
  const config = readServeConfig({
    DATABASE_URL: rounds.serveUrl,
    AUTH_ISSUER: rounds.issuer.url,
    AUTH_AUDIENCE: 'test',
  })
  const db = connectDb({
    ...config,
    url: rounds.serveUrl,
    deadlineMs: config.requestDeadlineMs,
    metrics: createMetrics(),
    warn: assert.fail,
  })
  const stops = [1, 2].map(() => trimHourly(db, assert.fail))
  const left = `select count(*)::integer as count, min(at) > now() - interval '30 days 1 minute' as is_new
    from webhooks.attempts where endpoint_id = '${endpointId}'`
  await until(async () => {
    const [row] = await runSql<{ count: number; is_new: boolean }>(rounds.ownerUrl, left)
    return row?.is_new === true && row.count >= 9 && row.count <= 11
  })
  for (const stop of stops) stop()
  const secrets = await runSql<{ endpoint_id: string; has: boolean }>(
    rounds.ownerUrl,
    'select endpoint_id, previous_secret is not null and previous_key_id is not null as has from webhooks.endpoints',
  )
  const hasPrevious = secrets.filter(({ has }) => has).map(({ endpoint_id }) => endpoint_id)
  assert.deepEqual(hasPrevious, [kept])
  await db.end()
})
