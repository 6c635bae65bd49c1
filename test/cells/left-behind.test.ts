// What a move leaves behind that fails or is interrupted: the command names it and how to remove it, and that removes all of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { runSql } from '../support/harness.ts'
import { runCommand, untilSaid } from '../support/process.ts'
import { until } from '../support/until.ts'
import { moveArguments, runCell } from './aborts.ts'
import { type CellOfTest, startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
await runSql(
  old.ownerUrl,
  `insert into casesheet.readings
     (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'patient-' || n, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x'
   from generate_series(1, 100) as n`,
)

/** What the two databases hold of moves that have not ended. */
async function left() {
  const [inOld] = await runSql<{ names: string[] }>(
    old.ownerUrl,
    `select array(
       select pubname::text from pg_publication
       union all
       select slot_name::text from pg_replication_slots
       union all
       select state from casesheet.cell_moves where state in ('copying', 'closed')
     ) as names`,
  )
  const [inNew] = await runSql<{ names: string[] }>(
    fresh.ownerUrl,
    `select array(
       select subname::text from pg_subscription
       union all
       select incoming_slots::text from casesheet.cell where incoming_slots <> '{}'
       union all
       select state from casesheet.cell_moves where state in ('copying', 'closed')
     ) as names`,
  )
  return [...(inOld?.names ?? []), ...(inNew?.names ?? [])]
}

const nameOfMove = async () =>
  (await left()).find((name) => /^rounds_move_[0-9a-f]{32}$/.test(name)) ?? 'no move'

async function abort() {
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
}

test('a move that fails says what it has left in both cells, and "cell abort" removes it', async () => {
  // PostgreSQL of the new cell does not take this address.
  const via = ['--via', `${old.ownerUrl}?nonsense=1`]
  const { code, output } = await runCell([...moveArguments(fresh), ...via], old)
  assert.equal(code, 1, output)
  const name = await nameOfMove()
  for (const said of [
    'What is left of this move:',
    `replication slot "${name}"`,
    `publication "${name}"; publication "${name}_alerts"; publication "${name}_log"`,
    'incoming slots 0-1023',
    'Run the same command again to go on, or "rounds cell abort"',
  ])
    assert.ok(output.includes(said), output)
  await abort()
  assert.deepEqual(await left(), [])
})

/** A transaction that is open in a cell, as of somebody who went to lunch. */
async function holdTransaction({ ownerUrl }: CellOfTest, ...statements: string[]) {
  const holder = new Client({ connectionString: ownerUrl, application_name: 'lunch' })
  await holder.connect()
  for (const statement of ['begin', ...statements]) await holder.query(statement)
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    pid: rows[0]?.pid,
    end: async () => {
      await holder.query('rollback')
      await holder.end()
    },
  }
}

/** Statements of the command that still run in a server. */
const statementsOf = async ({ ownerUrl }: CellOfTest) =>
  (
    await runSql<{ query: string }>(
      ownerUrl,
      `select query
       from pg_stat_activity
       where application_name in ('rounds operator', 'rounds watching')`,
    )
  ).map(({ query }) => query)

const startMove = (...more: string[]) =>
  runCommand(['cell', ...moveArguments(fresh), ...more], { DATABASE_URL: old.ownerUrl })

test('a session that replication waits for is named, and Ctrl-C cancels the statement that waits', async () => {
  const { pid, end } = await holdTransaction(old, 'select pg_current_xact_id()')
  const moving = startMove()
  await untilSaid(
    moving,
    new RegExp(`Waiting for pid ${pid}, user \\w+, lunch, idle in transaction, for \\d+ s\\.`),
  )
  assert.ok((await statementsOf(old)).some((query) => query.includes('pg_create_logical_replication_slot')))
  moving.child.kill('SIGINT')
  const { code, output } = await moving.ended
  assert.equal(code, 1, output)
  assert.match(output, /^Stopping\.\nInterrupted\.\nWhat is left of this move:$/m)
  // The session of the holder is still there: without the cancellation, the statement would be too.
  for (const cell of [old, fresh]) await until(async () => (await statementsOf(cell)).length === 0)
  await end()
  await abort()
  assert.deepEqual(await left(), [])
})

test('a session that the copy waits for in the new cell is named', async () => {
  const { pid, end } = await holdTransaction(fresh, LOCK_PARTITIONS)
  const moving = startMove()
  await untilSaid(moving, new RegExp(`Waiting for pid ${pid}, user \\w+, lunch, idle in transaction`))
  moving.child.kill('SIGINT')
  const { output } = await moving.ended
  assert.match(output, /subscription "rounds_move_\w+", which goes on copying/)
  await end()
  await abort()
  assert.deepEqual(await left(), [])
})

const LOCK_PARTITIONS = `
  do $$
  declare leaf regclass;
  begin
    for leaf in select relid from pg_partition_tree('casesheet.readings') where isleaf loop
      execute format('lock table %s in share mode', leaf);
    end loop;
  end $$`

test('Ctrl-C in the switch opens the slots in the old cell again, and the writer that it waited for is named', async () => {
  const { pid, end } = await writeUntilEnded()
  const moving = startMove()
  await untilSaid(moving, new RegExp(`Waiting for pid ${pid}, user \\w+, lunch, idle in transaction`))
  const slots = async () =>
    (
      await runSql<{ open: string; closing: string }>(
        old.ownerUrl,
        'select open_slots::text as open, closing_slots::text as closing from casesheet.cell',
      )
    )[0]
  assert.deepEqual(await slots(), { open: '{[1024,4096)}', closing: '{[0,1024)}' })
  moving.child.kill('SIGINT')
  const { code, output } = await moving.ended
  assert.equal(code, 1, output)
  assert.match(output, /^Interrupted\.\nWhat is left[^]*the slots are served on/m)
  assert.deepEqual(await slots(), { open: '{[0,4096)}', closing: '{}' })
  await end()
  const { code: finished, output: said } = await startMove().ended
  assert.equal(finished, 0, said)
})

/** A lock as a statement that writes takes it, without a transaction id: replication does not wait for it, the switch does. */
const writeUntilEnded = () => holdTransaction(old, 'lock table casesheet.readings in row exclusive mode')
