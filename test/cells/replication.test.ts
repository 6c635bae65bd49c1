// What replication between two cells leaves behind: no password in a log, and no replication slot after an abort.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'
import { moveBack, moveUntil, patientsOfRange, runCell, UNASKED } from './aborts.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import {
  assertNothingLost,
  createRouter,
  heldIn,
  readingOf,
  startCell,
  startCellOn,
  startTraffic,
} from './two-cells.ts'

const old = await startCell()
const postgres = await startKillablePostgres()
const fresh = await startCellOn(postgres.url)
postgres.stopAfterTests()
const router = createRouter([old, fresh])
const [patientUid = ''] = patientsOfRange()
await router.call(patientUid, '/casesheet/readings/add', readingOf(patientUid, 1))

const slotsOfOld = async () =>
  (await runSql<{ slot_name: string }>(old.ownerUrl, 'select slot_name from pg_replication_slots')).map(
    ({ slot_name }) => slot_name,
  )

test('the password of the old cell is in no log of the new one, also where the old one cannot be reached', async () => {
  await runSql(fresh.ownerUrl, "alter system set log_statement = 'all'")
  await runSql(fresh.ownerUrl, 'alter system set log_min_duration_statement = 0')
  await runSql(fresh.ownerUrl, 'select pg_reload_conf()')
  for (const sourceUrlForTarget of [
    'postgres://postgres:the-password@127.0.0.1:1/rounds',
    'postgres://postgres:the-password@127.0.0.1:1/rounds?nonsense=1',
  ])
    await assert.rejects(
      moveSlots({
        sourceUrl: old.ownerUrl,
        targetUrl: fresh.ownerUrl,
        sourceUrlForTarget,
        range: { first: 0, last: 1_023 },
        limitMs: 30_000,
        changeMap: async () => {},
        onProgress: () => {},
        onStep: () => {},
      }),
    )
  assert.ok(postgres.log().includes('alter subscription'), 'statements are logged')
  assert.ok(!postgres.log().includes('the-password'))
})

test('a move is carried on with an address that leads to the old cell, and both may stand in the environment', async () => {
  const traffic = startTraffic(router, patientsOfRange(), { from: 2 })
  const moved = await runCommand(['cell', 'move', '--slots', '0-1023', ...UNASKED], {
    DATABASE_URL: old.ownerUrl,
    CELL_TO: fresh.ownerUrl,
    CELL_VIA: old.ownerUrl,
  }).ended
  assert.equal(moved.code, 0, moved.output)
  await router.route(0, 1_023, 1)
  await assertNothingLost(await traffic.stop(), [[fresh, 0, 1_023]])
  // Back again, for the next test.
  await moveBack(old, fresh)
  await router.route(0, 1_023, 0)
})

test('an abort in the first copy leaves no replication slot in the old cell while the new one cannot be reached', async () => {
  // The copy begins, and waits for this.
  const holder = new Client({ connectionString: fresh.ownerUrl })
  holder.on('error', () => {})
  await holder.connect()
  await holder.query(`begin;
    do $$
    declare leaf regclass;
    begin
      for leaf in select relid from pg_partition_tree('casesheet.readings') where isleaf loop
        execute format('lock table %s in share mode', leaf);
      end loop;
    end $$`)
  await moveUntil('replicating', old, fresh)
  await until(async () => (await slotsOfOld()).some((name) => name.includes('_sync_')))
  postgres.kill()
  // Of another subscription, which is none of a move's business.
  await runSql(old.ownerUrl, "select pg_create_logical_replication_slot('pg_1_sync_1_1', 'pgoutput')")
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  assert.deepEqual(await slotsOfOld(), ['pg_1_sync_1_1'])
  await runSql(old.ownerUrl, "select pg_drop_replication_slot('pg_1_sync_1_1')")
  await postgres.restart()
  assert.equal((await runCell(['abort', '--to', fresh.ownerUrl], old)).code, 0)
  assert.equal((await heldIn(fresh, 0, 1_023)).size, 0)
  assert.deepEqual(await slotsOfOld(), [])
})
