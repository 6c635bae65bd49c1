// Rows that another cluster wrote hold its transaction ids: what logical replication brings takes ids of this cluster, and what was
// loaded into the tables with foreign ids is refused until "rounds migrate" has renumbered it. Neither is hidden.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { assertRefused, runSql, startRounds } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

type Item = { state: string; patientUid?: string; reading?: { patientUid: string } }

const rounds = await startRounds()
const token = await rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
const follow = (query = '') => rounds.call(`/casesheet/readings/changes${query}`, { token })

/** What changed of a patient, once there are so many changes: an autovacuum may hold them back. */
async function statesOf(patientUid: string, count: number): Promise<string[]> {
  const giveUpAt = Date.now() + 60_000
  for (;;) {
    const { status, json, text } = await follow('?limit=1000')
    assert.equal(status, 200, text)
    const items = (json.data as Item[]).filter((item) => (item.reading ?? item).patientUid === patientUid)
    if (items.length >= count || Date.now() > giveUpAt) return items.map(({ state }) => state)
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

const INSERT_READING = `
  insert into casesheet.readings
    (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by, changed_xid)
  values ($1, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x', $2)`
const INSERT_NOTICE = `
  insert into casesheet.erasure_notices (erasure_id, patient_uid, announced_until, changed_xid)
  values (gen_random_uuid(), $1, 'infinity', $2)`
const AHEAD = '900000000'

/** Runs statements as the worker that applies what was replicated does: ordinary triggers do not fire. */
async function apply(...statements: [string, string[]][]) {
  const client = new Client({ connectionString: rounds.ownerUrl })
  await client.connect()
  await client.query("set session_replication_role = 'replica'")
  for (const [text, values] of statements) await client.query(text, values)
  await client.end()
}

test('what logical replication brings stands in the sequence where it came to this cluster', async () => {
  const patientUid = randomUUID()
  await apply([INSERT_NOTICE, [patientUid, AHEAD]], [INSERT_READING, [patientUid, AHEAD]])
  assert.deepEqual(await statesOf(patientUid, 2), ['erased', 'present'])
  const { json } = await follow('?start=now')
  await apply([
    `update casesheet.readings
     set changed_xid = '3', withdrawn_by = 'x', withdrawn_reason = 'x', withdrawn_at = '2026-01-02T03:04:05Z'
     where patient_uid = $1`,
    [patientUid],
  ])
  const giveUpAt = Date.now() + 60_000
  let { data } = (await follow(`?cursor=${json.nextCursor}`)).json
  while (data.length === 0 && Date.now() < giveUpAt)
    data = (await follow(`?cursor=${json.nextCursor}`)).json.data
  assert.deepEqual(
    (data as Item[]).map(({ state }) => state),
    ['withdrawn'],
  )
  assert.match(
    JSON.stringify(data),
    /2026-01-02T03:04:05/,
    'when it was withdrawn is what the other cluster says',
  )
})

test('the triggers for it fire for nothing else, so that adds do not pay for them', async () => {
  const triggers = await runSql<{ tgname: string; tgenabled: string; count: number }>(
    rounds.ownerUrl,
    `select tgname, tgenabled, count(*)::integer as count
     from pg_trigger
     join pg_class on pg_class.oid = tgrelid
     where tgname ~ 'replicated'
       and relnamespace = 'casesheet'::regnamespace
     group by tgname, tgenabled
     order by tgname`,
  )
  assert.deepEqual(triggers, [
    { tgname: 'keep_replicated_place', tgenabled: 'R', count: 1 },
    // The table of readings, its 32 partitions, and the tables of erasures, grants, targets, reviews, rules, alerts and their events.
    { tgname: 'stamp_replicated', tgenabled: 'R', count: 40 },
  ])
})

test('an erasure whose announcement ended at the publisher keeps its place', async () => {
  const patientUid = randomUUID()
  await apply([INSERT_NOTICE, [patientUid, AHEAD]])
  const place = () =>
    runSql(
      rounds.ownerUrl,
      'select changed_xid::text from casesheet.erasure_notices where announced_until = $1 or patient_uid = $2',
      ['2099-01-01', patientUid],
    )
  const before = await place()
  assert.equal(before.length, 1)
  await apply([
    `update casesheet.erasure_notices
     set patient_uid = null, changed_xid = '900000000', announced_until = '2099-01-01'
     where patient_uid = $1`,
    [patientUid],
  ])
  assert.deepEqual(await place(), before)
})

test('readings that were loaded with ids of another cluster are refused, and renumbered by the migration', async () => {
  const patientUid = randomUUID()
  const { json } = await follow('?start=now')
  await runSql(rounds.ownerUrl, INSERT_READING, [patientUid, AHEAD])
  await runSql(rounds.ownerUrl, INSERT_NOTICE, [patientUid, AHEAD + 1])
  assert.equal((await follow()).status, 500, 'nothing is left out silently')
  const migrate = () => runCommand(['migrate'], { DATABASE_URL: rounds.ownerUrl }).ended
  const migrated = await migrate()
  assert.equal(migrated.code, 0, migrated.output)
  assert.match(migrated.output, /cursors of readings\/changes have expired/)
  assert.deepEqual(await statesOf(patientUid, 2), ['erased', 'present'])
  assertRefused(await follow(`?cursor=${json.nextCursor}`), 410, 'CursorExpired')
  assert.doesNotMatch((await migrate()).output, /expired/, 'only once')
})

test('a reading that was copied before its erasure, table by table, moves behind it', async () => {
  const patientUid = randomUUID()
  await apply([INSERT_READING, [patientUid, AHEAD]], [INSERT_NOTICE, [patientUid, AHEAD]])
  assert.deepEqual(await statesOf(patientUid, 2), ['present', 'erased'])
  const { json } = await follow('?start=now')
  const migrated = await runCommand(['migrate'], { DATABASE_URL: rounds.ownerUrl }).ended
  assert.doesNotMatch(migrated.output, /expired/)
  assert.deepEqual(await statesOf(patientUid, 2), ['erased', 'present'])
  assert.equal((await follow(`?cursor=${json.nextCursor}`)).json.data.length, 1, 'it is delivered again')
})
