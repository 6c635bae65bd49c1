// Writes what the evaluation of some patients and types has given, in one statement. Only the process that holds the follower writes: the
// lock on its row keeps another one from taking over meanwhile, so two evaluations never mix. A statement whose connection was lost is
// sent again, and may still begin on the server when others have been written. So writes are counted, and one does nothing where there was
// another since it read what it was made from.
import { randomUUID } from 'node:crypto'
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Outcome } from './evaluate.ts'
import { FOLLOWER } from './mark-rules.ts'
import type { Micros } from './span.ts'
import type { StoredAlert } from './stored-alert.ts'

/** False where nothing was written: another process holds the follower now, or something was written since. */
export async function writeAlerts(db: Db, outcomes: readonly Outcome[], processId: string): Promise<boolean> {
  const all = <T>(of: (outcome: Outcome) => T[]) =>
    outcomes.flatMap((outcome) =>
      of(outcome).map((one) => ({ patientUid: outcome.loaded.task.patientUid, ...one })),
    )
  const tasks = outcomes.map(({ loaded }) => loaded.task)
  const rows = await db.query(
    {
      name: 'write-alerts',
      text: WRITE_ALERTS,
      values: [
        processId,
        JSON.stringify(all(({ saved }) => saved.map(rowOf))),
        JSON.stringify(
          all(({ events }) => events).map((event, nth) => ({ ...event, nth, eventId: eventId(nth) })),
        ),
        JSON.stringify(all(({ dropped }) => dropped.map(({ alertId }) => ({ alertId })))),
        JSON.stringify(
          all(({ clocks, loaded }) =>
            clocks.map(({ ruleId, dueAt }) => ({
              ruleId,
              readingType: loaded.task.readingType,
              dueAt: instant(dueAt),
            })),
          ),
        ),
        textArray(tasks.map(({ patientUid }) => patientUid)),
        textArray(tasks.map(({ readingType }) => readingType)),
        plainArray(tasks.map(({ version }) => version)),
        outcomes[0]?.loaded.writes ?? null,
      ],
    },
    { on: 'follow' },
  )
  return rows.length > 0
}

/** How many writes there have been. */
export async function readWrites(db: Db): Promise<string> {
  const rows = await db.query<{ writes: string }>(
    { name: 'read-alert-writes', text: 'select writes from care.alert_watch', values: [] },
    { on: 'follow' },
  )
  return rows[0]?.writes ?? ''
}

/** Drawn before the statement, which may run twice. Events of one statement are in the order of their ids. */
function eventId(nth: number): string {
  return nth.toString(16).padStart(8, '0') + randomUUID().slice(8)
}

