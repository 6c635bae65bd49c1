// What time alone changes: days and evidence become too old, and grants end. Each statement takes some patients, under their locks and where
// nothing was made of them since it began; those who are locked come an hour later.
import type { Db } from '../../../db/db.ts'
import { KEPT_DAYS, KEPT_EVIDENCE_DAYS } from './what-is-summarised.ts'

const TOGETHER = 200

export async function dropOld(db: Db, now: number) {
  for (let after = ''; ; ) {
    const values = [new Date(now).toISOString(), after, TOGETHER]
    const [row] = await db.query<{ last: string | null }>(
      { name: 'drop-old-days', text: DROP, values },
      { on: 'follow' },
    )
    if (!row?.last) return
    after = row.last
  }
}

const ofGone = (table: string) => `gone_${table} as (
    delete from care.${table}
    using gone
    where ${table}.patient_uid = gone.patient_uid
  )`

const DROP = `
  with next as materialized (
    select patient_uid, judged
    from care.patients
    where patient_uid > $2
    order by patient_uid
    limit $3::integer
  ), locked as materialized (
    select patients.patient_uid
    from care.patients
    join next on next.patient_uid = patients.patient_uid and next.judged = patients.judged
    order by patients.patient_uid
    for update of patients skip locked
  ), gone as (
    delete from care.patients
    using locked
    where patients.patient_uid = locked.patient_uid
      and not exists (
        select
        from casesheet.grants
        where grants.patient_uid = locked.patient_uid
          and state = 'given'
          and valid_until > now()
      )
    returning patients.patient_uid
  ), ${['marks', 'days', 'evidence', 'newest'].map(ofGone).join(', ')}, old_days as (
    delete from care.days
    using locked
    where days.patient_uid = locked.patient_uid
      and locked.patient_uid not in (select patient_uid from gone)
      and day <= $1::timestamptz::date - ${KEPT_DAYS}
  ), old_evidence as (
    delete from care.evidence
    using locked
    where evidence.patient_uid = locked.patient_uid
      and locked.patient_uid not in (select patient_uid from gone)
      and received_at < $1::timestamptz::date - ${KEPT_EVIDENCE_DAYS}
  )
  select max(patient_uid) as last
  from next`
