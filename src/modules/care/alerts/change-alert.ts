// What acknowledging and snoozing share: the alert is locked, under a grant that is locked too. So the second of two doctors sees what the
// first has done. The evaluation, which may write the alert at the same moment, leaves alone what they write.
import { Type } from 'typebox'
import { type IsGone, shareStatements } from '../../../db/batch.ts'
import type { Db } from '../../../db/db.ts'
import type { Statement } from '../../../db/statement.ts'
import { errorAnswers } from '../../../http/answers/error-examples.ts'
import type { FieldError } from '../../../refusal.ts'
import type { ManagingDoctor } from '../../casesheet/access.ts'
import { WRITES } from '../../casesheet/grants/give-grant.ts'
import { mustStillBeGranted } from '../../casesheet/grants/reading-grants.ts'
import { lockGrant } from '../../casesheet/reader.ts'
import { isStillServed, NOT_SERVED, type ServedHere } from '../../casesheet/served-here.ts'
import { type Alert, type AlertRow, alertFrom, alertUnknown } from './alert.ts'

export function changeAnswers(message: string, example: Alert, wrongFields: FieldError[]) {
  return {
    200: Type.Object(
      { code: Type.Literal('Ok'), message: Type.String(), data: Type.Unsafe<Alert>({ $ref: 'Alert#' }) },
      { description: 'Committed.', examples: [{ code: 'Ok', message, data: example }] },
    ),
    ...errorAnswers(
      wrongFields,
      'MalformedJson',
      'NotADoctor',
      'ScopeMissing',
      'NotShared',
      'ManageRequired',
      'AlertUnknown',
      'BodyTooLarge',
      'UnsupportedMediaType',
      ...NOT_SERVED,
    ),
  }
}

type Named = { patientUid: string; alertId: string }
type Change<Body extends Named> = Body & ManagingDoctor

/** The alert as it was when it was locked, and what has become of it. */
export type ChangeRow = { is_granted: boolean; alert: AlertRow | null; is_changed: boolean }

/** `kind` is also the name of the statement; its first values are those of LOCK_ALERT. */
export function createChangeAlert<Body extends Named>(
  db: Db,
  servedHere: ServedHere,
  { kind, text, valuesOf }: { kind: string; text: string; valuesOf: (change: Change<Body>) => unknown[] },
) {
  const write = shareStatements<Change<Body>, ChangeRow, ChangeRow[]>(db, {
    ...WRITES,
    kind,
    statementFor: ([change]) => statementOf(change as Change<Body>),
    isCurrent: (change) => servedHere.areServed([change]),
    answersFrom: (rows) => [rows],
  })
  function statementOf(change: Change<Body>): Statement {
    const { patientUid, alertId, doctorId, grantId, by } = change
    const locking = [patientUid, alertId, doctorId, grantId, servedHere.version(), by]
    return { name: kind.replace('/', '-'), text, values: [...locking, ...valuesOf(change)] }
  }
  return async (body: Body, doctor: ManagingDoctor, isGone: IsGone) => {
    const rows = await servedHere.serve([body], () => write({ ...body, ...doctor }, isGone))
    rows.forEach(mustStillBeGranted)
    const [row] = rows
    if (!row?.alert) throw alertUnknown()
    return { alert: alertFrom(row.alert), isChanged: row.is_changed }
  }
}

/** The parameters of LOCK_ALERT: the patient, the alert, the doctor, the grant, the version of the cell, the subject. */
export const NEXT_PARAMETER = 7

// As with an add (add-readings.ts), the empty message makes the commit wait for the standby, also where nothing changes.
export const LOCK_ALERT = `durable as materialized (
    select pg_logical_emit_message(true, 'rounds', ''), ${isStillServed('$5')}
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
  )`

/** Of a row of alerts, what `printedAlert` prints and no doctor changes. */
const OTHER_COLUMNS = `alert.patient_uid, alert.alert_id, alert.rule_id, alert.version_id, alert.reading_type, alert.field, alert.severity,
      alert.condition, alert.since, alert.until, alert.opened_at, alert.resolved_at, alert.readings, alert.why, alert.announced_at,
      alert.quiet, alert.escalated_at`
const CHANGEABLE = [
  'acknowledged_at',
  'acknowledged_by',
  'acknowledged_doctor',
  'acknowledged_note',
  'snoozed_until',
  'snoozed_by',
  'snoozed_doctor',
] as const

/** SQL: `changed`, the locked alert as `event` has changed it, given the columns of the event that it took over. */
export function changedBy(taken: Partial<Record<(typeof CHANGEABLE)[number], string>>): string {
  const columns = CHANGEABLE.map((name) =>
    taken[name] === undefined
      ? `alert.${name}`
      : `case when event.alert_id is null then alert.${name} else event.${taken[name]} end as ${name}`,
  )
  return `changed as materialized (
    select ${[OTHER_COLUMNS, ...columns].join(', ')}
    from alert
    left join event on true
  )`
}
