// Rules and alerts as the serving role writes them, without their evaluation.
import { randomUUID } from 'node:crypto'
import { runSql } from './harness.ts'

type Fields = Record<string, unknown>

type StoredRule = {
  ruleId: string
  versionId: string
  patientUid: string
  columns: Fields
}

const RULE = {
  author_kind: 'doctor',
  author_name: 'Dr Sample',
  reading_type: 'heartRate',
  field: 'value',
  severity: 'warning',
  terms: { unit: '/min', value: { above: 130, times: 1 } },
  label: null,
  set_by: 'sub-of-doctor-1',
}

const insert = async <Row extends object>(url: string, table: string, row: Fields, returning: string) => {
  const names = Object.keys(row)
  const values = Object.values(row).map((value) =>
    value !== null && typeof value === 'object' && !(value instanceof Date) ? JSON.stringify(value) : value,
  )
  const places = names.map((_, nth) => `$${nth + 1}`)
  const [stored] = await runSql<Row>(
    url,
    `insert into casesheet.${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${places.join(', ')}) returning ${returning}`,
    values,
  )
  if (!stored) throw new Error('Nothing was stored.')
  return stored
}

/** A rule of the patient, as a doctor would have set it, each by another one; `fields` are columns. */
export async function storeRule(
  url: string,
  patientUid: string,
  { rule_id: ruleId = randomUUID(), ...fields }: Fields & { rule_id?: string } = {},
): Promise<StoredRule> {
  const columns: Fields = {
    ...RULE,
    author_id: `doctor-${ruleId}`,
    patient_uid: patientUid,
    ...fields,
    rule_id: ruleId,
  }
  const { version_id: versionId } = await insert<{ version_id: string }>(url, 'rules', columns, 'version_id')
  return { ruleId, versionId, patientUid, columns }
}

export const changeRule = (url: string, ruleId: string, set: string) =>
  runSql(url, `update casesheet.rules set ${set} where rule_id = $1`, [ruleId])

const WORST = {
  readingId: '7b1d4f0a-3c52-8e19-a4d7-9e8f2c6b5a10',
  value: 182,
  unit: '/min',
  measuredAt: '2026-11-17T08:00:00.000Z',
  receivedAt: '2026-11-17T08:00:01.000Z',
}

const ALERT = {
  since: WORST.measuredAt,
  since_id: WORST.readingId,
  opened_at: '2026-11-17T08:00:01.250Z',
  is_late: false,
  kind: 'value',
  unit: '/min',
  limit: 130,
  beyond: 1.4,
  worst: WORST,
  newest: WORST,
  why: 'Heart rate was 182/min, above 130/min.',
}

/** An alert of that rule; `fields` are columns. Returns its id. */
export async function storeAlert(
  url: string,
  { patientUid, ruleId, versionId, columns }: StoredRule,
  fields: Fields = {},
): Promise<string> {
  const { author_kind, author_id, reading_type, field, severity, label } = columns
  const ofRule = { author_kind, author_id, reading_type, field, severity, label }
  const ids = { patient_uid: patientUid, alert_id: randomUUID(), rule_id: ruleId, version_id: versionId }
  const { alert_id } = await insert<{ alert_id: string }>(
    url,
    'alerts',
    { ...ids, ...ofRule, ...ALERT, ...fields },
    'alert_id',
  )
  return alert_id
}

/** What became of an alert; `fields` are columns. Returns its id. */
export async function storeEvent(url: string, alertId: string, fields: Fields = {}): Promise<string> {
  const [alert] = await runSql<Fields>(
    url,
    `select patient_uid, alert_id, rule_id, author_kind, author_id, severity, label, reading_type, field, unit, why,
       (worst ->> 'value')::float8 as value, worst ->> 'measuredAt' as measured_at, worst ->> 'receivedAt' as received_at
     from casesheet.alerts where alert_id = $1`,
    [alertId],
  )
  const row = { ...alert, event: 'opened', is_announced: true, ...fields }
  const { event_id } = await insert<{ event_id: string }>(url, 'alert_events', row, 'event_id')
  return event_id
}

export const endAlert = (url: string, alertId: string, because = 'values') =>
  runSql(
    url,
    'update casesheet.alerts set until = greatest(since, now()), ended_at = now(), ended_because = $2 where alert_id = $1',
    [alertId, because],
  )

export const ALERT_TABLES = ['rules', 'rule_changes', 'alerts', 'alert_events']

/** All that the four tables hold of a patient, except the place in the sequence of changes. */
export const alertsOf = (url: string, patientUid: string) =>
  runSql<{ row: Fields }>(
    url,
    `${ALERT_TABLES.map(
      (table) =>
        `select to_jsonb(${table}) - 'changed_xid' as row from casesheet.${table} where patient_uid = $1`,
    ).join(' union all ')}
     order by row`,
    [patientUid],
  )

/** No process may evaluate the rules: what a test stores stays as it is. */
export async function stopEvaluation(ownerUrl: string) {
  await runSql(
    ownerUrl,
    `update casesheet.followers set held_by = null, caught_up_at = 'infinity' where name = 'alerts:rules';
     create function casesheet.keep_unheld() returns trigger language plpgsql as 'begin return null; end';
     create trigger keep_unheld before update on casesheet.followers
     for each row when (new.name = 'alerts:rules' and new.held_by is not null) execute function casesheet.keep_unheld()`,
  )
}
