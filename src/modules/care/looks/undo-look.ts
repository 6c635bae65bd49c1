// POST reviews/undo: takes a look back within a minute: what it has seen, the alerts that it acknowledged, and its date. It may be repeated.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import { Refusal } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid } from '../../casesheet/reading.ts'
import { EXAMPLE_LOOK, LOOK_COLUMNS, Look, type LookRow, lookFrom, ReviewId, UNDO_SECONDS } from './look.ts'

const MESSAGE = 'The look is taken back.'
const { patientUid, reviewId } = EXAMPLE_LOOK
const EXAMPLE = { patientUid, reviewId }

const UndoBody = Type.Object(
  { patientUid: PatientUid, reviewId: ReviewId },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type UndoBody = Static<typeof UndoBody>

export const undoLookContract = {
  tags: ['care'],
  operationId: 'undoReview',
  summary: 'Take back that you have seen what the list showed of a patient',
  description:
    `For who added it, within ${UNDO_SECONDS} seconds. What it has seen is unseen again, its date is gone, and alerts that it acknowledged, and ` +
    'nobody else since, are open again. The patient sees the look, its note, and that it was taken back. May be repeated.',
  body: UndoBody,
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Look>({ $ref: 'Look#' }) },
      {
        description: 'Committed.',
        examples: [
          {
            code: 'Ok',
            message: MESSAGE,
            data: { ...EXAMPLE_LOOK, undoneAt: '2026-11-17T08:15:41.020000Z' },
          },
        ],
      },
    ),
    ...errorAnswers(
      () => checkFor(UndoBody)({ ...EXAMPLE, reviewId: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ReviewUnknown',
      'TooLate',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToUndo = UndoBody & ManagingDoctor
/** Of the look, null throughout where there is none of this doctor. */
type Row = { is_granted: boolean } & (LookRow | { review_id: null })

export function createUndoLook(db: Db) {
  const write = shareStatements<ToUndo, Row, Row[]>(db, {
    ...WRITES,
    kind: 'reviews/undo',
    statementFor: ([look]) => undoStatement(look as ToUndo),
    answersFrom: (rows) => [rows],
  })
  return async (body: UndoBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const rows = await write({ ...body, ...doctor }, isGone)
    rows.forEach(mustStillBeGranted)
    const [row] = rows
    if (!row || row.review_id === null)
      throw new Refusal('ReviewUnknown', 'You have added no such review of this patient.')
    if (row.undone_at === null)
      throw new Refusal(
        'TooLate',
        `A review can be taken back for ${UNDO_SECONDS} seconds, and they are over.`,
      )
    return { code: 'Ok' as const, message: MESSAGE, data: lookFrom(body.patientUid, row) }
  }
}

const undoStatement = ({ patientUid: uid, reviewId: id, doctorId, by, grantId }: ToUndo) => ({
  name: 'undo-look',
  text: UNDO_LOOK,
  values: [uid, id, doctorId, by, grantId],
})

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
//
// - Of an alert that somebody has acknowledged since, nothing changes. Where it was acknowledged before, it is so again.
// - An evaluation that is under way has read the acknowledgement. It writes nothing once another write was counted, and begins anew; it counts
//   before it locks alerts, and so does this.
const UNDO_LOOK = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$3', grant: '$5' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), look as materialized (
    select *
    from casesheet.looks
    where patient_uid = $1
      and review_id = $2::uuid
      and looked_by = $4
      and doctor_id = $3
      and (select is_granted from asked)
    for no key update
  ), undone as (
    update casesheet.looks
    set undone_at = now()
    from look
    where looks.patient_uid = $1
      and looks.review_id = look.review_id
      and look.undone_at is null
      and look.at >= clock_timestamp() - interval '${UNDO_SECONDS} seconds'
    returning looks.*
  ), counted as (
    update care.alert_watch
    set writes = writes + 1
    where exists (select from undone where acknowledged <> '{}')
    returning writes
  ), own as materialized (
    select alert_events.alert_id as own_alert, alert_events.at as own_at
    from undone
    join casesheet.alert_events on alert_events.patient_uid = $1
      and alert_events.alert_id = any (acknowledged)
      and alert_events.at >= undone.at
      and alert_events.review_id = undone.review_id
    where exists (select from counted)
  ), alert as materialized (
    select alerts.*
    from own
    join casesheet.alerts on alerts.patient_uid = $1
      and alerts.alert_id = own_alert
      and alerts.acknowledged_at = own_at
    order by alerts.alert_id
    for no key update of alerts
  ), taken as materialized (
    select alert.*, before.at as before_at, before.by as before_by, before.doctor_id as before_doctor, before.note as before_note,
      before.point as before_point
    from alert
    left join lateral (
      select at, by, doctor_id, note, point
      from casesheet.alert_events
      where alert_events.patient_uid = $1
        and alert_events.alert_id = alert.alert_id
        and alert_events.at < alert.acknowledged_at
        and event = 'acknowledged'
        and not exists (
          select
          from casesheet.looks
          where looks.patient_uid = $1
            and looks.review_id = alert_events.review_id
            and undone_at is not null
        )
      order by at desc, event_id desc
      limit 1
    ) as before on true
  ), reopened as (
    insert into casesheet.alert_events
      (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, by, doctor_id)
    select $1, alert_id, rule_id, 'reopened', announced_at is not null and condition = 'open', severity, reading_type,
      'Its acknowledgement was taken back.', $4, $3
    from taken
    where before_at is null
  ), written as (
    update casesheet.alerts
    set acknowledged_point = before_point,
      acknowledged_at = before_at,
      acknowledged_by = before_by,
      acknowledged_doctor = before_doctor,
      acknowledged_note = before_note
    from taken
    where alerts.patient_uid = $1
      and alerts.alert_id = taken.alert_id
  ), shown as (
    select ${LOOK_COLUMNS}
    from undone
    union all
    select ${LOOK_COLUMNS}
    from look
    where not exists (select from undone)
  )
  select is_granted, shown.*
  from asked
  left join shown on is_granted`
