import assert from 'node:assert/strict'
import { appendFile, cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { readMigrations } from '../../src/db/migrate/migration-files.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { createDatabase, createEmptyDatabase, runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const all = (await readMigrations([])).map(({ name }) => name)

test('every .sql file of migrations/ has a place of its own', async () => {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'))
  for (const file of files) assert.match(file, /^(\d{4}(-[a-z0-9]+)+|[a-z]+)\.sql$/)
  const places = files.map((file) => /^\d{4}|^[a-z]+/.exec(file)?.[0])
  assert.equal(new Set(places).size, files.length)
})

test('what is no migration is ignored', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  const names = [
    'README.md',
    'x.sql',
    '9104-x.sql~',
    '.9104-x.sql.swp',
    '9104-x.sql.orig',
    '.DS_Store',
    '#9104-x.sql#',
  ]
  for (const name of names)
    await writeFile(join(migrationsDir, name), 'create table casesheet.stray (id integer);')
  assert.deepEqual(await migrate(ownerUrl, { migrationsDir }), [])
})

async function copyOfMigrations() {
  const dir = temporaryDirectory()
  await cp(MIGRATIONS, dir, { recursive: true })
  return dir
}

const check = (databaseUrl: string) => runCommand(['migrate', '--check'], { DATABASE_URL: databaseUrl }).ended

test('migrating again changes nothing, and several migrators at once apply each file once', async () => {
  const url = await createEmptyDatabase()
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { modules: ['fhir'] })))
  assert.deepEqual(results.flat().toSorted(), [...all, 'fhir'])
  assert.deepEqual(await migrate(url), [])
})

test('a migration that was edited after it was applied stops the run', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  await appendFile(join(migrationsDir, '0007-webhooks.sql'), '-- edited\n')
  await assert.rejects(migrate(ownerUrl, { migrationsDir }), {
    message:
      'The database was made by another build: its migration 0007-webhooks is not the one of this build, which cannot bring it up to date.',
  })
})

test('a database of a build before is refused, and nothing of it is changed', async () => {
  const url = await createEmptyDatabase()
  await runSql(url, 'create schema rounds')
  await runSql(url, 'create table rounds.migration_files (name text primary key, sha256 text not null)')
  await runSql(
    url,
    "insert into rounds.migration_files values ('0001-serving-role', 'x'), ('0002-directory', 'x')",
  )
  const refused = {
    code: 1,
    output:
      'The database was made by another build: its migration 0002-directory is not the one of this build, which cannot bring it up to date.\n',
  }
  for (const args of [['migrate'], ['migrate', '--check']])
    assert.deepEqual(await runCommand(args, { DATABASE_URL: url }).ended, refused)
  assert.deepEqual(
    await runSql(url, "select from pg_namespace where nspname in ('appointments', 'casesheet')"),
    [],
  )
})

test('the tables of patients are divided as the first run says, and a run that says otherwise is refused', async () => {
  const url = await createEmptyDatabase()
  const run = (...args: string[]) =>
    runCommand(['migrate', ...args], { DATABASE_URL: url, MODULES: 'casesheet,fhir' }).ended
  for (const wrong of ['0', '1025', '1.5', 'x'])
    assert.deepEqual(await run('--partitions', wrong), {
      code: 1,
      output: '--partitions must be a whole number from 1 to 1024.\n',
    })
  const first = await run('--partitions', '3')
  assert.equal(first.code, 0, first.output)
  const made = await runSql(
    url,
    `select inhparent::regclass::text as name, array_agg(distinct pg_get_expr(relpartbound, pg_class.oid)) as bounds
     from pg_inherits
     join pg_class on pg_class.oid = inhrelid and relkind = 'r'
     group by inhparent
     order by 1`,
  )
  const bounds = [0, 1, 2].map((remainder) => `FOR VALUES WITH (modulus 3, remainder ${remainder})`)
  assert.deepEqual(
    made,
    ['access_log', 'corrections', 'readings'].map((name) => ({ name: `casesheet.${name}`, bounds })),
  )
  const again = { code: 0, output: 'The database is up to date.\n' }
  for (const args of [[], ['--partitions', '3']]) assert.deepEqual(await run(...args), again)
  assert.deepEqual(await run('--partitions', '32'), {
    code: 1,
    output: 'The tables of this database are divided into 3, which --partitions cannot change.\n',
  })
  assert.deepEqual(await run('--partitions', '3', '--check'), {
    code: 1,
    output: 'Give --check alone: it changes nothing.\n',
  })
})

