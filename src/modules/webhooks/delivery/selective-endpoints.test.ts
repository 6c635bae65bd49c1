// Endpoints that get few of the changes find them by the keys that the watch has reported. Whatever the order in which transactions
// begin and end, that must give what walking over all changes gives.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { startRounds, WITH_WEBHOOKS } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { managementOf, untilCopied } from '../../../../test/support/webhooks.ts'

const rounds = await startRounds(WITH_WEBHOOKS)
const { follow } = managementOf(rounds)
const PATIENTS = Array.from({ length: 24 }, () => `patient-${randomUUID()}`)
const SECONDS = 6
const random = (below: number) => Math.floor(Math.random() * below)

/** Adds readings, and withdraws and restores some, in transactions that overlap with those of the others. */
async function write(end: number) {
  const session = new Client({ connectionString: rounds.ownerUrl })
  await session.connect()
  let added = 0
  while (performance.now() < end) {
    await session.query('begin')
    for (let left = 1 + random(4); left > 0; left--) {
      const patientUid = PATIENTS[random(PATIENTS.length)]
      await session.query(
        `insert into casesheet.readings (patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)
         values ($1, now(), gen_random_uuid(), $2, 1, '{}', 'test')`,
        [patientUid, `acme.t${random(6)}`],
      )
      added++
      await session.query(
        `update casesheet.readings
         set withdrawn_by = case when withdrawn_by is null then 'test' end
         where (patient_uid, measured_at, reading_id) in (
           select patient_uid, measured_at, reading_id
           from casesheet.readings
           where patient_uid = $1 and random() < 0.05
           for update skip locked
         )`,
        [patientUid],
      )
    }
    await pause(random(120))
    await session.query('commit')
    await pause(random(30))
  }
  await session.end()
  return added
}

test('what comes by keys is what is stored, in order, while transactions overlap', async () => {
  const groups = Array.from({ length: 8 }, (_, at) => PATIENTS.slice(at * 3, at * 3 + 3))
  const endpoints = await Promise.all(groups.map((patientUids) => follow({ patientUids })))
  const all = await follow()
  const typed = await follow({ readingTypes: ['acme.t1', 'acme.t4'] })
  const end = performance.now() + SECONDS * 1_000
  const added = await Promise.all(Array.from({ length: 6 }, () => write(end)))
  const total = added.reduce((sum, each) => sum + each, 0)
  for (const [at, endpoint] of endpoints.entries())
    await untilCopied(endpoint, rounds.ownerUrl, { patientUids: groups[at] ?? [] })
  await untilCopied(all, rounds.ownerUrl, { patientUids: PATIENTS })
  assert.ok(total > 200, `${total} readings are enough to overlap`)
  const wanted = all.received
    .changes()
    .filter(({ reading }) => ['acme.t1', 'acme.t4'].includes(String(reading?.['readingType'])))
  const lastOf = (changes: typeof wanted) =>
    new Map(changes.map(({ state, reading }) => [reading?.['readingId'], state]))
  const expected = lastOf(wanted)
  assert.ok(expected.size > 20)
  await until(() => lastOf(typed.received.changes()).size === expected.size, 20_000)
  const sorted = (states: typeof expected) => [...states].map(String).toSorted()
  assert.deepEqual(sorted(lastOf(typed.received.changes())), sorted(expected))
})
