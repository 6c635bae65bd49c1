// For whom summaries are kept: the patients of doctors who look at their list, in the time zones in which they do.
import type { Db } from '../../../db/db.ts'
import { isOurs, type ServedOfAll } from '../../casesheet/served-here.ts'
import { MAX_PATIENTS } from '../patients/list-contract.ts'

const KEPT_FOR = "interval '30 days'"

/** Notes that the doctor has asked for all patients, who are made if they were not asked for in this zone before. */
export async function askForPatients(
  db: Db,
  {
    doctorId,
    timeZone,
    now,
    served,
  }: { doctorId: string; timeZone: string; now: number; served: ServedOfAll },
  subject: string,
) {
  const values = [doctorId, timeZone, new Date(now).toISOString(), served.notServed]
  await db.query({ name: 'ask-for-patients', text: ASK, values }, { subject })
}

// The version is raised, so that whoever drops patients nobody asks for does not drop these.
const ASK = `
  with mine as materialized (
    select patient_uid
    from casesheet.grants
    where doctor_id = $1
      and state = 'given'
      and valid_until > now()
      and ${isOurs('$4')}
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}
  ), lacking as materialized (
    select mine.patient_uid
    from mine
    left join care.patient_zones on patient_zones.patient_uid = mine.patient_uid and time_zone = $2
    where asked_on is null or asked_on < $3::timestamptz::date
    order by mine.patient_uid
  ), patients as (
    insert into care.patients as patient (patient_uid)
    select patient_uid
    from lacking
    on conflict (patient_uid) do update
    set version = patient.version + 1
    returning patient_uid
  )
  insert into care.patient_zones as zone (patient_uid, time_zone, asked_on)
  select patient_uid, $2, $3::timestamptz::date
  from patients
  on conflict (patient_uid, time_zone) do update
  set asked_on = greatest(zone.asked_on, excluded.asked_on)`

/** Drops what no doctor has asked for in 30 days. */
export async function dropUnasked(db: Db, now: number) {
  await db.query(
    { name: 'drop-unasked', text: DROP, values: [new Date(now).toISOString()] },
    { on: 'follow' },
  )
}

const DROP = `
  with old as materialized (
    delete from care.patient_zones
    where asked_on < ($1::timestamptz - ${KEPT_FOR})::date
    returning patient_uid, time_zone
  ), unasked as materialized (
    select patient_uid, version
    from care.patients
    where patient_uid in (select patient_uid from old)
      and not exists (
        select
        from care.patient_zones
        where patient_zones.patient_uid = patients.patient_uid
          and (patient_zones.patient_uid, time_zone) not in (select patient_uid, time_zone from old)
      )
  ), gone as (
    delete from care.patients
    using unasked
    where patients.patient_uid = unasked.patient_uid
      and patients.version = unasked.version
    returning patients.patient_uid
  ), gone_stale as (
    delete from care.stale
    where patient_uid in (select patient_uid from gone)
  ), gone_days as (
    delete from care.summary_days
    using old
    where summary_days.patient_uid = old.patient_uid
      and summary_days.time_zone = old.time_zone
  )
  delete from care.summaries
  using old
  where summaries.patient_uid = old.patient_uid
    and summaries.time_zone = old.time_zone`
