// A follower by snapshots marks each change once it is committed and skips none, whatever commits in which order, and waits for nobody.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { createDatabase, runSql } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { createRandom } from '../../../tools/simulate/random.ts'
import { movedAnew, nextChanges, type Page, SHOW_PAGE } from './next-changes.ts'

const SEED = Number(process.env['CHANGES_SEED'] ?? Date.now() % 1_000_000)
const TRANSACTIONS = Number(process.env['CHANGES_TRANSACTIONS'] ?? 250)
const WRITERS = 6
/** Small, so that sweeps have many pages, and transactions lie across them. */
const PAGE = 25
const MAX_WAIT_MS = 2_000

const FOLLOWER = 'seen'
const MARK = `
  with ${nextChanges({
    follower: FOLLOWER,
    isUsed: 'true',
    sources: [
      { table: 'casesheet.readings', id: 'reading_id', columns: 'patient_uid' },
      { table: 'casesheet.grants', id: 'grant_id', columns: 'patient_uid' },
    ],
  })}, noted as (
    insert into public.seen (id, xid)
    select id, changed_xid
    from changed
    where exists (select from advanced)
  )
  ${SHOW_PAGE}`

const CHANGE = `update casesheet.readings set withdrawn_by = case when withdrawn_by is null then 'test' end
  where (patient_uid, reading_id) in (select patient_uid, reading_id from casesheet.readings order by random() limit 3)`
const ADD = `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  select 'patient-' || n % 5, now(), gen_random_uuid(), 'heartRate', 1, '{"value":70}', 'test' from generate_series(1, $1::integer) n`
const GIVE = `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
  values ('patient-1', gen_random_uuid()::text, 'view', 'x', 'test')`

async function connected(connectionString: string) {
  const client = new Client({ connectionString })
  // One of them is killed.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function startFollower(ownerUrl: string) {
  await runSql(
    ownerUrl,
    'create table public.seen (id uuid, xid xid8, at timestamptz default clock_timestamp())',
  )
  const processId = randomUUID()
  await runSql(
    ownerUrl,
    `insert into casesheet.followers (name, generation, xid, id, done, held_by)
     select '${FOLLOWER}', generation, '0', '00000000-0000-0000-0000-000000000000', pg_current_snapshot(), $1 from casesheet.feed`,
    [processId],
  )
  const client = await connected(ownerUrl)
  return {
    processId,
    client,
    markNext: async () => (await client.query<Page>(MARK, [processId, PAGE])).rows[0],
  }
}

test(`of transactions that commit in any order none is skipped, and none waits for another (CHANGES_SEED=${SEED})`, async () => {
  const { ownerUrl } = await createDatabase()
  const random = createRandom(SEED)
  const { client, markNext } = await startFollower(ownerUrl)
  const elsewhere = await connected(ownerUrl.replace(/[^/]+$/, 'postgres'))
  await elsewhere.query('begin')
  await elsewhere.query('select pg_current_xact_id()')
  const done = new AbortController()
  const marking = (async () => {
    while (!done.signal.aborted) if ((await markNext())?.changes === 0) await pause(5)
  })()

  const committed: { xid: string; at: string }[] = []
  async function write(nth: number) {
    let writer = await connected(ownerUrl)
    for (let count = nth; count < TRANSACTIONS; count += WRITERS) {
      // One stays open for longer than a sweep may take.
      const openMs = count === WRITERS * 3 ? 2 * MAX_WAIT_MS : random.between(0, 30)
      const ending = random.pick(['commit', 'commit', 'commit', 'rollback', 'kill'])
      try {
        await writer.query('begin')
        const { rows } = await writer.query<{ xid: string; pid: number }>(
          'select pg_current_xact_id()::text as xid, pg_backend_pid() as pid',
        )
        await writer.query(ADD, [random.pick([1, 3, 30])])
        if (random.chance(0.3)) await writer.query(GIVE)
        await pause(openMs)
        if (random.chance(0.5)) await writer.query(CHANGE)
        if (ending === 'kill') await runSql(ownerUrl, 'select pg_terminate_backend($1)', [rows[0]?.pid])
        await writer.query(ending === 'kill' ? 'commit' : ending)
        const [row] = (await writer.query<{ at: string }>('select clock_timestamp()::text as at')).rows
        if (ending === 'commit') committed.push({ xid: rows[0]?.xid ?? '', at: row?.at ?? '' })
      } catch {
        // Killed, or two changed the same readings in opposite orders: it is rolled back.
        await writer.end().catch(() => {})
        writer = await connected(ownerUrl)
      }
    }
    await writer.end()
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, nth) => write(nth)))
  const missed = `select changed_xid from (
      select changed_xid, reading_id as id from casesheet.readings union all select changed_xid, grant_id from casesheet.grants
    ) as changes
    where not exists (select from public.seen where (seen.id, seen.xid) = (changes.id, changed_xid))`
  await until(async () => (await runSql(ownerUrl, missed)).length === 0, 10_000).finally(() => {
    done.abort()
  })
  await marking
  const [waited] = await runSql<{ ms: number; twice: number }>(
    ownerUrl,
    `select max(extract(epoch from seen.at - committed.at) * 1000)::float8 as ms,
       (select count(*) from (select from public.seen group by id, xid having count(*) > 1) as twice)::integer as twice
     from json_to_recordset($1) as committed (xid text, at timestamptz)
     join public.seen on seen.xid = committed.xid::xid8`,
    [JSON.stringify(committed)],
  )
  assert.ok(committed.length > TRANSACTIONS / 3, `${committed.length}`)
  assert.equal(waited?.twice, 0)
  assert.ok((waited?.ms ?? Infinity) < MAX_WAIT_MS, `one waited for ${waited?.ms} ms`)
  await Promise.all([client, elsewhere].map((each) => each.end()))
})

test('another history of the database begins anew', async () => {
  const { ownerUrl } = await createDatabase()
  const { client, processId, markNext } = await startFollower(ownerUrl)
  await runSql(ownerUrl, ADD, [3])
  assert.deepEqual(await markNext(), { changes: 3, is_known: true })
  await runSql(ownerUrl, 'update casesheet.feed set generation = gen_random_uuid()')
  await runSql(ownerUrl, ADD, [2])
  assert.deepEqual(await markNext(), { changes: 0, is_known: false })
  await client.query(`with ${movedAnew(FOLLOWER)} select from moved`, [processId])
  assert.deepEqual(await markNext(), { changes: 0, is_known: true })
  await runSql(ownerUrl, ADD, [1])
  assert.deepEqual(await markNext(), { changes: 1, is_known: true })
  await client.end()
})
