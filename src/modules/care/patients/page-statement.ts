// What is read for the patients of a page only, and what is logged of them. It stands behind the facts, on the same connection. Who no longer
// shares under the grant by which the facts were read is not in it, and not in the answer. The empty message makes the commit wait for the
// standbys also where nobody was logged, so a primary that was cut off answers no list.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Statement } from '../../../db/statement.ts'
import { orderOfType } from '../../casesheet/by-type.ts'
import { inMs } from '../summaries/counted-at.ts'
import { KEPT_DAYS } from '../summaries/what-is-summarised.ts'
import { TODAY } from './facts-statement.ts'

const TREND_DAYS = 7
const SYMPTOM_DAYS = 7
const MAX_SYMPTOMS = 5
/** So many of a patient's last symptom readings are looked through. */
const MAX_SYMPTOM_READINGS = 50

/** `trend`: of which target, and of which of its fields, by its number from 1. */
export type ToShow = {
  patientUid: string
  grantId: string
  trend?: { targetId: string; field: number } | undefined
}
export type Asking = {
  doctorId: string
  practiceIds: readonly string[]
  subject: string
  requestId: string
}

/** Null throughout where nobody is left. */
export type ShownRow = {
  patient_uid: string | null
  trend: { day: string; low: number; high: number }[] | null
  symptoms: { symptom: string; severity: string; measuredAt: number }[] | null
  last_look: { at: number; by: string; note: string | null } | null
}

export function pageStatement(
  page: readonly ToShow[],
  { doctorId, practiceIds, subject, requestId, now }: Asking & { now: number },
): Statement {
  return {
    name: 'show-patients',
    text: SHOW_PATIENTS,
    values: [
      doctorId,
      new Date(now).toISOString(),
      textArray(page.map(({ patientUid }) => patientUid)),
      plainArray(page.map(({ grantId }) => grantId)),
      plainArray(page.map(({ trend }) => trend?.targetId ?? null)),
      plainArray(page.map(({ trend }) => trend?.field ?? null)),
      requestId,
      subject,
      textArray(practiceIds),
    ],
  }
}

// A colleague's look may speak of types that are not shared with this doctor: it counts, and is not named, as in the timeline.
const SHOW_PATIENTS = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), shown as materialized (
    select page.*, reading_types, looked_on
    from unnest($3::text[], $4::uuid[], $5::uuid[], $6::integer[]) as page (patient_uid, grant_id, target_id, field)
    cross join lateral (
      select reading_types
      from casesheet.grants
      where grants.patient_uid = page.patient_uid
        and doctor_id = $1
        and grants.grant_id = page.grant_id
        and state = 'given'
        and valid_until > now()
      limit 1
    ) as granted
    left join care.list_looks on list_looks.doctor_id = $1 and list_looks.patient_uid = page.patient_uid
  ), looked as (
    insert into care.list_looks as look (doctor_id, patient_uid, looked_on)
    select $1, patient_uid, ${TODAY}
    from shown
    where coalesce(looked_on, '-infinity') < ${TODAY}
    order by patient_uid
    on conflict (doctor_id, patient_uid) do update
    set looked_on = excluded.looked_on
    where look.looked_on < excluded.looked_on
    returning patient_uid
  ), logged as (
    insert into casesheet.access_log
      (patient_uid, operation, reading_types, range_from, range_to, page, request_id, read_by, allowed_as, doctor_id, readings_count)
    select patient_uid, 'care/patients/list', reading_types, $2::timestamptz - interval '${KEPT_DAYS} days', $2, 0, $7, $8, 'grant', $1, 0
    from looked
    join shown using (patient_uid)
  )
  select shown.patient_uid,
    (
      select json_agg(json_build_object('day', day, 'low', lowest[field], 'high', highest[field]) order by day)
      from care.days
      where days.patient_uid = shown.patient_uid
        and days.target_id = shown.target_id
        and day > ${TODAY} - ${TREND_DAYS}
        and day <= ${TODAY}
        and lowest[field] is not null
    ) as trend,
    (
      select json_agg(json_build_object('symptom', symptom, 'severity', severity, 'measuredAt', ${inMs('measured_at')}))
      from (
        select measured_at, each ->> 'symptom' as symptom, each ->> 'severity' as severity
        from (
          select measured_at, details
          from casesheet.readings
          where readings.patient_uid = shown.patient_uid
            and reading_type = 'symptom'
            and measured_at > $2::timestamptz - interval '${SYMPTOM_DAYS} days'
            and measured_at <= $2
            and withdrawn_at is null
            and (shown.reading_types is null or 'symptom' = any (shown.reading_types))
          order by ${orderOfType('desc')}
          limit ${MAX_SYMPTOM_READINGS}
        ) as readings
        cross join lateral json_array_elements(details -> 'symptoms') as each
        where each ->> 'severity' = 'MILD'
        order by measured_at desc
        limit ${MAX_SYMPTOMS}
      ) as mild
    ) as symptoms,
    (
      select json_build_object('at', ${inMs('at')}, 'by', coalesce(name, looked_by), 'note', note)
      from casesheet.looks
      where looks.patient_uid = shown.patient_uid
        and (doctor_id = $1 or practice_id = any ($9::text[]) and shown.reading_types is null)
        and undone_at is null
      order by at desc, review_id desc
      limit 1
    ) as last_look
  from durable
  left join shown on true`
