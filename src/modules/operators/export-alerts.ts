// Rules and alerts in `rounds patient export`: each rule as it is now, every change of it, each alert, and what became of it.
import type { Client } from 'pg'
import { fetchRows } from '../../db/fetch-rows.ts'
import { instantFrom } from '../casesheet/epoch-time.ts'

export type ExportedAlerts = Record<'rules' | 'ruleChanges' | 'alerts' | 'alertEvents', number>

type WriteEach = <Row>(rowsFound: AsyncIterable<Row[]>, lineFrom: (row: Row) => object) => Promise<number>

export async function exportAlerts(
  client: Client,
  patientUid: string,
  writeEach: WriteEach,
): Promise<ExportedAlerts> {
  const values = [patientUid]
  return {
    rules: await writeEach(fetchRows<RuleRow>(client, RULES, values), ruleLine),
    ruleChanges: await writeEach(fetchRows<RuleChangeRow>(client, RULE_CHANGES, values), ruleChangeLine),
    alerts: await writeEach(fetchRows<AlertRow>(client, ALERTS, values), alertLine),
    alertEvents: await writeEach(fetchRows<AlertEventRow>(client, ALERT_EVENTS, values), alertEventLine),
  }
}

const instantOrNull = (at: string | null) => (at === null ? null : instantFrom(at, 6))

type RuledRow = {
  rule_id: string
  /** As rules/set takes them. */
  terms: object
  changed_by: string
  doctor_id: string
  changed_at: string
}

const ruledFrom = ({ rule_id, terms, doctor_id }: RuledRow) => ({
  ruleId: rule_id,
  ...terms,
  doctorId: doctor_id,
})

type RuleRow = RuledRow & { state: string }
const ruleLine = (row: RuleRow) => ({
  rule: {
    ...ruledFrom(row),
    state: row.state,
    changedBy: row.changed_by,
    changedAt: instantFrom(row.changed_at, 6),
  },
})

type RuleChangeRow = RuledRow & { action: string }
const ruleChangeLine = (row: RuleChangeRow) => ({
  ruleChange: {
    ...ruledFrom(row),
    action: row.action,
    by: row.changed_by,
    at: instantFrom(row.changed_at, 6),
  },
})

type AlertRow = {
  alert_id: string
  rule_id: string
  reading_type: string
  field: string | null
  severity: string
  state: string
  since: string
  until: string | null
  opened_at: string
  resolved_at: string | null
  readings: object[]
  why: string
  announced_at: string | null
  quiet: string | null
}
const alertLine = (row: AlertRow) => ({
  alert: {
    alertId: row.alert_id,
    ruleId: row.rule_id,
    readingType: row.reading_type,
    field: row.field,
    severity: row.severity,
    state: row.state,
    since: instantFrom(row.since, 6),
    until: instantOrNull(row.until),
    openedAt: instantFrom(row.opened_at, 6),
    resolvedAt: instantOrNull(row.resolved_at),
    readings: row.readings,
    why: row.why,
    announcedAt: instantOrNull(row.announced_at),
    quiet: row.quiet,
  },
})

type AlertEventRow = {
  alert_id: string
  event: string
  is_announced: boolean
  why: string
  note: string | null
  by: string | null
  doctor_id: string | null
  at: string
}
const alertEventLine = ({ alert_id, event, is_announced, why, note, by, ...row }: AlertEventRow) => ({
  alertEvent: {
    alertId: alert_id,
    event,
    isAnnounced: is_announced,
    why,
    note,
    by,
    doctorId: row.doctor_id,
    at: instantFrom(row.at, 6),
  },
})

const RULED_COLUMNS = 'rule_id, terms, changed_by, doctor_id, changed_at::text as changed_at'

const RULES = `
  select ${RULED_COLUMNS}, state
  from casesheet.rules
  where patient_uid = $1
  order by rules.changed_at, version_id`

const RULE_CHANGES = `
  select ${RULED_COLUMNS}, action
  from casesheet.rule_changes
  where patient_uid = $1
  order by rule_changes.changed_at, version_id`

const ALERTS = `
  select alert_id, rule_id, reading_type, field, severity,
    case when condition = 'open' and acknowledged_at is not null then 'acknowledged' else condition end as state,
    since::text as since, until::text as until, opened_at::text as opened_at, resolved_at::text as resolved_at, readings, why,
    announced_at::text as announced_at, quiet
  from casesheet.alerts
  where patient_uid = $1
  order by alerts.opened_at, alert_id`

const ALERT_EVENTS = `
  select alert_id, event, is_announced, why, note, by, doctor_id, at::text as at
  from casesheet.alert_events
  where patient_uid = $1
  order by alert_events.at, event_id`
