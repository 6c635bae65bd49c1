// The statement of the timeline. Of every source it reads one row more than the page shows, by an index in order of time.
//
// $1 the patient. $2 the types to which the reader's grant is limited, else null; $3 then the doctor, who sees only their own looks and grants.
// $4 whether notes for doctors are shown. $5 the instant of the position, $6 for each kind the id behind which it goes on at that instant,
// $7 the number of the symptom in its reading. $8 the limit.
import { idStart } from '../../casesheet/by-type.ts'
import { printedDeliveries } from '../alerts/alert.ts'

/** In alphabetical order: `idAfter` compares them. */
export const KINDS = ['alert', 'look', 'note', 'rule', 'sharing', 'symptom', 'target', 'withdrawal'] as const
type Kind = (typeof KINDS)[number]

const idAfter = (kind: Kind) => `($6::uuid[])[${KINDS.indexOf(kind) + 1}]`

/** A condition for an index by patient and time: behind the position. */
const behind = (kind: Kind, at: string, id: string) =>
  `patient_uid = $1
      and (${at}, ${id}) < ($5::timestamptz, ${idAfter(kind)})`

const page = (at: string, id: string) => `order by ${at} desc, ${id} desc
    limit $8::integer + 1`

// Without statistics the planner expects that a comparison leaves next to nothing, and sorts all that the patient has; not with coalesce.
const isShared = (type: string) => `coalesce(${type} = any ($2::text[]), true)`
// What has no doctor is nobody's own.
const isOwn = 'coalesce(doctor_id = $3::text, $3 is null)'

const LOOKS = `
    select at, 'look' as kind, review_id as id, 0 as nth, looked_by as subject, name, doctor_id, json_build_object(
        'review_id', review_id, 'doctor_id', doctor_id, 'practice_id', practice_id,
        'note', case when $4::boolean or visible_to = 'patient' then note end,
        'visible_to', case when $4 or visible_to = 'patient' then visible_to end,
        'look_again_at', look_again_at::text, 'acknowledged', acknowledged, 'undone_at', undone_at::text
      ) as printed
    from casesheet.looks
    where ${behind('look', 'looks.at', 'review_id')}
      and ${isOwn}
    ${page('looks.at', 'review_id')}`

const SYMPTOMS = `
    select measured_at, 'symptom', reading_id, 101 - number, coalesce(added_by, patient_uid), null, null, json_build_object(
        'reading_id', reading_id, 'symptom', listed ->> 'symptom', 'severity', listed ->> 'severity'
      )
    from casesheet.readings
    cross join lateral json_array_elements(details -> 'symptoms') with ordinality as symptoms (listed, number)
    where patient_uid = $1
      and reading_type = 'symptom'
      and ${isShared("'symptom'")}
      and measured_at <= $5::timestamptz
      and (measured_at, reading_id) <= ($5, ${idAfter('symptom')})
      and ((measured_at, reading_id) < ($5, ${idAfter('symptom')}) or 101 - number < $7::integer)
      and withdrawn_at is null
    order by readings.measured_at desc, ${idStart('readings.reading_id')} desc, readings.reading_id desc, number
    limit $8::integer + 1`

const NOTES = `
    select measured_at, 'note', reading_id, 0, coalesce(added_by, patient_uid), null, null, json_build_object(
        'reading_id', reading_id, 'text', details ->> 'text'
      )
    from casesheet.readings
    where patient_uid = $1
      and reading_type = 'note'
      and ${isShared("'note'")}
      and measured_at <= $5::timestamptz
      and (measured_at, reading_id) < ($5, ${idAfter('note')})
      and withdrawn_at is null
    order by readings.measured_at desc, ${idStart('readings.reading_id')} desc, readings.reading_id desc
    limit $8::integer + 1`

const ALERTS = `
    select at, 'alert', event_id, 0, by, by_name, doctor_id, json_build_object(
        'event', event, 'alert_id', alert_id, 'rule_id', rule_id, 'label', label, 'severity', severity, 'value', value, 'unit', unit,
        'why', why, 'ended_because', ended_because,
        'note', case when $4 or visible_to = 'patient' then note end,
        'visible_to', case when $4 or visible_to = 'patient' then visible_to end,
        'sent_to', ${printedDeliveries(`alert_deliveries.patient_uid = $1
              and alert_deliveries.alert_id = shown.alert_id
              and alert_deliveries.event_id = shown.event_id`)}
      )
    from (
      select *
      from casesheet.alert_events
      where ${behind('alert', 'at', 'event_id')}
        and ${isShared('reading_type')}
      ${page('at', 'event_id')}
    ) as shown`

/** What a change of these says beside what both have: of whom it is, for whom, and its label. */
const SETS = {
  target: "'unit', unit, 'fields', fields, 'expect_every', expect_every, 'preset', preset",
  rule: "'field', field, 'severity', severity, 'terms', terms",
}
type SetKind = keyof typeof SETS

