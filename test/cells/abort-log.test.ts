// What services have read of the copy in the new cell is in the log of the old one when a move has been aborted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { runSql } from '../support/harness.ts'
import { BY, runPatientCommand } from '../support/patient-with-history.ts'
import { runCommand } from '../support/process.ts'
import { until } from '../support/until.ts'
import { moveArguments, moveUntil, patientsOfRange, runCell, UNASKED } from './aborts.ts'
import { startKillablePostgres } from './killable-postgres.ts'
import { type CellOfTest, createRouter, heldIn, readingOf, startCell, startCellOn } from './two-cells.ts'

const [old, third] = [await startCell(), await startCell()]
const postgres = await startKillablePostgres()
const fresh = await startCellOn(postgres.url)
postgres.stopAfterTests()
const { call } = createRouter([old])
const abort = (...more: string[]) => runCell(['abort', '--to', fresh.ownerUrl, ...more], old)

const add = async (patientUid: string, timestamp: number) =>
  assert.equal(
    (await call(patientUid, '/casesheet/readings/add', readingOf(patientUid, timestamp))).status,
    200,
  )

async function connect({ ownerUrl }: CellOfTest): Promise<Client> {
  const client = new Client(ownerUrl)
  await client.connect()
  return client
}

/** Patients of the slots, with a reading each. */
async function addPatients(): Promise<string[]> {
  const patientUids = patientsOfRange()
  for (const patientUid of patientUids) await add(patientUid, 1)
  return patientUids
}

/** Lets a service read the changes of a cell until it has read of all these patients. */
async function readAll(cell: CellOfTest, patientUids: string[]) {
  const token = await cell.rounds.token({ sub: 'warehouse', scope: 'readings:changes' })
  const before = await accessesOf(cell, patientUids)
  await until(async () => {
    await cell.rounds.call('/casesheet/readings/changes', { token })
    const read = (await accessesOf(cell, patientUids)).slice(before.length)
    return new Set(read.map(({ patient_uid }) => patient_uid)).size === patientUids.length
  })
}

const accessesOf = ({ ownerUrl }: CellOfTest, patientUids: string[]) =>
  runSql<{ patient_uid: string; request_id: string }>(
    ownerUrl,
    `select patient_uid, request_id, page, read_by, allowed_as, range_from::text as first, range_to::text as last,
       readings_count, at::text as at
     from casesheet.access_log
     where operation = 'readings/changes'
       and patient_uid = any ($1)
     order by access_log.at, patient_uid`,
    [patientUids],
  )

test('it is there once, beside what was read in the old cell, also when the abort is run again', async () => {
  const patientUids = await addPatients()
  await readAll(old, patientUids)
  await moveUntil('copied', old, fresh)
  await readAll(old, patientUids)
  const here = await accessesOf(old, patientUids)
  await until(async () => (await accessesOf(fresh, patientUids)).length === here.length)
  await readAll(fresh, patientUids)
  const all = await accessesOf(fresh, patientUids)

  const forgotten = await connect(fresh)
  await forgotten.query('begin; delete from casesheet.access_log where false')
  const { rows } = await forgotten.query<{ pid: number }>('select pg_backend_pid() as pid')
  const heldUp = await abort()
  assert.equal(heldUp.code, 1)
  const named = `: pid ${rows[0]?.pid}, user \\w+, idle in transaction, for 2\\d s\\. `
  assert.match(heldUp.output, new RegExp(named))
  await add(patientUids[0] ?? '', 2)
  await forgotten.end()

  const erasing = await connect(old)
  await erasing.query('select pg_advisory_lock_shared(4096002)')
  const { code, output } = await abort()
  assert.deepEqual([code, /A patient is being erased/.test(output)], [1, true], output)
  assert.deepEqual(await accessesOf(old, patientUids), here)
  await erasing.end()

  for (let run = 0; run < 2; run++)
    assert.match((await abort()).output, /the copy in the other one was removed/)
  assert.ok(all.length > here.length)
  assert.deepEqual(await accessesOf(old, patientUids), all)
  assert.deepEqual(await accessesOf(fresh, patientUids), [])
})

