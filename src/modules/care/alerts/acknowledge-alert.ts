// POST alerts/acknowledge: a doctor has seen an open alert and takes care of it. It is neither repeated nor escalated then, and the patient
// sees who did. The first acknowledgement stays.
import { type Static, Type } from 'typebox'
import type { IsGone } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { checkFor } from '../../../http/json/validation.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { PatientUid, VISIBLE_LINES } from '../../casesheet/reading.ts'
import type { ServedHere } from '../../casesheet/served-here.ts'
import { FOLLOWER } from '../evaluation/mark-rules.ts'
import { AlertId, EXAMPLE_ALERT, EXAMPLE_EVENT, printedAlert } from './alert.ts'
import { changeAnswers, changedBy, createChangeAlert, LOCK_ALERT, NEXT_PARAMETER } from './change-alert.ts'

const MAX_NOTE_CHARS = 1_000
const { at, by, doctorId, note } = EXAMPLE_EVENT
const EXAMPLE = { patientUid: EXAMPLE_ALERT.patientUid, alertId: EXAMPLE_ALERT.alertId, note }
const MESSAGE = 'The alert is acknowledged.'

const AcknowledgeBody = Type.Object(
  {
    patientUid: PatientUid,
    alertId: AlertId,
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NOTE_CHARS,
        pattern: VISIBLE_LINES,
        description: 'What the doctor says about it. The patient reads it.',
        examples: [note],
        'x-mustBe': `a text of 1 to ${MAX_NOTE_CHARS} characters, not only blanks, without control characters except line breaks`,
      }),
    ),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type AcknowledgeBody = Static<typeof AcknowledgeBody>

export const acknowledgeAlertContract = {
  tags: ['care'],
  operationId: 'acknowledgeAlert',
  summary: 'Say that you have seen an alert',
  description:
    'For doctors whose grant has the permission manage and holds the type of the alert. An alert that was acknowledged before, or is not open, ' +
    'is answered as it is, and nothing changes; the message says so. It cannot be undone.',
  body: AcknowledgeBody,
  response: changeAnswers(
    MESSAGE,
    {
      ...EXAMPLE_ALERT,
      readings: [...EXAMPLE_ALERT.readings],
      state: 'acknowledged',
      acknowledged: { at, by, doctorId, note },
    },
    checkFor(AcknowledgeBody)({ ...EXAMPLE, note: '' }),
  ),
}

export function createAcknowledgeAlert(db: Db, servedHere: ServedHere) {
  const acknowledge = createChangeAlert<AcknowledgeBody>(db, servedHere, {
    kind: 'alerts/acknowledge',
    text: ACKNOWLEDGE,
    valuesOf: (body) => [body.note ?? null],
  })
  return async (body: AcknowledgeBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const { alert, isChanged } = await acknowledge(body, doctor, isGone)
    return { code: 'Ok' as const, message: isChanged ? MESSAGE : UNCHANGED[alert.state], data: alert }
  }
}

const UNCHANGED = {
  acknowledged: 'The alert was acknowledged before. Nothing has changed.',
  resolved: 'The alert is resolved. Nothing has changed.',
  retracted: 'The alert is retracted. Nothing has changed.',
  pending: 'The alert is not open yet. Nothing has changed.',
  open: MESSAGE,
} as const

/** As many of the newest readings are looked through for one that was evaluated. */
const MAX_LOOKED_AT = 1_000

// An acknowledgement is one of what the doctor could have seen: it lies at the newest reading that was evaluated. A reading that is stored
// and not evaluated yet may open another alert, which nobody has seen.
const ACKNOWLEDGE = `
  with ${LOCK_ALERT}, seen as materialized (
    select max(least(measured_at, received_at)) as at
    from (
      select measured_at, received_at, changed_xid, reading_id, withdrawn_at
      from casesheet.readings
      where patient_uid = $1
        and reading_type = (select reading_type from alert)
      order by measured_at desc, reading_id desc
      limit ${MAX_LOOKED_AT}
    ) as newest
    where withdrawn_at is null
      and measured_at <= received_at + interval '1 day'
      and (changed_xid, reading_id) <= (select xid, id from casesheet.followers where name = '${FOLLOWER}')
      and least(measured_at, received_at) < coalesce(
        (
          select measured_from
          from care.alert_marks
          where alert_marks.patient_uid = $1
            and alert_marks.reading_type = (select reading_type from alert)
        ),
        'infinity'
      )
  ), event as (
    insert into casesheet.alert_events
      (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point)
    select $1, alert_id, rule_id, 'acknowledged', announced_at is not null, severity, reading_type, why, $${NEXT_PARAMETER}, $6, $3,
      greatest(since, seen.at)
    from alert, seen
    where condition = 'open'
      and acknowledged_at is null
    returning alert_id, at, by, doctor_id, note, point
  ), written as (
    update casesheet.alerts
    set acknowledged_point = event.point,
      acknowledged_at = event.at,
      acknowledged_by = event.by,
      acknowledged_doctor = event.doctor_id,
      acknowledged_note = event.note
    from event
    where patient_uid = $1
      and alerts.alert_id = $2::uuid
  ), ${changedBy({
    acknowledged_at: 'at',
    acknowledged_by: 'by',
    acknowledged_doctor: 'doctor_id',
    acknowledged_note: 'note',
  })}
  select is_granted, exists (select from event) as is_changed, (select ${printedAlert('changed')} from changed) as alert
  from asked`