const setChange = (kind: SetKind) => `
    select at, '${kind}', ${kind}_id, 0, by, null, case when author_kind = 'doctor' then author_id end, json_build_object(
        'action', action, '${kind}_id', ${kind}_id, 'author_kind', author_kind, 'author_id', author_id, 'author_name', author_name,
        'patient_uid', change.patient_uid, 'reading_type', reading_type, 'label', label, 'set_by', by, 'set_at', at::text, ${SETS[kind]}
      )`

const setForPatient = (kind: SetKind) => `${setChange(kind)}
    from casesheet.${kind}_changes as change
    where ${behind(kind, 'change.at', `${kind}_id`)}
      and ${isShared('reading_type')}
    ${page('change.at', `${kind}_id`)}`

/** Of what a doctor set for all, while the patient shares its type with the permission manage. An index gives the newest of each doctor. */
const setForAll = (kind: SetKind) => `${setChange(kind)}
    from (
      select change.*
      from casesheet.grants
      cross join lateral (
        select *
        from casesheet.${kind}_changes as changes
        where author_kind = 'doctor'
          and author_id = grants.doctor_id
          and changes.patient_uid is null
          and changes.at >= given_at
          and (grants.reading_types is null or reading_type = any (grants.reading_types))
          and ${isShared('reading_type')}
          and (changes.at, ${kind}_id) < ($5::timestamptz, ${idAfter(kind)})
        order by changes.at desc, ${kind}_id desc
        limit $8::integer + 1
      ) as change
      where grants.patient_uid = $1
        and state = 'given'
        and valid_until > now()
        and permission = 'manage'
      order by change.at desc, change.${kind}_id desc
      limit $8::integer + 1
    ) as change`

const grant = (action: string) => `json_build_object(
        'action', ${action}, 'doctor_id', doctor_id, 'permission', permission, 'valid_until', valid_until::text
      )`

const SHARING = `
    select changed_at, 'sharing', grant_id, 0, changed_by, null, null, ${grant('action')}
    from casesheet.grant_changes
    where ${behind('sharing', 'changed_at', 'grant_id')}
      and ${isOwn}
    ${page('changed_at', 'grant_id')}`

/** A grant that expires leaves no row: it did where nothing was done with it before its end. */
const EXPIRED = `
    select valid_until, 'sharing', grant_id, 0, null, null, null, ${grant("'expire'")}
    from casesheet.grant_changes as change
    where ${behind('sharing', 'valid_until', 'grant_id')}
      and action <> 'revoke'
      and valid_until < 'infinity'
      and valid_until <= now()
      and ${isOwn}
      and (
        select count(*) = 0
        from casesheet.grant_changes as later
        where later.patient_uid = $1
          and later.doctor_id = change.doctor_id
          and later.changed_at > change.changed_at
          and later.changed_at <= change.valid_until
      )
    ${page('valid_until', 'grant_id')}`

const WITHDRAWALS = `
    select corrections.at, 'withdrawal', correction_id, 0, corrected_by, null, null, json_build_object(
        'action', action, 'reading_id', corrections.reading_id, 'reason', reason
      )
    from casesheet.corrections
    where patient_uid = $1
      and case
        when $2::text[] is null then true
        else (
          select count(*) > 0
          from casesheet.readings
          where readings.patient_uid = $1
            and readings.measured_at = corrections.measured_at
            and readings.reading_id = corrections.reading_id
            and reading_type = any ($2)
        )
      end
      and (corrections.at, correction_id) < ($5::timestamptz, ${idAfter('withdrawal')})
    order by corrections.at desc, correction_id desc
    limit $8::integer + 1`

const SOURCES = [
  LOOKS,
  SYMPTOMS,
  NOTES,
  ALERTS,
  setForPatient('target'),
  setForAll('target'),
  setForPatient('rule'),
  setForAll('rule'),
  SHARING,
  EXPIRED,
  WITHDRAWALS,
]

// Who did it is named as the directory names the doctor, unless the name was kept.
export const READ_TIMELINE = `
  select at::text as at, kind, id, nth, printed, directory.name as doctor_name, coalesce(newest.name, directory.name, subject) as by
  from (
    select *
    from (${SOURCES.map((source) => `(${source})`).join('\n    union all ')}) as entries (at, kind, id, nth, subject, name, doctor_id, printed)
    order by entries.at desc, entries.kind collate "C" desc, entries.id desc, entries.nth desc
    limit $8::integer + 1
  ) as newest
  left join lateral (
    select name
    from appointments.doctors
    where doctors.doctor_id = newest.doctor_id
  ) as directory on true
  order by newest.at desc, newest.kind collate "C" desc, newest.id desc, newest.nth desc`
