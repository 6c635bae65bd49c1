import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { makeStatement } from './make-statement.ts'

test('a change that comes while a summary is made leaves its mark', async () => {
  const { ownerUrl, serveUrl } = await createDatabase()
  await runSql(
    ownerUrl,
    `insert into care.patients (patient_uid) values ('p1');
     insert into care.patient_zones (patient_uid, time_zone, asked_on, state) values ('p1', 'UTC', now(), 'made');
     insert into care.stale (patient_uid, reading_type, measured_from, measured_to, version)
     values ('p1', 'heartRate', now() - interval '1 hour', now(), 5)`,
  )
  const marksAfter = async (version: string, staleVersion: string) => {
    const [measuredFrom, measuredTo] = ['-infinity', 'infinity']
    const task = { patientUid: 'p1', measuredFrom, measuredTo, version, staleVersion }
    const { text, values } = makeStatement('heartRate', [task], Date.now())
    assert.deepEqual(await runSql(serveUrl, text, values), [{ patient_uid: 'p1', readings: 0 }])
    return (await runSql(ownerUrl, 'select from care.stale')).length
  }
  assert.equal(await marksAfter('0', '4'), 1, 'it was marked again since')
  assert.equal(await marksAfter('1', '5'), 0)
})
