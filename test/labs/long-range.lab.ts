// A range of 200,000 readings is answered whole, in bounded memory, and a reader who goes away stops it.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { AUDIENCE, createDatabase, runSql, startIssuer } from '../support/harness.ts'
import { serveInProcess } from '../support/process.ts'

const COUNT = 200_000
const [database, issuer] = await Promise.all([createDatabase(), startIssuer()])
await runSql(
  database.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'long', to_timestamp(1700000000 + n), gen_random_uuid(), 'acme.step', 1700000000 + n, json_build_object('sequence', n, 'note', md5(n::text) || md5((-n)::text) || md5((n + 0.5)::text)), 'test'
   from generate_series(0, $1::int - 1) n`,
  [COUNT],
)
const server = await serveInProcess({
  DATABASE_URL: database.serveUrl,
  AUTH_ISSUER: issuer.url,
  AUTH_AUDIENCE: AUDIENCE,
  LOG_LEVEL: 'warn',
  // V8 doubles its nursery, up to 96 MiB, at some time in the life of a process, whatever it does; what is measured here is
  // what the answers hold.
  NODE_OPTIONS: '--max-semi-space-size=8',
})
const token = await issuer.token({ patientUid: 'long' })

type Wishes = { accept?: string; 'accept-encoding'?: string }

/** The answer as it comes, chunk by chunk. */
async function read(path: string, wishes: Wishes, onChunk: (chunk: string) => void | Promise<void>) {
  const response = await fetch(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...wishes },
  })
  assert.equal(response.status, 200)
  assert.equal(
    response.headers.get('content-encoding') ?? 'identity',
    wishes['accept-encoding'] ?? 'identity',
  )
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) await onChunk(chunk)
}

const readAccessLog = () =>
  runSql<{ pages: number; readings: number }>(
    database.ownerUrl,
    'select count(*)::int as pages, sum(readings_count)::int as readings from casesheet.access_log group by request_id order by max(at) desc limit 1',
  )

const WISHES: Wishes[] = [
  { accept: 'application/json', 'accept-encoding': 'identity' },
  { accept: 'application/json', 'accept-encoding': 'gzip' },
  { accept: 'text/csv', 'accept-encoding': 'identity' },
  { accept: 'text/csv', 'accept-encoding': 'br' },
  { accept: 'application/x-ndjson', 'accept-encoding': 'identity' },
  { accept: 'application/x-ndjson', 'accept-encoding': 'gzip' },
]
const nameOf = (wishes: Wishes) => `${wishes.accept} (${wishes['accept-encoding']})`

for (const wishes of WISHES) {
  test(`200,000 readings are streamed as ${nameOf(wishes)} while memory grows by less than 32 MiB, each page logged`, async () => {
    await read('/casesheet/readings/get?limit=1000', {}, () => {})
    const before = server.memoryMiB()
    let most = before
    let sequence = 0
    let rest = ''
    await read('/casesheet/readings/get', wishes, (chunk) => {
      most = Math.max(most, server.memoryMiB())
      const complete = `${rest}${chunk}`
      rest = complete.slice(complete.lastIndexOf('}') + 1)
      const found = complete.slice(0, complete.length - rest.length).matchAll(/"sequence"+ ?: ?(\d+)/g)
      for (const [, number] of found) assert.equal(Number(number), sequence++)
    })
    assert.equal(sequence, COUNT)
    assert.ok(most - before < 32, `memory grew from ${before.toFixed(1)} to ${most.toFixed(1)} MiB`)
    const [log] = await readAccessLog()
    assert.equal(log?.readings, COUNT)
    assert.ok(log.pages >= COUNT / 1_000)
  })
}

for (const wishes of WISHES) {
  test(`a reader of ${nameOf(wishes)} who does not read holds no memory, and one who goes away stops the reading`, async () => {
    const before = server.memoryMiB()
    const call = request(`${server.url}/casesheet/readings/get`, {
      headers: { authorization: `Bearer ${token}`, ...wishes },
    }).end()
    // The answer is never read: the server fills the socket's buffers and then must wait.
    await new Promise((answered) => call.once('response', (response) => answered(response.pause())))
    let [log] = await readAccessLog()
    for (let steady = 0; steady < 5; ) {
      await new Promise((resume) => setTimeout(resume, 100))
      const [now] = await readAccessLog()
      steady = now?.pages === log?.pages ? steady + 1 : 0
      log = now
    }
    assert.ok((log?.readings ?? 0) < COUNT / 2, `${log?.readings} readings were read for nobody`)
    assert.ok(server.memoryMiB() - before < 32)
    call.destroy()
    const small = await fetch(`${server.url}/casesheet/readings/get?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(small.status, 200)
  })
}

test('it stops with exit code 0, and its log holds no fault', async () => {
  server.child.kill('SIGTERM')
  const { code, output } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(output, /"level":(40|50|60)/)
  await issuer.stop()
})
