// A move by roles that are no superusers. What they lack is named before anything is recorded, in both databases.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { createEmptyDatabase, onServer, runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { startCell } from './two-cells.ts'

/** A migrated database whose owner may do nothing else, in a cluster of its own. */
async function startPlainCell(owner: string) {
  const { ownerUrl: superUrl } = await startCell()
  const url = new URL(await onServer(superUrl, createEmptyDatabase))
  const database = url.pathname.slice(1)
  await runSql(superUrl, `create role ${owner} login password 'of-the-test'`)
  await runSql(superUrl, `alter database ${database} owner to ${owner}`)
  url.username = owner
  await migrate(url.href)
  return { url, database, superUrl, owner }
}

const old = await startPlainCell('plain_old')
const fresh = await startPlainCell('plain_new')
const [server] = await runSql<{ version: number; hba_file: string }>(
  old.superUrl,
  `select current_setting('server_version_num')::integer / 10000 as version, current_setting('hba_file') as hba_file`,
)
assert.ok(server)
const { version, hba_file: hbaFile } = server

const via = new URL(old.url)
via.username = 'copier'
via.password = 'of-the-test'

const move = (to = fresh.url) =>
  runCommand(
    ['cell', 'move', '--slots', '0-1023', '--to', to.href, '--via', via.href, '--map-by-hand', '--yes'],
    {
      DATABASE_URL: old.url.href,
    },
  ).ended

async function leftIn({ url }: typeof old) {
  const [left] = await runSql<{ left: number }>(
    url.href,
    `select (
       (select count(*) from casesheet.cell_moves)
       + (select count(*) from pg_publication)
       + (select count(*) from pg_replication_slots)
       + (select count(*) from pg_subscription where subdbid = (select oid from pg_database where datname = current_database()))
       + (select count(*) from casesheet.cell where incoming_slots <> '{}' or open_slots <> '{[0,4096)}')
     )::integer as left`,
  )
  return left?.left
}

test('every missing right is named with its role and database, and a refused move leaves nothing behind', async () => {
  await runSql(old.superUrl, "create role copier login password 'of-the-test'")
  await runSql(old.superUrl, `revoke create on database ${old.database} from public`)
  const { code, output } = await move()
  assert.equal(code, 1, output)
  const inOld = `in the database "${old.database}" of the old cell`
  const inNew = `in the database "${fresh.database}" of the new cell`
  for (const sentence of [
    `The role "plain_old" lacks REPLICATION ${inOld}`,
    `The role "copier" lacks REPLICATION ${inOld}`,
    `The role "copier" lacks SELECT on casesheet.readings, casesheet.corrections, casesheet.grants, casesheet.grant_changes, casesheet.targets, casesheet.target_changes, casesheet.reviews, casesheet.rules, casesheet.rule_changes, casesheet.alerts, casesheet.alert_events, casesheet.access_log ${inOld}`,
    version < 16
      ? `The role "plain_new" lacks SUPERUSER ${inNew}: PostgreSQL ${version} lets only a superuser create a subscription.`
      : `The role "plain_new" lacks pg_create_subscription ${inNew}`,
  ])
    assert.ok(output.includes(sentence), output)
  assert.doesNotMatch(output, /of-the-test/)
  for (const cell of [old, fresh]) assert.equal(await leftIn(cell), 0)
})

test('a role that does not own the tables of the new cell is named with its database', async () => {
  await runSql(fresh.superUrl, 'create role other login')
  const to = new URL(fresh.url)
  to.username = 'other'
  const { code, output } = await move(to)
  assert.equal(code, 1)
  assert.ok(output.includes(`The role "other" may not do this in the database "${fresh.database}"`), output)
  for (const cell of [old, fresh]) assert.equal(await leftIn(cell), 0)
})

test('with the rights that were named, the slots are moved', async () => {
  const ofOld = new URL(old.superUrl)
  ofOld.pathname = old.database
  await runSql(old.superUrl, 'alter role plain_old replication')
  await runSql(old.superUrl, 'alter role copier replication')
  for (const grant of [
    'grant usage on schema casesheet to copier',
    'grant select on casesheet.readings, casesheet.corrections, casesheet.grants, casesheet.grant_changes, casesheet.targets, casesheet.target_changes, casesheet.reviews, casesheet.rules, casesheet.rule_changes, casesheet.alerts, casesheet.alert_events, casesheet.access_log to copier',
  ])
    await runSql(ofOld.href, grant)
  await runSql(
    fresh.superUrl,
    version < 16 ? 'alter role plain_new superuser' : 'grant pg_create_subscription to plain_new',
  )
  // PostgreSQL insists that the password of a role that is no superuser is asked for.
  writeFileSync(hbaFile, `local all copier scram-sha-256\n${readFileSync(hbaFile, 'utf8')}`)
  await runSql(old.superUrl, 'select pg_reload_conf()')
  await runSql(
    old.url.href,
    `insert into casesheet.readings
       (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     select 'patient-' || n, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x'
     from generate_series(1, 40) as n`,
  )
  const { code, output } = await move()
  assert.equal(code, 0, output)
  assert.match(output, /The same in both cells: [1-9]\d* readings/)
})
