// POST alerts/snooze: neither this alert nor another one of the same field that is no more severe is announced until a time. It stays open,
// and in the list.
import { type Static, Type } from 'typebox'
import type { IsGone } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { refuseFields } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { EXAMPLE_GRANT } from '../../casesheet/grants/grant.ts'
import { INSTANT_FORM, instantIn } from '../../casesheet/grants/valid-until.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import type { ServedHere } from '../../casesheet/served-here.ts'
import { ON_MARKED } from '../next-changes.ts'
import { AlertId, EXAMPLE_ALERT, printedAlert } from './alert.ts'
import { changeAnswers, changedBy, createChangeAlert, LOCK_ALERT, NEXT_PARAMETER } from './change-alert.ts'

const MAX_DAYS = 7
const INSTANT = `a time of at most ${MAX_DAYS} days ahead as RFC 3339 writes it, such as 2026-11-17T12:15:00Z`
const EXAMPLE = {
  patientUid: EXAMPLE_ALERT.patientUid,
  alertId: EXAMPLE_ALERT.alertId,
  until: '2026-11-17T12:15:00Z',
}
const MESSAGE = 'The alert is snoozed.'
const ENDED = 'The snooze is ended.'
const UNCHANGED = 'Nothing has changed.'

const SnoozeBody = Type.Object(
  {
    patientUid: PatientUid,
    alertId: AlertId,
    until: Type.String({
      pattern: INSTANT_FORM,
      description: `When the snooze ends, at most ${MAX_DAYS} days ahead. A time that is over ends it now.`,
      examples: [EXAMPLE.until],
      'x-mustBe': INSTANT,
    }),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type SnoozeBody = Static<typeof SnoozeBody>

export const snoozeAlertContract = {
  tags: ['care'],
  operationId: 'snoozeAlert',
  summary: 'Put off an alert until a time, or end that',
  description:
    'For doctors whose grant has the permission manage and holds the type of the alert. Until then, neither this alert nor another one of ' +
    'the same field with the same or a lower severity is announced; one with a higher severity is. An alert that is not open is answered as it ' +
    'is, and nothing changes.',
  body: SnoozeBody,
  response: changeAnswers(
    MESSAGE,
    {
      ...EXAMPLE_ALERT,
      readings: [...EXAMPLE_ALERT.readings],
      snoozed: { until: '2026-11-17T12:15:00.000Z', by: 'dr-willow', doctorId: EXAMPLE_GRANT.doctorId },
    },
    checkFor(SnoozeBody)({ ...EXAMPLE, until: 'tomorrow' }),
  ),
}

export function createSnoozeAlert(
  db: Db,
  { servedHere, now }: { servedHere: ServedHere; now: () => number },
) {
  const snooze = createChangeAlert<SnoozeBody & { ending: string | null }>(db, servedHere, {
    kind: 'alerts/snooze',
    text: SNOOZE,
    valuesOf: ({ ending }) => [ending],
  })
  return async (body: SnoozeBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const ending = endingOf(body, now())
    const { alert, isChanged } = await snooze({ ...body, ending }, doctor, isGone)
    return { code: 'Ok' as const, message: messageOf(alert.snoozed !== null, isChanged), data: alert }
  }
}

function messageOf(isSnoozed: boolean, isChanged: boolean): string {
  if (!isChanged) return isSnoozed ? MESSAGE : UNCHANGED
  return isSnoozed ? MESSAGE : ENDED
}

/** Null for a time that is over. */
function endingOf({ until }: SnoozeBody, now: number): string | null {
  const at = instantIn(until)
  if (at === undefined || at > now + MAX_DAYS * 86_400_000)
    throw refuseFields([{ pointer: '/until', message: `must be ${INSTANT}` }])
  return at <= now ? null : new Date(at).toISOString()
}

// When a snooze ends, the evaluation looks at the alert: next_at says when. If it is ended early, others that it silenced are to be looked at
// too: so the patient and type are marked.
const SNOOZE = `
  with ${LOCK_ALERT}, event as (
    insert into casesheet.alert_events
      (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, by, doctor_id, snoozed_until)
    select $1, alert_id, rule_id, 'snoozed', false, severity, reading_type, why, $6, $3, $${NEXT_PARAMETER}::timestamptz
    from alert
    where case
        when $${NEXT_PARAMETER} is null then snoozed_until > now()
        else condition = 'open' and (snoozed_until, snoozed_by) is distinct from ($${NEXT_PARAMETER}, $6)
      end
    returning alert_id, reading_type, coalesce(snoozed_until, now()) as ends_at, snoozed_until is null as is_ended, by, doctor_id
  ), written as (
    update casesheet.alerts
    set snoozed_until = ends_at,
      snoozed_by = event.by,
      snoozed_doctor = event.doctor_id,
      -- What is over is not looked at again.
      next_at = case when condition = 'open' then least(next_at, ends_at) end
    from event
    where patient_uid = $1
      and alerts.alert_id = $2::uuid
  ), marked as (
    insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
    select $1, reading_type, now(), now()
    from event
    where is_ended${ON_MARKED}
  ), ${changedBy({ snoozed_until: 'ends_at', snoozed_by: 'by', snoozed_doctor: 'doctor_id' })}
  select is_granted, exists (select from event) as is_changed, (select ${printedAlert('changed')} from changed) as alert
  from asked`