/** As text, to the microsecond. */
function instant(micros: Micros | null): string | null {
  if (micros === null) return null
  const milliseconds = Math.floor(micros / 1_000)
  const rest = String(micros - milliseconds * 1_000).padStart(3, '0')
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`
}

function rowOf(alert: StoredAlert) {
  const { acknowledged } = alert
  return {
    ...alert,
    since: instant(alert.since),
    until: instant(alert.until),
    openedAt: instant(alert.openedAt),
    resolvedAt: instant(alert.resolvedAt),
    announcedAt: instant(alert.announcedAt),
    acknowledgedPoint: instant(acknowledged?.point ?? null),
    acknowledgedAt: acknowledged?.at ?? null,
    acknowledgedBy: acknowledged?.by ?? null,
    acknowledgedDoctor: acknowledged?.doctorId ?? null,
    acknowledgedNote: acknowledged?.note ?? null,
  }
}

/** The columns that the evaluation writes: their types, and their names in the JSON. */
const WRITTEN = `"patientUid" text, "alertId" uuid, "ruleId" uuid, "versionId" uuid, "readingType" text, field text, severity text,
      condition text, since timestamptz, "sinceId" uuid, until timestamptz, "openedAt" timestamptz, "resolvedAt" timestamptz,
      readings jsonb, why text, "announcedAt" timestamptz, quiet text, "acknowledgedPoint" timestamptz, "acknowledgedAt" timestamptz, "acknowledgedBy" text, "acknowledgedDoctor" text,
      "acknowledgedNote" text`

/** SQL: what the row says of the acknowledgement, unless it was given meanwhile and lies in the span. */
const acknowledged = (column: string) => `case
        when before.acknowledged_point between excluded.since and coalesce(excluded.until, 'infinity') then before.${column}
        else excluded.${column}
      end`

// - Tables are joined by lateral: without statistics the planner would read all rules and alerts.
// - The rule is locked, so that an erasure waits for the alert, or the alert is not written after it.
const WRITE_ALERTS = `
  with held as materialized (
    select name
    from casesheet.followers
    where name = '${FOLLOWER}'
      and held_by = $1::uuid
    for share
  ), turn as (
    update care.alert_watch
    set writes = writes + 1
    where writes = $9::bigint
      and exists (select from held)
    returning writes
  ), alert as materialized (
    select *
    from jsonb_to_recordset($2::jsonb) as alert (${WRITTEN})
    where exists (select from turn)
  ), event as materialized (
    select *
    from jsonb_to_recordset($3::jsonb) as event (
      nth integer, "eventId" uuid, "patientUid" text, "alertId" uuid, "ruleId" uuid, event text, "isAnnounced" boolean, severity text,
      "readingType" text, why text
    )
    where exists (select from turn)
  ), rule as materialized (
    select patient_uid, rule_id
    from (
      select "patientUid", "ruleId" from alert
      union
      select "patientUid", "ruleId" from event
      order by "patientUid", "ruleId"
    ) as named
    cross join lateral (
      select patient_uid, rule_id
      from casesheet.rules
      where rules.patient_uid = "patientUid"
        and rules.rule_id = "ruleId"
      for share
    ) as locked
  ), saved as (
    insert into casesheet.alerts as before (
      patient_uid, alert_id, rule_id, version_id, reading_type, field, severity, condition, since, since_id, until, opened_at,
      resolved_at, readings, why, announced_at, quiet, acknowledged_point, acknowledged_at,
      acknowledged_by, acknowledged_doctor, acknowledged_note
    )
    select "patientUid", "alertId", "ruleId", "versionId", "readingType", field, severity, condition, since, "sinceId", until,
      "openedAt", "resolvedAt", readings, why, "announcedAt", quiet, "acknowledgedPoint",
      "acknowledgedAt", "acknowledgedBy", "acknowledgedDoctor", "acknowledgedNote"
    from alert
    join rule on (patient_uid, rule_id) = ("patientUid", "ruleId")
    order by "patientUid", "alertId"
    on conflict (patient_uid, alert_id) do update
    set version_id = excluded.version_id,
      severity = excluded.severity,
      condition = excluded.condition,
      since = excluded.since,
      since_id = excluded.since_id,
      until = excluded.until,
      opened_at = excluded.opened_at,
      resolved_at = excluded.resolved_at,
      readings = excluded.readings,
      why = excluded.why,
      announced_at = excluded.announced_at,
      quiet = excluded.quiet,
      acknowledged_at = ${acknowledged('acknowledged_at')},
      acknowledged_by = ${acknowledged('acknowledged_by')},
      acknowledged_doctor = ${acknowledged('acknowledged_doctor')},
      acknowledged_note = ${acknowledged('acknowledged_note')},
      acknowledged_point = ${acknowledged('acknowledged_point')}
  ), dropped as (
    delete from casesheet.alerts
    using jsonb_to_recordset($4::jsonb) as gone ("patientUid" text, "alertId" uuid)
    where alerts.patient_uid = "patientUid"
      and alerts.alert_id = "alertId"
      and exists (select from turn)
  ), told as (
    insert into casesheet.alert_events (patient_uid, event_id, alert_id, rule_id, event, is_announced, severity, reading_type, why)
    select "patientUid", "eventId", "alertId", "ruleId", event, "isAnnounced", severity, "readingType", why
    from event
    join rule on (patient_uid, rule_id) = ("patientUid", "ruleId")
    order by nth
    on conflict do nothing
  ), clock as materialized (
    select *
    from jsonb_to_recordset($5::jsonb) as clock ("patientUid" text, "ruleId" uuid, "readingType" text, "dueAt" timestamptz)
    where exists (select from turn)
  ), stopped as (
    delete from care.rule_clocks
    using clock
    where patient_uid = "patientUid"
      and rule_id = "ruleId"
      and "dueAt" is null
  ), started as (
    insert into care.rule_clocks (patient_uid, rule_id, reading_type, due_at)
    select "patientUid", "ruleId", "readingType", "dueAt"
    from clock
    where "dueAt" is not null
      -- Not after an erasure.
      and exists (select from casesheet.rules where (patient_uid, rule_id) = ("patientUid", "ruleId"))
    order by "patientUid", "ruleId"
    on conflict (patient_uid, rule_id) do update
    set due_at = excluded.due_at,
      reading_type = excluded.reading_type
  ), task as materialized (
    select of_patient, of_type, of_version
    from unnest($6::text[], $7::text[], $8::bigint[]) as task (of_patient, of_type, of_version)
    where exists (select from turn)
  ), left_over as (
    delete from care.rule_clocks
    using task
    where patient_uid = of_patient
      and reading_type = of_type
      and not exists (
        select
        from casesheet.rules
        where rules.patient_uid = rule_clocks.patient_uid
          and rules.rule_id = rule_clocks.rule_id
          and rules.reading_type = of_type
          and state = 'set'
      )
      -- Its rule was changed to another type, and has a clock for that now.
      and not exists (select from clock where ("patientUid", "ruleId") = (rule_clocks.patient_uid, rule_clocks.rule_id))
  ), done as (
    delete from care.alert_marks
    using task
    where patient_uid = of_patient
      and reading_type = of_type
      and version = of_version
  )
  select writes
  from turn`
