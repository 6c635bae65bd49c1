// `rounds care rebuild`: deletes what was made for the lists of patients and marks all of it, so that the servers make it again. Evidence stays
// until then, because its positions say what doctors have seen. Patients go in batches, each in a transaction of its own, so that no list waits.
// It may be interrupted and repeated.
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { ON_MARKED } from '../next-changes.ts'
import { IS_IN_FORCE, insertPatients } from './mark-changes.ts'
import { ALL_TYPES } from './what-is-summarised.ts'

const BATCH = 500

/** Returns how many patients there are. */
export async function rebuildSummaries(databaseUrl: string): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    let count = 0
    for (let after = ''; ; ) {
      const { rows } = await client.query<{ patient_uid: string }>(NEXT, [after, BATCH])
      const batch = rows.map(({ patient_uid }) => patient_uid)
      const last = batch.at(-1)
      if (last === undefined) return count
      await client.query('begin')
      for (const text of FORGET) await client.query(text, [batch])
      await client.query('commit')
      count += batch.length
      after = last
    }
  })
}

const NEXT = `
  select patient_uid
  from care.patients
  where patient_uid > $1
  union
  select patient_uid
  from casesheet.grants
  where patient_uid > $1
    and ${IS_IN_FORCE}
  order by patient_uid
  limit $2`

// With the count, what a process is just making is not stored.
const FORGET = [
  insertPatients('select unnest($1::text[]) as patient_uid'),
  'delete from care.days where patient_uid = any ($1::text[])',
  'delete from care.newest where patient_uid = any ($1::text[])',
  `insert into care.marks as mark (patient_uid, reading_type, measured_from, measured_to)
   select patient_uid, '${ALL_TYPES}', '-infinity'::timestamptz, 'infinity'::timestamptz
   from unnest($1::text[]) as patient_uid
   union
   select patient_uid, reading_type, '-infinity', 'infinity'
   from care.evidence
   where patient_uid = any ($1)
   order by patient_uid${ON_MARKED}`,
]
