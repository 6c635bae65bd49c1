// For whom summaries are kept: the patients of doctors who look at their list, in the time zones in which they do. Each zone multiplies
// the work for a patient, so both a doctor and a patient have few of them.
import type { Db } from '../../../db/db.ts'
import { MAX_PATIENTS } from '../patients/list-contract.ts'

const KEPT_FOR = "interval '30 days'"
/** In so many zones a doctor may ask on a day, by UTC. */
export const MAX_ZONES_OF_DOCTOR = 3
/** Of so many zones, asked for last, the summaries of a patient are kept. */
const MAX_ZONES_OF_PATIENT = 6
/** Patients of one statement that drops: up to a month of days of each type and zone are deleted with each. */
const DROPPED_TOGETHER = 50

/**
 * Notes that the doctor has asked for all patients, who are made if they were not asked for in this zone before. Returns false where the
 * doctor has asked in too many other zones today.
 */
export async function askForPatients(
  db: Db,
  { doctorId, timeZone, now }: { doctorId: string; timeZone: string; now: number },
  subject: string,
): Promise<boolean> {
  const values = [doctorId, timeZone, new Date(now).toISOString()]
  const [row] = await db.query<{ is_allowed: boolean }>(
    { name: 'ask-for-patients', text: ASK, values },
    { subject },
  )
  return row?.is_allowed ?? false
}

// Whoever is locked is being made or asked for by another request, and is noted with the next one: a list waits for neither.
// The version is raised, so that whoever drops patients nobody asks for does not drop these. A zone that PostgreSQL does not know is an
// error here: stored, it would be one for everybody who makes a summary of these patients.
const ASK = `
  with doctor as (
    insert into care.doctor_zones as doctor (doctor_id, asked_on, time_zones)
    select $1, $3::timestamptz::date, array[$2::text]
    where ($3::timestamptz at time zone $2) is not null
    on conflict (doctor_id) do update
    set asked_on = greatest(doctor.asked_on, excluded.asked_on),
      time_zones = case
        when doctor.asked_on < excluded.asked_on then excluded.time_zones
        when $2 = any (doctor.time_zones) then doctor.time_zones
        else doctor.time_zones || excluded.time_zones
      end
    where doctor.asked_on < excluded.asked_on
      or $2 = any (doctor.time_zones)
      or cardinality(doctor.time_zones) < ${MAX_ZONES_OF_DOCTOR}
    returning doctor_id
  ), mine as materialized (
    select patient_uid
    from casesheet.grants
    where doctor_id = (select doctor_id from doctor)
      and state = 'given'
      and valid_until > now()
    order by given_at, patient_uid
    limit ${MAX_PATIENTS}
  ), lacking as materialized (
    select mine.patient_uid
    from mine
    left join care.patient_zones on patient_zones.patient_uid = mine.patient_uid and time_zone = $2
    where asked_on is null or asked_on < $3::timestamptz::date
    order by mine.patient_uid
  ), free as materialized (
    select patients.patient_uid
    from care.patients
    join lacking using (patient_uid)
    order by patients.patient_uid
    for update of patients skip locked
  ), patients as (
    insert into care.patients as patient (patient_uid)
    select patient_uid
    from lacking
    where patient_uid in (select patient_uid from free)
      or not exists (select from care.patients as known where known.patient_uid = lacking.patient_uid)
    order by patient_uid
    on conflict (patient_uid) do update
    set version = patient.version + 1
    returning patient_uid
  ), zones as (
    insert into care.patient_zones as zone (patient_uid, time_zone, asked_on)
    select patient_uid, $2, $3::timestamptz::date
    from patients
    on conflict (patient_uid, time_zone) do update
    set asked_on = greatest(zone.asked_on, excluded.asked_on)
  )
  select exists (select from doctor) as is_allowed`

/** Drops what no doctor has asked for in 30 days, and the zones of a patient beyond the bound. */
export async function dropUnasked(db: Db, now: number) {
  const values = [new Date(now).toISOString()]
  await db.query({ name: 'drop-doctors', text: DROP_DOCTORS, values }, { on: 'follow' })
  for (let after = ''; ; ) {
    const rows = await db.query<{ patient_uid: string }>(
      { name: 'drop-unasked', text: DROP, values: [...values, after] },
      { on: 'follow' },
    )
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.patient_uid
  }
}

const DROP_DOCTORS = `
  delete from care.doctor_zones
  where asked_on < ($1::timestamptz - ${KEPT_FOR})::date`

// The patient is locked and its version raised, as by whoever makes a summary or asks for the patient: none of them stores anything of
// a zone that is gone, and whoever came first is skipped until the next hour.
const DROP = `
  with old as materialized (
    select patient_uid, time_zone, count(*) over (partition by patient_uid) = zones as is_last
    from (
      select patient_uid, time_zone, count(*) over (partition by patient_uid) as zones,
        asked_on < ($1::timestamptz - ${KEPT_FOR})::date
          or row_number() over (partition by patient_uid order by asked_on desc, time_zone) > ${MAX_ZONES_OF_PATIENT} as is_old
      from care.patient_zones
      where patient_uid > $2
    ) as ranked
    where is_old
  ), next as materialized (
    select distinct patient_uid, is_last
    from old
    order by patient_uid
    limit ${DROPPED_TOGETHER}
  ), seen as materialized (
    select patient_uid, version, is_last
    from next
    join care.patients using (patient_uid)
  ), locked as materialized (
    select patients.patient_uid, is_last
    from care.patients
    join seen on seen.patient_uid = patients.patient_uid and seen.version = patients.version
    order by patients.patient_uid
    for update of patients skip locked
  ), dropped as materialized (
    select patient_uid, time_zone
    from old
    join locked using (patient_uid)
  ), raised as (
    update care.patients
    set version = version + 1
    from locked
    where patients.patient_uid = locked.patient_uid
      and not is_last
  ), gone as (
    delete from care.patients
    using locked
    where patients.patient_uid = locked.patient_uid
      and is_last
  ), gone_stale as (
    delete from care.stale
    using locked
    where stale.patient_uid = locked.patient_uid
      and is_last
  ), gone_zones as (
    delete from care.patient_zones
    using dropped
    where patient_zones.patient_uid = dropped.patient_uid
      and patient_zones.time_zone = dropped.time_zone
  ), gone_days as (
    delete from care.summary_days
    using dropped
    where summary_days.patient_uid = dropped.patient_uid
      and summary_days.time_zone = dropped.time_zone
  ), gone_summaries as (
    delete from care.summaries
    using dropped
    where summaries.patient_uid = dropped.patient_uid
      and summaries.time_zone = dropped.time_zone
  )
  select patient_uid
  from next
  order by patient_uid`
