// Refusals of erased patients move along with slots. Under two keys, no server could check them, and every add would fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql } from '../support/harness.ts'
import { moveArguments, moveUntil, runCell } from './aborts.ts'
import { type CellOfTest, startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const refuse = ({ ownerUrl }: CellOfTest, keyId: string, digest: string) =>
  runSql(
    ownerUrl,
    `insert into casesheet.refused_patients (key_id, patient_digest, refused_until)
     values (decode($1, 'hex'), decode($2, 'hex'), now() + interval '1 day')`,
    [keyId, digest],
  )
const refusedIn = async ({ ownerUrl }: CellOfTest) =>
  (
    await runSql<{ refused: string }>(
      ownerUrl,
      "select encode(key_id, 'hex') || ' ' || encode(patient_digest, 'hex') as refused from casesheet.refused_patients order by 1",
    )
  ).map(({ refused }) => refused)

await refuse(old, '01', 'aa')
await refuse(old, '01', 'bb')

test('slots do not move to a cell that refuses patients, or has erased one, under another key', async () => {
  const differs = async () => {
    const { code, output } = await runCell(moveArguments(fresh), old)
    assert.deepEqual([code, /under another ERASURE_KEY/.test(output)], [1, true], output)
    assert.deepEqual(await runSql(old.ownerUrl, 'select from casesheet.cell_moves'), [])
  }
  await refuse(fresh, '02', 'cc')
  await differs()
  await runSql(fresh.ownerUrl, 'delete from casesheet.refused_patients')
  const erased = (keyId: string, at: string) =>
    runSql(
      fresh.ownerUrl,
      `insert into casesheet.erasures (at, erased_by, digest_kind, patient_digest, key_id, readings_count, own_accesses_count, other_accesses_count)
       values ($2, 'test', 'hmac', '\\xdd', decode($1, 'hex'), 0, 0, 0)`,
      [keyId, at],
    )
  await erased('02', '2025-01-01')
  await differs()
  // The key was changed since.
  await erased('01', '2025-02-01')
})

test('an abort removes the refusals that the move brought, and no other', async () => {
  await refuse(fresh, '01', 'bb')
  await refuse(fresh, '01', 'ee')
  for (let run = 0; run < 2; run++) {
    await moveUntil('copied', old, fresh)
    assert.deepEqual(await refusedIn(fresh), ['01 aa', '01 bb', '01 ee'])
  }
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  assert.deepEqual(await refusedIn(fresh), ['01 bb', '01 ee'])
  assert.deepEqual(await refusedIn(old), ['01 aa', '01 bb'])
})
