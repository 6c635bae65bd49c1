// Rules and alerts in `rounds patient export`: each rule for this patient as it is now, every change of it, each alert, and what became of it,
// without notes for doctors only.
import type { Client } from 'pg'
import { fetchRows } from '../../db/fetch-rows.ts'

export type ExportedAlerts = Record<'rules' | 'ruleChanges' | 'alerts' | 'alertEvents', number>

type WriteEach = <Row>(rowsFound: AsyncIterable<Row[]>, lineFrom: (row: Row) => object) => Promise<number>

export async function exportAlerts(
  client: Client,
  patientUid: string,
  writeEach: WriteEach,
): Promise<ExportedAlerts> {
  const writeLines = (text: string) =>
    writeEach(fetchRows<{ line: object }>(client, text, [patientUid]), ({ line }) => line)
  return {
    rules: await writeLines(RULES),
    ruleChanges: await writeLines(RULE_CHANGES),
    alerts: await writeLines(ALERTS),
    alertEvents: await writeLines(ALERT_EVENTS),
  }
}

const instant = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const RULE = `'ruleId', rule_id, 'readingType', reading_type, 'field', field, 'severity', severity, 'label', label`
const authored = (rest: string) =>
  `terms || jsonb_build_object(${RULE}, 'authorKind', author_kind, 'authorId', author_id, 'authorName', author_name, ${rest})`

const RULES = `
  select jsonb_build_object('rule', ${authored(`'state', state, 'setBy', set_by, 'setAt', ${instant('set_at')}`)}) as line
  from casesheet.rules
  where patient_uid = $1
  order by set_at, rule_id`

const RULE_CHANGES = `
  select jsonb_build_object('ruleChange', ${authored(`'action', action, 'by', by, 'at', ${instant('at')}`)}) as line
  from casesheet.rule_changes
  where patient_uid = $1
  order by at, rule_id`

const ALERTS = `
  select jsonb_build_object('alert', jsonb_build_object(
      'alertId', alert_id, ${RULE}, 'kind', kind, 'isLate', is_late, 'limit', "limit", 'unit', unit, 'worst', worst, 'newest', newest, 'why', why,
      'state', case when ended_at is not null then 'ended' when acknowledged_at is not null then 'acknowledged' else 'open' end,
      'since', ${instant('since')}, 'until', ${instant('until')}, 'openedAt', ${instant('opened_at')},
      'acknowledgedAt', ${instant('acknowledged_at')}, 'acknowledgedBy', coalesce(acknowledged_name, acknowledged_by),
      'endedAt', ${instant('ended_at')}, 'endedBecause', ended_because
    )) as line
  from casesheet.alerts
  where patient_uid = $1
  order by opened_at, alert_id`

const ALERT_EVENTS = `
  select jsonb_build_object('alertEvent', jsonb_build_object(
      'alertId', alert_id, 'event', event, 'isAnnounced', is_announced, 'why', why, 'endedBecause', ended_because,
      'note', case when visible_to = 'patient' then note end, 'by', coalesce(by_name, by), 'doctorId', doctor_id, 'at', ${instant('at')}
    )) as line
  from casesheet.alert_events
  where patient_uid = $1
  order by at, event_id`
