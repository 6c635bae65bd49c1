// Writes what the evaluation of some patients and types has given, and how far each is evaluated, in one statement. Each mark is locked first,
// and nothing is written of one that another process has written since it was taken. So a statement that is sent twice does nothing the
// second time; nor does one that comes after an erasure, which deletes the marks first.
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { SEVERITIES } from '../rules/rule.ts'
import type { Outcome } from './evaluate.ts'
import { instantAt, type Micros, SECOND } from './micros.ts'

export async function writeAlerts(db: Db, outcomes: readonly Outcome[]) {
  const all = <Item extends object>(of: (outcome: Outcome) => readonly Item[]) =>
    outcomes.flatMap((outcome) => {
      const { patientUid, readingType } = outcome.loaded.task
      return of(outcome).map((one) => ({ ...one, patientUid, ofType: readingType }))
    })
  const events = all((outcome) => outcome.events).toSorted((a, b) => rankOf(a) - rankOf(b))
  await db.query(
    {
      name: 'write-alerts',
      text: WRITE_ALERTS,
      values: [
        JSON.stringify(all(({ loaded: { task }, next }) => [markOf(task.version, task.rises, next)])),
        JSON.stringify(
          all(({ alerts }) => alerts).map(({ since, until, openedAt, endedAt, ...alert }) => ({
            ...alert,
            since: instantAt(since),
            until: instantOrNull(until),
            openedAt: instantAt(openedAt),
            endedAt: instantOrNull(endedAt),
          })),
        ),
        JSON.stringify(events.map((event, nth) => ({ ...event, nth, eventId: eventId(nth) }))),
        JSON.stringify(all(({ dueAt }) => (dueAt === undefined ? [] : [{ dueAt: instantOrNull(dueAt) }]))),
      ],
    },
    { on: 'follow' },
  )
}

/** The more urgent is announced first. What is said of one alert stays in its order. */
const rankOf = ({ severity }: { severity: (typeof SEVERITIES)[number] }) => SEVERITIES.indexOf(severity)

function markOf(version: string, rises: string, next: Outcome['next']) {
  const spans = Object.values(next?.carried ?? {}).map(({ span }) => span.since)
  return {
    version,
    rises,
    next: next && instantAt(next.from),
    // Also where nothing is open: it says that a slice goes on.
    carried: next && next.carried,
    carriedFrom: spans.length > 0 ? instantAt(Math.floor(Math.min(...spans) / SECOND) * SECOND) : null,
  }
}

/** Drawn before the statement, which may run twice. Events of one statement are in the order of their ids. */
function eventId(nth: number): string {
  return nth.toString(16).padStart(8, '0') + randomUUID().slice(8)
}

const instantOrNull = (at: Micros | null) => (at === null ? null : instantAt(at))

/** Columns of alerts and their names in the JSON: those that stay, and those that change. */
const FIRST = {
  patient_uid: '"patientUid" text',
  alert_id: '"alertId" uuid',
  rule_id: '"ruleId" uuid',
  author_kind: '"authorKind" text',
  author_id: '"authorId" text',
  reading_type: '"readingType" text',
  field: 'field text',
  kind: 'kind text',
  '"limit"': '"limit" float8',
  opened_at: '"openedAt" timestamptz',
}
const CHANGING = {
  version_id: '"versionId" uuid',
  severity: 'severity text',
  label: 'label text',
  unit: 'unit text',
  since: 'since timestamptz',
  since_id: '"sinceId" uuid',
  until: 'until timestamptz',
  ended_at: '"endedAt" timestamptz',
  ended_because: '"endedBecause" text',
  is_late: '"isLate" boolean',
  worst: 'worst jsonb',
  newest: 'newest jsonb',
  beyond: 'beyond float8',
  why: 'why text',
}
const ALERT = { ...FIRST, ...CHANGING }
const EVENT = {
  patient_uid: '"patientUid" text',
  event_id: '"eventId" uuid',
  alert_id: '"alertId" uuid',
  rule_id: '"ruleId" uuid',
  author_kind: '"authorKind" text',
  author_id: '"authorId" text',
  event: 'event text',
  is_announced: '"isAnnounced" boolean',
  severity: 'severity text',
  label: 'label text',
  reading_type: '"readingType" text',
  field: 'field text',
  value: 'value float8',
  unit: 'unit text',
  measured_at: '"measuredAt" timestamptz',
  received_at: '"receivedAt" timestamptz',
  why: 'why text',
  ended_because: '"endedBecause" text',
}
const columns = (of: object) => Object.keys(of).join(', ')
const types = (of: object) => Object.values(of).join(', ')
const names = (of: object) =>
  Object.values(of)
    .map((type: string) => type.split(' ')[0])
    .join(', ')

