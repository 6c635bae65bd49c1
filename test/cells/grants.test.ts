// Grants move with the patient: a change is in the new cell, or was refused by the old one; none is lost, and none comes twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { moveSlots } from '../../src/modules/cells/move/move-slots.ts'
import { give, giveText, grantsOf, REVOKE, revoke } from '../support/grants-by-hand.ts'
import { runSql } from '../support/harness.ts'
import { until } from '../support/until.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell } from './aborts.ts'
import { startCell } from './two-cells.ts'

const [old, fresh, third] = [await startCell(), await startCell(), await startCell()]
const serveUrl = old.rounds.serveUrl
const [patientUid = '', other = ''] = patientsOfRange()
const doctor = (number: number) => ({ patientUid, doctorId: `doctor-${number}` })

const stateOf = async (ownerUrl: string, number: number) =>
  (
    await runSql<{ state: string }>(
      ownerUrl,
      'select state from casesheet.grants where patient_uid = $1 and doctor_id = $2',
      [patientUid, doctor(number).doctorId],
    )
  )[0]?.state

for (const number of [1, 2, 3, 4]) await give(serveUrl, { ...doctor(number), sharedAs: 'Mia Example' })
await give(serveUrl, { patientUid: other, doctorId: 'doctor-1', readingTypes: ['heartRate'] })

test('a cell without the tables of grants is refused in a sentence, and nothing is changed', async () => {
  await runSql(third.ownerUrl, 'drop table casesheet.grants, casesheet.grant_changes')
  await runSql(third.ownerUrl, "delete from rounds.migration_files where name ~ '^00(19|20)'")
  for (const more of [['--dry-run'], []]) {
    const asked = moveArguments(third).filter((argument) => more.length === 0 || argument !== '--yes')
    const { code, output } = await runCell([...asked, ...more], old)
    assert.equal(code, 1, output)
    assert.match(
      output,
      /The two databases are not of the same release\. Run "rounds migrate" on both first\./,
    )
  }
  assert.deepEqual(await runSql(old.ownerUrl, 'select from casesheet.cell_moves'), [])
})

test('an abort removes the copied grants with their history, and the old cell keeps them', async () => {
  const before = await grantsOf(old.ownerUrl, patientUid)
  assert.equal(before.length, 8)
  await moveUntil('copied', old, fresh)
  assert.deepEqual(await grantsOf(fresh.ownerUrl, patientUid), before)
  const { code, output } = await runCell(['abort', '--to', fresh.ownerUrl], old)
  assert.equal(code, 0, output)
  for (const table of ['grants', 'grant_changes'])
    assert.deepEqual(await runSql(fresh.ownerUrl, `select from casesheet.${table}`), [])
  assert.deepEqual(await grantsOf(old.ownerUrl, patientUid), before)
})

test('a cell that holds only a grant is in use', async () => {
  await give(fresh.ownerUrl, { patientUid: other, doctorId: 'doctor-9' })
  const { code, output } = await runCell(moveArguments(fresh), old)
  assert.deepEqual(
    [code, /The new cell still holds data of the slots 0-1023/.test(output)],
    [1, true],
    output,
  )
  await runSql(fresh.ownerUrl, 'delete from casesheet.grants')
  const history = await runCell(moveArguments(fresh), old)
  assert.match(history.output, /The new cell still holds data of the slots 0-1023/)
  await runSql(fresh.ownerUrl, 'delete from casesheet.grant_changes')
})

test('revoked before, while it is copied, after the comparison or in the switch, a grant is revoked in the new cell', async () => {
  const late = new Client({ connectionString: serveUrl })
  await late.connect()
  await revoke(serveUrl, doctor(1))
  const committed = { late: Promise.resolve() }
  await moveSlots({
    sourceUrl: old.ownerUrl,
    targetUrl: fresh.ownerUrl,
    sourceUrlForTarget: old.ownerUrl,
    range: { first: 0, last: 1_023 },
    limitMs: 30_000,
    changeMap: async () => {},
    onProgress: () => {},
    async onStep(step) {
      if (step === 'copied') {
        await revoke(serveUrl, doctor(2))
        await give(serveUrl, { ...doctor(5), validUntil: '2999-01-01Z' })
      }
      if (step === 'compared') {
        await revoke(serveUrl, doctor(3))
        await late.query('begin')
        await late.query(REVOKE, [patientUid, 'doctor-4', 'carer'])
        await late.query(...giveText(doctor(6)))
      }
      if (step === 'closed') committed.late = commitOnceWaitedFor()
      if (step === 'ended')
        assert.equal(await stateOf(old.ownerUrl, 4), 'revoked', 'the switch waited for it')
    },
  })
  await committed.late
  await late.end()
  for (const number of [1, 2, 3, 4])
    assert.equal(await stateOf(fresh.ownerUrl, number), 'revoked', `${number}`)
  for (const number of [5, 6]) assert.equal(await stateOf(fresh.ownerUrl, number), 'given', `${number}`)
  for (const moved of [patientUid, other])
    assert.deepEqual(await grantsOf(fresh.ownerUrl, moved), await grantsOf(old.ownerUrl, moved))
  const [places] = await runSql(
    fresh.ownerUrl,
    'select bool_and(changed_xid < pg_snapshot_xmax(pg_current_snapshot())) as are_ours from casesheet.grants',
  )
  assert.deepEqual(places, { are_ours: true })

  async function commitOnceWaitedFor() {
    await until(async () => {
      const waiting = await runSql(
        old.ownerUrl,
        `select
         from pg_stat_activity
         where application_name = 'rounds operator'
           and query like '%RowExclusiveLock%'`,
      )
      return waiting.length > 0
    })
    await late.query('commit')
  }
})

test('the old cell is cleaned of grants, and says how many', async () => {
  const { code, output } = await runCell(['clean', '--after-hours', '0', '--yes'], old)
  assert.equal(code, 0, output)
  assert.match(
    output,
    /deleted 0 readings, 7 grants, 0 targets, 0 reviews, 0 rules, 0 alerts and 0 entries of the access log\./,
  )
  for (const table of ['grants', 'grant_changes'])
    assert.deepEqual(await runSql(old.ownerUrl, `select from casesheet.${table}`), [])
  assert.equal((await grantsOf(fresh.ownerUrl, other)).length, 2)
})
