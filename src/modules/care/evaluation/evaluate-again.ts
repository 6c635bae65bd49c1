// `rounds care rebuild`: lets the servers evaluate every rule again, from when it was set. Patients go in batches, each in a transaction of
// its own. Alerts that follow from the readings as they do already stay as they are, and nothing of them is announced again.
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { LOOKED_AT_BY, ON_RISEN } from './mark-rules.ts'

const BATCH = 500

/** Returns how many patients have rules. */
export async function evaluateAgain(databaseUrl: string): Promise<number> {
  return withOwnerSession(databaseUrl, async (client) => {
    let count = 0
    for (let after = ''; ; ) {
      const { rows } = await client.query<{ last: string | null; patients: number }>(MARK, [after, BATCH])
      const [{ last, patients } = { last: null, patients: 0 }] = rows
      count += patients
      if (last === null) return count
      after = last
    }
  })
}

const MARK = `
  with looked_at as materialized (${LOOKED_AT_BY('patient > $1')}
  ), patient as materialized (
    select distinct patient_uid
    from looked_at
    order by patient_uid
    limit $2
  ), marked as (
    insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to, is_bulk)
    select patient_uid, reading_type, min(measured_from), 'infinity', true
    from looked_at
    join patient using (patient_uid)
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_RISEN}
  )
  select max(patient_uid) as last, count(*)::integer as patients
  from patient`
