// An export, an erasure and a refusal go by one table of what is stored of a patient (patient-tables.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSession } from '../../src/db/session.ts'
import { mustKnowAllColumns } from '../../src/modules/operators/patient-tables.ts'
import { runSql, startRounds } from '../support/harness.ts'
import { BY, countRows, createPatient, runPatientCommand } from '../support/patient-with-history.ts'

const rounds = await startRounds()
const { ownerUrl } = rounds
const until = new Date(Date.now() + 86_400_000).toISOString()
const patientUid = 'with-more'
await createPatient(rounds, patientUid)

for (const [what, change, undo] of [
  [
    'casesheet.looks.mood',
    'alter table casesheet.looks add column mood text',
    'alter table casesheet.looks drop column mood',
  ],
  ['care.moods', 'create table care.moods (patient_uid text)', 'drop table care.moods'],
] as const)
  test(`nothing is exported, erased or refused while ${what} is stored and not named`, async () => {
    await runSql(ownerUrl, change)
    for (const args of [
      ['export', patientUid, ...BY],
      ['erase', patientUid, ...BY, '--yes'],
      ['erase', patientUid, ...BY, '--yes', '--refuse-until', until],
    ]) {
      const { code, output } = await runPatientCommand(args, ownerUrl)
      assert.equal(code, 1, output)
      assert.match(output, new RegExp(`^Nothing was done: this version of Rounds does not know ${what}, `))
    }
    assert.equal(await countRows(rounds, 'readings', patientUid), 3)
    assert.equal(await countRows(rounds, 'access_log', patientUid), 3, 'nothing was logged')
    assert.deepEqual(await runSql(ownerUrl, 'select from casesheet.refused_patients'), [])
    await runSql(ownerUrl, undo)
  })

test('a column that is added to any table that is exported is missed', async () => {
  const tables = await runSql<{ name: string }>(
    ownerUrl,
    `select distinct table_schema || '.' || table_name as name
     from information_schema.columns
     join pg_class on pg_class.oid = (table_schema || '.' || table_name)::regclass
     where column_name = 'patient_uid'
       and table_schema = 'casesheet'
       and not relispartition
       and table_name not in ('alert_deliveries', 'erasure_notices')`,
  )
  assert.ok(tables.length > 10)
  await withSession(ownerUrl, 'test', async (client) => {
    for (const { name } of tables) {
      await client.query('begin')
      await client.query(`alter table ${name} add column one_more text`)
      await assert.rejects(mustKnowAllColumns(client), new RegExp(`${name}\\.one_more, and may leave out`))
      await client.query('rollback')
    }
    await mustKnowAllColumns(client)
  })
})
