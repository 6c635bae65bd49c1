// Rules and alerts move with the patient: with their history and events, as they are when the new cell opens the slots. That cell then
// evaluates them; what was derived for them stays behind, and is deleted with the rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import {
  ALERT_TABLES,
  acknowledge,
  alertsOf,
  raise,
  removeRule,
  resolve,
  setRule,
  vanish,
} from '../support/alerts-by-hand.ts'
import { runSql } from '../support/harness.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const serveUrl = old.rounds.serveUrl
const [patientUid = '', other = ''] = patientsOfRange()
const STAYS = 'stays'

const kept = await setRule(serveUrl, { patientUid })
await setRule(serveUrl, { patientUid, readingType: 'bodyTemperature' })
const removedBefore = await setRule(serveUrl, { patientUid, above: 140 })
await removeRule(serveUrl, patientUid, removedBefore)
const [acknowledged, resolved, open] = [
  await raise(serveUrl, { patientUid, ruleId: kept }),
  await raise(serveUrl, { patientUid, ruleId: kept }),
  await raise(serveUrl, { patientUid, ruleId: kept }),
]
/** Pending alerts. The first two vanish at these steps of a move. */
const pending = {
  copied: await raise(serveUrl, { patientUid, ruleId: kept, condition: 'pending' }),
  compared: await raise(serveUrl, { patientUid, ruleId: kept, condition: 'pending' }),
  never: await raise(serveUrl, { patientUid, ruleId: kept, condition: 'pending' }),
}
await setRule(serveUrl, { patientUid: other })
await runSql(
  serveUrl,
  `insert into care.alert_looks (doctor_id, patient_uid, looked_on)
   select 'doctor-1', unnest($1::text[]), now()`,
  [[patientUid, other, STAYS]],
)
await runSql(
  serveUrl,
  `insert into care.rule_clocks (patient_uid, rule_id, reading_type, due_at)
   select unnest($1::text[]), gen_random_uuid(), 'heartRate', now()`,
  [[patientUid, STAYS]],
)
await runSql(
  serveUrl,
  `insert into care.alert_marks (patient_uid, reading_type, measured_from, measured_to)
   select unnest($1::text[]), 'heartRate', now(), now()`,
  [[patientUid, STAYS]],
)

test('an abort removes the copied rules and alerts, and the old cell keeps them', async () => {
  const before = await alertsOf(old.ownerUrl, patientUid)
  // Three rules with four changes, six alerts with three events.
  assert.equal(before.length, 16)
  await moveUntil('copied', old, fresh)
  assert.deepEqual(await alertsOf(fresh.ownerUrl, patientUid), before)
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  for (const table of ALERT_TABLES)
    assert.deepEqual(await runSql(fresh.ownerUrl, `select from casesheet.${table}`), [])
  assert.deepEqual(await runSql(fresh.ownerUrl, 'select from care.alert_marks'), [])
  assert.deepEqual(await alertsOf(old.ownerUrl, patientUid), before)
  assert.deepEqual(await runSql(old.ownerUrl, 'select pubname from pg_publication'), [])
  const going = await runSql(
    old.ownerUrl,
    "select from casesheet.followers join casesheet.feed using (generation) where name = 'alerts:rules'",
  )
  assert.equal(going.length, 1, 'nothing has to be evaluated anew')
})

test('a cell that holds only a rule, the history of one, an alert or an event is in use', async () => {
  await setRule(fresh.ownerUrl, { patientUid: other })
  await raise(fresh.ownerUrl, { patientUid: other })
  for (const table of ALERT_TABLES) {
    const { code, output } = await runCell(moveArguments(fresh), old)
    assert.equal(code, 1)
    assert.match(output, /The new cell still holds data of the slots 0-1023/)
    await runSql(fresh.ownerUrl, `delete from casesheet.${table}`)
  }
})

test('changed before, while it is copied or after the comparison, rules and alerts are the same in the new cell', async () => {
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
      assert.deepEqual(await runSql(fresh.ownerUrl, 'select from care.alert_marks'), [])
      await vanish(serveUrl, patientUid, pending[step])
      await setRule(serveUrl, { patientUid, ruleId: kept, above: step === 'copied' ? 120 : 110 })
      const meanwhile = await raise(serveUrl, { patientUid, ruleId: kept, why: step })
      await acknowledge(serveUrl, patientUid, meanwhile)
      if (step === 'copied') await acknowledge(serveUrl, patientUid, acknowledged)
      else await resolve(serveUrl, patientUid, resolved)
    },
  })
  for (const moved of [patientUid, other])
    assert.deepEqual(await alertsOf(fresh.ownerUrl, moved), await alertsOf(old.ownerUrl, moved))
  const states = await runSql<{ alert_id: string; condition: string; is_ours: boolean }>(
    fresh.ownerUrl,
    `select alert_id, condition, changed_xid < pg_snapshot_xmax(pg_current_snapshot()) as is_ours
     from casesheet.alerts
     where alert_id = any ($1)
     order by condition`,
    [[open, resolved, ...Object.values(pending)]],
  )
  assert.deepEqual(
    states,
    [
      [open, 'open'],
      [pending.never, 'pending'],
      [resolved, 'resolved'],
    ].map(([alert_id, condition]) => ({ alert_id, condition, is_ours: true })),
  )
})

test('the new cell marks every rule that is set to be evaluated, once the slots are open', async () => {
  const marks = await runSql(
    fresh.ownerUrl,
    'select patient_uid, reading_type from care.alert_marks order by patient_uid, reading_type',
  )
  assert.deepEqual(
    marks,
    [
      { patient_uid: patientUid, reading_type: 'bodyTemperature' },
      { patient_uid: patientUid, reading_type: 'heartRate' },
      { patient_uid: other, reading_type: 'heartRate' },
    ].toSorted((a, b) => (a.patient_uid < b.patient_uid ? -1 : 1)),
  )
  for (const table of ['rule_clocks', 'alert_looks'])
    assert.deepEqual(await runSql(fresh.ownerUrl, `select from care.${table}`), [])
})

test('the old cell is cleaned of rules, alerts and what it derived, and says how many', async () => {
  const { code, output } = await runCell(['clean', '--after-hours', '0', '--yes'], old)
  assert.equal(code, 0, output)
  assert.match(
    output,
    /deleted 0 readings, 0 grants, 0 targets, 0 reviews, 4 rules, 6 alerts and 0 entries of the access log\./,
  )
  for (const table of ALERT_TABLES)
    assert.deepEqual(await runSql(old.ownerUrl, `select from casesheet.${table}`), [])
  for (const table of ['alert_marks', 'rule_clocks', 'alert_looks'])
    assert.deepEqual(await runSql(old.ownerUrl, `select patient_uid from care.${table}`), [
      { patient_uid: STAYS },
    ])
  assert.equal((await alertsOf(fresh.ownerUrl, other)).length, 2)
})
