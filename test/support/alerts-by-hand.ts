// Rules and alerts as the serving role writes them, without a server in between.
import { randomUUID } from 'node:crypto'
import { runSql } from './harness.ts'

export type RuleByHand = {
  patientUid: string
  ruleId?: string
  readingType?: string
  above?: number
  label?: string
}

/** The statement and its values, for a test that sends it in a transaction of its own. */
export function setRuleText({
  patientUid,
  ruleId = randomUUID(),
  readingType = 'heartRate',
  above = 130,
  label,
}: RuleByHand): [text: string, values: unknown[]] {
  const terms = { readingType, field: 'value', unit: '/min', severity: 'urgent', threshold: { above }, label }
  return [
    `insert into casesheet.rules
       (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     values ($1, $2, $3, 'value', 'urgent', $4, 'sub-of-doctor-1', 'doctor-1')
     on conflict (patient_uid, rule_id) do update
     set state = 'set', terms = excluded.terms`,
    [patientUid, ruleId, readingType, JSON.stringify(terms)],
  ]
}

export async function setRule(url: string, rule: RuleByHand): Promise<string> {
  const ruleId = rule.ruleId ?? randomUUID()
  await runSql(url, ...setRuleText({ ...rule, ruleId }))
  return ruleId
}

export const removeRule = (url: string, patientUid: string, ruleId: string) =>
  runSql(url, "update casesheet.rules set state = 'removed' where (patient_uid, rule_id) = ($1, $2)", [
    patientUid,
    ruleId,
  ])

export type AlertByHand = {
  patientUid: string
  ruleId?: string
  condition?: 'pending' | 'open'
  why?: string
}

/** An alert; one that is open has its event. */
export async function raise(
  url: string,
  { patientUid, ruleId = randomUUID(), condition = 'open', why = 'Heart rate 140/min.' }: AlertByHand,
): Promise<string> {
  const alertId = randomUUID()
  await runSql(
    url,
    `with alert as (
       insert into casesheet.alerts
         (patient_uid, alert_id, rule_id, version_id, reading_type, field, severity, condition, since, since_id, opened_at, readings, why,
          announced_at)
       values (
         $1, $2, $3, gen_random_uuid(), 'heartRate', 'value', 'urgent', $4, now(), gen_random_uuid(), now(),
         '[{"value": 140, "unit": "/min"}]', $5, now()
       )
       returning patient_uid, alert_id, rule_id, severity, reading_type, why
     )
     insert into casesheet.alert_events
       (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why)
     select patient_uid, alert_id, rule_id, 'opened', true, severity, reading_type, why
     from alert
     where $4 = 'open'`,
    [patientUid, alertId, ruleId, condition, why],
  )
  return alertId
}

export const acknowledge = (url: string, patientUid: string, alertId: string, note = 'Called.') =>
  runSql(
    url,
    `with alert as (
       update casesheet.alerts
       set acknowledged_point = now(), acknowledged_at = now(), acknowledged_by = 'sub-of-doctor-1',
         acknowledged_doctor = 'doctor-1', acknowledged_note = $3
       where (patient_uid, alert_id) = ($1, $2)
       returning patient_uid, alert_id, rule_id, severity, reading_type, why
     )
     insert into casesheet.alert_events
       (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, note, by, doctor_id, point)
     select patient_uid, alert_id, rule_id, 'acknowledged', true, severity, reading_type, why, $3, 'sub-of-doctor-1', 'doctor-1', now()
     from alert`,
    [patientUid, alertId, note],
  )

export const resolve = (url: string, patientUid: string, alertId: string) =>
  runSql(
    url,
    `update casesheet.alerts
     set condition = 'resolved', until = greatest(since, now()), resolved_at = now()
     where (patient_uid, alert_id) = ($1, $2)`,
    [patientUid, alertId],
  )

/** As a server does with one that is pending no more. */
export const vanish = (url: string, patientUid: string, alertId: string) =>
  runSql(
    url,
    "delete from casesheet.alerts where (patient_uid, alert_id) = ($1, $2) and condition = 'pending'",
    [patientUid, alertId],
  )

export const ALERT_TABLES = ['rules', 'rule_changes', 'alerts', 'alert_events']

/** All that the four tables hold of a patient, except the place in the sequence of changes. */
export const alertsOf = (url: string, patientUid: string) =>
  runSql<{ row: Record<string, unknown> }>(
    url,
    `${ALERT_TABLES.map(
      (table) =>
        `select to_jsonb(${table}) - 'changed_xid' as row from casesheet.${table} where patient_uid = $1`,
    ).join(' union all ')}
     order by row`,
    [patientUid],
  )
