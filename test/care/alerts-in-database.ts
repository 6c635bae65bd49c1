// Histories as the database has them: written with times of their own, evaluated, and read again.
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Db } from '../../src/db/db.ts'
import { evaluateNext } from '../../src/modules/care/evaluation/keep-alerts.ts'
import { markRules } from '../../src/modules/care/evaluation/mark-rules.ts'
import { readOutages } from '../../src/modules/care/evaluation/outages.ts'
import type { History, Operation, TypedReading, Version } from './random-histories.ts'

const PROCESS = randomUUID()
/** Each round does all that is due. Whatever is due again and again is never done. */
const MAX_ROUNDS = 40

/** Microseconds since 1970, as the database writes them. */
export function instant(micros: number): string {
  const milliseconds = Math.floor(micros / 1_000)
  const rest = String(micros - milliseconds * 1_000).padStart(3, '0')
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`)
}

/** SQL: the other way round. */
const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`

/** How many readings of a patient are read together with those of others; and at a time, where there are more. */
export type Sizes = { together: number; part: number }

/** Does all that is to be done at a time, as the process does that holds the follower. */
export async function holdEvaluation(client: Client, db: Db, sizes?: Sizes) {
  await client.query(`update casesheet.followers set held_by = $1 where name = 'alerts:rules'`, [PROCESS])
  const failed = (_: unknown, error: unknown) => Promise.reject(error)

  return async (now: number) => {
    while (await markRules(db, PROCESS));
    const outages = await readOutages(db)
    const evaluation = {
      processId: PROCESS,
      now: instant(now),
      outages,
      failed,
      ...(sizes ? { sizes } : {}),
    }
    for (let round = 0; (await evaluateNext(db, evaluation)) > 0; round++)
      if (round > MAX_ROUNDS) throw new Error('Something is due again and again.')
  }
}

export type Happened = { history: History; operation: Operation }

/** Writes what happened, in order. */
export async function write(client: Client, happened: Happened[]) {
  const readings = new Map<string, [string, TypedReading]>()
  for (const { history, operation } of happened) {
    const concerned = operation.kind === 'add' ? operation.readings : []
    if (operation.kind === 'correct') concerned.push(operation.reading)
    for (const reading of concerned) readings.set(reading.readingId, [history.patientUid, reading])
  }
  const all = [...readings.values()]
  await client.query(WRITE_READINGS, [
    all.map(([patientUid]) => patientUid),
    all.map(([, { measuredAt }]) => instant(measuredAt)),
    all.map(([, { receivedAt }]) => instant(receivedAt)),
    all.map(([, { readingId }]) => readingId),
    all.map(([, { readingType }]) => readingType),
    all.map(([, { details }]) => JSON.stringify(details)),
    all.map(([, { isWithdrawn }]) => isWithdrawn),
  ])
  const changes = happened.flatMap(({ history: { patientUid }, operation }) => {
    if (operation.kind === 'set')
      return { patientUid, version: operation.version, state: 'set', at: operation.version.setAt }
    return operation.kind === 'remove'
      ? { patientUid, version: operation.version, state: 'removed', at: operation.at }
      : []
  })
  await writeRules(client, changes)
}

const WRITE_READINGS = `
  insert into casesheet.readings
    (patient_uid, measured_at, received_at, reading_id, reading_type, sent_timestamp, details, added_by, withdrawn_by,
      withdrawn_at)
  select patient_uid, measured_at, received_at, reading_id, reading_type, 1, details, 'test', case when is_withdrawn then 'test' end,
    case when is_withdrawn then received_at end
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::uuid[], $5::text[], $6::json[], $7::boolean[])
    as new (patient_uid, measured_at, received_at, reading_id, reading_type, details, is_withdrawn)
  on conflict (patient_uid, measured_at, reading_id) do update
  set withdrawn_by = excluded.withdrawn_by`

type RuleChange = { patientUid: string; version: Version; state: string; at: number }

/** In order: a rule may have the terms of another one that was removed before. */
async function writeRules(client: Client, changes: RuleChange[]) {
  const patients = changes.map(({ patientUid }) => patientUid)
  const rules = changes.map(({ version }) => version.ruleId)
  const { rows } = await client.query<{ rule_id: string; version_id: string }>(WRITE_RULES, [
    patients,
    rules,
    changes.map(({ version }) => version.terms.readingType),
    changes.map(({ version }) => version.terms.field ?? null),
    changes.map(({ version }) => version.terms.severity),
    changes.map(({ version }) => JSON.stringify(version.terms)),
    changes.map(({ state }) => state),
  ])
  const versions = new Map(rows.map(({ rule_id, version_id }) => [rule_id, version_id]))
  for (const { version, state } of changes)
    if (state === 'set') version.versionId = versions.get(version.ruleId) ?? ''
  await client.query(DATE_RULES, [patients, rules, changes.map(({ at }) => instant(at))])
}

const WRITE_RULES = `
  insert into casesheet.rules (patient_uid, rule_id, reading_type, field, severity, terms, state, changed_by, doctor_id)
  select patient_uid, rule_id, reading_type, field, severity, terms, state, 'test', 'doctor-1'
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[]) with ordinality
    as new (patient_uid, rule_id, reading_type, field, severity, terms, state, nth)
  order by nth
  on conflict (patient_uid, rule_id) do update
  set state = excluded.state, reading_type = excluded.reading_type, field = excluded.field, severity = excluded.severity,
    terms = excluded.terms
  returning rule_id, version_id`

/** The database says by its own clock when a rule was changed: here it is another one. */
const DATE_RULES = `
  with dated as (
    update casesheet.rules
    set changed_at = new.at
    from unnest($1::text[], $2::uuid[], $3::timestamptz[]) as new (of_patient, of_rule, at)
    where patient_uid = of_patient
      and rule_id = of_rule
    returning patient_uid, version_id, changed_at
  )
  update casesheet.rule_changes
  set changed_at = dated.changed_at
  from dated
  where (rule_changes.patient_uid, rule_changes.version_id) = (dated.patient_uid, dated.version_id)`

export type StoredAlert = {
  patient_uid: string
  alert_id: string
  rule_id: string
  version_id: string
  condition: string
  since: number
  since_id: string
  until: number | null
  opened_at: number
  readings: string[]
  is_acknowledged: boolean
  is_announced: boolean
  quiet: string | null
}

export async function storedAlerts(client: Client): Promise<StoredAlert[]> {
  const { rows } = await client.query<StoredAlert>(STORED)
  return rows
}

const STORED = `
  select patient_uid, alert_id, rule_id, version_id, condition, ${micros('since')} as since, since_id, ${micros('until')} as until,
    ${micros('opened_at')} as opened_at, array(select reading ->> 'readingId' from jsonb_array_elements(readings) as reading) as readings,
    acknowledged_at is not null as is_acknowledged, announced_at is not null as is_announced, quiet
  from casesheet.alerts
  where condition <> 'retracted'`

export type Acknowledgement = { alert: StoredAlert; point: number }

/** As doctors do it, all at once. */
export const acknowledge = (client: Client, all: Acknowledgement[]) =>
  client.query(ACKNOWLEDGE, [
    all.map(({ alert }) => alert.patient_uid),
    all.map(({ alert }) => alert.alert_id),
    all.map(({ point }) => instant(point)),
  ])

const ACKNOWLEDGE = `
  with acknowledged as (
    update casesheet.alerts
    set acknowledged_at = now(), acknowledged_by = 'test', acknowledged_doctor = 'doctor-1', acknowledged_point = point
    from unnest($1::text[], $2::uuid[], $3::timestamptz[]) as new (of_patient, of_alert, point)
    where patient_uid = of_patient
      and alert_id = of_alert
    returning alerts.*
  )
  insert into casesheet.alert_events
    (patient_uid, alert_id, rule_id, event, is_announced, severity, reading_type, why, by, doctor_id, point)
  select patient_uid, alert_id, rule_id, 'acknowledged', announced_at is not null, severity, reading_type, why, 'test', 'doctor-1',
    acknowledged_point
  from acknowledged`

/** What is announced of alerts and contradicts them, in words; none in a database that is right. */
export async function wrongAnnouncements(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ wrong: string }>(WRONG_ANNOUNCEMENTS)
  return rows.map(({ wrong }) => wrong)
}