test('of a patient who was erased while the new cell could not be reached, nothing comes back', async () => {
  const patientUids = await addPatients()
  const [erased = ''] = patientUids
  await moveUntil('copied', old, fresh)
  await readAll(fresh, patientUids)
  const all = await accessesOf(fresh, patientUids)
  postgres.kill()
  assert.match((await abort()).output, /still holds a copy: run the same command again/)
  const erasure = await runPatientCommand(['erase', erased, ...BY, '--yes'], old.ownerUrl)
  assert.equal(erasure.code, 0, erasure.output)
  await add(erased, 2)
  await postgres.restart()
  assert.match((await abort()).output, /the copy in the other one was removed/)
  assert.deepEqual(
    await accessesOf(old, patientUids),
    all.filter(({ patient_uid }) => patient_uid !== erased),
  )
})

test('what was trimmed in the old cell since does not come back', async () => {
  const patientUids = await addPatients()
  const [patientUid = ''] = patientUids
  await runSql(
    old.ownerUrl,
    `insert into casesheet.access_log
       (patient_uid, at, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)
     values ($1, now() - interval '3 days', 'long-ago', 0, 'warehouse', 'service', 'readings/changes', '-infinity', 'infinity', 1)`,
    [patientUid],
  )
  await moveUntil('copied', old, fresh)
  await readAll(fresh, patientUids)
  const all = await accessesOf(fresh, patientUids)
  const recent = all.filter((access) => access.request_id !== 'long-ago')
  assert.equal(all.length, recent.length + 1)
  postgres.kill()
  assert.equal((await abort()).code, 0)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const trimmed = await runCommand(['access-log', 'trim', '--before', yesterday, ...BY, '--yes'], {
    DATABASE_URL: old.ownerUrl,
  }).ended
  assert.equal(trimmed.code, 0, trimmed.output)
  await postgres.restart()
  assert.match((await abort()).output, /the copy in the other one was removed/)
  assert.deepEqual(await accessesOf(old, patientUids), recent)
})

test('an abort that was left to later is found behind a move that could not begin because of it', async () => {
  const patientUids = await addPatients()
  await moveUntil('copied', old, fresh)
  await readAll(fresh, patientUids)
  const all = await accessesOf(fresh, patientUids)
  postgres.kill()
  assert.equal((await abort()).code, 0)
  await postgres.restart()
  const other = await runCell(['move', '--slots', '2048-2049', '--to', fresh.ownerUrl, ...UNASKED], old)
  assert.match(other.output, /Another move is in progress/)
  assert.match((await abort()).output, /serves slots 2048-2049/)
  assert.match((await abort()).output, /serves slots 0-1023/)
  assert.deepEqual(await accessesOf(old, patientUids), all)
  assert.match((await runCell(['status'], fresh)).output, /slots incoming {2}none/)
})

test('where the slots have gone to a third cell since, the log is removed with the copy only by --lost', async () => {
  const patientUids = await addPatients()
  await moveUntil('copied', old, fresh)
  await readAll(fresh, patientUids)
  postgres.kill()
  assert.equal((await abort()).code, 0)
  const moved = await runCell(moveArguments(third), old)
  assert.equal(moved.code, 0, moved.output)
  await postgres.restart()
  const all = await accessesOf(fresh, patientUids)
  const refused = await abort()
  assert.deepEqual([refused.code, /no longer serves the slots 0-1023/.test(refused.output)], [1, true])
  assert.deepEqual(await accessesOf(fresh, patientUids), all)
  const { code, output } = await abort('--lost')
  assert.equal(code, 0, output)
  assert.match(output, /no longer serves slots 0-1023, and the copy in the other one was removed/)
  assert.equal((await heldIn(fresh, 0, 1_023)).size, 0)
  assert.deepEqual(await accessesOf(old, patientUids), [])
})
