// What the evaluation of some patients and types needs beside the readings: their rules, the alerts that may change, and who acknowledged.
import { plainArray, textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Task } from './next-tasks.ts'
import { BEFORE_SET_SQL, type Micros } from './span.ts'
import type { Acknowledgement, EvaluatedRule, StoredAlert } from './stored-alert.ts'

export type Loaded = {
  task: Task
  /** How many writes there had been: see `writeAlerts`. */
  writes: string
  /** By the clock of the database, if no other is given. */
  now: Micros
  /** From when on readings are evaluated. */
  from: Micros
  rules: EvaluatedRule[]
  alerts: StoredAlert[]
  acknowledgements: (Acknowledgement & { ruleId: string })[]
}

type Row = {
  nth: number
  writes: string
  now: string
  from: string
  rules: EvaluatedRule[] | null
  alerts: StoredAlert[] | null
  acknowledgements: Loaded['acknowledgements'] | null
}

export async function loadRules(db: Db, tasks: readonly Task[], now: string | null): Promise<Loaded[]> {
  const rows = await db.query<Row>(
    {
      name: 'load-rules',
      text: LOAD_RULES,
      values: [
        plainArray(tasks.map((_, nth) => nth)),
        textArray(tasks.map(({ patientUid }) => patientUid)),
        textArray(tasks.map(({ readingType }) => readingType)),
        textArray(tasks.map(({ from }) => from)),
        now,
      ],
    },
    { on: 'follow' },
  )
  return rows.flatMap(({ nth, ...row }) => {
    const task = tasks[nth]
    if (!task) return []
    const { rules, alerts, acknowledgements } = row
    return {
      task,
      writes: row.writes,
      now: Number(row.now),
      from: Number(row.from),
      rules: rules ?? [],
      alerts: [...new Map((alerts ?? []).map((alert) => [alert.alertId, alert])).values()],
      acknowledgements: acknowledgements ?? [],
    }
  })
}

export const micros = (instant: string) => `(extract(epoch from ${instant}) * 1000000)::bigint`

const RULE = `json_build_object(
          'ruleId', rule_id, 'versionId', version_id, 'state', state, 'readingType', reading_type, 'field', field, 'severity', severity,
          'terms', terms, 'changedAt', ${micros('changed_at')}, 'dueAt', ${micros('due_at')}
        )`

const ALERT = `json_build_object(
          'alertId', alert_id, 'ruleId', rule_id, 'versionId', version_id, 'readingType', reading_type, 'field', field,
          'severity', severity, 'condition', condition, 'since', ${micros('since')}, 'sinceId', since_id, 'until', ${micros('until')},
          'openedAt', ${micros('opened_at')}, 'resolvedAt', ${micros('resolved_at')}, 'readings', readings, 'why', why,
          'announcedAt', ${micros('announced_at')}, 'quiet', quiet,
          'acknowledged', case
            when acknowledged_at is not null then json_build_object(
              'point', ${micros('acknowledged_point')}, 'at', acknowledged_at, 'by', acknowledged_by,
              'doctorId', acknowledged_doctor, 'note', acknowledged_note
            )
          end
        )`

// - What changes in the time before a rule was set is evaluated from its beginning: what was over before it was set is not stored.
// - Of the alerts that began before, only the last one of each version can reach into the time that is evaluated.
const LOAD_RULES = `
  with clock as materialized (
    select coalesce($5::timestamptz, clock_timestamp()) as now
  ), task as materialized (
    select nth, patient_uid, reading_type, least(measured_from, now, begins_at) as since, now
    from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[]) as task (nth, patient_uid, reading_type, measured_from)
    cross join clock
    cross join lateral (
      select min(changed_at) - ${BEFORE_SET_SQL} as begins_at
      from casesheet.rules
      where rules.patient_uid = task.patient_uid
        and rules.reading_type = task.reading_type
        and state = 'set'
        and changed_at > measured_from
    ) as set_behind
  )
  select nth, (select writes from care.alert_watch) as writes, ${micros('task.now')} as now, ${micros('task.since')} as from, rules.rules, alerts.alerts, acknowledgements.acknowledgements
  from task
  cross join lateral (
    select json_agg(${RULE}) as rules, array_agg(rule_id) as ids, array_agg(version_id) as versions
    from (
      select rule_id, version_id, state, reading_type, field, severity, terms, changed_at
      from casesheet.rules
      where rules.patient_uid = task.patient_uid
        and rules.reading_type = task.reading_type
        and state = 'set'
      union all
      select rule_id, version_id, state, reading_type, field, severity, terms, changed_at
      from casesheet.rules
      where rules.patient_uid = task.patient_uid
        and rule_id in (
          select active.rule_id
          from casesheet.alerts as active
          where active.patient_uid = task.patient_uid
            and active.reading_type = task.reading_type
            and active.condition in ('open', 'pending')
        )
        and (state = 'removed' or rules.reading_type <> task.reading_type)
    ) as rules
    left join lateral (
      select due_at
      from care.rule_clocks
      where rule_clocks.patient_uid = task.patient_uid
        and rule_clocks.rule_id = rules.rule_id
        and rule_clocks.reading_type = rules.reading_type
    ) as clocks on true
  ) as rules
  cross join lateral (
    select json_agg(${ALERT}) as alerts, min(alerts.since) as earliest
    from (
      select alerts.*
      from unnest(rules.ids, rules.versions) as rule (of_rule, of_version)
      cross join lateral (
        (
          select *
          from casesheet.alerts
          where alerts.patient_uid = task.patient_uid
            and alerts.rule_id = of_rule
            and alerts.reading_type = task.reading_type
            and since >= task.since
            and condition <> 'retracted'
        )
        union all
        (
          select *
          from casesheet.alerts
          where alerts.patient_uid = task.patient_uid
            and alerts.rule_id = of_rule
            and alerts.reading_type = task.reading_type
            and since < task.since
            and alerts.version_id = of_version
            -- What is pending may begin before one ends that is over.
            and condition in ('open', 'resolved')
          -- Of two that begin at the same instant, the one that is not over at once.
          order by since desc, until desc
          limit 1
        )
      ) as alerts
      union all
      -- Also of another version of the rule, which ends.
      select *
      from casesheet.alerts
      where alerts.patient_uid = task.patient_uid
        and alerts.reading_type = task.reading_type
        and condition in ('open', 'pending')
    ) as alerts
  ) as alerts
  cross join lateral (
    select json_agg(json_build_object(
        'ruleId', rule_id, 'point', ${micros('point')}, 'at', at, 'by', by, 'doctorId', doctor_id, 'note', note
      )) as acknowledgements
    from casesheet.alert_events
    where alert_events.patient_uid = task.patient_uid
      and alert_events.rule_id = any (rules.ids)
      and event = 'acknowledged'
      -- One of an alert that other readings may divide is of one of its parts.
      and point >= least(task.since, alerts.earliest)
      and not exists (
        select
        from casesheet.looks
        where looks.patient_uid = task.patient_uid
          and looks.review_id = alert_events.review_id
          and looks.undone_at is not null
      )
  ) as acknowledgements`
