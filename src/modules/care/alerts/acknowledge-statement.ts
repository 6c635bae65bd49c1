// SQL of what acknowledges alerts: alerts/acknowledge, and a look that saw them.
import { orderOfType } from '../../casesheet/by-type.ts'
import { FOLLOWER } from '../evaluation/mark-rules.ts'

/** As many of the newest readings are looked through for one that was evaluated. */
const MAX_LOOKED_AT = 1_000

type Acknowledging = {
  patient: string
  by: string
  doctor: string
  note: string
  /** The look that does it, if one does. */
  review: string
  /** About a row of `alert`. */
  where: string
}

/**
 * The CTEs `event` and `written`, behind a CTE `alert` of locked rows of casesheet.alerts. An acknowledgement is one of what the doctor could
 * have seen: it lies at the newest reading that was evaluated, within the alert. A reading that is stored and not evaluated yet may open
 * another alert, which nobody has seen.
 */
export const acknowledging = ({
  patient,
  by,
  doctor,
  note,
  review,
  where,
}: Acknowledging) => `seen as materialized (
    select of_type, newest.at
    from (select distinct reading_type as of_type from alert) as types
    cross join lateral (
      select max(least(measured_at, received_at)) as at
      from (
        select measured_at, received_at, changed_xid, reading_id, withdrawn_at
        from casesheet.readings
        where patient_uid = ${patient}
          and (reading_type, measured_at) <= (of_type, 'infinity')
          and reading_type >= of_type
        order by ${orderOfType('desc')}
        limit ${MAX_LOOKED_AT}
      ) as newest
      where withdrawn_at is null
        and measured_at <= received_at + interval '1 day'
        and (changed_xid, reading_id) <= (select xid, id from casesheet.followers where name = '${FOLLOWER}')
        and least(measured_at, received_at) < coalesce(
          (
            select measured_from
            from care.alert_marks
            where alert_marks.patient_uid = ${patient}
              and alert_marks.reading_type = of_type
          ),
          'infinity'
        )
    ) as newest
  ), event as (
    insert into casesheet.alert_events
      (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point, review_id)
    select ${patient}, alert_id, rule_id, 'acknowledged', announced_at is not null, severity, reading_type, why, ${note}, ${by}, ${doctor},
      greatest(since, least(seen.at, until)), ${review}
    from alert
    join seen on of_type = reading_type
    where ${where}
    returning alert_id, at, by, doctor_id, note, point
  ), written as (
    update casesheet.alerts
    set acknowledged_point = event.point,
      acknowledged_at = event.at,
      acknowledged_by = event.by,
      acknowledged_doctor = event.doctor_id,
      acknowledged_note = event.note
    from event
    where patient_uid = ${patient}
      and alerts.alert_id = event.alert_id
  )`
