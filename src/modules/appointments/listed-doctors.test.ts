// The doctors as an import has printed them: whatever changes, in any order, none is shown out of date.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Client } from 'pg'
import { fillDirectory } from '../../../test/support/directory.ts'
import { createDatabase, runSql, startRounds } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'

const { ownerUrl } = await createDatabase()
const rounds = await startRounds()
const token = await rounds.token()
const client = new Client({ connectionString: ownerUrl })
await client.connect()
after(() => client.end())

const doctor = (n: number, specialities: number[]) => ({
  doctorId: `d${n}`,
  name: `Dr. Invented ${n}`,
  specialities: specialities.map((s) => `Speciality ${s}`),
})
const DIRECTORY = {
  specialities: [0, 1, 2, 3].map((s) => ({ specialityId: `s${s}`, title: `Speciality ${s}` })),
  doctors: [doctor(0, [0]), doctor(1, [1, 2]), doctor(2, []), doctor(3, [0, 1, 2])],
}

/** Statements that change the directory, for any n and m, whether or not there is such a doctor. */
const STATEMENTS: ((n: number, m: number) => string)[] = [
  (n, m) => `update appointments.doctors set name = 'Renamed ${m}' where doctor_id = 'd${n}'`,
  (n, m) => `update appointments.doctors set doctor_id = 'd${m + 4}' where doctor_id = 'd${n}'
     and not exists (select from appointments.doctor_specialities as held where held.doctor_id = doctors.doctor_id)
     and not exists (select from appointments.doctors as other where other.doctor_id = 'd${m + 4}')`,
  (_, m) => `update appointments.doctors set city = 'City ${m}'`,
  (n) => `delete from appointments.doctors where doctor_id = 'd${n}'`,
  (n, m) =>
    `insert into appointments.doctors (doctor_id, name, name_key) select 'd${n}', 'New ${m}', 'new ${m}' where not exists (select from appointments.doctors where doctor_id = 'd${n}')`,
  (n, m) => `insert into appointments.doctor_specialities (speciality_id, name_key, doctor_id, position)
     select 's${m}', name_key, doctor_id, 9 from appointments.doctors where doctor_id = 'd${n}' on conflict do nothing`,
  (n, m) => `update appointments.doctor_specialities set position = ${m} where doctor_id = 'd${n}'`,
  (
    n,
    m,
  ) => `update appointments.doctor_specialities as held set (doctor_id, name_key) = (select doctor_id, name_key from appointments.doctors where doctor_id = 'd${m}')
     where doctor_id = 'd${n}' and exists (select from appointments.doctors where doctor_id = 'd${m}')
     and not exists (select from appointments.doctor_specialities as other where other.doctor_id = 'd${m}')`,
  (n, m) => `delete from appointments.doctor_specialities where doctor_id = 'd${n}' and position >= ${m}`,
  (n, m) => `update appointments.specialities set title = 'Retitled ${m}' where speciality_id = 's${n}'
     and not exists (select from appointments.specialities where title = 'Retitled ${m}')`,
  (n) => `update appointments.specialities set is_active = not is_active where speciality_id = 's${n}'`,
  () => 'truncate appointments.doctor_specialities',
  () => 'truncate appointments.doctors cascade',
  () => `merge into appointments.doctors using (values ('d1'), ('d9')) as wanted (doctor_id) on wanted.doctor_id = doctors.doctor_id
     when matched then delete
     when not matched then insert (doctor_id, name, name_key) values (wanted.doctor_id, 'Merged', 'merged')`,
  () => 'select appointments.list_doctors()',
  () => 'select appointments.list_doctors()',
]
const change = fc
  .tuple(fc.constantFrom(...STATEMENTS), fc.nat(3), fc.nat(3))
  .map(([statement, n, m]) => statement(n, m))

async function outdated(on: Client) {
  const { rows } = await on.query(`
    select present.doctor_id
    from appointments.listed_doctors as present
    left join appointments.doctors_to_list as now using (doctor_id)
    where present.listed is distinct from now.listed`)
  return rows
}

test('after any changes in any order, a printed doctor is as it would be printed now', async () => {
  await fillDirectory(ownerUrl, DIRECTORY)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      await client.query('begin')
      try {
        for (const text of changes) {
          await client.query(text)
          assert.deepEqual(await outdated(client), [], text)
        }
      } finally {
        await client.query('rollback')
      }
    }),
    { numRuns: 150 },
  )
})

test('an import prints all doctors, those changed by plain SQL too', async () => {
  await fillDirectory(ownerUrl, DIRECTORY)
  await runSql(ownerUrl, `update appointments.doctors set city = 'By hand' where doctor_id = 'd2'`)
  await fillDirectory(ownerUrl, DIRECTORY)
  const [missing] = await runSql<{ missing: number }>(
    ownerUrl,
    `select count(*)::integer as missing from appointments.doctors where doctor_id not in (select doctor_id from appointments.listed_doctors)`,
  )
  assert.equal(missing?.missing, 0)
  assert.deepEqual(await outdated(client), [])
})

test('printing waits for a change under way, and has it', async () => {
  await fillDirectory(ownerUrl, DIRECTORY)
  await client.query('begin')
  await client.query(`update appointments.doctors set city = 'Under way' where doctor_id = 'd1'`)
  const printing = runSql(ownerUrl, 'select appointments.list_doctors()')
  await until(async () => {
    const waiting = await runSql(
      ownerUrl,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length === 1
  })
  await client.query('commit')
  await printing
  const [row] = await runSql<{ listed: string }>(
    ownerUrl,
    `select listed from appointments.listed_doctors where doctor_id = 'd1'`,
  )
  assert.match(row?.listed ?? '', /"city":"Under way"/)
})

test('a snapshot from before the lock prints nothing', async () => {
  await client.query('begin isolation level repeatable read')
  await assert.rejects(client.query('select appointments.list_doctors()'), { code: '25001' })
  await client.query('rollback')
})

test('a page is the same whether its doctors were printed, some of them, or none', async () => {
  await fillDirectory(rounds.ownerUrl, DIRECTORY)
  const paths = ['', '?limit=2', '?specialityId=s1', '?q=invented', '?q=nobody', '?limit=1&q=invented'].map(
    (query) => `/appointments/doctors/list${query}`,
  )
  const pages = async () => Promise.all(paths.map(async (path) => (await rounds.call(path, { token })).text))
  const printed = await pages()
  for (const which of [`where doctor_id in ('d0', 'd3')`, '']) {
    await runSql(rounds.ownerUrl, `delete from appointments.listed_doctors ${which}`)
    // So that no page is cached.
    await runSql(rounds.ownerUrl, 'update appointments.specialities set is_active = is_active')
    assert.deepEqual(await pages(), printed)
  }
})
