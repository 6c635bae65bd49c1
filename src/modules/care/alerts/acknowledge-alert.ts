// POST alerts/acknowledge: a doctor has seen an open alert and takes care of it, and the patient sees who did. The first acknowledgement
// stays: the alert is locked, under a grant that is locked too, so the second of two doctors sees what the first has done. The evaluation,
// which may write the alert at the same moment, leaves alone what is written here.
import { type Static, Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import { checkFor } from '../../../http/json/validation.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { PatientUid, VISIBLE_LINES } from '../../casesheet/reading.ts'
import { acknowledging } from './acknowledge-statement.ts'
import {
  type Alert,
  AlertId,
  type AlertRow,
  alertFrom,
  alertUnknown,
  EXAMPLE_ALERT,
  EXAMPLE_EVENT,
  printedAlert,
} from './alert.ts'

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
  response: {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Alert>({ $ref: 'Alert#' }) },
      {
        description: 'Committed.',
        examples: [
          {
            code: 'Ok',
            message: MESSAGE,
            data: { ...EXAMPLE_ALERT, state: 'acknowledged', acknowledged: { at, by, doctorId, note } },
          },
        ],
      },
    ),
    ...errorAnswers(
      () => checkFor(AcknowledgeBody)({ ...EXAMPLE, note: '' }),
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'AlertUnknown',
      'BodyTooLarge',
      'UnsupportedMediaType',
    ),
  },
}

type ToAcknowledge = AcknowledgeBody & ManagingDoctor

/** The alert as it is now. */
type Row = { is_granted: boolean; alert: AlertRow | null; is_changed: boolean }

export function createAcknowledgeAlert(db: Db) {
  const write = shareStatements<ToAcknowledge, Row, Row[]>(db, {
    ...WRITES,
    kind: 'alerts/acknowledge',
    statementFor: ([alert]) => acknowledgeStatement(alert as ToAcknowledge),
    answersFrom: (rows) => [rows],
  })
  return async (body: AcknowledgeBody, doctor: ManagingDoctor, isGone: IsGone) => {
    const rows = await write({ ...body, ...doctor }, isGone)
    rows.forEach(mustStillBeGranted)
    const [row] = rows
    if (!row?.alert) throw alertUnknown()
    const alert = alertFrom(row.alert)
    return { code: 'Ok' as const, message: row.is_changed ? MESSAGE : UNCHANGED[alert.state], data: alert }
  }
}

function acknowledgeStatement(alert: ToAcknowledge): Statement {
  const { patientUid, alertId, grantId } = alert
  return {
    name: 'alerts-acknowledge',
    text: ACKNOWLEDGE,
    values: [patientUid, alertId, alert.doctorId, grantId, alert.by, alert.note ?? null],
  }
}

const UNCHANGED = {
  acknowledged: 'The alert was acknowledged before. Nothing has changed.',
  resolved: 'The alert is resolved. Nothing has changed.',
  retracted: 'The alert is retracted. Nothing has changed.',
  pending: 'The alert is not open yet. Nothing has changed.',
  open: MESSAGE,
} as const

/** Of a row of alerts, what `printedAlert` prints and no doctor changes. */
const OTHER_COLUMNS = `alert.patient_uid, alert.alert_id, alert.rule_id, alert.version_id, alert.reading_type, alert.field, alert.severity,
      alert.condition, alert.since, alert.until, alert.opened_at, alert.resolved_at, alert.readings, alert.why, alert.announced_at,
      alert.quiet`

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
const ACKNOWLEDGE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$3', grant: '$4' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), alert as materialized (
    select *
    from casesheet.alerts
    where patient_uid = $1
      and alert_id = $2::uuid
      and exists (select from granted where granted.reading_types is null or alerts.reading_type = any (granted.reading_types))
      and (select is_granted from asked)
    for no key update
  ), ${acknowledging({
    patient: '$1',
    by: '$5',
    doctor: '$3',
    note: '$6',
    review: 'null::uuid',
    where: "condition = 'open' and acknowledged_at is null",
  })}, changed as materialized (
    select ${OTHER_COLUMNS},
      coalesce(acknowledged_at, event.at) as acknowledged_at,
      coalesce(acknowledged_by, event.by) as acknowledged_by,
      coalesce(acknowledged_doctor, event.doctor_id) as acknowledged_doctor,
      coalesce(acknowledged_note, event.note) as acknowledged_note
    from alert
    left join event on true
  )
  select is_granted, exists (select from event) as is_changed, (select ${printedAlert('changed')} from changed) as alert
  from asked`
