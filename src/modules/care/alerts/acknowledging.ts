// SQL of what acknowledges alerts: alerts/acknowledge, and a look that saw them; and of what takes that back.

/** About a row of alerts: somebody should have seen it. One that ended unseen is listed; one whose rule or grant ended is over. */
export const MAY_BE_ACKNOWLEDGED = `(ended_at is null or ended_because in ('values', 'symptomOver'))`

/** Columns of alert_events, and what they are for a row of `alert`. */
export const OF_ALERT = `patient_uid, alert_id, rule_id, author_kind, author_id, severity, label, reading_type, field, unit,
      value, measured_at, received_at`
export const ofAlert = `patient_uid, alert_id, rule_id, author_kind, author_id, severity, label, reading_type, field, unit,
      (worst ->> 'value')::float8, (worst ->> 'measuredAt')::timestamptz, (worst ->> 'receivedAt')::timestamptz`

type Acknowledging = {
  by: string
  doctor: string
  note: string
  visibleTo: string
  /** The look that does it, if one does. */
  review: string
}

/** The CTEs `event` and `acknowledged`, behind a CTE `alert` of locked rows of casesheet.alerts, all of which are acknowledged as they are. */
export const acknowledging = ({
  by,
  doctor,
  note,
  visibleTo,
  review,
}: Acknowledging) => `doctor as materialized (
    select left(min(name), 200) as name
    from appointments.doctors
    where doctor_id = ${doctor}
  ), event as (
    insert into casesheet.alert_events
      (${OF_ALERT}, event, is_announced, why, note, visible_to, by, by_name, doctor_id, review_id)
    select ${ofAlert}, 'acknowledged', not is_late, why, ${note}, ${visibleTo}, ${by}, doctor.name, ${doctor}, ${review}
    from alert
    cross join doctor
    returning patient_uid, alert_id, at, by, by_name, doctor_id
  ), acknowledged as (
    update casesheet.alerts
    set acknowledged_at = event.at,
      acknowledged_by = event.by,
      acknowledged_name = event.by_name,
      acknowledged_doctor = event.doctor_id,
      acknowledged_value = (worst ->> 'value')::float8,
      acknowledged_beyond = beyond
    from event
    where alerts.patient_uid = event.patient_uid
      and alerts.alert_id = event.alert_id
    returning alerts.*
  )`
