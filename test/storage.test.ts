import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../src/db/migrate.ts'
import { createDatabase, runSql } from './harness.ts'

const { ownerUrl, serveUrl } = await createDatabase()

async function copyOfMigrations() {
  const dir = await mkdtemp(join(tmpdir(), 'rounds-migrations-'))
  await cp(join(import.meta.dirname, '../migrations'), dir, { recursive: true })
  return dir
}

test('migrating again changes nothing, and several migrators at once apply each file once', async () => {
  assert.deepEqual(await migrate(ownerUrl), [])
  const fresh = new URL(ownerUrl)
  fresh.pathname = `${fresh.pathname}_fresh`
  await runSql(ownerUrl, `create database ${fresh.pathname.slice(1)}`)
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(fresh.href)))
  assert.deepEqual(applied.flat(), [
    '0001-serving-role',
    '0002-directory',
    '0003-readings',
    '0004-readings-by-type',
  ])
})

test('a migration that was edited or removed after it was applied stops the run', async () => {
  const dir = await copyOfMigrations()
  await appendFile(join(dir, '0003-readings.sql'), '\n-- edited\n')
  await assert.rejects(migrate(ownerUrl, dir), /0003-readings was changed after it was applied/)
  await rm(join(dir, '0003-readings.sql'))
  await assert.rejects(migrate(ownerUrl, dir), /0003-readings was applied, but its file is gone/)
})

test('a migration that fails leaves nothing of itself, and can be mended and run again', async () => {
  const dir = await copyOfMigrations()
  await writeFile(join(dir, '0104-broken.sql'), 'create table casesheet.half (id integer); select 1 / 0;')
  await assert.rejects(migrate(ownerUrl, dir), { code: '22012' })
  await writeFile(join(dir, '0104-broken.sql'), 'create table casesheet.half (id integer);')
  await writeFile(join(dir, '0105-broken.sql'), 'select 1 / 0;')
  await assert.rejects(migrate(ownerUrl, dir), { code: '22012' })
  await writeFile(join(dir, '0105-broken.sql'), 'select 1;')
  assert.deepEqual(await migrate(ownerUrl, dir), ['0105-broken'])
  const remembered = await runSql(
    ownerUrl,
    "select name from rounds.migration_files where name like '%broken' order by name",
  )
  assert.deepEqual(remembered, [{ name: '0104-broken' }, { name: '0105-broken' }])
})

test('readings and access log are each divided by patient into 32', async () => {
  const rows = await runSql(
    ownerUrl,
    `select parent.relname as name, pg_get_partkeydef(parent.oid) as key, count(*)::int as partitions
     from pg_inherits
     join pg_class parent on parent.oid = inhparent
     where parent.relkind = 'p'
     group by parent.oid
     order by parent.relname`,
  )
  assert.deepEqual(rows, [
    { name: 'access_log', key: 'HASH (patient_uid)', partitions: 32 },
    { name: 'readings', key: 'HASH (patient_uid)', partitions: 32 },
  ])
})

test('one index of one partition answers a range, whatever the history', async () => {
  await runSql(
    ownerUrl,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n % 500, to_timestamp(n), gen_random_uuid(), 'x', n, '{}', 'test'
     from generate_series(1, 50000) n`,
  )
  await runSql(ownerUrl, 'analyze casesheet.readings')
  const plan = await runSql<{ 'QUERY PLAN': string }>(
    serveUrl,
    `explain select reading_id from casesheet.readings
     where patient_uid = 'p7' and (measured_at, reading_id) > ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
     order by measured_at, reading_id
     limit 20`,
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(text, /Index (Only )?Scan using readings_\d+_pkey/)
  assert.doesNotMatch(text, /Seq Scan|Sort|Append/)
})
