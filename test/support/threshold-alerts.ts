// A rule with a bound, and the alerts that the stored readings of a patient give from nothing: computed here in the simplest way, to be
// compared with those that Rounds has stored, whatever happened meanwhile.
import { runSql } from '../../tools/dev/run-sql.ts'

const ABOVE = 130
const CLEAR = { below: 120 }

type Reading = {
  reading_id: string
  sent_timestamp: string
  at: number
  value: number
  is_withdrawn: boolean
}
type Alert = {
  alert_id: string
  since: number
  until: number | null
  ended_because: string | null
  is_late: boolean
}

/** Sets the rule as if that had been so many days ago, by a doctor with whom the patient shares. */
export async function setThreshold(ownerUrl: string, patientUid: string, daysAgo: number) {
  await runSql(
    ownerUrl,
    `with shared as (
       insert into casesheet.grants (patient_uid, doctor_id, permission, list_key, changed_by) values ($1, 'doctor', 'manage', 'x', 'test')
     )
     insert into casesheet.rules (rule_id, author_kind, author_id, patient_uid, reading_type, field, severity, terms, set_by)
     values (gen_random_uuid(), 'doctor', 'doctor', $1, 'heartRate', 'value', 'warning', $2, 'test')`,
    [patientUid, JSON.stringify({ unit: '/min', value: { above: ABOVE, times: 1 }, clear: CLEAR })],
  )
  const ago = "now() - $2 * interval '1 day'"
  await runSql(ownerUrl, `update casesheet.grants set given_at = ${ago} where patient_uid = $1`, [
    patientUid,
    daysAgo,
  ])
  await runSql(
    ownerUrl,
    `update casesheet.rules set version_at = ${ago}, set_at = ${ago} where patient_uid = $1`,
    [patientUid, daysAgo],
  )
}

const MICROS = (time: string) => `(extract(epoch from ${time}) * 1000000)::float8`

export function readingsOf(ownerUrl: string, patientUid: string): Promise<Reading[]> {
  return runSql<Reading>(
    ownerUrl,
    `select reading_id, sent_timestamp, ${MICROS('measured_at')} as at, (details ->> 'value')::float8 as value,
       withdrawn_at is not null as is_withdrawn
     from casesheet.readings
     where patient_uid = $1
     order by measured_at, reading_id`,
    [patientUid],
  )
}

export function alertsOf(ownerUrl: string, patientUid: string): Promise<Alert[]> {
  return runSql<Alert>(
    ownerUrl,
    `select alert_id, ended_because, is_late, ${MICROS('since')} as since, ${MICROS('until')} as until
     from casesheet.alerts
     where patient_uid = $1
     order by since`,
    [patientUid],
  )
}

/** Since when the rule holds, by these readings; null where it does not. */
function openSince(readings: readonly Pick<Reading, 'at' | 'value' | 'is_withdrawn'>[]): number | null {
  let since: number | null = null
  for (const { at, value, is_withdrawn } of readings) {
    if (is_withdrawn) continue
    if (since === null && value > ABOVE) since = at
    if (value < CLEAR.below) since = null
  }
  return since
}

/** How the alert that is open differs from what follows from the readings; '' where it does not. */
export async function differenceOf(ownerUrl: string, patientUid: string): Promise<string> {
  const expected = openSince(await readingsOf(ownerUrl, patientUid))
  const open = (await alertsOf(ownerUrl, patientUid)).filter(({ ended_because }) => ended_because === null)
  const found = open.map(({ since }) => since).join()
  return found === String(expected ?? '') ? '' : `${expected} is stored as ${found}`
}

// It opens again when a reading that ended it is withdrawn.
const IN_ORDER = /^opened( ended( ended)? reopened)*( ended( ended)?)?$/

/** Announced once, and its events in order. */
export async function isSaidInOrder(ownerUrl: string, patientUid: string, alert: Alert): Promise<boolean> {
  const rows = await runSql<{ told: string }>(
    ownerUrl,
    `select string_agg(event, ' ' order by at, event_id) as told
     from casesheet.alert_events
     where patient_uid = $1
       and alert_id = $2
       and is_announced`,
    [patientUid, alert.alert_id],
  )
  const told = rows[0]?.told ?? ''
  // What is late is not announced.
  if (told === '') return alert.is_late
  return IN_ORDER.test(told) && told.endsWith('ended') === (alert.ended_because !== null)
}
