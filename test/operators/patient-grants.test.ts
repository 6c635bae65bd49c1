// Grants in `rounds patient export` and `rounds patient erase`: they come out with their history, and go with the patient.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { give, giveText, grantsOf, REVOKE, revoke } from '../support/grants-by-hand.ts'
import { runSql, startRounds } from '../support/harness.ts'
import {
  BY,
  createPatient,
  ERASE,
  ERASURE_KEY,
  exportOf,
  openTransaction,
  POLLS_FOR_WRITES,
  runPatientCommand,
  startErasing,
  untilErasing,
} from '../support/patient-with-history.ts'

const rounds = await startRounds({ ERASURE_KEY })
const { ownerUrl, serveUrl } = rounds
const erase = (patientUid: string) => runPatientCommand(['erase', patientUid, ...ERASE], ownerUrl)

/** Reads that the log shows beside those of the patient: by a doctor under a grant, and by staff who say why. */
const logReads = (patientUid: string) =>
  runSql(
    ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count, doctor_id, reason)
     values
       ($1, 'r1', 0, 'dr-ada', 'grant', 'readings/get', '-infinity', 'infinity', 3, 'doctor-1', null),
       ($1, 'r2', 0, 'ward-1', 'staff', 'readings/get', '-infinity', 'infinity', 3, null, 'Asked by ' || $1)`,
    [patientUid],
  )

const withoutTimes = ({ givenAt: _givenAt, changedAt: _changedAt, ...rest }: Record<string, unknown>) => rest

test('an export holds every grant with its history, and under whose grant or for which reason somebody read', async () => {
  const patientUid = 'sharing'
  await createPatient(rounds, patientUid)
  const limited = { readingTypes: ['acme.x'], validUntil: '2999-01-02T03:04:05.5Z', sharedAs: 'Mia Example' }
  await give(serveUrl, { patientUid, doctorId: 'doctor-1' })
  await give(serveUrl, { patientUid, doctorId: 'doctor-1', ...limited, by: 'carer' })
  await give(serveUrl, { patientUid, doctorId: 'doctor-2' })
  await revoke(serveUrl, { patientUid, doctorId: 'doctor-2', by: 'carer' })
  await give(serveUrl, { patientUid, doctorId: 'doctor-3', validUntil: '2020-01-01Z' })
  await give(serveUrl, { patientUid: 'sharing-neighbour', doctorId: 'doctor-1' })
  await logReads(patientUid)
  const all = await exportOf(patientUid, ownerUrl)
  const [grants, changes, accesses] = [all('grant'), all('grantChange'), all('access')]
  const open = {
    permission: 'view',
    readingTypes: null,
    validUntil: 'infinity',
    sharedAs: null,
    contact: null,
  }
  const narrow = { ...open, ...limited, validUntil: '2999-01-02T03:04:05.5+00:00' }
  const over = { ...open, validUntil: '2020-01-01T00:00:00+00:00' }
  const by = 'sub-of-sharing'
  assert.deepEqual(grants.map(withoutTimes), [
    { doctorId: 'doctor-1', ...narrow, state: 'given', changedBy: 'carer' },
    { doctorId: 'doctor-2', ...open, state: 'revoked', changedBy: 'carer' },
    { doctorId: 'doctor-3', ...over, state: 'given', changedBy: by },
  ])
  assert.deepEqual(changes.map(withoutTimes), [
    { doctorId: 'doctor-1', ...open, action: 'give', changedBy: by },
    { doctorId: 'doctor-1', ...narrow, action: 'change', changedBy: 'carer' },
    { doctorId: 'doctor-2', ...open, action: 'give', changedBy: by },
    { doctorId: 'doctor-2', ...open, action: 'revoke', changedBy: 'carer' },
    { doctorId: 'doctor-3', ...over, action: 'give', changedBy: by },
  ])
  assert.deepEqual(
    grants.map(({ changedAt }) => changedAt),
    [1, 3, 4].map((index) => changes[index]?.['changedAt']),
  )
  assert.deepEqual(
    accesses.slice(3, 5).map(({ allowedAs, doctorId, reason }) => [allowedAs, doctorId, reason]),
    [
      ['grant', 'doctor-1', null],
      ['staff', null, 'Asked by sharing'],
    ],
  )
  const [end] = all('end')
  assert.deepEqual(
    [end?.['readings'], end?.['grants'], end?.['grantChanges'], end?.['accesses']],
    [3, 3, 5, 6],
  )
})

test('an erasure deletes every grant with its history, and keeps the reads of doctors without the patient', async () => {
  const patientUid = 'shared-no-more'
  await give(serveUrl, { patientUid, doctorId: 'doctor-1' })
  await give(serveUrl, { patientUid, doctorId: 'doctor-2', sharedAs: 'Mia Example' })
  await revoke(serveUrl, { patientUid, doctorId: 'doctor-2' })
  await give(serveUrl, { patientUid: 'shares-on', doctorId: 'doctor-1' })
  await logReads(patientUid)
  const { output: planned } = await runPatientCommand(['erase', patientUid, ...BY, '--dry-run'], ownerUrl)
  assert.match(planned, /\n {2}grants deleted, with their history +2\n/)
  const { code, output } = await erase(patientUid)
  assert.equal(code, 0, output)
  assert.match(output, /\n {2}grants deleted, with their history +2\n.* 0\n.* 2\n/)
  assert.deepEqual(await grantsOf(ownerUrl, patientUid), [])
  assert.equal((await grantsOf(ownerUrl, 'shares-on')).length, 2)
  const kept = await runSql(
    ownerUrl,
    `select read_by, allowed_as, doctor_id, reason
     from casesheet.access_log
     where patient_uid like 'erased:%'
     order by request_id`,
  )
  assert.deepEqual(kept, [
    { read_by: 'dr-ada', allowed_as: 'grant', doctor_id: 'doctor-1', reason: null },
    { read_by: 'ward-1', allowed_as: 'staff', doctor_id: null, reason: null },
  ])
})

test('a patient of whom only a grant is held is exported and erased', async () => {
  const patientUid = 'only-shared'
  await give(serveUrl, { patientUid, doctorId: 'doctor-1' })
  const all = await exportOf(patientUid, ownerUrl)
  assert.equal(all('grant').length, 1)
  await runSql(ownerUrl, 'delete from casesheet.access_log where patient_uid = $1', [patientUid])
  const { code, output } = await erase(patientUid)
  assert.equal(code, 0, output)
  assert.deepEqual(await grantsOf(ownerUrl, patientUid), [])
})

for (const refuse of [[], ['--refuse-until', new Date(Date.now() + 86_400_000).toISOString()]])
  test(`a grant that began before the erasure is waited for and deleted (${refuse[0] ?? 'adds are not refused'})`, async () => {
    const patientUid = `in-flight-${refuse.length}`
    await give(serveUrl, { patientUid, doctorId: 'doctor-1' })
    const [giving, revoking] = [await openTransaction(serveUrl), await openTransaction(serveUrl)]
    await giving.query(...giveText({ patientUid, doctorId: 'doctor-2' }))
    await revoking.query(REVOKE, [patientUid, 'doctor-1', 'carer'])
    const command = startErasing(patientUid, ownerUrl, ...refuse)
    const polls = refuse.length === 0 ? POLLS_FOR_WRITES : "query like '%RowExclusiveLock%'"
    await untilErasing(command, ownerUrl, polls)
    // Others are not held up by the command that waits.
    await give(serveUrl, { patientUid: `${patientUid}-other`, doctorId: 'doctor-1' })
    for (const client of [giving, revoking]) await client.query('commit')
    const { code, output } = await command.ended
    assert.equal(code, 0, output)
    assert.match(output, /grants deleted, with their history +2\n/)
    assert.deepEqual(await grantsOf(ownerUrl, patientUid), [])
  })

test('a grant that is given after the erasure began stays whole, and brings nothing of an older one back', async () => {
  const patientUid = 'gives-again'
  await give(serveUrl, { patientUid, doctorId: 'doctor-1', sharedAs: 'Before' })
  const before = await openTransaction(serveUrl)
  await before.query(...giveText({ patientUid: 'somebody-else', doctorId: 'doctor-1' }))
  const command = startErasing(patientUid, ownerUrl)
  await untilErasing(command, ownerUrl)
  const giving = await openTransaction(serveUrl)
  await giving.query(...giveText({ patientUid, doctorId: 'doctor-1', sharedAs: 'While it is erased' }))
  await giving.query(...giveText({ patientUid, doctorId: 'doctor-2', sharedAs: 'After' }))
  await before.query('commit')
  // It deletes the grants, and waits for the one that is being changed.
  const deletes = "wait_event_type = 'Lock' and query like 'delete from casesheet.grants%'"
  await untilErasing(command, ownerUrl, deletes)
  await giving.query('commit')
  const { code, output } = await command.ended
  assert.equal(code, 0, output)
  const left = await grantsOf(ownerUrl, patientUid)
  assert.deepEqual(
    left.map(({ row }) => [row['doctor_id'], row['action'], row['shared_as']]),
    [
      ['doctor-2', 'give', 'After'],
      ['doctor-2', undefined, 'After'],
    ],
  )
})
