// What authors have set, targets and rules: for a patient, and for all who share with a doctor with the permission manage.
import type { QueryResultRow } from 'pg'
import type { Db } from '../../db/db.ts'
import { DURABLE } from '../../db/statement.ts'

type Table = 'targets' | 'rules'

const MANAGED = (table: Table) => `grants.patient_uid = $1
      and grants.state = 'given'
      and valid_until > now()
      and permission = 'manage'
      and (reading_types is null or ${table}.reading_type = any (reading_types))`

/** SQL: what is set for the patient $1 and for all, with `manages`: whether its author is a doctor with whom it is shared so now. */
export const setAbout = (table: Table, columns: string) => `
    select ${columns}, author_kind = 'doctor' and exists (
      select from casesheet.grants
      where doctor_id = author_id
        and ${MANAGED(table)}
    ) as manages
    from casesheet.${table}
    where ${table}.patient_uid = $1
      and state = 'set'
    union all
    select ${columns}, true
    from casesheet.grants
    join casesheet.${table} on author_kind = 'doctor' and author_id = doctor_id
    where ${MANAGED(table)}
      and ${table}.patient_uid is null
      and ${table}.state = 'set'`

/** The rows of what a doctor has set for all, which say nothing of any patient. */
export function createReadForAll<Row extends QueryResultRow>(db: Db, table: Table, columns: string) {
  const text = `
  select ${columns}
  from casesheet.${table}
  where author_kind = 'doctor'
    and author_id = $1
    and patient_uid is null
    and state = 'set'
  order by ${table}.reading_type, ${table}.set_at desc`
  return (doctorId: string, subject: string) =>
    db.query<Row>({ name: `list-${table}-for-all`, text, values: [doctorId], behind: DURABLE }, { subject })
}
