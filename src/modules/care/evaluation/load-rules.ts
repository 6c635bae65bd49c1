// What the evaluation of some patients and types needs beside the readings: the rules that look at them, and the alerts that may change.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Severity, Terms } from '../rules/rule.ts'
import type { Shown } from './fold.ts'
import { DAY, type Micros, micros, SECOND } from './micros.ts'
import type { Carried, Task } from './next-tasks.ts'

/** A rule as it stands for a patient. */
export type EvaluatedRule = {
  ruleId: string
  versionId: string
  state: 'set' | 'removed'
  authorKind: 'doctor' | 'practice'
  authorId: string
  isForAll: boolean
  readingType: string
  field: string | null
  severity: Severity
  terms: Terms
  label: string | null
  /** From when on it holds for the patient: since this version is set and shared with its author. Null while it is suspended. */
  setAt: Micros | null
  /** Since when it is shared with its author; null where it is not. */
  sharedSince: Micros | null
  /** When the sharing ends; null for never. */
  sharedUntil: Micros | null
}

export type StoredAlert = {
  alertId: string
  ruleId: string
  versionId: string
  authorKind: 'doctor' | 'practice'
  authorId: string
  readingType: string
  field: string | null
  severity: Severity
  kind: string
  label: string | null
  unit: string | null
  limit: number | null
  since: Micros
  sinceId: string
  until: Micros | null
  openedAt: Micros
  endedAt: Micros | null
  endedBecause: string | null
  isLate: boolean
  worst: Shown | null
  newest: Shown | null
  beyond: number | null
  why: string
  acknowledged: { at: string; atMicros: Micros; beyond: number | null } | null
}

export type Loaded = {
  task: Task
  /** By the clock of the database, if no other is given. */
  now: Micros
  /** From when on readings are evaluated. */
  from: Micros
  measuredTo: Micros
  rules: EvaluatedRule[]
  /** The spans that are open at `from`, where a slice before has left them. */
  carried: Carried
  dueAt: Micros | null
}

type Row = Omit<Loaded, 'task' | 'rules' | 'carried' | 'from' | 'measuredTo'> & {
  nth: number
  from_at: Micros
  measured_to: Micros
  due_at: Micros | null
  rules: EvaluatedRule[] | null
}

export async function loadRules(db: Db, tasks: readonly Task[], now: string | null): Promise<Loaded[]> {
  const rows = await db.query<Row>(
    { name: 'load-rules', text: LOAD_RULES, values: [...keysOf(tasks), now] },
    { on: 'follow' },
  )
  return rows.flatMap((row) => {
    const task = tasks[row.nth]
    if (!task) return []
    const rules = row.rules ?? []
    return {
      task,
      now: row.now,
      from: task.carried ? row.from_at : beginOf(rules, row.from_at),
      measuredTo: row.measured_to,
      rules,
      carried: task.carried ?? {},
      dueAt: row.due_at,
    }
  })
}

/** What was over before a rule was set is not stored: so what changes in that time is evaluated from the beginning of the rule. */
function beginOf(rules: readonly EvaluatedRule[], from: Micros): Micros {
  const begins = rules.flatMap(({ setAt }) => (setAt !== null && setAt > from ? [setAt - DAY] : []))
  return Math.floor(Math.min(from, ...begins) / SECOND) * SECOND
}

const keysOf = (tasks: readonly Task[]) => [
  plainArray(tasks.map((_, nth) => nth)),
  textArray(tasks.map(({ patientUid }) => patientUid)),
  textArray(tasks.map(({ readingType }) => readingType)),
  textArray(tasks.map(({ from }) => from)),
  textArray(tasks.map(({ measuredTo }) => measuredTo)),
  plainArray(tasks.map(({ carried }) => String(carried !== null))),
]

/** Finite: an instant that is none is before or after all. */
const finite = (instant: string) => `case when isfinite(${instant}) then ${micros(instant)} else 9e15 end`

