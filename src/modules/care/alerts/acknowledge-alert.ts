// POST alerts/acknowledge: a doctor has seen an alert, for a pager that shows nothing else of the patient. It is no look: what the list shows beside
// stays unseen. The alert is locked, under a grant that is locked too, so the second of two doctors sees what the first has done.
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
import { PatientUid } from '../../casesheet/reading.ts'
import { mustSayWhoSees, Note, VisibleTo } from '../looks/note.ts'
import { acknowledging, MAY_BE_ACKNOWLEDGED } from './acknowledging.ts'
import {
  type Alert,
  AlertId,
  type AlertRow,
  alertFrom,
  alertUnknown,
  EXAMPLE_ALERT,
  printedAlert,
} from './alert.ts'

const EXAMPLE = {
  patientUid: EXAMPLE_ALERT.patientUid,
  alertId: EXAMPLE_ALERT.alertId,
  note: 'Called.',
  visibleTo: 'patient',
} as const
const MESSAGE = 'The alert is acknowledged.'
const UNCHANGED = 'The alert needs nobody now. Nothing has changed.'

const AcknowledgeBody = Type.Object(
  {
    patientUid: PatientUid,
    alertId: AlertId,
    note: Type.Optional(Note),
    visibleTo: Type.Optional(VisibleTo),
  },
  { additionalProperties: false, examples: [EXAMPLE] },
)
type AcknowledgeBody = Static<typeof AcknowledgeBody>

export const acknowledgeAlertContract = {
  tags: ['care'],
  operationId: 'acknowledgeAlert',
  summary: 'Say that you have seen an alert',
  description:
    'For doctors with any current grant that holds the type of the alert. It says nothing of what else there is to see: reviews/add does. An alert ' +
    'that was acknowledged in the last hour, or whose rule ended, is answered as it is, and nothing changes; the message says so. It cannot be ' +
    'undone. A worse value opens it again.',
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
            data: {
              ...EXAMPLE_ALERT,
              state: 'acknowledged',
              acknowledged: { at: '2026-11-17T08:21:40.017302Z', by: 'Dr Sample', value: 224 },
            },
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
      'AlertUnknown',
      'BodyTooLarge',
      'UnsupportedMediaType',
      'MisdirectedRequest',
    ),
  },
}

type ToAcknowledge = AcknowledgeBody & ManagingDoctor

/** The alert as it is now. */
type Row = { is_granted: boolean; alert: AlertRow | null; is_changed: boolean }

export function createAcknowledgeAlert(db: Db) {
  const write = shareStatements<ToAcknowledge, Row, Row>(db, {
    ...WRITES,
    kind: 'alerts/acknowledge',
    statementFor: ([alert]) => acknowledgeStatement(alert as ToAcknowledge),
    answersFrom: (rows) => rows,
  })
  return async (body: AcknowledgeBody, doctor: ManagingDoctor, isGone: IsGone) => {
    mustSayWhoSees(body)
    const row = await write({ ...body, ...doctor }, isGone)
    mustStillBeGranted(row)
    if (!row.alert) throw alertUnknown()
    const message = row.is_changed ? MESSAGE : UNCHANGED
    return { code: 'Ok' as const, message, data: alertFrom(row.alert) }
  }
}

function acknowledgeStatement(alert: ToAcknowledge): Statement {
  const { patientUid, alertId, doctorId, grantId, by, note = null, visibleTo = null } = alert
  return {
    name: 'alerts-acknowledge',
    text: ACKNOWLEDGE,
    values: [patientUid, alertId, doctorId, grantId, by, note, visibleTo],
  }
}

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes. A request that is
// sent again acknowledges nothing again; after an hour it may, because an alert that stays open comes back.
const ACKNOWLEDGE = `
  with durable as materialized (
    select pg_logical_emit_message(true, 'rounds', '')
  ), granted as materialized (
    ${lockGrant({ patient: '$1', doctor: '$3', grant: '$4' })}
  ), asked as materialized (
    select exists (select from granted) as is_granted
    from durable
  ), named as materialized (
    select *
    from casesheet.alerts
    where patient_uid = $1
      and alert_id = $2::uuid
      and exists (select from granted where granted.reading_types is null or alerts.reading_type = any (granted.reading_types))
      and (select is_granted from asked)
    for no key update
  ), alert as materialized (
    select *
    from named
    where ${MAY_BE_ACKNOWLEDGED}
      and coalesce(acknowledged_at < now() - interval '1 hour', true)
  ), ${acknowledging({ by: '$5', doctor: '$3', note: '$6', visibleTo: '$7', review: 'null::uuid' })}, shown as (
    select ${printedAlert('acknowledged')} as alert
    from acknowledged
    union all
    select ${printedAlert('named')}
    from named
    where not exists (select from acknowledged)
  )
  select is_granted, exists (select from acknowledged) as is_changed, (select alert from shown) as alert
  from asked`
