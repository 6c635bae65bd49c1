// What docs/operations says about PostgreSQL, backups and passwords, run as written by root on a cluster as Debian makes it, with
// the roles and the database of docs/one-machine.md: settings, an encrypted backup with every change archived, a restore to
// the moment before a mistake, a restore that fails, a new password.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { findInstalledPostgres } from '../../tools/dev/find-postgres.ts'
import { temporaryDirectory } from '../support/dev.ts'
import {
  examplesOf,
  isAsPrinted,
  operationsPages,
  runExamples,
  sectionOf,
} from '../support/document-examples.ts'
import { findFreePort } from '../support/free-port.ts'
import { runSql } from '../support/harness.ts'
import { needs, skipUnless } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'

const guide = operationsPages('install', 'backup', 'upgrade')
const examples = ['PostgreSQL', 'Back up and restore', 'Passwords of the database'].flatMap((heading) =>
  examplesOf(sectionOf(guide, heading)),
)
const [machine] = examplesOf(
  sectionOf(
    readFileSync(join(import.meta.dirname, '../../docs/one-machine.md'), 'utf8'),
    'Database and secrets',
  ),
)

const dir = temporaryDirectory()
const BACKUPS = join(dir, 'mnt/backups')
/** Debian's tools look for clusters below this directory, and do not ask systemd to start them. */
const environment = { PG_CLUSTER_CONF_ROOT: join(dir, 'etc/postgresql'), _SYSTEMCTL_SKIP_REDIRECT: '1' }
const here = (script: string) =>
  script
    .replaceAll(/(?<=[ =])\/(etc|mnt|var)\//g, `${dir}/$1/`)
    .replaceAll(' deploy/', ` ${join(import.meta.dirname, '../../deploy/')}`)

/** A cluster that has nothing of the machine's own, and what the guide for one machine makes in it. */
async function createMachine(): Promise<string> {
  chmodSync(dir, 0o755)
  for (const each of ['etc/postgresql', 'mnt', 'run', 'data', 'var/lib/prometheus/node-exporter'])
    mkdirSync(join(dir, each), { recursive: true })
  const port = await findFreePort()
  const create = [
    `chown postgres: '${dir}/run' '${dir}/data'`,
    `pg_createcluster 15 main --port=${port} --datadir='${dir}/data/main' --socketdir='${dir}/run' --locale=C.UTF-8 \\
      --logfile='${dir}/data/main.log' --pgoption external_pid_file='${dir}/run/main.pid' --start-conf=manual > /dev/null`,
    'pg_ctlcluster 15 main start',
  ]
  after(() => runExamples(['pg_ctlcluster --force 15 main stop || true'], { environment }))
  await runExamples(create, { environment })
  const connection = { PGHOST: join(dir, 'run'), PGPORT: String(port) }
  await runExamples([here(machine?.script ?? '')], { environment: { ...environment, ...connection } })
  const owner = readFileSync(join(dir, 'etc/rounds/owner.env'), 'utf8')
  const url = (/^DATABASE_URL=(.*)$/m.exec(owner)?.[1] ?? '').replace('127.0.0.1', `127.0.0.1:${port}`)
  await migrate(url)
  await runSql(
    url,
    `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'p' || n, to_timestamp(n), gen_random_uuid(), 'x', n, '{"note":"a canary for the backup"}', 'test'
     from generate_series(1, 1000) n`,
  )
  return url
}

const isDown = async () =>
  (await runProgram('pg_lsclusters', ['--no-header'], environment).ended).output.includes(' down ')

test('settings, backup, restore and a new password work as the guide says', {
  timeout: 180_000,
  ...needs('root', 'pg_createcluster', 'pgbackrest', 'openssl'),
  ...skipUnless((await findInstalledPostgres([15])) !== undefined, 'PostgreSQL 15 is not installed'),
}, async () => {
  const url = await createMachine()
  assert.ok(examples.length >= 8, `${examples.length} examples`)
  const sumOf = () =>
    runSql(url, 'select md5(string_agg(readings::text, chr(10) order by reading_id)) from casesheet.readings')
  const before = await sumOf()
  const scripts = examples.map(({ script }) => here(script))
  const outputs = await runExamples([...scripts, 'echo "$BEFORE"'], { environment, cwd: dir })
  for (const [index, { script, printed }] of examples.entries())
    if (printed !== '')
      assert.ok(
        isAsPrinted(outputs[index] ?? '', printed),
        `${script}printed:\n${printed}\nanswered:\n${outputs[index]}`,
      )
  assert.deepEqual(await sumOf(), before, 'every reading is back as it was')
  const settings = await runSql(
    url,
    "select name, setting from pg_settings where name ~ '^(log_parameter_max|data_checksums)' order by 1",
  )
  assert.deepEqual(settings, [
    { name: 'data_checksums', setting: 'on' },
    { name: 'log_parameter_max_length', setting: '0' },
    { name: 'log_parameter_max_length_on_error', setting: '0' },
  ])
  assert.deepEqual(await runSql(url, "select rolname from pg_roles where rolname ~ '^rounds_api'"), [
    { rolname: 'rounds_api_b' },
  ])
  const stored = readdirSync(BACKUPS, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  assert.ok(stored.length > 5)
  for (const { parentPath, name } of stored)
    assert.ok(
      !readFileSync(join(parentPath, name)).includes('a canary for the backup'),
      `${name} is encrypted`,
    )

  // Typed line by line into a shell, where the next command runs although the last one has failed.
  const cluster = scripts.filter((script) => /^(CLUSTER|BACKUPS)=/.test(script)).join('\n')
  const restore = scripts.find((script) => script.includes(' restore'))
  const typeFor = (moment: string) =>
    runProgram('sh', ['-c', `${cluster}\nBEFORE='${moment}'\n${restore}`], environment, dir).ended
  const failed = await typeFor('1970-01-01 00:00:00+00')
  assert.match(failed.output, /ERROR: \[\d+\]: unable to find backup set/)
  assert.doesNotMatch(
    failed.output,
    /^1000$/m,
    'the old database does not answer in place of the restored one',
  )
  assert.ok(await isDown(), 'the old database is not started')
  const repeated = await typeFor(outputs.at(-1)?.trim() ?? '')
  assert.match(
    repeated.output,
    /^1000$/m,
    `the same commands restore a database that is down: ${repeated.output}`,
  )
  assert.deepEqual(await sumOf(), before)
})