test('a run that was stopped while it made partitions is resumed with as many as were asked for', async () => {
  const url = await createEmptyDatabase()
  await runSql(
    url,
    `create function stop_at_five() returns event_trigger language plpgsql as $$
     begin
       if to_regclass('casesheet.readings_5') is not null then raise division_by_zero; end if;
     end
     $$`,
  )
  await runSql(url, 'create event trigger stop_at_five on ddl_command_end execute function stop_at_five()')
  await assert.rejects(migrate(url, { partitions: 8 }), { code: '22012' })
  await runSql(url, 'drop event trigger stop_at_five')
  const partitions = () =>
    runSql(
      url,
      "select count(*)::integer as count from pg_inherits where inhparent = 'casesheet.readings'::regclass",
    )
  assert.deepEqual(await partitions(), [{ count: 5 }])
  await assert.rejects(migrate(url, { partitions: 32 }), /divided into 8, which --partitions cannot change/)
  assert.deepEqual((await migrate(url))[0], '0003-readings-2')
  assert.deepEqual(await partitions(), [{ count: 8 }])
})

test('a migration that cannot be recorded leaves nothing of itself', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  await writeFile(
    join(migrationsDir, '9104-unrecorded.sql'),
    'create table casesheet.unrecorded (id integer);',
  )
  await runSql(
    ownerUrl,
    "alter table rounds.migration_files add constraint none_of_these check (name <> '9104-unrecorded')",
  )
  await assert.rejects(migrate(ownerUrl, { migrationsDir }), /none_of_these/)
  assert.deepEqual(await runSql(ownerUrl, "select to_regclass('casesheet.unrecorded') as made"), [
    { made: null },
  ])
})

test('what one module needs is made where MODULES has it, whenever that is', async () => {
  const url = await createEmptyDatabase()
  const hasIndex = async () =>
    (await runSql(url, "select from pg_class where relname = 'readings_by_update'")).length > 0
  await migrate(url)
  assert.equal(await hasIndex(), false)
  const withFhir = { DATABASE_URL: url, MODULES: 'casesheet,fhir' }
  assert.deepEqual(await runCommand(['migrate', '--check'], withFhir).ended, {
    code: 1,
    output: 'Not applied yet: fhir. Run "rounds migrate" first.\n',
  })
  assert.match((await runCommand(['migrate'], withFhir).ended).output, /^Applied fhir\.$/m)
  assert.equal(await hasIndex(), true)
  assert.equal((await check(url)).code, 0, 'what other modules need does not matter')
})

test('a migration that fails leaves nothing of itself, and can be mended and run again', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  const run = () => migrate(ownerUrl, { migrationsDir })
  await writeFile(
    join(migrationsDir, '9104-broken.sql'),
    'create table casesheet.half (id integer); select 1 / 0;',
  )
  await assert.rejects(run(), { code: '22012' })
  await writeFile(join(migrationsDir, '9104-broken.sql'), 'create table casesheet.half (id integer);')
  await writeFile(join(migrationsDir, '9105-broken.sql'), 'select 1 / 0;')
  await assert.rejects(run(), { code: '22012' })
  await writeFile(join(migrationsDir, '9105-broken.sql'), 'select 1;')
  assert.deepEqual(await run(), ['9105-broken'])
})

test('without a transaction, statements are run one by one, also those that a select yields', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  const file = join(migrationsDir, '9104-alone.sql')
  const text = `-- no transaction
create table if not exists casesheet.tried (id integer);
-- a comment; with a semicolon;
select format('insert into casesheet.tried values (%s)', id), format('insert into casesheet.tried values (-%s)', id)
from generate_series(1, 2) as id
\\gexec
`
  await writeFile(file, `${text}select 1 / 0;\n`)
  await assert.rejects(migrate(ownerUrl, { migrationsDir }), { code: '22012' })
  await writeFile(file, `${text}vacuum casesheet.tried;\n`)
  assert.deepEqual(await migrate(ownerUrl, { migrationsDir }), ['9104-alone'])
  const rows = await runSql(
    ownerUrl,
    'select id, count(*)::integer as times from casesheet.tried group by id order by id',
  )
  assert.deepEqual(
    rows,
    [-2, -1, 1, 2].map((id) => ({ id, times: 2 })),
    'what had run before the failure has run again',
  )
})

