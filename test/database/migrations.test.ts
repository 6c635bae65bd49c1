import assert from 'node:assert/strict'
import { appendFile, cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { type MigrationProgress, migrate } from '../../src/db/migrate/migrate.ts'
import { temporaryDirectory } from '../support/dev.ts'
import { createDatabase, createEmptyDatabase, runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const all = (await readdir(MIGRATIONS))
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace('.sql', ''))
  .toSorted()

test('what is no migration is ignored, and a .sql file whose name gives it no place of its own stops every run', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  const run = () => migrate(ownerUrl, { migrationsDir })
  const put = (name: string) =>
    writeFile(join(migrationsDir, name), 'create table casesheet.stray (id integer);')
  for (const name of [
    'README.md',
    '9104-x.sql~',
    '.9104-x.sql.swp',
    '9104-x.sql.orig',
    '.DS_Store',
    '#9104-x.sql#',
  ])
    await put(name)
  assert.deepEqual(await run(), { applied: [], newer: [] })
  for (const name of [
    'stray.sql',
    '910-x.sql',
    '91040-x.sql',
    '9104.sql',
    '9104-X.sql',
    '9104-x y.sql',
    '.9104-x.sql',
  ]) {
    await put(name)
    await assert.rejects(run(), {
      message: `migrations/${name} must be named by four digits and words in lower case, such as 0042-some-words.sql.`,
    })
    await rm(join(migrationsDir, name))
  }
  await put('9104-x.sql')
  await put('9104-y.sql')
  await assert.rejects(
    run(),
    /Two files of migrations\/ have the number of 9104-y\.sql\. Give it a later one\./,
  )
  assert.deepEqual(await runSql(ownerUrl, "select to_regclass('casesheet.stray') as stray"), [
    { stray: null },
  ])
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
  assert.deepEqual(results.flatMap(({ applied }) => applied).toSorted(), [
    ...all,
    'modules/fhir-0001-readings-by-update',
  ])
  assert.deepEqual(await migrate(url), { applied: [], newer: [] })
})

