// Reads at their largest permitted size, hundreds at once, in a process with a small heap: each is answered within its bounds, and
// the process survives them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

const MAX_ANSWER_BYTES = 2 * 1_024 * 1_024
const FROM = 1_700_000_000

const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])

/** SQL: details of about 64 KiB: text that hardly compresses, text that grows most as CSV, and as many fields as fit. */
const DETAILS: Record<string, string> = {
  random: `(select '{"note":"' || string_agg(md5(n::text || k), '') || '"}' from generate_series(1, 2000) k)`,
  growing: `'{"symptoms":[{"symptom":"' || repeat(';=', 32000) || '","severity":"MILD"}]}'`,
  fields: `(select '{' || string_agg('"f' || k || '":' || k, ',') || '}' from generate_series(1, 5500) k)`,
  quotes: `'{"list":[' || repeat('"",', 21000) || '""]}'`,
}
for (const [patientUid, details] of Object.entries(DETAILS)) {
  await runSql(
    database.ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select $1, to_timestamp(${FROM} + n), gen_random_uuid(), 'acme.type-' || n % 150, ${FROM} + n, (${details})::json, 'test'
     from generate_series(0, 299) n`,
    [patientUid],
  )
}
const server = await serveInProcess({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_MINUTE: '1000000',
  NODE_OPTIONS: '--max-old-space-size=384',
})
const token = await issuer.token({ patientUid: Object.keys(DETAILS) })

const types = (count: number) =>
  Array.from({ length: count }, (_, index) => `readingType=acme.type-${index}`).join('&')
const READS: [path: string, accept: string][] = [
  ...['application/json', 'text/csv', 'application/x-ndjson'].flatMap((accept): [string, string][] => [
    ['get?limit=1000', accept],
    ['get?limit=1000&order=desc', accept],
    [`get?limit=1000&${types(50)}`, accept],
  ]),
  ['latest?', 'application/json'],
  [`latest?${types(50)}`, 'application/json'],
  [`latest?${types(16)}`, 'application/json'],
  [`statistics?readingType=acme.type-1&from=${FROM}&to=${FROM + 300}`, 'application/json'],
]

/** The status of a read and how many bytes came. */
async function read(patientUid: string, path: string, accept: string) {
  const response = await fetch(`${server.url}/casesheet/readings/${path}&patientUid=${patientUid}`, {
    headers: { authorization: `Bearer ${token}`, accept },
  })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
  return { status: response.status, bytes }
}

for (const [path, accept] of READS) {
  test(`${path.replace(/(readingType=\S+?&)+/, '…')} as ${accept} is answered in less than 2 MiB`, async () => {
    for (const patientUid of Object.keys(DETAILS)) {
      const { status, bytes } = await read(patientUid, path, accept)
      assert.ok(status === 200 || (status === 400 && !path.startsWith('get')), `${patientUid}: ${status}`)
      assert.ok(bytes < MAX_ANSWER_BYTES, `${patientUid}: ${bytes} bytes`)
    }
  })
}

test('a process with a heap of 384 MiB survives 600 of them at once', async () => {
  const patients = Object.keys(DETAILS)
  const statuses = new Map<number, number>()
  await Promise.all(
    Array.from({ length: 600 }, async (_, index) => {
      const [path = '', accept = ''] = READS[index % READS.length] ?? []
      const { status, bytes } = await read(patients[index % patients.length] ?? '', path, accept)
      assert.ok(bytes < MAX_ANSWER_BYTES)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
  )
  const expected = new Set([200, 400, 503])
  for (const status of statuses.keys()) assert.ok(expected.has(status), `${status}`)
  assert.ok((statuses.get(200) ?? 0) > 0)
  assert.equal((await read('random', 'get?limit=1', 'application/json')).status, 200)
})

test('it stops with exit code 0', async () => {
  server.child.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
  await issuer.stop()
})
