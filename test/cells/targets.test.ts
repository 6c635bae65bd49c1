// Targets move with the patient: a change is in the new cell, or was refused by the old one; none is lost, and none comes twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { runSql } from '../support/harness.ts'
import { remove, set, targetsOf } from '../support/targets-by-hand.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const serveUrl = old.rounds.serveUrl
const [patientUid = '', other = ''] = patientsOfRange()

for (const readingType of ['before', 'copied', 'compared', 'kept'])
  await set(serveUrl, { patientUid, readingType, low: 92, label: 'Ours' })
await set(serveUrl, { patientUid: other, readingType: 'kept', low: 10 })

test('an abort removes the copied targets with their history, and the old cell keeps them', async () => {
  const before = await targetsOf(old.ownerUrl, patientUid)
  assert.equal(before.length, 8)
  await moveUntil('copied', old, fresh)
  assert.deepEqual(await targetsOf(fresh.ownerUrl, patientUid), before)
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  for (const table of ['targets', 'target_changes'])
    assert.deepEqual(await runSql(fresh.ownerUrl, `select from casesheet.${table}`), [])
  assert.deepEqual(await targetsOf(old.ownerUrl, patientUid), before)
})

test('a cell that holds only a target, or the history of one, is in use', async () => {
  await set(fresh.ownerUrl, { patientUid: other, readingType: 'held', low: 1 })
  for (const table of ['targets', 'target_changes']) {
    const { code, output } = await runCell(moveArguments(fresh), old)
    assert.equal(code, 1)
    assert.match(output, /The new cell still holds data of the slots 0-1023/)
    await runSql(fresh.ownerUrl, `delete from casesheet.${table}`)
  }
})

test('set or removed before, while it is copied or after the comparison, a target is the same in the new cell', async () => {
  await remove(serveUrl, patientUid, 'before')
  await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 0, last: 1_023 },
    limitMs: 30_000,
    changeMap: async () => {},
    onProgress: () => {},
    async onStep(step) {
      if (step !== 'copied' && step !== 'compared') return
      await remove(serveUrl, patientUid, step)
      await set(serveUrl, { patientUid, readingType: `new-${step}`, low: 1 })
      await set(serveUrl, { patientUid, readingType: 'kept', low: step === 'copied' ? 80 : 70 })
    },
  })
  for (const moved of [patientUid, other])
    assert.deepEqual(await targetsOf(fresh.ownerUrl, moved), await targetsOf(old.ownerUrl, moved))
  assert.deepEqual(
    await runSql(
      fresh.ownerUrl,
      `select reading_type, state, low, changed_xid < pg_snapshot_xmax(pg_current_snapshot()) as is_ours
       from casesheet.targets
       where patient_uid = $1
       order by reading_type`,
      [patientUid],
    ),
    [
      ['before', 'removed', 92],
      ['compared', 'removed', 92],
      ['copied', 'removed', 92],
      ['kept', 'set', 70],
      ['new-compared', 'set', 1],
      ['new-copied', 'set', 1],
    ].map(([reading_type, state, low]) => ({ reading_type, state, low, is_ours: true })),
  )
  const token = await fresh.rounds.token({ patientUid })
  const { status, json, text } = await fresh.rounds.call('/care/targets/list', { token })
  assert.equal(status, 200, text)
  assert.equal(json.data.length, 3)
  const moved = await old.rounds.call('/care/targets/set', {
    token: await old.rounds.token({ patientUid }),
    body: { patientUid, readingType: 'bodyFat', low: 10 },
  })
  assert.deepEqual([moved.status, moved.json.code], [421, 'WrongCell'])
})

test('the old cell is cleaned of targets, and says how many', async () => {
  const { code, output } = await runCell(['clean', '--after-hours', '0', '--yes'], old)
  assert.equal(code, 0, output)
  assert.match(
    output,
    /deleted 0 readings, 0 grants, 7 targets, 0 reviews, 0 rules, 0 alerts and 0 entries of the access log\./,
  )
  for (const table of ['targets', 'target_changes'])
    assert.deepEqual(await runSql(old.ownerUrl, `select from casesheet.${table}`), [])
  assert.equal((await targetsOf(fresh.ownerUrl, other)).length, 2)
})
