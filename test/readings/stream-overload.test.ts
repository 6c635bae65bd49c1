// Streams in an overload: they are ended a few at a time, and only while requests of verified callers are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLoad } from '../load/load.ts'
import { metricOf, openStream } from '../support/event-stream.ts'
import { AUDIENCE, createDatabase, startIssuer } from '../support/harness.ts'
import { serveForLoad } from '../support/process.ts'
import { until } from '../support/until.ts'

const STREAMS = 20
const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
const server = await serveForLoad({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  RATE_LIMIT_REFUSED_PER_MINUTE: '1000000000',
  // More than one request at a time is refused while the event loop is busy.
  MAX_REQUESTS_WHEN_BUSY: '1',
})
const tokenOf = (uid: string) => issuer.token({ sub: uid, patientUid: uid })
const cut = () => metricOf(server.adminUrl, 'rounds_streams_aborted_total{reason="overloaded"}')
const refusals = () => metricOf(server.adminUrl, 'rounds_http_errors_total{code="Overloaded"}')
const flood = (token: string, seconds: number) =>
  runLoad({
    url: server.url,
    patients: [{ uid: 'flood', token, firstS: 0 }],
    connections: 300,
    seconds,
    getShare: 1,
  })

const streams = await Promise.all(
  Array.from({ length: STREAMS }, async (_, index) => openStream(server.url, await tokenOf(`p${index}`))),
)
const ended = () => streams.filter(({ text }) => text().includes('event: end'))

test('a flood of forged tokens, most of which are refused, ends no stream', async () => {
  const [head = '', body = ''] = (await tokenOf('flood')).split('.')
  const forged = `${head}.${body}.${'A'.repeat(342)}`
  await flood(forged, 6)
  assert.ok((await refusals()) > 0, 'none was refused')
  assert.deepEqual([await cut(), ended().length], [0, 0])
})

test('while requests of verified callers are refused, streams are ended a few each second, for a time of their own', async () => {
  const token = await tokenOf('flood')
  const over = new AbortController()
  const flooding = (async () => {
    while (!over.signal.aborted) await flood(token, 2)
  })()
  await until(() => ended().length >= 3, 90_000)
  over.abort()
  await flooding
  assert.ok((await cut()) >= 3)
  const times = new Set<number>()
  for (const { text } of ended()) {
    const [, retry = '', reason = ''] =
      /retry: (\d+)\nevent: end\ndata: \{"reason":"(\w+)"\}/.exec(text()) ?? []
    assert.equal(reason, 'overloaded')
    assert.ok(Number(retry) >= 5_000 && Number(retry) <= 30_000, retry)
    times.add(Number(retry))
  }
  assert.ok(times.size > 1)
  assert.ok(ended().length < STREAMS)
})
