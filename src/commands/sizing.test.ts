import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { examplesOf } from '../../test/support/document-examples.ts'
import { runCommand } from '../../test/support/process.ts'
import { sizeOf } from './sizing.ts'

const demand = { patients: 10_000_000, readingsPerDay: 20, readingsPerAdd: 1, years: 1 }
/** Bytes of WAL of a reading, measured with so many adds of a patient between two checkpoints, on PostgreSQL 15. */
const MEASURED_WAL = [
  { addsBetweenCheckpoints: 0.83, bytes: 4_636 },
  { addsBetweenCheckpoints: 1.67, bytes: 3_862 },
  { addsBetweenCheckpoints: 3.3, bytes: 2_989 },
  { addsBetweenCheckpoints: 12, bytes: 1_687 },
]

test('the bytes of WAL that are calculated are those that were measured', () => {
  for (const { addsBetweenCheckpoints, bytes } of MEASURED_WAL) {
    const { walBytesPerAdd } = sizeOf({ ...demand, readingsPerDay: addsBetweenCheckpoints * 12 })
    assert.ok(Math.abs(walBytesPerAdd / bytes - 1) < 0.06, `${walBytesPerAdd} where ${bytes} were measured`)
  }
})

test('what is kept longer takes more disk, and then more cells', () => {
  const million = { ...demand, patients: 1_000_000 }
  const [one, fifty] = [sizeOf(million), sizeOf({ ...million, years: 50 })]
  assert.equal(fifty.diskBytes, 50 * one.diskBytes)
  assert.equal(one.cells, 1)
  assert.ok(fifty.cells > 1 && fifty.routers > 0)
})

test('a cell has memory for the index pages that adds change', () => {
  for (const patients of [1_000, 1_000_000, 7_000_000, 10_000_000, 100_000_000]) {
    const { leafBytes, cells, postgres } = sizeOf({ ...demand, patients })
    assert.ok(leafBytes / cells <= postgres.memory * 1e9, `${patients} patients`)
  }
})

test('readings that are sent together take less WAL and CPU', () => {
  const [alone, together] = [sizeOf(demand), sizeOf({ ...demand, readingsPerAdd: 20 })]
  assert.ok(together.walBytesPerDay < alone.walBytesPerDay / 2)
  assert.ok(together.cores.rounds < alone.cores.rounds)
})

test('the smallest and the largest demand have an answer', () => {
  const least = sizeOf({ patients: 1, readingsPerDay: 1, readingsPerAdd: 1_000, years: 1 })
  const most = sizeOf({ patients: 9_999_999_999, readingsPerDay: 100_000, readingsPerAdd: 1, years: 100 })
  for (const value of [...Object.values(least), ...Object.values(most)])
    if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0)
  assert.deepEqual([least.cells, least.routers], [1, 0])
})

test('docs/scale.md prints what the command prints', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8')
  const examples = examplesOf(document).filter(({ script }) => script.includes('rounds sizing'))
  assert.ok(examples.length > 0)
  for (const { script, printed } of examples) {
    const { code, output } = await runCommand(script.trim().split(' ').slice(2)).ended
    assert.equal(code, 0, output)
    assert.equal(output, printed)
  }
})

test('a demand that is incomplete or out of range is refused in a sentence', async () => {
  for (const { options, message } of [
    { options: ['--patients', '5'], message: 'Say "rounds sizing --patients N --readings-per-day M".\n' },
    {
      options: ['--patients', '0', '--readings-per-day', '1'],
      message: '--patients must be a whole number from 1 to 9999999999.\n',
    },
  ]) {
    const { code, output } = await runCommand(['sizing', ...options]).ended
    assert.deepEqual([code, output], [1, message])
  }
})