test('check says what is pending, as the owner or as the serving role, and changes nothing', async () => {
  const empty = await createEmptyDatabase()
  assert.deepEqual(await check(empty), {
    code: 1,
    output: `Not applied yet: ${all.join(', ')}. Run "rounds migrate" first.\n`,
  })
  assert.deepEqual(await runSql(empty, "select from pg_namespace where nspname = 'rounds'"), [])

  const { ownerUrl, serveUrl } = await createDatabase()
  for (const url of [ownerUrl, serveUrl])
    assert.deepEqual(await check(url), { code: 0, output: 'The database is up to date.\n' })

  await runSql(ownerUrl, "insert into rounds.migration_files (name, sha256) values ('9999-later', 'x')")
  // A deployment that goes back one release runs its older migrations too.
  assert.deepEqual(await check(serveUrl), { code: 0, output: 'The database is up to date.\n' })
  assert.deepEqual(await runCommand(['migrate'], { DATABASE_URL: ownerUrl }).ended, {
    code: 0,
    output: 'The database is up to date.\n',
  })

  await runSql(ownerUrl, "update rounds.migration_files set sha256 = 'x' where name = '0003-readings'")
  const changed = await check(serveUrl)
  assert.equal(changed.code, 1)
  assert.match(changed.output, /^The database was made by another build: its migration 0003-readings is not /)
})

test('a lock that others hold is waited for in turns, so that those who come later are not held up', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  await writeFile(
    join(migrationsDir, '9104-column.sql'),
    'alter table casesheet.readings add column tried integer;',
  )
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  await holder.query('begin; select from casesheet.readings limit 1')
  const isWaiting = async () =>
    (await runSql(ownerUrl, "select from pg_locks where not granted and mode = 'AccessExclusiveLock'"))
      .length > 0

  const got = migrate(ownerUrl, { migrationsDir })
  while (!(await isWaiting()));
  // Behind one who waits for the whole table, everybody waits: but only as long as that one does.
  await runSql(ownerUrl, "set lock_timeout = '10s'; select from casesheet.readings limit 1")
  while (!(await isWaiting()));
  while (await isWaiting());
  await holder.query('commit')
  assert.deepEqual(await got, ['9104-column'])
  await holder.end()
})

test('each migration, each index that is built concurrently and the sessions that it waits for are reported', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  await writeFile(
    join(migrationsDir, '9104-column.sql'),
    'alter table casesheet.readings add column tried integer;',
  )
  await writeFile(
    join(migrationsDir, '9105-index.sql'),
    `-- no transaction
select 'create index concurrently if not exists tried on appointments.doctors (gender)'
\\gexec
`,
  )
  const holder = new Client({ connectionString: ownerUrl, application_name: 'a report' })
  await holder.connect()
  await holder.query('begin; select from casesheet.readings limit 1')
  const lines: string[] = []
  const waitsFor: string[] = []
  const got = migrate(ownerUrl, {
    migrationsDir,
    say: (line) => lines.push(line),
    onWaiting: (sessions) => waitsFor.push(...sessions),
  })
  await until(() => waitsFor.length > 0)
  assert.match(waitsFor[0] ?? '', /^pid \d+, user \w+, a report, idle in transaction, for \d+ s$/)
  await holder.end()
  await got
  assert.deepEqual(lines, [
    'Applying 9104-column (1 of 2).',
    'Applying 9105-index (2 of 2).',
    '  create index concurrently if not exists tried on appointments.doctors (gender)',
  ])
})

test('Ctrl-C cancels the statement in the server, and the next run goes on', async () => {
  const ownerUrl = await createEmptyDatabase()
  await runSql(
    ownerUrl,
    'create schema rounds; create table rounds.migration_files (name text primary key, sha256 text not null)',
  )
  const [first] = all
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  await holder.query('begin; lock table rounds.migration_files in share mode')
  const command = runCommand(['migrate'], { DATABASE_URL: ownerUrl })
  await until(() => /Waiting for pid \d+/.test(command.output()))
  const sessions = () =>
    runSql(
      ownerUrl,
      "select from pg_stat_activity where application_name = 'rounds migrate' and datname = current_database()",
    )
  command.child.kill('SIGINT')
  const { code, output } = await command.ended
  assert.equal(code, 1)
  assert.ok(output.startsWith(`Applying ${first} (1 of ${all.length}).\n`), output)
  assert.match(output, /\nInterrupted\. Run "rounds migrate" again to go on\.\n$/)
  await until(async () => (await sessions()).length === 0)
  await holder.query('rollback')
  await holder.end()
  const again = await runCommand(['migrate'], { DATABASE_URL: ownerUrl }).ended
  assert.equal(again.code, 0, again.output)
})

test('Ctrl-C also ends a run that waits for another one, which it names', async () => {
  const ownerUrl = await createEmptyDatabase()
  const other = new Client({ connectionString: ownerUrl, application_name: 'the other run' })
  await other.connect()
  await other.query('select pg_advisory_lock(7069105000001)')
  const command = runCommand(['migrate'], { DATABASE_URL: ownerUrl })
  await until(() => /Waiting for pid \d+, user \w+, the other run, idle/.test(command.output()))
  command.child.kill('SIGINT')
  const { code, output } = await command.ended
  assert.equal(code, 1)
  assert.match(output, /\nInterrupted\. Run "rounds migrate" again to go on\.\n$/)
  await other.end()
})
