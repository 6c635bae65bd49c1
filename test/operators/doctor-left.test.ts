// A doctor leaves: `rounds directory import` of a file that has the doctor inactive counts what patients share with the doctor, and ends
// it after confirmation.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endGrants, findGrants } from '../../src/modules/operators/end-grants.ts'
import { directoryFile } from '../support/directory.ts'
import { give, revoke } from '../support/grants-by-hand.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { runCommand } from '../support/process.ts'
import { createDoctor, createSharedPatient } from '../support/shared-patient.ts'
import { until } from '../support/until.ts'

const rounds = await startRounds()

const runImport = (file: string, ...args: string[]) =>
  runCommand(['directory', 'import', file, ...args], { DATABASE_URL: rounds.ownerUrl }).ended

/** A doctor of the directory, and files that have the doctor active and inactive. */
async function doctorWhoLeaves() {
  const { doctorId, token } = await createDoctor(rounds)
  const fileWith = (isActive: boolean) =>
    directoryFile({
      doctors: [{ doctorId, name: `Dr. ${doctorId} (invented)`, specialities: ['A'], isActive }],
    })
  assert.equal((await runImport(await fileWith(true))).code, 0)
  const { ownerUrl } = rounds
  return {
    doctorId,
    token,
    file: await fileWith(false),
    isActive: async () =>
      (
        await runSql<{ is_active: boolean }>(
          ownerUrl,
          'select is_active from appointments.doctors where doctor_id = $1',
          [doctorId],
        )
      )[0]?.is_active,
    grantsInForce: async () =>
      (
        await runSql<{ count: number }>(
          ownerUrl,
          "select count(*)::int as count from casesheet.grants where doctor_id = $1 and state = 'given' and valid_until > now()",
          [doctorId],
        )
      )[0]?.count,
  }
}

const read = (token: string, patientUid: string) =>
  rounds.call(`/casesheet/readings/get?patientUid=${patientUid}`, { token })

test('the grants of a doctor who leaves are counted, and ended after confirmation with that number', async () => {
  const doctor = await doctorWhoLeaves()
  const other = await createDoctor(rounds)
  const patients = await Promise.all(Array.from({ length: 3 }, () => createSharedPatient(rounds)))
  for (const patient of patients) {
    await patient.give(doctor.doctorId)
    await patient.give(other.doctorId)
  }
  const by = { doctorId: doctor.doctorId }
  const [expired, revoked] = [randomUUID(), randomUUID()]
  await give(rounds.ownerUrl, { ...by, patientUid: expired, validUntil: '2020-01-01' })
  await give(rounds.ownerUrl, { ...by, patientUid: revoked })
  await revoke(rounds.ownerUrl, { ...by, patientUid: revoked })
  const [patient] = patients
  assert.ok(patient)
  assert.equal((await read(doctor.token, patient.patientUid)).status, 200)

  const counted = /^ {2}grants {8}3 current, of 1 doctor whom the file has inactive$/m
  const planned = await runImport(doctor.file, '--dry-run')
  assert.deepEqual([planned.code, await doctor.isActive()], [0, true])
  assert.match(planned.output, /^Nothing was changed\./)
  assert.match(planned.output, counted)

  // Nobody is there to confirm it.
  const imported = await runImport(doctor.file)
  assert.deepEqual([imported.code, await doctor.isActive(), await doctor.grantsInForce()], [0, false, 3])
  assert.match(imported.output, counted)
  assert.match(imported.output, /^No grant was ended\. To end them, import again with --end-grants 3\.$/m)
  assert.equal((await read(doctor.token, patient.patientUid)).status, 200)

  const wrong = await runImport(doctor.file, '--end-grants', '2')
  assert.deepEqual([wrong.code, await doctor.grantsInForce()], [1, 3])
  assert.match(wrong.output, /^No grant was ended: 3 are current, and not 2\.$/m)

  const ended = await runImport(doctor.file, '--end-grants', '3')
  assert.equal(ended.code, 0, ended.output)
  assert.match(ended.output, /^Grants that were ended: 3\.$/m)
  assert.equal(await doctor.grantsInForce(), 0)
  for (const { patientUid } of patients) {
    await until(async () => (await read(doctor.token, patientUid)).status === 403)
    assert.equal((await read(other.token, patientUid)).status, 200)
  }
  const history = await rounds.call(`/casesheet/grants/history`, { token: patient.patient })
  const { doctorId, action, by: who } = Object(history.json.data)[0]
  assert.deepEqual([doctorId, action, who], [doctor.doctorId, 'revoke', 'the doctor left the directory'])

  const again = await runImport(doctor.file)
  assert.deepEqual([again.code, /grant/i.test(again.output)], [0, false])
})

test('a grant that a patient gives while the operator is asked is not ended', async () => {
  const { ownerUrl } = rounds
  const { doctorId, grantsInForce } = await doctorWhoLeaves()
  await give(ownerUrl, { doctorId, patientUid: randomUUID() })
  const found = await findGrants(ownerUrl, [doctorId])
  await give(ownerUrl, { doctorId, patientUid: randomUUID() })
  assert.deepEqual([found.count, await endGrants(ownerUrl, found), await grantsInForce()], [1, 1, 1])
})

test('hundreds of grants end in small transactions, each within two seconds', async () => {
  const doctor = await doctorWhoLeaves()
  await runSql(
    rounds.ownerUrl,
    `insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by)
     select 'many-' || number, $1, 'view', '', 'them'
     from generate_series(1, 1000) as number`,
    [doctor.doctorId],
  )
  const ended = await runImport(doctor.file, '--end-grants', '1000')
  assert.match(ended.output, /^Grants that were ended: 1000\.$/m)
  const [transactions] = await runSql<{ count: number; longest: number }>(
    rounds.ownerUrl,
    `select count(*)::int as count, max(seconds)::float8 as longest
     from (
       select extract(epoch from max(changed_at) - min(changed_at)) as seconds
       from casesheet.grants
       where doctor_id = $1
       group by changed_xid
     ) as of_one`,
    [doctor.doctorId],
  )
  assert.equal(transactions?.count, 5)
  assert.ok(transactions.longest < 2, `${transactions.longest} s`)
})

test('a number for nobody is wrong, and so is one that is none or beside --dry-run', async () => {
  const { file } = await doctorWhoLeaves()
  const cases: [string[], RegExp][] = [
    [['--end-grants', '1'], /^No grant was ended: 0 are current, and not 1\.$/m],
    [['--end-grants', 'all'], /^--end-grants must be a whole number from 0 to /],
    [['--end-grants', '0', '--dry-run'], /^Give one of --dry-run and --end-grants: /],
  ]
  for (const [args, sentence] of cases) {
    const { code, output } = await runImport(file, ...args)
    assert.equal(code, 1, output)
    assert.match(output, sentence)
  }
  assert.equal((await runImport(file, '--end-grants', '0')).code, 0)
})
