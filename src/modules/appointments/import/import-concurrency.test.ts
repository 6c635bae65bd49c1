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

/** A directory of one doctor in which no import can go on until `release`. */
async function heldDirectory(t: TestContext) {
  const { ownerUrl } = await createDatabase()
  await fillDirectory(ownerUrl, { doctors: [nobody(0)] })
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin; lock table appointments.doctors in share row exclusive mode')
  const untilWaiting = (count: number) =>
    until(async () => {
      const waiting = await runSql(
        ownerUrl,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length === count
    })
  return { ownerUrl, untilWaiting, release: () => holder.end() }
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
