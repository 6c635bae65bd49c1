// Marks what changed since the last look and a rule looks at: readings by their type and time, rules, and the grants by which they hold. It
// stands in one statement with the follower's position, so a change is marked once, whatever becomes of the process.
import type { Db } from '../../../db/db.ts'
import { movedAnew, nextChanges, type Page, SHOW_PAGE } from '../next-changes.ts'
import { COUNTED_AT } from '../summaries/counted-at.ts'

export const FOLLOWER = 'alerts:rules'
const PAGE = 5_000
/** A rule that is set anew looks at what was measured so long before. */
const LOOKS_BACK = "interval '24 hours'"

/** Whether there may be more; undefined where the position is one of another history of the database. */
export async function markRules(db: Db, processId: string, page = PAGE): Promise<boolean | undefined> {
  const [row] = await db.query<Page>(
    { name: 'mark-rules', text: MARK_RULES, values: [processId, page] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === page : undefined
}

/** Begins anew after a restore: every rule is evaluated from its beginning. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-rules-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

/** SQL of an insert into care.alert_marks. Where evaluation goes on stays: it goes back when it is taken next. */
export const ON_RISEN = `
    on conflict (patient_uid, reading_type) do update
    set risen_from = least(mark.risen_from, excluded.measured_from),
      measured_to = greatest(mark.measured_to, excluded.measured_to),
      is_bulk = mark.is_bulk and excluded.is_bulk,
      rises = mark.rises + 1`

/** SQL: the grants by which rules for all may hold. One that is over ends what is open. */
const SHARED_WITH_AUTHOR = "author_kind = 'doctor' and doctor_id = author_id and rules.patient_uid is null"

/** SQL: each patient and type of a rule, and from when on its version looks at readings. */
export const LOOKED_AT_BY = (which: string) => `
      select rules.patient_uid, reading_type, version_at - ${LOOKS_BACK} as measured_from
      from casesheet.rules
      where state = 'set'
        and ${which.replaceAll('patient', 'rules.patient_uid')}
      union all
      select grants.patient_uid, reading_type, greatest(version_at, given_at) - ${LOOKS_BACK}
      from casesheet.rules
      join casesheet.grants on ${SHARED_WITH_AUTHOR}
      where rules.state = 'set'
        and grants.state = 'given'
        and ${which.replaceAll('patient', 'grants.patient_uid')}`

// - Whole seconds, because what was measured in one may be equal.
// - Another label or severity alone changes no version, so no reading has to be looked at.
// - The marks are written in order, so that nobody who writes them too can be waited for in a circle.
const MARK_RULES = `
  with ${nextChanges({
    follower: FOLLOWER,
    isUsed: 'exists (select from casesheet.rules)',
    sources: [
      {
        table: 'casesheet.readings',
        id: 'reading_id',
        columns: `patient_uid, reading_type, date_trunc('second', ${COUNTED_AT}) as measured_from, ${COUNTED_AT} as measured_to,
          null::text as author_id, null::uuid as rule_id`,
      },
      {
        table: 'casesheet.rules',
        id: 'rule_id',
        columns: `patient_uid, reading_type, case when set_at - version_at < interval '1 day' then version_at - ${LOOKS_BACK} else set_at end,
          'infinity'::timestamptz, author_id, rule_id`,
      },
      {
        table: 'casesheet.grants',
        id: 'grant_id',
        columns: `patient_uid, null::text, changed_at - ${LOOKS_BACK}, 'infinity'::timestamptz, doctor_id, null::uuid`,
      },
    ],
  })}, looked_at as (
    -- Readings
    select patient_uid, reading_type, measured_from, measured_to, false as is_bulk
    from (
      select patient_uid, reading_type, min(measured_from) as measured_from, max(measured_to) as measured_to
      from changed
      where author_id is null
      group by patient_uid, reading_type
    ) as changed
    where (
        exists (
          select
          from casesheet.rules
          where rules.patient_uid = changed.patient_uid
            and rules.reading_type = changed.reading_type
            and state = 'set'
        )
        or exists (
          select
          from casesheet.grants
          join casesheet.rules on ${SHARED_WITH_AUTHOR}
          where grants.patient_uid = changed.patient_uid
            and grants.state = 'given'
            and rules.reading_type = changed.reading_type
            and rules.state = 'set'
        )
      )
    union all
    -- Rules of one patient, and for all
    select coalesce(changed.patient_uid, grants.patient_uid), changed.reading_type, measured_from, measured_to, changed.patient_uid is null
    from changed
    left join casesheet.grants on changed.patient_uid is null and doctor_id = author_id and grants.state = 'given'
    where rule_id is not null
      and num_nonnulls(changed.patient_uid, grants.patient_uid) > 0
    union all
    -- What they left open, also of a type that they had before
    select alerts.patient_uid, alerts.reading_type, measured_from, measured_to, changed.patient_uid is null
    from changed
    join casesheet.alerts using (rule_id)
    where rule_id is not null
      and ended_at is null
    union all
    -- Grants
    select changed.patient_uid, rules.reading_type, measured_from, measured_to, false
    from changed
    join casesheet.rules on author_kind = 'doctor'
      and rules.author_id = changed.author_id
      and (rules.patient_uid is null or rules.patient_uid = changed.patient_uid)
    where changed.reading_type is null
      and rules.state = 'set'
  ), marked as (
    insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to, is_bulk)
    select patient_uid, reading_type, min(measured_from), max(measured_to), bool_and(is_bulk)
    from looked_at
    where exists (select from advanced)
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_RISEN}
  )
  ${SHOW_PAGE}`

const START_ANEW = `
  with ${movedAnew(FOLLOWER)}
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to, is_bulk)
  select patient_uid, reading_type, min(measured_from), 'infinity', true
  from (${LOOKED_AT_BY('patient is not null')}
    union all
    select patient_uid, reading_type, 'infinity'
    from casesheet.alerts
    where ended_at is null
  ) as looked_at
  where exists (select from moved)
  group by patient_uid, reading_type
  order by patient_uid, reading_type${ON_RISEN}`
