// `rounds cell status --json`: all cells against the router's map, with real counts; and a move that is repeated.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/dev.ts'
import { runSql } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { moveArguments, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh, other] = [await startCell(), await startCell(), await startCell()]
const READINGS = 1_000
await runSql(
  old.ownerUrl,
  `insert into casesheet.readings
     (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
   select 'patient-' || n, now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x'
   from generate_series(1, ${READINGS}) as n`,
)
const [row] = await runSql<{ count: number }>(
  old.ownerUrl,
  'select count(*)::integer as count from casesheet.readings where casesheet.slot_of(patient_uid) < 1024',
)
const moved = row?.count ?? 0
const map = join(temporaryDirectory(), 'cells.map')
const lead = (last: number) =>
  writeFileSync(
    map,
    Array.from({ length: 4_096 }, (_, slot) => `${slot} ${slot <= last ? 'cell_b' : 'cell_a'}\n`).join(''),
  )

type Cell = {
  name: string
  error?: string
  slots: { open: string[] }
  readings: { served: number; notServed: number }
  moves: { direction: string; slots: string; state: string }[]
}
type Status = { cells: Cell[]; map: { slots: string; backend: string }[]; problems: string[] }

async function status(CELLS = `cell_a=${old.ownerUrl} cell_b=${fresh.ownerUrl}`) {
  const { code, output } = await runCommand(['cell', 'status', '--json', '--map', map], { CELLS }).ended
  return { code, ...(JSON.parse(output) as Status) }
}

test('a move that is repeated exits with 0 and prints the comparison, also when the copy was removed', async () => {
  assert.ok(moved > 0)
  const first = await runCell(moveArguments(fresh), old)
  assert.equal(first.code, 0, first.output)
  const compared = `The same in both cells: ${moved} readings`
  assert.ok(first.output.includes(compared), first.output)
  for (const clean of [false, true]) {
    if (clean) assert.equal((await runCell(['clean', '--after-hours', '0', '--yes'], old)).code, 0)
    const again = await runCell(moveArguments(fresh), old)
    assert.equal(again.code, 0, again.output)
    assert.match(again.output, /^Slots 0-1023 were moved before, at 20\S+Z\. Nothing was changed\.$/m)
    assert.ok(again.output.includes(compared), again.output)
    if (clean) continue
    // What was left in the old cell, and what is served.
    lead(1_023)
    const { code, cells, problems, map: lines } = await status()
    assert.deepEqual([code, problems], [0, []])
    assert.deepEqual(
      cells.map(({ name, slots, readings }) => [name, slots.open, readings]),
      [
        ['cell_a', ['1024-4095'], { served: READINGS - moved, notServed: moved }],
        ['cell_b', ['0-1023'], { served: moved, notServed: 0 }],
      ],
    )
    assert.deepEqual(lines, [
      { slots: '0-1023', backend: 'cell_b' },
      { slots: '1024-4095', backend: 'cell_a' },
    ])
    assert.deepEqual(
      cells[0]?.moves.map(({ direction, slots, state }) => [direction, slots, state]),
      [['out', '0-1023', 'moved']],
    )
  }
  const elsewhere = await runCell(moveArguments(other), old)
  assert.deepEqual([elsewhere.code, /were moved before, to /.test(elsewhere.output)], [1, true])
})

test('a map that leads astray, a slot that two cells serve, and a cell that cannot be reached are problems', async () => {
  lead(1_099)
  assert.deepEqual((await status()).problems, [
    'Slots 1024-1099: cell_a serves them, and the map leads to cell_b.',
  ])
  lead(1_023)
  const doubled = await status(`cell_a=${old.ownerUrl} cell_b=${fresh.ownerUrl} cell_c=${other.ownerUrl}`)
  assert.deepEqual(
    [doubled.code, doubled.problems],
    [
      1,
      [
        'Slots 0-1023: cell_b and cell_c serve them at once.',
        'Slots 1024-4095: cell_a and cell_c serve them at once.',
      ],
    ],
  )
  const { code, cells, problems } = await status(
    `cell_a=${old.ownerUrl} cell_b=postgres://nobody:secret@127.0.0.1:1/x`,
  )
  assert.equal(code, 1)
  assert.match(cells[1]?.error ?? '', /cannot be reached/)
  assert.deepEqual(problems.slice(1), ['Slots 0-1023: no cell that was reached serves them.'])
  assert.doesNotMatch(JSON.stringify(cells), /secret/)
})
