// A rule with a bound, and the alerts that the stored readings of a patient give from nothing: computed here in the simplest way, to be
// compared with those that Rounds has stored, whatever happened meanwhile.
import { runSql } from '../../tools/dev/run-sql.ts'

const ABOVE = 130
const CLEAR = { below: 120, count: 2 }

type Reading = {
  reading_id: string
  sent_timestamp: string
  at: number
  value: number
  is_withdrawn: boolean
}
type Alert = { alert_id: string; condition: string; since: number; until: number | null }

/** Sets the rule as if that had been so many days ago. */
export async function setThreshold(ownerUrl: string, patientUid: string, daysAgo: number) {
  const terms = {
    readingType: 'heartRate',
    field: 'value',
    unit: '/min',
    severity: 'warning',
    threshold: { above: ABOVE },
    clear: CLEAR,
    maxAge: 'P30D',
  }
  await runSql(
    ownerUrl,
    `insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, changed_by, doctor_id)
     values ($1, gen_random_uuid(), 'heartRate', 'value', 'warning', $2, 'test', 'doctor')`,
    [patientUid, JSON.stringify(terms)],
  )
  await runSql(
    ownerUrl,
    `update casesheet.rules set changed_at = changed_at - $2 * interval '1 day' where patient_uid = $1`,
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

/** Those that once opened. */
export function alertsOf(ownerUrl: string, patientUid: string): Promise<Alert[]> {
  return runSql<Alert>(
    ownerUrl,
    `select alert_id, condition, ${MICROS('since')} as since, ${MICROS('until')} as until
     from casesheet.alerts
     where patient_uid = $1
       and condition <> 'pending'
     order by since`,
    [patientUid],
  )
}

/** The spans of time in which the rule holds, by these readings. */
function spansOf(readings: readonly Pick<Reading, 'at' | 'value' | 'is_withdrawn'>[]) {
  const spans: { since: number; until: number | null }[] = []
  let clears = 0
  for (const { at, value, is_withdrawn } of readings) {
    if (is_withdrawn) continue
    const last = spans.at(-1)
    if (last && last.until === null) {
      clears = value < CLEAR.below ? clears + 1 : 0
      if (clears === CLEAR.count) last.until = at
    } else if (value > ABOVE) {
      spans.push({ since: at, until: null })
      clears = 0
    }
  }
  return spans
}

/** What the stored alerts lack or have beyond those that follow from the readings; '' where they are the same. */
export async function differenceOf(ownerUrl: string, patientUid: string): Promise<string> {
  const printed = (spans: { since: number; until: number | null }[]) =>
    spans.map(({ since, until: end }) => `${since}–${end ?? ''}`).join()
  const expected = printed(spansOf(await readingsOf(ownerUrl, patientUid)))
  const alerts = await alertsOf(ownerUrl, patientUid)
  const found = printed(alerts.filter(({ condition }) => condition !== 'retracted'))
  return expected === found ? '' : `${expected} is stored as ${found}`
}

// It opens again when it holds again after it was over.
const IN_ORDER = /^opened( resolved reopened)*( resolved)?( retracted)?$/
const LAST: Record<string, RegExp> = {
  open: /(opened|reopened)$/,
  resolved: /resolved$/,
  retracted: /retracted$/,
}

/** Announced once, and its events in order, as the history has them and as other systems get them. */
export async function isSaidInOrder(ownerUrl: string, patientUid: string, alert: Alert): Promise<boolean> {
  const rows = await runSql<{ told: string; sent: string }>(
    ownerUrl,
    `select string_agg(event, ' ' order by at, event_id) as told, string_agg(event, ' ' order by changed_xid, event_id) as sent
     from casesheet.alert_events
     where patient_uid = $1
       and alert_id = $2`,
    [patientUid, alert.alert_id],
  )
  const { told = '', sent = '' } = rows[0] ?? {}
  return told === sent && IN_ORDER.test(told) && (LAST[alert.condition]?.test(told) ?? false)
}
