// What is asked before a move changes anything: who changes the map, what it would do, and whether it is meant.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { temporaryDirectory } from '../support/dev.ts'
import { runSql } from '../support/harness.ts'
import { needs } from '../support/needs.ts'
import { runProgram } from '../support/process.ts'
import { moveArguments, runCell, UNASKED } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const asked = moveArguments(fresh).filter((argument) => !UNASKED.includes(argument))
const countMoves = async () => (await runSql(old.ownerUrl, 'select from casesheet.cell_moves')).length

await runSql(
  old.ownerUrl,
  `insert into casesheet.readings
     (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'patient-' || n, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x'
   from generate_series(1, 1000) as n`,
)

test('without --map or --map-by-hand, or with both, nothing is moved', async () => {
  for (const more of [
    [],
    ['--map', 'a-map'],
    ['--as', 'b'],
    ['--map', 'a-map', '--as', 'b', '--map-by-hand'],
  ]) {
    const { code, output } = await runCell([...asked, '--yes', ...more], old)
    assert.deepEqual([code, /Give --map and --as, .* or only --map-by-hand/.test(output)], [1, true], output)
  }
  assert.equal(await countMoves(), 0)
})

test('without --yes a person must confirm', async () => {
  const { code, output } = await runCell([...asked, '--map-by-hand'], old)
  assert.deepEqual([code, output], [1, 'stdin is not a terminal: pass --yes to confirm.\n'])
  assert.equal(await countMoves(), 0)
})

test('a person sees the plan, and another word than "move" changes nothing', needs('script'), async () => {
  const command = [process.execPath, 'src/cli.ts', 'cell', ...asked, '--map-by-hand'].join(' ')
  const typed = `echo no | script -qec ${JSON.stringify(command)} /dev/null`
  const { output } = await runProgram('sh', ['-c', typed], { DATABASE_URL: old.ownerUrl }).ended
  assert.match(output, /slots {15}0-1023, from \S+ to \S+[^]*Type move to go on: [^]*Nothing was changed\./)
  assert.equal(await countMoves(), 0)
})

test('--dry-run prints rows, bytes, time, the oldest transaction and the router, and changes nothing', async () => {
  const holder = new Client({ connectionString: old.ownerUrl, application_name: 'lunch' })
  await holder.connect()
  await holder.query('begin; select pg_current_xact_id()')
  const [held] = await runSql<{ count: number }>(
    old.ownerUrl,
    'select count(*)::integer as count from casesheet.readings where casesheet.slot_of(patient_uid) < 1024',
  )
  const map = join(temporaryDirectory(), 'cells.map')
  writeFileSync(map, Array.from({ length: 4_096 }, (_, slot) => `${slot} cell_a\n`).join(''))
  const { code, output } = await runCell([...asked, '--dry-run', '--map', map, '--as', 'cell_b'], old)
  await holder.end()
  assert.equal(code, 0, output)
  for (const line of [
    new RegExp(
      `^rows +${held?.count} readings, 0 corrections, 0 grants with 0 changes, 0 targets with 0 changes, 0 reviews, 0 rules with 0 changes, 0 alerts with 0 events, 0 entries of the access log$`,
      'm',
    ),
    /^bytes +about \d+\.\d MB in the new cell, with indexes$/m,
    /^time +about 1 s, /m,
    /^oldest transaction +pid \d+, user \w+, lunch, idle in transaction, for \d+ s: /m,
    /^router +\S+cells\.map leads the slots to cell_b; no running HAProxy is given it$/m,
    /^Nothing is in the way, and nothing was changed\.$/m,
  ])
    assert.match(output, line)
  assert.equal(await countMoves(), 0)
})

test('--dry-run exits with 1 and names all that is in the way', async () => {
  const nowhere = join(temporaryDirectory(), 'no.map')
  const to = [...asked.slice(0, asked.indexOf('--to') + 1), old.ownerUrl]
  const { code, output } = await runCell([...to, '--dry-run', '--map', nowhere, '--as', 'cell_b'], old)
  assert.equal(code, 1, output)
  assert.match(
    output,
    /Nothing was changed, because:[^]*- Both addresses lead to the same database[^]*no\.map/,
  )
})
