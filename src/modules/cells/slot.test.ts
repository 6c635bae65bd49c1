// A patient's slot must be the same in Node, in PostgreSQL and in HAProxy, today and in ten years: another one, and the patient's
// readings are in a cell where nothing looks for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase, runSql } from '../../../test/support/harness.ts'
import { SLOTS_BY_HAND } from '../../../test/support/slots-by-hand.ts'
import { slotOf } from './slot.ts'

const { ownerUrl } = await createDatabase()

test('slots are those that were computed by hand', () => {
  for (const [patientUid, digits] of SLOTS_BY_HAND)
    assert.equal(slotOf(patientUid), Number.parseInt(digits, 16), patientUid)
})

test('PostgreSQL computes the same, as a number and as the digits that a row filter compares', async () => {
  const rows = await runSql<{ slot: number; digits: string }>(
    ownerUrl,
    `select casesheet.slot_of(patient_uid) as slot, substr(md5(patient_uid), 1, 3) as digits
     from unnest($1::text[]) with ordinality as known (patient_uid, number)
     order by number`,
    [SLOTS_BY_HAND.map(([patientUid]) => patientUid)],
  )
  assert.deepEqual(
    rows,
    SLOTS_BY_HAND.map(([, digits]) => ({ slot: Number.parseInt(digits, 16), digits })),
  )
})

test('a publication accepts the digits as a row filter, with withdrawals', async () => {
  await runSql(
    ownerUrl,
    `create publication tried for table casesheet.readings
       where (substr(md5(patient_uid), 1, 3) between '800' and 'fff')
     with (publish = 'insert, update', publish_via_partition_root = true)`,
  )
  await runSql(
    ownerUrl,
    `insert into casesheet.readings
       (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
     values ('patient-1', now(), gen_random_uuid(), 'acme.x', 5, '{}', 'x')`,
  )
  await runSql(ownerUrl, "update casesheet.readings set withdrawn_by = 'x'")
  await runSql(ownerUrl, 'drop publication tried')
})