test('a migration that was edited, removed or put before others after these were applied stops the run', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  const run = () => migrate(ownerUrl, { migrationsDir })
  await writeFile(join(migrationsDir, '9105-later.sql'), 'select 1;')
  await run()
  await writeFile(join(migrationsDir, '9104-between.sql'), 'select 1;')
  await assert.rejects(run(), /9104-between comes before 9105-later.*Give it a later number/)
  await appendFile(join(migrationsDir, '0003-readings.sql'), '\n-- edited\n')
  await assert.rejects(run(), /0003-readings was changed after it was applied/)
  await rm(join(migrationsDir, '0003-readings.sql'))
  await assert.rejects(run(), /0003-readings was applied, but its file is missing/)
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

test('what one module needs is made where MODULES has it, whenever that is, and kept up from then on', async () => {
  const url = await createEmptyDatabase()
  const migrationsDir = await copyOfMigrations()
  const hasIndex = async () =>
    (await runSql(url, "select from pg_class where relname = 'readings_by_update'")).length > 0
  await migrate(url)
  assert.equal(await hasIndex(), false)
  const withFhir = { DATABASE_URL: url, MODULES: 'casesheet,fhir' }
  assert.deepEqual(await runCommand(['migrate', '--check'], withFhir).ended, {
    code: 1,
    output: 'Not applied yet: modules/fhir-0001-readings-by-update. Run "rounds migrate" first.\n',
  })
  assert.match(
    (await runCommand(['migrate', '--status'], withFhir).ended).output,
    /\npending {5}modules\/fhir-0001-\S+$/m,
  )
  await writeFile(join(migrationsDir, '9104-later.sql'), 'select 1;')
  await migrate(url, { migrationsDir })
  assert.match(
    (await runCommand(['migrate'], withFhir).ended).output,
    /^Applied modules\/fhir-0001-readings-by-update\.$/m,
  )
  assert.equal(await hasIndex(), true)
  await writeFile(join(migrationsDir, '9105-latest.sql'), 'select 1;')
  await writeFile(join(migrationsDir, 'modules/fhir-0002-more.sql'), 'select 1;')
  await writeFile(join(migrationsDir, 'modules/mcp-0001-other.sql'), 'select 1;')
  for (const applied of [['9105-latest', 'modules/fhir-0002-more'], []])
    assert.deepEqual(await migrate(url, { migrationsDir }), { applied, newer: [] }, 'the database has FHIR')
  assert.match((await check(url)).output, /newer release: 9104-later, 9105-latest, modules\/fhir-0002-more\./)
  await appendFile(join(migrationsDir, 'modules/fhir-0002-more.sql'), '-- edited\n')
  await assert.rejects(
    migrate(url, { migrationsDir }),
    /modules\/fhir-0002-more was changed after it was applied/,
  )
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
  assert.deepEqual((await run()).applied, ['9105-broken'])
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
  await writeFile(file, `${text}vacuum casesheet.tried`)
  await assert.rejects(migrate(ownerUrl, { migrationsDir }), /must end with a semicolon/)
  await writeFile(file, `${text}vacuum casesheet.tried;\n`)
  assert.deepEqual((await migrate(ownerUrl, { migrationsDir })).applied, ['9104-alone'])
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

test('check says what is pending and what is ahead, as the owner or as the serving role, and changes nothing', async () => {
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
  const ahead = {
    code: 0,
    output:
      'The database is up to date.\n' +
      'It also has migrations of a newer release: 9999-later. This build can run against it only if it is the release immediately before.\n',
  }
  assert.deepEqual(await check(serveUrl), ahead)
  // A deployment that goes back one release runs its older migrations too.
  assert.deepEqual(await runCommand(['migrate'], { DATABASE_URL: ownerUrl }).ended, ahead)

  await runSql(ownerUrl, "update rounds.migration_files set sha256 = 'x' where name = '0003-readings'")
  const changed = await check(serveUrl)
  assert.equal(changed.code, 1)
  assert.match(changed.output, /^Migration 0003-readings was changed after it was applied\./)
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

  const given = assert.rejects(
    migrate(ownerUrl, { migrationsDir, lockAttempts: 1 }),
    /9104-column did not get its lock.*Run "rounds migrate" again/,
  )
  while (!(await isWaiting()));
  // Behind one who waits for the whole table, everybody waits: but only as long as that one does.
  await runSql(ownerUrl, "set lock_timeout = '10s'; select from casesheet.readings limit 1")
  await given

  const got = migrate(ownerUrl, { migrationsDir })
  while (!(await isWaiting()));
  while (await isWaiting());
  await holder.query('commit')
  assert.deepEqual((await got).applied, ['9104-column'])
  await holder.end()
})

test('each migration, each statement that it yields and the session that it waits for are reported', async () => {
  const { ownerUrl } = await createDatabase()
  const migrationsDir = await copyOfMigrations()
  await writeFile(
    join(migrationsDir, '9104-column.sql'),
    'alter table casesheet.readings add column tried integer;',
  )
  await writeFile(
    join(migrationsDir, '9105-index.sql'),
    `-- no transaction
select format('comment on table casesheet.readings is %L', number) from generate_series(1, 3) as number
\\gexec
`,
  )
  const holder = new Client({ connectionString: ownerUrl, application_name: 'a report' })
  await holder.connect()
  await holder.query('begin; select from casesheet.readings limit 1')
  const reported: MigrationProgress[] = []
  const got = migrate(ownerUrl, { migrationsDir, onProgress: (progress) => reported.push(progress) })
  const waitsFor = () =>
    reported.flatMap((progress) => (progress.kind === 'waiting' ? progress.sessions : []))
  await until(() => waitsFor().length > 0)
  assert.match(waitsFor()[0] ?? '', /^pid \d+, user \w+, a report, idle in transaction, for \d+ s$/)
  await holder.query('commit')
  await holder.end()
  await got
  assert.deepEqual(
    reported.filter(({ kind }) => kind !== 'waiting'),
    [
      { kind: 'applying', name: '9104-column', index: 1, count: 2 },
      { kind: 'applying', name: '9105-index', index: 2, count: 2 },
      ...[1, 2, 3].map((index) => ({
        kind: 'statement',
        text: `comment on table casesheet.readings is '${index}'`,
        index,
        count: 3,
      })),
    ],
  )
})

test('Ctrl-C cancels the statement in the server and says what was applied, and the next run goes on', async () => {
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
  const status = await runCommand(['migrate', '--status'], { DATABASE_URL: ownerUrl }).ended
  assert.ok(
    /^pending {5}0001-[^]*\nmigrating {3}pid \d+, user \w+, rounds migrate/.test(status.output),
    status.output,
  )
  command.child.kill('SIGINT')
  const { code, output } = await command.ended
  assert.equal(code, 1)
  assert.ok(output.startsWith(`Applying ${first} (1 of ${all.length}).\n`), output)
  assert.match(output, /\nInterrupted\. Nothing was applied\. Run "rounds migrate" again to go on\.\n$/)
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
  assert.match(output, /\nInterrupted\. Nothing was applied\. Run "rounds migrate" again to go on\.\n$/)
  await other.end()
})

test('status lists each migration, and an index that an interrupted run left unfinished', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  const status = () => runCommand(['migrate', '--status'], { DATABASE_URL: serveUrl }).ended
  const applied = [...all, 'modules/fhir-0001-readings-by-update']
  assert.deepEqual(await status(), {
    code: 0,
    output: applied.map((name) => `applied     ${name}\n`).join(''),
  })
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  await holder.query(
    'begin; insert into appointments.specialities (speciality_id, title) values (gen_random_uuid(), $$x$$)',
  )
  const builder = new Client({ connectionString: ownerUrl })
  await builder.connect()
  await builder.query("set statement_timeout = '200ms'")
  await assert.rejects(
    builder.query('create index concurrently left_behind on appointments.specialities (title)'),
  )
  await holder.query('rollback')
  await Promise.all([holder.end(), builder.end()])
  assert.match((await status()).output, /\nunfinished {2}index appointments\.left_behind\n$/)
})
