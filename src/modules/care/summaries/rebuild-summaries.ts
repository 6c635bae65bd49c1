// `rounds care rebuild`: deletes what was derived for the lists of patients, so that the servers make all of it again. Patients go in
// batches, each in a transaction of its own, so that no list waits. It may be interrupted and repeated.
import type { Client } from 'pg'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'

const BATCH = 500

/** Returns how many patients there are. */
export async function rebuildSummaries(databaseUrl: string): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    let count = 0
    for (let after = ''; ; ) {
      const batch = await lockNext(client, after)
      for (const text of FORGET) await client.query(text, [batch])
      await client.query('commit')
      count += batch.length
      const last = batch.at(-1)
      if (last === undefined) return count
      after = last
    }
  })
}

/** Begins a transaction. A process that makes summaries locks the patient first too. */
async function lockNext(client: Client, after: string): Promise<string[]> {
  await client.query('begin')
  const { rows } = await client.query<{ patient_uid: string }>(
    `select patient_uid
     from care.patients
     where patient_uid > $1
     order by patient_uid
     limit $2
     for update`,
    [after, BATCH],
  )
  return rows.map(({ patient_uid }) => patient_uid)
}

// With the version, what a process is just making is not stored.
const FORGET = [
  'update care.patients set version = version + 1, changed_xid = pg_current_xact_id() where patient_uid = any ($1::text[])',
  "update care.patient_zones set state = 'asked' where patient_uid = any ($1::text[])",
  'delete from care.stale where patient_uid = any ($1::text[])',
  'delete from care.summaries where patient_uid = any ($1::text[])',
  'delete from care.summary_days where patient_uid = any ($1::text[])',
]
