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
import { OF_ALERT, ofAlert } from '../alerts/acknowledging.ts'
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
      'MisdirectedRequest',
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
// Of an alert that somebody has acknowledged since, nothing changes.
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
  ), alert as materialized (
    select alerts.*
    from undone
    join casesheet.alert_events on alert_events.patient_uid = $1
      and alert_events.alert_id = any (acknowledged)
      and alert_events.at >= undone.at
      and alert_events.review_id = undone.review_id
    join casesheet.alerts on alerts.patient_uid = $1
      and alerts.alert_id = alert_events.alert_id
      and alerts.acknowledged_at = alert_events.at
    order by alerts.alert_id
    for no key update of alerts
  ), reopened as (
    insert into casesheet.alert_events (${OF_ALERT}, event, is_announced, why, by, by_name, doctor_id)
    select ${ofAlert}, 'reopened', not is_late and ended_at is null, 'Its acknowledgement was taken back.', $4, acknowledged_name, $3
    from alert
  ), written as (
    update casesheet.alerts
    set acknowledged_at = null,
      acknowledged_by = null,
      acknowledged_name = null,
      acknowledged_doctor = null,
      acknowledged_value = null,
      acknowledged_beyond = null
    from alert
    where alerts.patient_uid = $1
      and alerts.alert_id = alert.alert_id
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
