// `rounds patient` where the partitions of most patients are attached in another database cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detachPartitions, partitionsFor, partitionsOf } from '../support/detach-partitions.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { BY, countRows, createPatient, runPatientCommand } from '../support/patient-with-history.ts'

const rounds = await startRounds()
const { ownerUrl } = rounds
const run = (args: string[]) => runPatientCommand(args, ownerUrl)

const HERE = 'patient-here'
await createPatient(rounds, HERE)
const all = await partitionsFor(ownerUrl, HERE)
await detachPartitions(
  ownerUrl,
  all.filter(({ is_of_patient }) => !is_of_patient),
)
const there = await patientElsewhere()

async function patientElsewhere(): Promise<string> {
  for (let number = 1; ; number++)
    if ((await partitionsOf(ownerUrl, `patient-${number}`)).length === 0) return `patient-${number}`
}

test('a patient of the other cluster is neither erased nor exported', async () => {
  await runSql(
    ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, shared_as, list_key, changed_by)
     values ($1, 'doctor-1', 'view', 'Patient', 'patient', $1)`,
    [there],
  )
  for (const args of [
    ['erase', there, ...BY, '--yes'],
    ['export', there, ...BY],
  ])
    assert.deepEqual(await run(args), {
      code: 1,
      output: 'Another database cluster serves this patient. Use the DATABASE_URL of that one.\n',
    })
  const grants = await runSql(ownerUrl, 'select from casesheet.grants where patient_uid = $1', [there])
  assert.equal(grants.length, 1)
})

test('what stays of an erased patient lies in a partition that is attached', async () => {
  const { code, output } = await run(['erase', HERE, ...BY, '--yes'])
  assert.equal(code, 0, output)
  assert.equal(await countRows(rounds, 'access_log', HERE), 0)
  const kept = await runSql(
    ownerUrl,
    "select from casesheet.access_log where patient_uid like 'erased:%' and allowed_as = 'staff'",
  )
  assert.equal(kept.length, 2)
})