// - The worst value of an alert stands, unless it may lie in what is evaluated: then the alert is evaluated from its beginning. That of a
//   symptom always is: with the last of them it would not be known which was the last before.
// - A rule is suspended without a current grant of its author that includes the type, with `manage`.
const LOAD_RULES = `
  with clock as materialized (
    select coalesce($7::timestamptz, clock_timestamp()) as now
  ), task as materialized (
    select nth, patient_uid, reading_type, measured_from, measured_to, now, least(measured_from, now, (
        select date_trunc('second', min(since))
        from casesheet.alerts
        where alerts.patient_uid = task.patient_uid
          and alerts.reading_type = task.reading_type
          and (ended_at is null or until >= measured_from)
          and not goes_on
          and (kind = 'symptom' or (worst ->> 'receivedAt')::timestamptz >= measured_from)
      )) as from_at
    from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[])
      as task (nth, patient_uid, reading_type, measured_from, measured_to, goes_on)
    cross join clock
  )
  select nth, ${micros('now')} as now, ${micros('from_at')} as from_at, ${finite('measured_to')} as measured_to, rules.rules, (
      select ${micros('due_at')}
      from care.alert_clocks
      where alert_clocks.patient_uid = task.patient_uid
        and alert_clocks.reading_type = task.reading_type
    ) as due_at
  from task
  cross join lateral (
    select json_agg(json_build_object(
        'ruleId', rule_id, 'versionId', version_id, 'state', rules.state, 'authorKind', author_kind, 'authorId', author_id,
        'isForAll', rules.patient_uid is null, 'readingType', rules.reading_type, 'field', field, 'severity', severity, 'terms', terms,
        'label', label, 'setAt', case when given_at is not null then ${micros('greatest(version_at, given_at)')} end,
        'sharedSince', ${micros('given_at')},
        'sharedUntil', case when isfinite(valid_until) then ${micros('valid_until')} end
      ) order by rule_id) as rules
    from casesheet.rules
    left join casesheet.grants on author_kind = 'doctor'
      and doctor_id = author_id
      and grants.patient_uid = task.patient_uid
      and grants.state = 'given'
      and valid_until > task.now
      and permission = 'manage'
      and (reading_types is null or rules.reading_type = any (reading_types))
    where rule_id in (
      select rule_id
      from casesheet.rules
      where rules.patient_uid = task.patient_uid
        and rules.reading_type = task.reading_type
        and state = 'set'
      union all
      select rule_id
      from casesheet.grants
      join casesheet.rules on author_kind = 'doctor' and author_id = doctor_id and rules.patient_uid is null
      where grants.patient_uid = task.patient_uid
        and grants.state = 'given'
        and rules.reading_type = task.reading_type
        and rules.state = 'set'
      union all
      select rule_id
      from casesheet.alerts
      where alerts.patient_uid = task.patient_uid
        and alerts.reading_type = task.reading_type
        and ended_at is null
    )
      and (rules.patient_uid is null or rules.patient_uid = task.patient_uid)
  ) as rules`

/** For each slice the alerts that lie in it, and those that are open. */
export async function loadAlerts(
  db: Db,
  slices: readonly { patientUid: string; readingType: string; from: Micros; to: Micros }[],
): Promise<StoredAlert[][]> {
  const rows = await db.query<{ nth: number; alerts: StoredAlert[] | null }>(
    {
      name: 'load-alerts',
      text: LOAD_ALERTS,
      values: [
        plainArray(slices.map((_, nth) => nth)),
        textArray(slices.map(({ patientUid }) => patientUid)),
        textArray(slices.map(({ readingType }) => readingType)),
        plainArray(slices.map(({ from }) => from)),
        plainArray(slices.map(({ to }) => to)),
      ],
    },
    { on: 'follow' },
  )
  const alerts = slices.map((): StoredAlert[] => [])
  for (const { nth, alerts: of } of rows) alerts[nth] = of ?? []
  return alerts
}

const ALERT = `json_build_object(
        'alertId', alert_id, 'ruleId', rule_id, 'versionId', version_id, 'authorKind', author_kind, 'authorId', author_id,
        'readingType', alerts.reading_type, 'field', field, 'severity', severity, 'kind', kind, 'label', label, 'unit', unit,
        'limit', "limit", 'since', ${micros('since')}, 'sinceId', since_id, 'until', ${micros('until')}, 'openedAt', ${micros('opened_at')},
        'endedAt', ${micros('ended_at')}, 'endedBecause', ended_because, 'isLate', is_late, 'worst', worst, 'newest', newest,
        'beyond', beyond, 'why', why, 'acknowledged', case when acknowledged_at is not null then json_build_object(
          'at', acknowledged_at::text, 'atMicros', ${micros('acknowledged_at')}, 'beyond', acknowledged_beyond
        ) end
      )`
const instant = (value: string) => `to_timestamp(0) + ${value} * interval '1 microsecond'`

const LOAD_ALERTS = `
  select nth, (
      select json_agg(${ALERT} order by since, alert_id)
      from casesheet.alerts
      where alerts.patient_uid = slice.patient_uid
        and alerts.reading_type = slice.reading_type
        and (ended_at is null or until >= ${instant('from_micros')} and since <= ${instant('to_micros')})
    ) as alerts
  from unnest($1::integer[], $2::text[], $3::text[], $4::float8[], $5::float8[])
    as slice (nth, patient_uid, reading_type, from_micros, to_micros)`
