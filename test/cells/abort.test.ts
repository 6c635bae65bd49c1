// A move is aborted while the new cell cannot be reached. While it can: test/cells/long/abort.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, runSql } from '../support/harness.ts'
import { moveArguments, moveBack, moveUntil, patientsOfRange, runCell } from './aborts.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import { assertNothingLost, createRouter, heldIn, startCell, startCellOn, startTraffic } from './two-cells.ts'

const old = await startCell()
const postgres = await startKillablePostgres()
const fresh = await startCellOn(postgres.url)
postgres.stopAfterTests()
const router = createRouter([old, fresh])
const abort = (...more: string[]) => runCell(['abort', '--to', fresh.ownerUrl, ...more], old)
const countKeptWal = async () => (await runSql(old.ownerUrl, 'select from pg_replication_slots')).length

const service = await old.rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
const follow = (query: string) => old.rounds.call(`/casesheet/readings/changes${query}`, { token: service })

test('while the new cell cannot be reached, the old one is freed of the move, and the copy is removed later', async () => {
  const { nextCursor: cursor } = (await follow('?limit=1')).json
  const traffic = startTraffic(router, patientsOfRange())
  await moveUntil('copied', old, fresh)
  postgres.kill()
  const { code, output } = await abort()
  assert.deepEqual([code, /still holds a copy: run the same command again/.test(output)], [0, true], output)
  assert.equal(await countKeptWal(), 0)
  // The new cell may have shown less than this one: consumers start again.
  assertRefused(await follow(`?cursor=${cursor}`), 410, 'CursorExpired')
  await assertNothingLost(await traffic.stop(), [[old, 0, 1_023]])
  await postgres.restart()
  assert.match((await abort()).output, /the copy in the other one was removed/)
  assert.equal((await heldIn(fresh, 0, 1_023)).size, 0)
  const moved = await runCell(moveArguments(fresh), old)
  assert.equal(moved.code, 0, moved.output)
  // Back again, for the next test.
  await moveBack(old, fresh)
})

test('where a lost new cell may serve the slots, only --lost opens them in the old one', async () => {
  await moveUntil('closed', old, fresh)
  postgres.kill()
  const refused = await abort()
  assert.deepEqual([refused.code, /may serve the slots already/.test(refused.output)], [1, true])
  assert.match((await runCell(['status'], old)).output, /slots closing {3}0-1023/)
  const { code, output } = await abort('--lost')
  assert.deepEqual([code, /Never start the other cell again/.test(output)], [0, true], output)
  const traffic = startTraffic(router, patientsOfRange())
  await new Promise((resume) => setTimeout(resume, 200))
  await assertNothingLost(await traffic.stop(), [[old, 0, 1_023]])
  assert.equal(await countKeptWal(), 0)
  await postgres.restart()
})
