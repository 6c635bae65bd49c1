// `rounds migrate` as a role that owns the database but may not create roles, as many providers hand out. The role
// rounds_server belongs to the whole server, so this needs a server of its own.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMigrations } from '../../src/db/migrate/migration-files.ts'
import { startThrowawayPostgres } from '../../tools/dev/throwaway-postgres.ts'
import { runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'

const postgres = await startThrowawayPostgres()
after(postgres.stop)

test('without the right to create roles, migrate says which statement an administrator runs, and after it goes on', async () => {
  await runSql(postgres.url, 'create role plain_owner login')
  await runSql(postgres.url, 'create database clinic owner plain_owner')
  const url = new URL(postgres.url)
  url.username = 'plain_owner'
  url.pathname = 'clinic'
  const migrate = () => runCommand(['migrate'], { DATABASE_URL: url.href }).ended
  assert.deepEqual(await migrate(), {
    code: 1,
    output:
      `Applying 0001-roles (1 of ${(await readMigrations([])).length}).\n` +
      'The role of DATABASE_URL may not change the tables: the role rounds_server does not exist, and this role may not ' +
      'create it. Ask an administrator to run: create role rounds_server nologin.\n',
  })
  await runSql(postgres.url, 'create role rounds_server nologin')
  const { code, output } = await migrate()
  assert.equal(code, 0, output)
})
