// The new cell opens the slots, and is killed before its standby has that. A failover would undo it: so the old cell gives the slots
// up only when a later run has waited for the standby.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'
import { moveArguments, moveUntil, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]

async function setStandby(names: string) {
  await runSql(fresh.ownerUrl, `alter system set synchronous_standby_names = '${names}'`)
  await runSql(fresh.ownerUrl, 'select pg_reload_conf()')
  await until(async () => {
    const [row] = await runSql<{ names: string }>(
      fresh.ownerUrl,
      "select current_setting('synchronous_standby_names') as names",
    )
    return row?.names === names
  })
}

/** Sessions of the move that wait for the standby. Those of the process that serves may wait too. */
const waiting = () =>
  runSql<{ pid: number; query: string }>(
    fresh.ownerUrl,
    "select pid, query from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'rounds operator'",
  )
const stateHere = async () =>
  (await runSql<{ state: string }>(old.ownerUrl, 'select state from casesheet.cell_moves'))[0]?.state

test('a run that finds the slots open waits for the standby, whatever the default of the new cell is', async () => {
  await moveUntil('opened', old, fresh)
  await runSql(fresh.ownerUrl, "alter system set synchronous_commit = 'off'")
  await setStandby('nowhere')
  const unsure = runCell(moveArguments(fresh), old)
  await until(async () => (await waiting()).length > 0 || (await stateHere()) === 'moved')
  assert.equal(await stateHere(), 'closed')
  for (const { pid } of await waiting()) await runSql(fresh.ownerUrl, 'select pg_cancel_backend($1)', [pid])
  const { code, output } = await unsure
  assert.deepEqual([code, /on its primary only\. Run the command again/.test(output)], [1, true], output)
  assert.equal(await stateHere(), 'closed')
  await setStandby('')
  const sure = await runCell(moveArguments(fresh), old)
  assert.equal(sure.code, 0, sure.output)
  assert.equal(await stateHere(), 'moved')
})
