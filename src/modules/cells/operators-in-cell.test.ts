// What operators do in a cell that serves a part of the slots, or all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, startRounds } from '../../../test/support/harness.ts'
import {
  BY,
  countRows,
  createPatient,
  runPatientCommand,
} from '../../../test/support/patient-with-history.ts'
import { runCommand } from '../../../test/support/process.ts'
import { ALL, LOWER, patientWhere, setSlots, UPPER } from '../../../test/support/slots.ts'
import { slotOf } from './slot.ts'

const rounds = await startRounds()
const { ownerUrl } = rounds

const erase = (patientUid: string) => runPatientCommand(['erase', patientUid, ...BY, '--yes'], ownerUrl)

/** In which slots the access log has reads of patients who were erased. */
async function slotsOfErased(): Promise<number[]> {
  const rows = await runSql<{ patient_uid: string }>(
    ownerUrl,
    "select patient_uid from casesheet.access_log where patient_uid like 'erased:%'",
  )
  return rows.map(({ patient_uid }) => slotOf(patient_uid))
}

test('reads of an erased patient stay in slots that this cell serves: they move along, and no clean removes them', async () => {
  const slot = 3_000
  const patientUid = patientWhere((of) => of === slot)
  await setSlots(ownerUrl, { open: ALL })
  await createPatient(rounds, patientUid)
  await setSlots(ownerUrl, { open: `{[${slot},${slot + 1})}`, incoming: LOWER })
  const { code, output } = await erase(patientUid)
  assert.equal(code, 0, output)
  const slots = await slotsOfErased()
  assert.ok(slots.length > 0)
  assert.deepEqual([...new Set(slots)], [slot])
  await setSlots(ownerUrl, { open: UPPER })
})

test('where all slots are open, a patient is exported and erased without md5', async () => {
  await setSlots(ownerUrl, { open: ALL })
  await createPatient(rounds, 'without-md5')
  // As PostgreSQL refuses md5 where OpenSSL runs in FIPS mode, also while it plans.
  const [defined] = await runSql<{ text: string }>(
    ownerUrl,
    "select pg_get_functiondef('casesheet.slot_of'::regproc) as text",
  )
  await runSql(
    ownerUrl,
    `create or replace function casesheet.slot_of(patient_uid text) returns integer
     language plpgsql immutable strict parallel safe as $$
     begin
       raise exception 'could not compute MD5 hash: unsupported';
     end $$`,
  )
  try {
    for (const args of [['export'], ['erase', '--yes']]) {
      const [command = '', ...more] = args
      const { code, output } = await runPatientCommand([command, 'without-md5', ...BY, ...more], ownerUrl)
      assert.equal(code, 0, output)
    }
  } finally {
    await runSql(ownerUrl, defined?.text ?? '')
  }
})

test('clean removes what was moved, and keeps a slot of it that has come back', async () => {
  await setSlots(ownerUrl, { open: ALL })
  const gone = patientWhere((slot) => slot >= 2_048 && slot !== 3_000)
  const back = patientWhere((slot) => slot === 3_000)
  for (const patientUid of [gone, back]) await createPatient(rounds, patientUid)
  await setSlots(ownerUrl, { open: '{[0,2048),[3000,3001)}' })
  await runSql(
    ownerUrl,
    `insert into casesheet.cell_moves (move_id, direction, slots, peer, state)
     values (gen_random_uuid(), 'out', '[2048,4096)', 'elsewhere/rounds', 'moved')`,
  )
  const { code, output } = await runCommand(['cell', 'clean', '--after-hours', '0', '--yes'], {
    DATABASE_URL: ownerUrl,
  }).ended
  assert.equal(code, 0, output)
  for (const [patientUid, readings, accesses] of [
    [gone, 0, 0],
    [back, 3, 3],
  ] as const) {
    assert.equal(await countRows(rounds, 'readings', patientUid), readings)
    assert.equal(await countRows(rounds, 'access_log', patientUid), accesses)
  }
  assert.match(output, /Slots 2048-4095: deleted [1-9]/)
  await setSlots(ownerUrl, { open: ALL })
})
