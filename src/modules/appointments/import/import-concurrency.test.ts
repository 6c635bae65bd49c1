// Imports beside other imports, readers and failing connections.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { fillDirectory } from '../../../../test/support/directory.ts'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { DirectoryError } from './mistakes.ts'

const nobody = (index: number) => ({ name: `Dr. Nobody ${index} (invented)`, specialities: ['Shared'] })
const countDoctors = async (url: string) => (await runSql(url, 'select from appointments.doctors')).length

/** A directory of one doctor in which no import can go on until `release`, or until what `sql` changed is committed. */
async function heldDirectory(
  t: TestContext,
  sql = 'lock table appointments.doctors in share row exclusive mode',
) {
  const { ownerUrl } = await createDatabase()
  await fillDirectory(ownerUrl, { doctors: [nobody(0)] })
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query(`begin; ${sql}`)
  const untilWaiting = (count: number) =>
    until(async () => {
      const waiting = await runSql(
        ownerUrl,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length === count
    })
  return { ownerUrl, untilWaiting, commit: () => holder.query('commit'), release: () => holder.end() }
}

test('concurrent imports follow one another, and no read waits for them', async (t) => {
  const { ownerUrl, untilWaiting, release } = await heldDirectory(t)
  const imports = [1, 2, 3, 4].map((index) =>
    fillDirectory(ownerUrl, { doctors: [nobody(index), nobody(1)] }),
  )
  await untilWaiting(4)
  assert.equal(await countDoctors(ownerUrl), 1)
  await release()
  const added = (await Promise.all(imports)).map((report) => report.doctors.added)
  assert.equal(
    added.reduce((sum, count) => sum + count),
    4,
  )
  assert.equal(await countDoctors(ownerUrl), 5)
})

test('an import holds back nobody who follows changes: no transaction of it that writes stays open', async (t) => {
  const { ownerUrl, untilWaiting, release } = await heldDirectory(t)
  const doctors = Array.from({ length: 20_000 }, (_, index) => nobody(index + 1))
  const importing = { isOver: false }
  const imported = fillDirectory(ownerUrl, { doctors }).finally(() => (importing.isOver = true))
  const observer = new Client({ connectionString: ownerUrl })
  await observer.connect()
  t.after(() => observer.end())
  const readXid = async () => {
    const { rows } = await observer.query<{ xid: string | null }>(
      `select backend_xid::text as xid
       from pg_stat_activity
       where application_name = 'rounds directory import'
         and datname = current_database()`,
    )
    return rows[0]?.xid ?? undefined
  }
  let [writing, since, longestMs] = [await readXid(), performance.now(), 0]
  const watch = async () => {
    const xid = await readXid()
    if (xid !== writing) [writing, since] = [xid, performance.now()]
    if (xid !== undefined) longestMs = Math.max(longestMs, performance.now() - since)
  }
  const waiting = untilWaiting(1)
  const held = { isSo: false }
  void waiting.then(() => (held.isSo = true))
  while (!held.isSo) await watch()
  assert.equal(await readXid(), undefined, 'it waits for others without having written')
  await release()
  while (!importing.isOver) await watch()
  assert.equal((await imported).doctors.added, 20_000)
  assert.ok(longestMs < 2_000, `${longestMs} ms`)
})

test('renamed specialities and changed numbers are written in steps, too', async () => {
  const { ownerUrl } = await createDatabase()
  const file = (title: string, number: number) => ({
    specialities: [{ specialityId: 's', title }],
    doctors: Array.from({ length: 2_000 }, (_, index) => ({
      doctorId: `d${index}`,
      name: `Dr. Nobody ${index} (invented)`,
      specialities: [title],
      registrationNumber: `${number + index}`,
    })),
  })
  await fillDirectory(ownerUrl, file('Before', 0))
  await runSql(
    ownerUrl,
    `create table public.steps (of text, rows integer);
     create function public.note_step() returns trigger language plpgsql as $$
     begin
       insert into public.steps select tg_table_name, count(*) from changed;
       return null;
     end
     $$;
     create trigger note_step after delete on appointments.listed_doctors
     referencing old table as changed for each statement execute function public.note_step();
     create trigger note_step after update on appointments.doctors
     referencing old table as changed for each statement execute function public.note_step()`,
  )
  const steps = async () => {
    const rows = await runSql<{ of: string; longest: number; all: number }>(
      ownerUrl,
      'select of, max(rows) as longest, sum(rows)::integer as all from public.steps group by of order by of',
    )
    await runSql(ownerUrl, 'truncate public.steps')
    return rows
  }
  await fillDirectory(ownerUrl, file('After', 0))
  const [numbersToo, renamed] = await steps()
  assert.equal(renamed?.all, 2_000)
  assert.ok(renamed.longest <= 1_000, `${renamed.longest} were unlisted in one statement`)
  assert.equal(numbersToo?.all, 0)
  await fillDirectory(ownerUrl, file('After', 10_000))
  const [numbers] = await steps()
  assert.equal(numbers?.all, 2_000)
  assert.ok(numbers.longest <= 1_000, `${numbers.longest} doctors were changed in one statement`)
  assert.equal((await runSql(ownerUrl, 'select from appointments.listed_doctors')).length, 2_000)
})

test('an import does not undo what somebody else changed since it compared', async (t) => {
  const directory = await heldDirectory(t, `update appointments.specialities set title = 'Theirs'`)
  const { ownerUrl, untilWaiting, commit } = directory
  const refused = assert.rejects(
    fillDirectory(ownerUrl, { doctors: [nobody(1)] }),
    (error) => error instanceof DirectoryError && error.message.startsWith('Another process changed'),
  )
  await untilWaiting(1)
  await commit()
  await refused
  const titles = await runSql(ownerUrl, 'select title from appointments.specialities')
  assert.deepEqual([titles, await countDoctors(ownerUrl)], [[{ title: 'Theirs' }], 1])
})

test('a speciality that somebody else renames during an import keeps its doctors; one that is deleted stops it', async () => {
  const { ownerUrl } = await createDatabase()
  const meanwhile = (sql: string) =>
    runSql(
      ownerUrl,
      `create or replace function public.meanwhile() returns trigger language plpgsql as $$
       begin
         ${sql};
         return null;
       end
       $$;
       create or replace trigger meanwhile after insert on appointments.doctors
       for each statement execute function public.meanwhile()`,
    )
  await meanwhile(`update appointments.specialities set title = 'Theirs'`)
  await fillDirectory(ownerUrl, { doctors: [nobody(0)] })
  const held = await runSql(
    ownerUrl,
    'select title from appointments.doctor_specialities join appointments.specialities using (speciality_id)',
  )
  assert.deepEqual(held, [{ title: 'Theirs' }])
  await meanwhile(`delete from appointments.specialities where title = 'New'`)
  await assert.rejects(
    fillDirectory(ownerUrl, { doctors: [{ ...nobody(1), specialities: ['New'] }] }),
    (error) => error instanceof DirectoryError && error.message.startsWith('Another process changed'),
  )
})

test('what an interrupted import has written stays, and importing again writes the rest', async () => {
  const { ownerUrl } = await createDatabase()
  const doctors = Array.from({ length: 1_200 }, (_, index) => nobody(index))
  await runSql(
    ownerUrl,
    `create function public.fail() returns trigger language plpgsql as $$
    begin
      raise exception 'invented';
    end
    $$;
    create trigger fail before insert on appointments.doctors
    for each row when (new.name = 'Dr. Nobody 1199 (invented)') execute function public.fail()`,
  )
  await assert.rejects(fillDirectory(ownerUrl, { doctors }), /invented/)
  const written = await countDoctors(ownerUrl)
  assert.ok(written > 0 && written < 1_200, `${written} doctors`)
  await runSql(ownerUrl, 'drop trigger fail on appointments.doctors')
  const { doctors: changes } = await fillDirectory(ownerUrl, { doctors })
  assert.deepEqual(changes, { added: 1_200 - written, changed: 0, unchanged: written })
  const listed = await runSql(ownerUrl, 'select from appointments.listed_doctors')
  assert.deepEqual([await countDoctors(ownerUrl), listed.length], [1_200, 1_200])
})

test('an import whose connection is cut says so and changes nothing', async (t) => {
  const { ownerUrl, untilWaiting, release } = await heldDirectory(t)
  const refused = assert.rejects(
    fillDirectory(ownerUrl, { doctors: [nobody(1)] }),
    (error) => error instanceof DirectoryError && /connection was lost/.test(error.message),
  )
  await untilWaiting(1)
  await runSql(
    ownerUrl,
    `select pg_terminate_backend(pid)
    from pg_stat_activity
    where application_name = 'rounds directory import'
      and datname = current_database()`,
  )
  await refused
  await release()
  assert.equal(await countDoctors(ownerUrl), 1)
})