const WRONG_ANNOUNCEMENTS = `
  with told as materialized (
    select patient_uid, alert_id,
      count(*) filter (where event = 'opened') as opened,
      count(*) filter (where event = 'opened' and is_announced) as announced,
      count(*) filter (where event = 'retracted') as retracted,
      count(*) filter (where event <> 'opened' and is_announced) as others,
      bool_or(event in ('resolved', 'retracted') and is_announced) as is_end_announced,
      bool_or(event in ('resolved', 'retracted') and not is_announced) as is_end_quiet
    from casesheet.alert_events
    group by patient_uid, alert_id
  )
  select wrong || ': ' || alerts.patient_uid || ' ' || alerts.alert_id || ' ' || condition as wrong
  from casesheet.alerts
  left join told using (patient_uid, alert_id)
  cross join lateral (
    values
      ('opened twice', opened > 1),
      ('opened and not announced', opened <> announced),
      ('announced without a word', announced_at is not null and coalesce(announced, 0) = 0),
      ('opened without a time', announced_at is null and announced > 0),
      ('others announced of what was not opened', others > 0 and announced = 0),
      ('an end that nobody was told of', condition in ('resolved', 'retracted') and announced > 0 and is_end_announced is not true),
      ('quiet for no reason', condition = 'open' and announced_at is null and quiet is null and acknowledged_at is null),
      ('announced and quiet', announced_at is not null and quiet is not null),
      ('retracted without a word', condition = 'retracted' and coalesce(retracted, 0) = 0),
      ('pending and told', condition = 'pending' and told is not null)
  ) as checks (wrong, is_so)
  where is_so`
