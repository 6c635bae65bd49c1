// Printed doctors beside writers that have an old snapshot, few rights, or have deleted all of them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { fillDirectory } from '../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../test/support/harness.ts'

const DOCTORS = 30_000
const SERIALIZATION_FAILURE = '40001'

const { ownerUrl } = await createDatabase()
await runSql(
  ownerUrl,
  `insert into appointments.specialities (speciality_id, title) values ('s', 'Speciality');
   insert into appointments.doctors (doctor_id, name, name_key)
   values ('d1', 'Dr. Invented 1', 'dr. invented 1');
   insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
   values ('s', 'dr. invented 1', 'd1', 0)`,
)
const client = new Client({ connectionString: ownerUrl })
await client.connect()
after(() => client.end())

const list = () => runSql(ownerUrl, 'select appointments.list_doctors()')

const CHANGES = [
  `update appointments.doctors set city = 'Elsewhere' where doctor_id = 'd1'`,
  `delete from appointments.doctors where doctor_id = 'd1'`,
  `delete from appointments.doctor_specialities where doctor_id = 'd1'`,
  `update appointments.specialities set title = 'Retitled'`,
  'truncate appointments.doctors cascade',
]
for (const level of ['repeatable read', 'serializable'])
  for (const role of ['origin', 'replica'])
    for (const change of CHANGES)
      test(`a snapshot from before doctors were printed cannot change them unnoticed: ${level}, ${role}, ${change}`, async () => {
        await runSql(ownerUrl, `delete from appointments.listed_doctors where doctor_id = 'd1'`)
        await client.query(`begin isolation level ${level}; set local session_replication_role = ${role}`)
        await client.query('select from appointments.doctors limit 1')
        await list()
        await assert.rejects(client.query(change), { code: SERIALIZATION_FAILURE })
        await client.query('rollback')
        await client.query(`begin isolation level ${level}; set local session_replication_role = ${role}`)
        await client.query(change)
        const { rows } = await client.query(`select from appointments.listed_doctors where doctor_id = 'd1'`)
        await client.query('rollback')
        assert.equal(rows.length, 0, 'the next attempt sees the printed doctor and removes it')
      })

test('a changed doctor is unlisted at the same cost after all have been', async () => {
  const blocks = async () => {
    const { rows } = await client.query<{ blocks: number }>(
      `select pg_stat_get_xact_blocks_fetched('appointments.listed_doctors'::regclass)::integer as blocks`,
    )
    return rows[0]?.blocks ?? 0
  }
  await client.query(`
    begin;
    insert into appointments.doctors (doctor_id, name, name_key)
    select 'd' || n, 'Dr. Invented ' || n, 'dr. invented ' || n from generate_series(2, ${DOCTORS}) n;
    select appointments.list_doctors();
    analyze appointments.listed_doctors;
    update appointments.doctors set city = 'All'`)
  const forAll = await blocks()
  assert.ok(forAll > DOCTORS, `${forAll} blocks for all`)
  await client.query(`update appointments.doctors set city = 'One' where doctor_id = 'd1'`)
  const forOne = (await blocks()) - forAll
  await client.query('rollback')
  assert.ok(forOne < 10, `${forOne} blocks for one`)
})

test('a role that may change doctors removes them unseen, whatever tables of its own it has', async () => {
  const role = `writer_${new URL(ownerUrl).pathname.slice(1)}`
  await list()
  await runSql(
    ownerUrl,
    `create role ${role};
     grant usage on schema appointments to ${role};
     grant select, update on appointments.doctors to ${role}`,
  )
  for (const level of ['read committed', 'repeatable read']) {
    await client.query(`begin isolation level ${level}; set local role ${role}`)
    for (const table of ['changed', 'replacing', 'listed_doctors', 'directory'])
      await client.query(`create temporary table ${table} (doctor_id text, version uuid) on commit drop`)
    await client.query(CHANGES[0] ?? '')
    await client.query('savepoint refused')
    await assert.rejects(client.query('delete from appointments.listed_doctors'), { code: '42501' })
    await client.query('rollback to savepoint refused')
    await assert.rejects(client.query('select appointments.list_doctors()'), { code: '42501' })
    await client.query('rollback to savepoint refused')
    await client.query('reset role')
    const { rows } = await client.query(`select from appointments.listed_doctors where doctor_id = 'd1'`)
    await client.query('rollback')
    assert.equal(rows.length, 0, level)
  }
})

test('an import works whatever isolation its role has by default', async () => {
  for (const level of ['repeatable read', 'serializable', 'read uncommitted']) {
    await runSql(
      ownerUrl,
      `do $$ begin execute format('alter database %I set default_transaction_isolation = %L', current_database(), '${level}'); end $$`,
    )
    const { doctors } = await fillDirectory(ownerUrl, {
      doctors: [{ name: `Dr. Invented ${level}`, specialities: [] }],
    })
    assert.equal(doctors.added, 1, level)
  }
})
