// The grants of doctors who have left the directory: how many are in force, and their end, which their history shows. They are ended in small
// batches, each in a transaction of its own, so that nobody waits for them. An interrupted end is resumed by the next one.
import type { Client } from 'pg'
import { textArray } from '../../db/array.ts'
import { codeOf } from '../../error-code.ts'
import { CommandError } from '../../refusal.ts'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'

/** What patients see where otherwise the person who revoked stands. */
const ENDED_BY = 'the doctor left the directory'
const BATCH = 200
const LOCK_NOT_AVAILABLE = '55P03'

const IN_FORCE = `state = 'given'
      and valid_until > now()`

/** How many are in force, and which: the patients of each doctor who has any. */
export type CurrentGrants = { count: number; patientsOf: Map<string, string[]> }

export async function findGrants(databaseUrl: string, doctorIds: string[]): Promise<CurrentGrants> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ doctor_id: string; patient_uids: string[] }>(
      `select doctor_id, array_agg(patient_uid) as patient_uids
       from casesheet.grants
       where doctor_id = any ($1::text[])
         and ${IN_FORCE}
       group by doctor_id`,
      [textArray(doctorIds)],
    )
    return {
      count: rows.reduce((sum, { patient_uids }) => sum + patient_uids.length, 0),
      patientsOf: new Map(rows.map(({ doctor_id, patient_uids }) => [doctor_id, patient_uids])),
    }
  })
}

/** Ends those of the patients who were found, and of nobody who shared since. Returns how many were in force until now. */
export async function endGrants(databaseUrl: string, { patientsOf }: CurrentGrants): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    // One that another session has locked holds up a batch, and those who wait for its grants.
    await client.query("set lock_timeout = '1s'")
    let ended = 0
    for (const [doctorId, patientUids] of patientsOf)
      for (let start = 0; start < patientUids.length; start += BATCH)
        ended += await endBatch(client, doctorId, patientUids.slice(start, start + BATCH))
    return ended
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new CommandError(
      'Another session has locked a grant. Import again: those that were ended stay ended.',
      { cause: error },
    )
  })
}

async function endBatch(client: Client, doctorId: string, patientUids: string[]): Promise<number> {
  const { rowCount } = await client.query(
    `update casesheet.grants
     set state = 'revoked', changed_by = $3
     where patient_uid = any ($1::text[])
       and doctor_id = $2
       and ${IN_FORCE}`,
    [textArray(patientUids), doctorId, ENDED_BY],
  )
  return rowCount ?? 0
}
