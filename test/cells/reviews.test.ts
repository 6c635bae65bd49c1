// Reviews move with the patient: one is in the new cell, or was refused by the old one. What is derived for lists stays behind, and is
// deleted with the rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { runSql } from '../support/harness.ts'
import { review, reviewsOf } from '../support/reviews-by-hand.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const serveUrl = old.rounds.serveUrl
const [patientUid = '', other = ''] = patientsOfRange()
const STAYS = 'stays'

for (const note of ['first', 'second']) await review(serveUrl, { patientUid, note })
await review(serveUrl, { patientUid: other })
await runSql(serveUrl, 'insert into care.patients (patient_uid) select unnest($1::text[])', [
  [patientUid, other, STAYS],
])
await runSql(
  serveUrl,
  "insert into care.looks (doctor_id, patient_uid, looked_on) select 'doctor-1', patient_uid, now() from care.patients",
)

test('an abort removes the copied reviews, and the old cell keeps them', async () => {
  const before = await reviewsOf(old.ownerUrl, patientUid)
  assert.equal(before.length, 2)
  await moveUntil('copied', old, fresh)
  assert.deepEqual(await reviewsOf(fresh.ownerUrl, patientUid), before)
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  assert.deepEqual(await runSql(fresh.ownerUrl, 'select from casesheet.reviews'), [])
  assert.deepEqual(await reviewsOf(old.ownerUrl, patientUid), before)
})

test('a cell that holds only a review is in use', async () => {
  await review(fresh.ownerUrl, { patientUid: other })
  const { code, output } = await runCell(moveArguments(fresh), old)
  assert.equal(code, 1)
  assert.match(output, /The new cell still holds data of the slots 0-1023/)
  await runSql(fresh.ownerUrl, 'delete from casesheet.reviews')
})

test('added before, while it is copied or after the comparison, a review is the same in the new cell', async () => {
  await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 0, last: 1_023 },
    limitMs: 30_000,
    changeMap: async () => {},
    onProgress: () => {},
    async onStep(step) {
      if (step === 'copied' || step === 'compared') await review(serveUrl, { patientUid, note: step })
    },
  })
  for (const moved of [patientUid, other])
    assert.deepEqual(await reviewsOf(fresh.ownerUrl, moved), await reviewsOf(old.ownerUrl, moved))
  const token = await fresh.rounds.token({ patientUid })
  const { status, json, text } = await fresh.rounds.call('/care/reviews/list', { token })
  assert.equal(status, 200, text)
  assert.deepEqual(
    json.data.map(({ note }) => note),
    ['compared', 'copied', 'second', 'first'],
  )
  assert.deepEqual(
    await runSql(
      fresh.ownerUrl,
      'select from casesheet.reviews where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())',
    ),
    [],
  )
  const moved = await old.rounds.call('/care/reviews/list', {
    token: await old.rounds.token({ patientUid }),
  })
  assert.deepEqual([moved.status, moved.json.code], [421, 'WrongCell'])
})

test('the old cell is cleaned of reviews and of what it derived, and says how many', async () => {
  const { code, output } = await runCell(['clean', '--after-hours', '0', '--yes'], old)
  assert.equal(code, 0, output)
  assert.match(
    output,
    /deleted 0 readings, 0 grants, 0 targets, 5 reviews, 0 rules, 0 alerts and \d entries of the access log\./,
  )
  assert.deepEqual(await runSql(old.ownerUrl, 'select from casesheet.reviews'), [])
  for (const table of ['patients', 'looks'])
    assert.deepEqual(await runSql(old.ownerUrl, `select patient_uid from care.${table}`), [
      { patient_uid: STAYS },
    ])
  assert.equal((await reviewsOf(fresh.ownerUrl, other)).length, 1)
})
