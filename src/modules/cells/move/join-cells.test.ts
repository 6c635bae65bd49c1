// `rounds cell join` while a server still stores the reading of a patient whom the router led to the new database too early.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createDatabase, runSql } from '../../../../test/support/harness.ts'
import { runCommand } from '../../../../test/support/process.ts'
import { until } from '../../../../test/support/until.ts'

const join = (ownerUrl: string) => runCommand(['cell', 'join'], { DATABASE_URL: ownerUrl })
const ADD = `
  insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
  values ('p1', now(), gen_random_uuid(), 'acme.step', 0, '{}', 'test')`

async function openSlots(ownerUrl: string): Promise<string> {
  const [cell] = await runSql<{ open: string }>(
    ownerUrl,
    'select open_slots::text as open from casesheet.cell',
  )
  return cell?.open ?? ''
}

/** A new database, and a transaction that is adding a reading to it. */
async function withAddInFlight(work: (ownerUrl: string, adding: Client) => Promise<void>) {
  const { ownerUrl } = await createDatabase()
  const adding = new Client(ownerUrl)
  await adding.connect()
  try {
    await adding.query(`begin; ${ADD}`)
    await work(ownerUrl, adding)
  } finally {
    await adding.end()
  }
}

test('an empty database gives up its slots, as often as it is asked', async () => {
  const { ownerUrl } = await createDatabase()
  for (let run = 0; run < 2; run++) {
    const { code, output } = await join(ownerUrl).ended
    assert.equal(code, 0, output)
    assert.equal(await openSlots(ownerUrl), '{}')
  }
})

test('a reading that was being added keeps the database from joining, and is served', () =>
  withAddInFlight(async (ownerUrl, adding) => {
    const joining = join(ownerUrl)
    await until(async () => (await openSlots(ownerUrl)) === '{}')
    await adding.query('commit')
    const { code, output } = await joining.ended
    assert.deepEqual([code, /holds patients already/.test(output)], [1, true], output)
    assert.equal(await openSlots(ownerUrl), '{[0,4096)}')
  }))

test('a run after one that was killed while it waited for that reading waits for it too', () =>
  withAddInFlight(async (ownerUrl, adding) => {
    const killed = join(ownerUrl)
    await until(async () => (await openSlots(ownerUrl)) === '{}')
    killed.child.kill('SIGKILL')
    await killed.ended
    await until(async () => (await runSql(ownerUrl, WAITING)).length === 0)
    const joining = join(ownerUrl)
    await until(async () => (await runSql(ownerUrl, WAITING)).length > 0)
    await adding.query('commit')
    const { code, output } = await joining.ended
    assert.deepEqual([code, /holds patients already/.test(output)], [1, true], output)
    assert.equal(await openSlots(ownerUrl), '{[0,4096)}')
  }))

const WAITING = `
  select
  from pg_stat_activity
  where application_name = 'rounds operator'
    and datname = current_database()
    and query ~ 'pg_locks'`
