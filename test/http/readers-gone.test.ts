// Readers who go away in the middle of a streamed range leave nothing behind: no statement, no connection, no socket.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import { runSql, startRounds } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

const READERS = 20
const rounds = await startRounds({ DATABASE_POOL_SIZE: '4' })
const token = await rounds.token({ patientUid: 'long' })
const READINGS = 40_000
await runSql(
  rounds.ownerUrl,
  `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'long', to_timestamp(n), gen_random_uuid(), 'acme.step', n, json_build_object('note', repeat(md5(n::text), 40)), 'test'
   from generate_series(1, $1::int) n`,
  [READINGS],
)

/** A reader who leaves at the first bytes. */
function readAndLeave(accept: string): Promise<void> {
  return new Promise((left, fail) => {
    const call = request(`${rounds.url}/casesheet/readings/get`, {
      headers: { authorization: `Bearer ${token}`, accept, 'accept-encoding': 'gzip' },
    })
    call.once('response', (response) => {
      response.once('data', () => {
        call.destroy()
        left()
      })
    })
    call.once('error', fail).end()
  })
}

const countOf = async (sql: string) => (await runSql<{ count: number }>(rounds.ownerUrl, sql))[0]?.count ?? -1
const pagesRead = () => countOf('select count(*)::int as count from casesheet.access_log')
const atWork = () =>
  countOf(
    "select count(*)::int as count from pg_stat_activity where application_name = 'rounds' and datname = current_database() and state <> 'idle'",
  )
/** The server's connections that are not closed yet on both sides, as Linux lists them: addresses and states are in hex. */
function openSockets(): number {
  const port = Number(new URL(rounds.url).port).toString(16).toUpperCase().padStart(4, '0')
  const [LISTENING, CLOSED_BY_BOTH] = ['0A', '06']
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, , state]) => local?.endsWith(`:${port}`) && state !== LISTENING && state !== CLOSED_BY_BOTH,
    ).length
}

/** Before the server would cut connections that are silent. */
const LEAVE_WITHIN_MS = 20_000

for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
  test(`${READERS} readers of ${accept} leave, and nothing of them stays`, needs('linux'), async () => {
    assert.equal((await rounds.call('/casesheet/readings/get?limit=1', { token })).status, 200)
    const [socketsBefore, pagesBefore] = [openSockets(), await pagesRead()]
    await Promise.all(Array.from({ length: READERS }, () => readAndLeave(accept)))
    // Pages that were on their way are read to their end; then no more are.
    let pages = -1
    await until(async () => {
      const before = pages
      pages = await pagesRead()
      return pages === before && (await atWork()) === 0
    }, LEAVE_WITHIN_MS)
    const ofOneReader = (pages - pagesBefore) / READERS
    assert.ok(ofOneReader < READINGS / 250 / 2, `${ofOneReader} pages were read for each who had gone`)
    await until(async () => openSockets() <= socketsBefore, LEAVE_WITHIN_MS)
    // With two connections to the database, one that was not given back would be missed.
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rounds.call('/casesheet/readings/get?limit=1', { token })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
  })
}

test('a reader who leaves is no fault of ours', () => {
  assert.doesNotMatch(rounds.log(), /"level":(40|50|60)/)
})
