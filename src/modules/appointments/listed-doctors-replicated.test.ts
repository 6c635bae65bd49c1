// Printed doctors of a database that subscribes to the directory of another one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { escapeLiteral } from 'pg'
import { fillDirectory } from '../../../test/support/directory.ts'
import { runSql } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/until.ts'
import { startThrowawayPostgres } from '../../../tools/dev/throwaway-postgres.ts'
import { migrate } from '../../db/migrate/migrate.ts'

const postgres = await startThrowawayPostgres({ wal_level: 'logical' })
after(() => postgres.stop())

async function createDatabase(name: string): Promise<string> {
  await runSql(postgres.url, `create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = name
  await migrate(url.href)
  return url.href
}
const publisher = await createDatabase('publisher')
const subscriber = await createDatabase('subscriber')
await fillDirectory(publisher, {
  specialities: [{ specialityId: 's', title: 'Cardiology' }],
  doctors: ['asha', 'binu'].map((doctorId) => ({
    doctorId,
    name: `Dr. ${doctorId} (invented)`,
    specialities: ['Cardiology'],
  })),
})
await runSql(
  publisher,
  `create publication directory
   for table appointments.specialities, appointments.doctors, appointments.doctor_specialities`,
)
await runSql(publisher, `select pg_create_logical_replication_slot('directory', 'pgoutput')`)
await runSql(
  subscriber,
  `create subscription directory connection ${escapeLiteral(publisher)} publication directory
   with (create_slot = false, slot_name = 'directory')`,
)

const printed = () =>
  runSql<{ doctor_id: string; listed: string; now: string | null }>(
    subscriber,
    `select present.doctor_id, present.listed, now.listed as now
     from appointments.listed_doctors as present
     left join appointments.doctors_to_list as now using (doctor_id)`,
  )

test('what replication changes is not printed as it was before', async () => {
  await until(async () => {
    const left = await runSql(subscriber, `select from pg_subscription_rel where srsubstate <> 'r'`)
    const doctors = await runSql(subscriber, 'select from appointments.doctor_specialities')
    return left.length === 0 && doctors.length === 2
  }, 60_000)
  const changes: [string, string][] = [
    [
      `update appointments.doctors set city = 'Pune' where doctor_id = 'asha'`,
      `select from appointments.doctors where city = 'Pune'`,
    ],
    [
      `update appointments.specialities set title = 'Heart'`,
      `select from appointments.specialities where title = 'Heart'`,
    ],
    [
      `delete from appointments.doctor_specialities where doctor_id = 'asha'`,
      `select where not exists (select from appointments.doctor_specialities where doctor_id = 'asha')`,
    ],
    [
      `delete from appointments.doctors where doctor_id = 'asha'`,
      `select where not exists (select from appointments.doctors where doctor_id = 'asha')`,
    ],
  ]
  for (const [change, isApplied] of changes) {
    await runSql(subscriber, 'select appointments.list_doctors()')
    assert.ok((await printed()).length > 0)
    await runSql(publisher, change)
    await until(async () => (await runSql(subscriber, isApplied)).length > 0, 30_000)
    for (const { listed, now } of await printed()) assert.equal(listed, now, change)
  }
})
