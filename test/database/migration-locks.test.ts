// A migration must not keep others from the tables for long: what the files may say, and what happens on a filled table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { type Migration, readMigrations } from '../../src/db/migrate/migration-files.ts'
import { createEmptyDatabase, runSql } from '../support/harness.ts'

const READINGS = 300_000

/** Statements that read or write a whole table, or a whole index, while nobody else may. */
const LONG_LOCKS: [string, RegExp][] = [
  [
    'builds an index while nobody can write',
    /\bcreate (unique )?index (?!concurrently\b)(?!%s\b).*? on (?!only\b)/,
  ],
  ['drops an index while nobody can read', /\bdrop index (?!concurrently\b)/],
  ['rebuilds while nobody can write', /\breindex (?!.*\bconcurrently\b)|\bcluster\b|\bvacuum (\(.*)?full\b/],
  [
    'writes the whole table anew',
    /\balter (column \S+ )?(set data )?type\b|\badd column .*\bdefault (?!null\b|true\b|false\b|'|-?\d)/,
  ],
  [
    'reads the whole table',
    /\badd (constraint \S+ )?(check|foreign key|references|unique|primary key|exclude)\b(?!.*\bnot valid\b)/,
  ],
  ['reads the whole table', /\bset not null\b/],
  ['changes every row in one transaction', /^(update|delete from|truncate)\b/],
  ['locks for as long as its transaction', /\block table\b/],
  ['sets aside how long it may wait', /\block_timeout\b/],
]

function faultsOf(file: Migration): string[] {
  const isInTransaction = !file.text.startsWith('-- no transaction\n')
  const statements = file.text
    .replace(/--.*$/gm, '')
    .toLowerCase()
    // What a function does, it does when it is called.
    .replace(/(create (?:or replace )?function [^;$]*)\$\$.*?\$\$/gs, '$1')
    .split(/;|\\gexec/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
  const created = statements.flatMap(
    (statement) => /^create table (?:if not exists )?(\S+)/.exec(statement)?.[1] ?? [],
  )
  const faults = statements
    // What this file has made is empty, and nobody else knows it yet.
    .filter((statement) => !created.some((table) => isInTransaction && statement.includes(table)))
    .flatMap((statement) => LONG_LOCKS.filter(([, pattern]) => pattern.test(statement)).map(([why]) => why))
  if (isInTransaction && statements.some((statement) => /\bconcurrently\b/.test(statement)))
    faults.push('needs "-- no transaction" in its first line')
  if (!isInTransaction && /\$\$/.test(file.text)) faults.push('cannot be divided at its semicolons')
  return faults
}

test('no migration locks a table for longer than a moment', async () => {
  for (const file of await readMigrations(['fhir'])) assert.deepEqual(faultsOf(file), [], file.name)
})

test('statements that would lock a filled table are found', () => {
  const faultsIn = (text: string) => faultsOf({ name: 'x', text, sha256: '' })
  const bad = [
    'create index a on casesheet.readings (x);',
    'create unique index if not exists a on casesheet.readings (x);',
    'create index concurrently a on casesheet.readings (x);',
    'drop index casesheet.a;',
    'reindex table casesheet.readings;',
    'alter table casesheet.readings alter column details type jsonb;',
    'alter table casesheet.readings add column a timestamptz default clock_timestamp();',
    "alter table casesheet.readings add constraint a check (reading_type <> 'x');",
    'alter table casesheet.readings alter column a set not null;',
    'update casesheet.readings set a = 1;',
    'delete from casesheet.access_log;',
    "set lock_timeout = '1h';",
    'lock table casesheet.readings;',
    '-- no transaction\ndo $$ begin end $$;',
  ]
  for (const text of bad) assert.notDeepEqual(faultsIn(text), [], text)
  const good = [
    'create table casesheet.new (a integer); create index b on casesheet.new (a);',
    '-- no transaction\ncreate index concurrently if not exists a on casesheet.readings (x);',
    '-- no transaction\ncreate index a on only casesheet.readings (x);',
    'alter table casesheet.readings add column a integer;',
    'alter table casesheet.readings add column a integer not null default 0;',
    "alter table casesheet.readings add constraint a check (reading_type <> 'x') not valid;",
    'alter table casesheet.readings validate constraint a;',
  ]
  for (const text of good) assert.deepEqual(faultsIn(text), [], text)
})

/** A database without the index of FHIR, with many readings of 1,000 patients. */
async function createFilledDatabase() {
  const url = await createEmptyDatabase()
  await migrate(url)
  await addReadings(url, READINGS)
  return url
}

const addReadings = (url: string, count: number, firstNumber = 1) =>
  runSql(
    url,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n % 1000, to_timestamp(n), gen_random_uuid(), 'x', n, '{}', 'test'
     from generate_series($1::integer, $2::integer) n`,
    [firstNumber, firstNumber + count - 1],
  )

const stateOfIndex = (url: string) =>
  runSql<{ indexes: number; valid: number; attached: number }>(
    url,
    `select count(*)::integer as indexes, count(*) filter (where indisvalid)::integer as valid,
       count(inhrelid)::integer as attached
     from pg_index
     join pg_class on pg_class.oid = indexrelid
     left join pg_inherits on inhrelid = indexrelid
     where relname like 'readings%by_update'`,
  )

test('readings are added to every partition while an index is built on many, and a build that was killed is mended', {
  timeout: 120_000,
}, async (t) => {
  const url = await createFilledDatabase()
  // Somebody's open transaction has added a reading: a build of that partition's index has to wait for it.
  const open = new Client({ connectionString: url })
  await open.connect()
  t.after(() => open.end())
  await open.query(`begin;
    insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
    values ('p7', now(), gen_random_uuid(), 'x', 0, '{}', 'test')`)
  const [opener] = (await open.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
  /**
   * Until the build of that index waits for that transaction, or the removal of what a killed build left. Any build may wait for an
   * autovacuum, and be over when it is looked at.
   */
  const untilWaiting = async () => {
    for (;;) {
      const [waiting] = await runSql<{ pid: number }>(
        url,
        `select pid
         from pg_stat_activity
         where datname = current_database()
           and wait_event = 'virtualxid'
           and query ~ 'index concurrently'
           and $1 = any(pg_blocking_pids(pid))`,
        [opener?.pid],
      )
      if (waiting) return waiting.pid
    }
  }
  // The message of a killed session, or of a connection that was cut.
  const killed = assert.rejects(migrate(url, { modules: ['fhir'] }), /terminat|connection/i)
  await runSql(url, 'select pg_terminate_backend($1)', [await untilWaiting()])
  await killed
  const [left] = await stateOfIndex(url)
  assert.equal((left?.indexes ?? 0) - (left?.valid ?? 0), 1, 'one index was left half built')

  const migrated = migrate(url, { modules: ['fhir'] })
  await untilWaiting()
  await addReadings(`${url}?options=-c%20lock_timeout%3D5s`, 1_000, READINGS + 1)
  await open.query('commit')
  await migrated
  assert.deepEqual(await stateOfIndex(url), [{ indexes: 33, valid: 33, attached: 32 }])
  assert.deepEqual(await runSql(url, 'select count(*)::integer as count from casesheet.readings'), [
    { count: READINGS + 1_000 + 1 },
  ])
})
