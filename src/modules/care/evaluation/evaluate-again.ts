// `rounds care rebuild`: lets the servers evaluate every rule again, from when it was set. Patients go in batches, each in a transaction of
// its own. Alerts that follow from the readings as they do already stay as they are, and nothing of them is announced again.
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { ON_MARKED } from '../next-changes.ts'
import { BEFORE_SET_SQL } from './span.ts'

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
  with patient as materialized (
    select distinct patient_uid
    from casesheet.rules
    where patient_uid > $1
      and state = 'set'
    order by patient_uid
    limit $2
  ), marked as (
    insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
    select patient_uid, reading_type, min(changed_at) - ${BEFORE_SET_SQL}, 'infinity'
    from casesheet.rules
    join patient using (patient_uid)
    where state = 'set'
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_MARKED}
  )
  select max(patient_uid) as last, count(*)::integer as patients
  from patient`
