// A cell that was restored to a time before or within a move, as docs/operations/cells.md says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSql } from '../support/harness.ts'
import { moveArguments, moveUntil, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const slotsOf = async ({ ownerUrl }: typeof old) =>
  (await runSql<{ open: string }>(ownerUrl, 'select open_slots::text as open from casesheet.cell'))[0]?.open

test('an old cell that was restored to a time within the move gives its slots up when the move is run again', async () => {
  await moveUntil('opened', old, fresh)
  // As the old cell was while it copied.
  await runSql(old.ownerUrl, "update casesheet.cell set open_slots = '{[0,4096)}', closing_slots = '{}'")
  await runSql(old.ownerUrl, "update casesheet.cell_moves set state = 'copying'")
  const { code, output } = await runCell(moveArguments(fresh), old)
  assert.equal(code, 0, output)
  assert.deepEqual([await slotsOf(old), await slotsOf(fresh)], ['{[1024,4096)}', '{[0,1024)}'])
})

test('where the new cell was restored to before it took over, the old one serves again, and the copy is removed', async () => {
  // As the new cell was while it copied.
  await runSql(fresh.ownerUrl, "update casesheet.cell set open_slots = '{}', incoming_slots = '{[0,1024)}'")
  await runSql(fresh.ownerUrl, "update casesheet.cell_moves set state = 'copying'")
  const guide = readFileSync(join(import.meta.dirname, '../../docs/operations/cells.md'), 'utf8')
  const [, statements = ''] = /```sql\n([^]+?)```/.exec(guide) ?? []
  for (const statement of statements.replaceAll('[3072,4096)', '[0,1024)').split(';\n'))
    if (statement.startsWith('update')) await runSql(old.ownerUrl, statement)
  assert.equal(await slotsOf(old), '{[0,4096)}')
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  assert.match(output, /the copy in the other one was removed/)
  const [left] = await runSql(fresh.ownerUrl, 'select incoming_slots::text as incoming from casesheet.cell')
  assert.deepEqual(left, { incoming: '{}' })
})
