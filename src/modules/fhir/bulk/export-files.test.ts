// Files of an export as they are sent: whole or cut off, by any process, and without holding up anyone who does not read.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { exporterOf } from '../../../../test/support/bulk.ts'
import { startFhir } from '../../../../test/support/fhir.ts'
import { AUDIENCE, FHIR_ID_KEY, runSql, startIssuer } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { readServeConfig } from '../../../config/config.ts'
import { serve } from '../../../server/serve.ts'

/** A file of this many Observations is longer than what the kernel holds for a client that does not read. */
const COUNT = 30_000
const OTHERS = 100

const rounds = await startFhir()
await runSql(
  rounds.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select case when n < ${COUNT} then 'long' else 'short-' || n end, to_timestamp(1700000000 + n), gen_random_uuid(), 'heartRate',
     1700000000 + n, '{"value":70}', 'test'
   from generate_series(0, ${COUNT + OTHERS - 1}) n`,
)
const exporter = await exporterOf(rounds)
const { headers } = exporter

const open = (url: string) =>
  new Promise<IncomingMessage>((answered, fail) => get(url, { headers }, answered).once('error', fail))

/** The file of the patient with many readings. */
async function longFileOf(address: string): Promise<string> {
  const [partition] = await runSql<{ number: string }>(
    rounds.ownerUrl,
    `select substring(tableoid::regclass::text from '[0-9]+$') as number from casesheet.readings where patient_uid = 'long' limit 1`,
  )
  return `${address}/Observation-${Number(partition?.number) + 1}.ndjson`
}

const loggedOf = async (requestId: unknown) =>
  (
    await runSql<{ sum: number }>(
      rounds.ownerUrl,
      `select coalesce(sum(readings_count), 0)::integer as sum from casesheet.access_log where request_id = $1`,
      [requestId],
    )
  )[0]?.sum ?? 0

test('an export goes on in another process when the one in which it began has stopped', async () => {
  const address = await exporter.begin()
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DATABASE_URL: rounds.serveUrl,
    MODULES: 'casesheet,fhir',
    FHIR_ID_KEY,
    AUTH_ISSUER: rounds.issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
  }
  const other = await serve(readServeConfig(environment), { logTo: { write: () => undefined } })
  try {
    const { output } = await exporter.manifestAt(address.replace(rounds.url, other.url))
    assert.ok(output.every(({ url }) => url.startsWith(other.url)))
    const lines = await exporter.linesOf(output)
    assert.equal(new Set(lines.map(({ id }) => id)).size, COUNT + OTHERS)
    assert.equal(lines.length, COUNT + OTHERS)
  } finally {
    await other.stop()
  }
})

test('a client that does not read is not read for, holds up nobody, and sees its file cut off when the export is deleted', async () => {
  const address = await exporter.begin()
  const url = await longFileOf(address)
  const stalled = await Promise.all(Array.from({ length: 8 }, () => open(url)))
  for (const response of stalled) response.pause()
  const refused = await fetch(url, { headers })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  const requestIds = stalled.map((response) => response.headers['x-request-id'])
  let logged = -1
  await until(
    async () => {
      const before = logged
      logged = await loggedOf(requestIds[0])
      return logged === before
    },
    60_000,
    { everyMs: 500 },
  )
  assert.ok(logged < COUNT, `${logged} readings were read for nobody`)
  // Neither the database nor the process waits for them.
  const other = await exporterOf(rounds, { sub: 'another' })
  assert.equal((await other.exportAll()).observations.length, COUNT + OTHERS)
  assert.equal((await fetch(address, { method: 'DELETE', headers })).status, 202)
  for (const response of stalled) await assert.rejects(response.toArray(), { code: 'ECONNRESET' })
  for (const id of requestIds) assert.ok((await loggedOf(id)) < COUNT)
  await until(() => rounds.log().split('"isWhole":false,"msg":"a file of an export was sent"').length > 8)
})

test('of many files asked for at once, those that are refused are neither read nor logged', async () => {
  const address = await exporter.begin()
  const url = await longFileOf(address)
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(url)))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  assert.equal(refused.length, 12)
  for (const { headers: of } of refused) assert.equal(await loggedOf(of['x-request-id']), 0)
  for (const answer of answers) answer.destroy()
  await until(async () => {
    const again = await open(url)
    again.destroy()
    return again.statusCode === 200
  })
})

test('a file whose key is withdrawn while it is sent is cut off', async () => {
  const response = await open(await longFileOf(await exporter.begin()))
  response.pause()
  // Another key takes its place, and a token of an unknown one has the keys fetched, past the time for which they are not.
  const [key] = (await startIssuer()).keys
  rounds.issuer.keys.splice(0, 1, { ...key, kid: 'test-2' })
  rounds.skip(6_000)
  const token = await rounds.token({}, { header: { kid: 'unknown' } })
  assert.equal((await rounds.fhir('/Observation', { token })).status, 401)
  await assert.rejects(response.toArray(), { code: 'ECONNRESET' })
})
