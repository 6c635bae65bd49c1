// A copy that lacks a single reading, or has one with another mark, is never opened.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { abortMove } from '../../../src/modules/cells/move/abort-move.ts'
import { moveSlots } from '../../../src/modules/cells/move/move-slots.ts'
import { acknowledge, raise, setRule, vanish } from '../../support/alerts-by-hand.ts'
import { give, revoke } from '../../support/grants-by-hand.ts'
import { runSql } from '../../support/harness.ts'
import { review } from '../../support/reviews-by-hand.ts'
import { set } from '../../support/targets-by-hand.ts'
import { startCell } from '../two-cells.ts'

const [old, fresh] = [await startCell(), await startCell()]
const urls = { sourceUrl: old.ownerUrl, targetUrl: fresh.ownerUrl }
const patients = Array.from({ length: 200 }, () => randomUUID())
const [changed = ''] = patients

async function add(patientUid: string, timestamp: number) {
  const { rounds } = old
  const answer = await rounds.call('/casesheet/readings/add', {
    token: await rounds.token({ patientUid }),
    body: { patientUid, readingType: 'acme.step', timestamp },
  })
  assert.equal(answer.status, 200, answer.text)
}
for (const patientUid of patients) await add(patientUid, 1)
await give(old.ownerUrl, { patientUid: changed, doctorId: 'doctor-1' })
await revoke(old.ownerUrl, { patientUid: changed, doctorId: 'doctor-1' })

const target = { patientUid: changed, readingType: 'oxygenSaturation' }
await set(old.ownerUrl, { ...target, low: 92 })

await review(old.ownerUrl, { patientUid: changed, note: 'Seen' })

const ruleId = await setRule(old.ownerUrl, { patientUid: changed })
const alertId = await raise(old.ownerUrl, { patientUid: changed, ruleId })

const moveAll = (onStep: (step: string) => Promise<void>) =>
  moveSlots({
    ...urls,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 0, last: 4_095 },
    limitMs: 30_000,
    changeMap: async () => {},
    onProgress: () => {},
    onStep,
  })

const DAMAGES: [what: string, step: string, sql: string][] = [
  ['a reading is missing', 'copied', 'delete from casesheet.readings where patient_uid = $1'],
  [
    'a reading has another mark',
    'copied',
    "update casesheet.readings set withdrawn_by = 'x' where patient_uid = $1",
  ],
  [
    'a reading has a correction that was never made',
    'copied',
    `insert into casesheet.corrections
       (patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as)
     select patient_uid, gen_random_uuid(), measured_at, reading_id, 'restore', 'x', 'staff'
     from casesheet.readings
     where patient_uid = $1`,
  ],
  ['a grant is missing', 'copied', 'delete from casesheet.grants where patient_uid = $1'],
  [
    'a grant that was revoked is given',
    'copied',
    "update casesheet.grants set state = 'given' where patient_uid = $1",
  ],
  [
    'the history of a grant is missing',
    'copied',
    'delete from casesheet.grant_changes where patient_uid = $1',
  ],
  [
    'a grant that was revoked after the comparison is given',
    'confirmed',
    "update casesheet.grants set state = 'given' where patient_uid = $1 and doctor_id = 'doctor-2'",
  ],
  ['a target is missing', 'copied', 'delete from casesheet.targets where patient_uid = $1'],
  ['a target has another bound', 'copied', 'update casesheet.targets set low = 50 where patient_uid = $1'],
  [
    'the history of a target is missing',
    'copied',
    'delete from casesheet.target_changes where patient_uid = $1',
  ],
  [
    'a target that was changed after the comparison is as before',
    'confirmed',
    'update casesheet.targets set low = 1 where patient_uid = $1',
  ],
  ['a review is missing', 'copied', 'delete from casesheet.reviews where patient_uid = $1'],
  ['a review has another note', 'copied', "update casesheet.reviews set note = 'x' where patient_uid = $1"],
  [
    'a review that was added after the comparison is missing',
    'confirmed',
    "delete from casesheet.reviews where patient_uid = $1 and note = 'Later'",
  ],
  ['a rule is missing', 'copied', 'delete from casesheet.rules where patient_uid = $1'],
  [
    'a rule has another bound',
    'copied',
    `update casesheet.rules set terms = jsonb_set(terms, '{threshold,above}', '131') where patient_uid = $1`,
  ],
  ['the history of a rule is missing', 'copied', 'delete from casesheet.rule_changes where patient_uid = $1'],
  [
    'a rule that was changed after the comparison is as before',
    'confirmed',
    "update casesheet.rules set terms = '{}' where patient_uid = $1",
  ],
  ['an alert is missing', 'copied', 'delete from casesheet.alerts where patient_uid = $1'],
  [
    'an alert is retracted',
    'copied',
    "update casesheet.alerts set condition = 'retracted' where patient_uid = $1",
  ],
  [
    'an alert that was acknowledged after the comparison is not',
    'confirmed',
    'update casesheet.alerts set acknowledged_at = null where patient_uid = $1',
  ],
  ['an event of an alert is missing', 'copied', 'delete from casesheet.alert_events where patient_uid = $1'],
  [
    'an event of an alert that came after the comparison has another note',
    'confirmed',
    "update casesheet.alert_events set note = 'x' where patient_uid = $1 and note is not null",
  ],
  [
    'an entry of the access log is there twice',
    'copied',
    `insert into casesheet.access_log
     select patient_uid, now(), 'x', 0, 'x', 'staff', 'x', '-infinity', 'infinity', null, 0
     from casesheet.readings
     where patient_uid = $1`,
  ],
  [
    'a reading that was added after the comparison is missing',
    'confirmed',
    'delete from casesheet.readings where patient_uid = $1 and sent_timestamp > 1',
  ],
]

