import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDb } from '../../../../test/support/copying-follower.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { SummaryKeeper } from './keep-summaries.ts'
import { markChanges } from './mark-changes.ts'

async function newStage() {
  const { ownerUrl, serveUrl } = await createDatabase()
  const db = openDb(serveUrl)
  let keeper: SummaryKeeper | undefined
  after(async () => {
    await keeper?.stop()
    await db.end()
  })
  const doctorId = randomUUID()
  await runSql(
    ownerUrl,
    `insert into casesheet.targets (author_kind, author_id, reading_type, unit, fields, set_by)
     values ('doctor', $1, 'heartRate', '/min', '{"value": {"high": 100}}', 'test')`,
    [doctorId],
  )
  return {
    ownerUrl,
    db,
    /** A patient with a reading, who shares with the doctor. */
    share: async (patientUid: string) => {
      await runSql(
        ownerUrl,
        `insert into casesheet.readings (patient_uid, reading_id, reading_type, measured_at, sent_timestamp, details)
         values ($1, gen_random_uuid(), 'heartRate', now(), 0, '{"value": 70}')`,
        [patientUid],
      )
      await runSql(
        ownerUrl,
        `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
         values ($1, $2, 'manage', 'x', 'test')`,
        [patientUid, doctorId],
      )
    },
    count: async (table: string, patientUid: string) =>
      (await runSql(ownerUrl, `select from care.${table} where patient_uid = $1`, [patientUid])).length,
    startKeeper: (warn: (error: unknown) => void) => {
      keeper = new SummaryKeeper(db, { now: Date.now, warn })
    },
  }
}

test('what was marked by a process that ended then is made by the next one', async () => {
  const { ownerUrl, db, share, count, startKeeper } = await newStage()
  const ended = randomUUID()
  await runSql(ownerUrl, "update casesheet.followers set held_by = $1 where name = 'care:list'", [ended])
  await share('patient-1')
  await until(async () => {
    await markChanges(db, ended, 100)
    return (await count('marks', 'patient-1')) > 0
  })
  assert.equal(await count('days', 'patient-1'), 0)
  await runSql(ownerUrl, "update casesheet.followers set held_by = null where name = 'care:list'")
  startKeeper(assert.ifError)
  await until(async () => (await count('days', 'patient-1')) === 1)
  assert.equal(await count('marks', 'patient-1'), 0)
})

test('one patient of whom nothing can be made rests, is reported once, and holds up nobody', async () => {
  const { ownerUrl, share, count, startKeeper } = await newStage()
  await runSql(ownerUrl, "alter table care.days add constraint fails check (patient_uid <> 'patient-0')")
  const warnings: unknown[] = []
  startKeeper((error) => warnings.push(error))
  await share('patient-0')
  await until(() => warnings.length > 0)
  await share('patient-1')
  await until(async () => (await count('days', 'patient-1')) === 1)
  assert.equal(warnings.length, 1)
  assert.ok((await count('marks', 'patient-0')) > 0, 'it is tried again')
})
