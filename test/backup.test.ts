// What docs/operations.md says about PostgreSQL, backups and passwords, run as written on a PostgreSQL of its own: settings, an
// encrypted backup with every change archived, a restore to the moment before a mistake, a new password.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../src/db/migrate.ts'
import { findInstalledPostgres } from '../tools/dev/find-postgres.ts'
import { temporaryDirectory } from './dev.ts'
import { examplesOf, isAsPrinted, runExamples, sectionOf } from './document-examples.ts'
import { findFreePort } from './free-port.ts'
import { runSql } from './harness.ts'
import { needs, skipUnless } from './needs.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
const examples = ['PostgreSQL', 'Back up and restore', 'Passwords of the database'].flatMap((heading) =>
  examplesOf(sectionOf(guide, heading)),
)

// Debian's pgBackRest knows PostgreSQL up to 15, whichever one the other tests use.
const binDir = await findInstalledPostgres([15])
const isRoot = process.getuid?.() === 0
const dir = temporaryDirectory()
const port = await findFreePort()
const environment = {
  PATH: `${binDir}:${process.env['PATH']}`,
  PGDATA: join(dir, 'server/data'),
  PGHOST: dir,
  PGPORT: String(port),
  PGUSER: 'postgres',
  PGDATABASE: 'postgres',
  PGBACKREST_CONFIG: join(dir, 'server/pgbackrest.conf'),
  BACKUPS: join(dir, 'server/backups'),
}
const surroundings = { environment, as: 'postgres', cwd: dir }

async function createServer() {
  mkdirSync(join(dir, 'server'), { mode: 0o755 })
  if (isRoot) execFileSync('chown', ['-R', 'postgres:', dir])
  await runExamples(
    [
      'initdb -U postgres --data-checksums --auth-local=trust --auth-host=scram-sha-256 --locale=C.UTF-8 > /dev/null',
    ],
    surroundings,
  )
  appendFileSync(
    join(environment.PGDATA, 'postgresql.conf'),
    `\nport = ${port}\nunix_socket_directories = '${dir}'\nlisten_addresses = '127.0.0.1'\n`,
  )
  await runExamples(['pg_ctl start -w -l "$PGDATA/../log" > /dev/null'], surroundings)
  after(() => runExamples(['pg_ctl stop -w -m immediate > /dev/null'], surroundings))
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}&port=${port}`
  await migrate(url)
  await runSql(url, 'create role rounds_api_a login in role rounds_server')
  await runSql(
    url,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n, to_timestamp(n), gen_random_uuid(), 'x', n, '{"note":"a canary for the backup"}', 'test'
     from generate_series(1, 1000) n`,
  )
  return url
}

test('settings, backup, restore and a new password work as the guide says', {
  timeout: 180_000,
  ...needs('pgbackrest', 'openssl'),
  ...skipUnless(binDir !== undefined, 'PostgreSQL 15 is not installed'),
}, async () => {
  const url = await createServer()
  assert.ok(examples.length >= 8, `${examples.length} examples`)
  const sumOf = () =>
    runSql(url, 'select md5(string_agg(readings::text, chr(10) order by reading_id)) from casesheet.readings')
  const before = await sumOf()
  const outputs = await runExamples(
    examples.map(({ script }) => script),
    surroundings,
  )
  for (const [index, { script, printed }] of examples.entries())
    if (printed !== '')
      assert.ok(
        isAsPrinted(outputs[index] ?? '', printed),
        `${script}printed:\n${printed}\nanswered:\n${outputs[index]}`,
      )
  assert.deepEqual(await sumOf(), before, 'every reading is back as it was')
  const settings = await runSql(
    url,
    "select name, setting from pg_settings where name ~ '^log_parameter_max' order by 1",
  )
  assert.deepEqual(settings, [
    { name: 'log_parameter_max_length', setting: '0' },
    { name: 'log_parameter_max_length_on_error', setting: '0' },
  ])
  assert.deepEqual(await runSql(url, "select rolname from pg_roles where rolname ~ '^rounds_api'"), [
    { rolname: 'rounds_api_b' },
  ])
  const stored = readdirSync(environment.BACKUPS, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  assert.ok(stored.length > 5)
  for (const { parentPath, name } of stored)
    assert.ok(
      !readFileSync(join(parentPath, name)).includes('a canary for the backup'),
      `${name} is encrypted`,
    )
})
