// What replication between two cells leaves behind: no password in a log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../src/modules/casesheet/cell/move/move-slots.ts'
import { runSql } from '../harness.ts'
import { runCommand } from '../process.ts'
import { moveArguments, patientsOfRange, runCell } from './aborts.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import {
  assertNothingLost,
  createRouter,
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

test('the password of the old cell is in no log of the new one, also where the old one cannot be reached', async () => {
  await runSql(fresh.ownerUrl, "alter system set log_statement = 'all'")
  await runSql(fresh.ownerUrl, 'alter system set log_min_duration_statement = 0')
  await runSql(fresh.ownerUrl, 'select pg_reload_conf()')
  for (const sourceUrlForTarget of [
    'postgres://rounds:the-password@127.0.0.1:1/rounds',
    'postgres://rounds:the-password@127.0.0.1:1/rounds?nonsense=1',
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
  const moved = await runCommand(['cell', 'move', '--slots', '0-1023'], {
    DATABASE_URL: old.ownerUrl,
    CELL_TO: fresh.ownerUrl,
    CELL_VIA: old.ownerUrl,
  }).ended
  assert.equal(moved.code, 0, moved.output)
  await router.route(0, 1_023, 1)
  await assertNothingLost(await traffic.stop(), [[fresh, 0, 1_023]])
  // Back again, for the next test.
  for (const [args, cell] of [
    [['clean', '--after-hours', '0', '--yes'], old],
    [moveArguments(old), fresh],
    [['clean', '--after-hours', '0', '--yes'], fresh],
  ] as const) {
    const back = await runCell([...args], cell)
    assert.equal(back.code, 0, back.output)
  }
  await router.route(0, 1_023, 0)
})