// One that was given meanwhile stays.
const ACKNOWLEDGED = ['at', 'by', 'name', 'doctor', 'practice', 'value', 'beyond', 'note'].map(
  (name) => `acknowledged_${name}`,
)

/** Rows of a JSON whose mark is locked. */
const rowsOf = (parameter: string, of: string) => `
    select given.*
    from jsonb_to_recordset(${parameter}::jsonb) as given (${of}, "ofType" text)
    join held on patient_uid = "patientUid" and reading_type = "ofType"`

const WRITE_ALERTS = `
  with mark as materialized (
    select *
    from jsonb_to_recordset($1::jsonb) as mark (
      "patientUid" text, "ofType" text, version bigint, rises bigint, next timestamptz, carried jsonb, "carriedFrom" timestamptz
    )
  ), locked as materialized (
    select alert_marks.patient_uid, alert_marks.reading_type, alert_marks.rises, mark.rises as known_rises, next, mark.carried, "carriedFrom"
    from care.alert_marks
    join mark on patient_uid = "patientUid" and reading_type = "ofType" and alert_marks.version = mark.version
    order by patient_uid, reading_type
    for update of alert_marks
  ), acknowledged as materialized (
    -- Since they were read, or taken back: whether the readings are worse than what was seen is decided again.
    select "patientUid", "ofType"
    from jsonb_to_recordset($2::jsonb) as given ("patientUid" text, "ofType" text, "alertId" uuid, acknowledged jsonb)
    join locked on patient_uid = "patientUid" and reading_type = "ofType"
    cross join lateral (
      select acknowledged_at
      from casesheet.alerts
      where alerts.patient_uid = "patientUid"
        and alerts.alert_id = "alertId"
      for update
    ) as known
    where acknowledged_at is distinct from (acknowledged ->> 'at')::timestamptz
  ), freed as (
    update care.alert_marks
    set free_at = '-infinity'
    from acknowledged
    where patient_uid = "patientUid"
      and reading_type = "ofType"
  ), held as materialized (
    select *
    from locked
    where (patient_uid, reading_type) not in (select "patientUid", "ofType" from acknowledged)
  ), alert as materialized (${rowsOf('$2', `${types(ALERT)}, reopened timestamptz`)}
  ), saved as (
    insert into casesheet.alerts as was (${columns(ALERT)}, acknowledged_at)
    select ${names(ALERT)}, reopened
    from alert
    -- Of a rule one ends before another one opens.
    order by "endedAt"
    on conflict (patient_uid, alert_id) do update
    set ${Object.keys(CHANGING)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}, ${ACKNOWLEDGED.map(
      (column) =>
        `${column} = case when was.acknowledged_at is distinct from excluded.acknowledged_at then was.${column} end`,
    ).join(', ')}
  ), told as (
    insert into casesheet.alert_events (${columns(EVENT)})
    select ${names(EVENT)}
    from (${rowsOf('$3', `nth integer, ${types(EVENT)}`)}
    ) as event
    order by nth
  ), clock as materialized (${rowsOf('$4', '"patientUid" text, "dueAt" timestamptz')}
  ), stopped as (
    delete from care.alert_clocks
    using clock
    where patient_uid = "patientUid"
      and reading_type = "ofType"
      and "dueAt" is null
  ), started as (
    insert into care.alert_clocks (patient_uid, reading_type, due_at)
    select "patientUid", "ofType", "dueAt"
    from clock
    where "dueAt" is not null
    order by "patientUid", "ofType"
    on conflict (patient_uid, reading_type) do update
    set due_at = excluded.due_at
  ), done as (
    delete from care.alert_marks
    using held
    where (alert_marks.patient_uid, alert_marks.reading_type) = (held.patient_uid, held.reading_type)
      and next is null
      and held.rises = known_rises
  )
  -- What rose meanwhile is evaluated next, and what was evaluated stays so.
  update care.alert_marks
  set version = nextval('care.mark_versions'),
    measured_from = coalesce(next, risen_from),
    risen_from = case when next is null or held.rises = known_rises then 'infinity' else risen_from end,
    carried = held.carried,
    carried_from = "carriedFrom",
    slices = case when next is null then 0 else slices + 1 end,
    free_at = '-infinity'
  from held
  where (alert_marks.patient_uid, alert_marks.reading_type) = (held.patient_uid, held.reading_type)
    and (next is not null or held.rises <> known_rises)`