let later = 1_000
for (const [what, step, sql] of DAMAGES) {
  test(`where ${what} in the new cell, the old one goes on serving`, async () => {
    const moving = moveAll(async (reached) => {
      if (reached === 'copied') await give(old.ownerUrl, { patientUid: changed, doctorId: 'doctor-2' })
      if (reached === 'compared') {
        await add(changed, ++later)
        await revoke(old.ownerUrl, { patientUid: changed, doctorId: 'doctor-2' })
        await set(old.ownerUrl, { ...target, low: 60 + (later % 30) })
        await review(old.ownerUrl, { patientUid: changed, note: 'Later' })
        await setRule(old.ownerUrl, { patientUid: changed, ruleId, above: later })
        await acknowledge(old.ownerUrl, changed, alertId)
      }
      if (reached === step) await runSql(fresh.ownerUrl, sql, [changed])
    })
    await assert.rejects(moving, /The two cells differ/)
    await add(changed, 2_000 + later)
    const [slots] = await runSql(fresh.ownerUrl, 'select open_slots::text from casesheet.cell')
    assert.deepEqual(slots, { open_slots: '{}' })
    await abortMove({ ...urls, isLost: false, onProgress: () => {} })
    const [left] = await runSql(fresh.ownerUrl, 'select count(*)::integer as count from casesheet.readings')
    assert.deepEqual(left, { count: 0 })
  })
}

test('where nothing differs, what is added, withdrawn or vanishes during the comparison is no hindrance', async () => {
  const over = new AbortController()
  async function change() {
    let begun = await raise(old.ownerUrl, { patientUid: changed, ruleId, condition: 'pending' })
    for (let timestamp = 10_000; !over.signal.aborted; timestamp++) {
      await add(patients[timestamp % patients.length] ?? '', timestamp)
      const next = await raise(old.ownerUrl, { patientUid: changed, ruleId, condition: 'pending' })
      await vanish(old.ownerUrl, changed, begun)
      begun = next
    }
  }
  const changing = change().catch(
    (error: unknown) => over.signal.aborted || assert.match(String(error), /503|421/),
  )
  const { compared } = await moveAll(async (step) => {
    if (step === 'copied')
      await runSql(old.ownerUrl, "update casesheet.readings set withdrawn_by = 'x' where sent_timestamp = 1")
    if (step === 'compared') over.abort()
  })
  await changing
  assert.ok((compared?.readings ?? 0) >= patients.length)
  const [row] = await runSql(
    fresh.ownerUrl,
    'select count(withdrawn_at)::integer as withdrawn from casesheet.readings where sent_timestamp = 1',
  )
  assert.deepEqual(row, { withdrawn: patients.length })
})
