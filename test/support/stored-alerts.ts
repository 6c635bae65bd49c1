// Rules and alerts as they are stored, without their evaluation.
import { randomUUID } from 'node:crypto'
import { runSql } from './harness.ts'

type Fields = Record<string, unknown>

const RULE = {
  readingType: 'heartRate',
  field: 'value',
  unit: '/min',
  severity: 'warning',
  threshold: { above: 130 },
  clear: { atMost: 130, count: 1 },
  maxAge: 'P1D',
}

type StoredRule = { ruleId: string; versionId: string; patientUid: string; terms: typeof RULE }

/** A rule of the patient, as a doctor would have set it. */
export async function storeRule(
  ownerUrl: string,
  patientUid: string,
  terms: Fields = {},
): Promise<StoredRule> {
  const ruleId = randomUUID()
  const stored = { ...RULE, ...terms }
  const [row] = await runSql<{ version_id: string }>(
    ownerUrl,
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     values ($1, $2, $3, $4, $5, $6, 'dr-invented', 'doctor-invented')
     returning version_id`,
    [patientUid, ruleId, stored.readingType, stored.field, stored.severity, JSON.stringify(stored)],
  )
  return { ruleId, versionId: row?.version_id ?? '', patientUid, terms: stored }
}

const ALERT = {
  condition: 'open',
  since: '2026-11-17T08:00:00.000Z',
  since_id: '00000000-0000-0000-0000-000000000001',
  opened_at: '2026-11-17T08:00:01.000Z',
  readings: '[]',
  why: 'Heart rate 142/min, above 130/min.',
}

/** An alert of that rule; `fields` are columns. Returns its id. */
export async function storeAlert(
  ownerUrl: string,
  { patientUid, ruleId, versionId, terms }: StoredRule,
  fields: Fields = {},
): Promise<string> {
  const row: Fields = {
    patient_uid: patientUid,
    alert_id: randomUUID(),
    rule_id: ruleId,
    version_id: versionId,
    reading_type: terms.readingType,
    field: terms.field,
    severity: terms.severity,
    announced_at: ALERT.opened_at,
    ...ALERT,
    ...fields,
  }
  const names = Object.keys(row)
  await runSql(
    ownerUrl,
    `insert into casesheet.alerts (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return String(row['alert_id'])
}

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
