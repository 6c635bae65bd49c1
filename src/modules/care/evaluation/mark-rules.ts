// Marks what changed since the last look and a rule looks at: readings by their type and time, and the rules themselves. It stands in one
// statement with the follower's position, so a change is marked once, whatever becomes of the process.
import type { Db } from '../../../db/db.ts'
import { movedAnew, nextChanges, ON_MARKED, type Page, SHOW_PAGE } from '../next-changes.ts'
import { BEFORE_SET_SQL } from './span.ts'

export const FOLLOWER = 'alerts:rules'
const PAGE = 5_000

/** Whether there may be more; undefined where the position is one of another history of the database. */
export async function markRules(db: Db, processId: string): Promise<boolean | undefined> {
  const [row] = await db.query<Page>(
    { name: 'mark-rules', text: MARK_RULES, values: [processId, PAGE] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === PAGE : undefined
}

/** Begins anew after a restore: every rule is evaluated from its beginning. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-rules-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

// The marks are written in order, so that nobody who writes them too can be waited for in a circle.
const MARK_RULES = `
  with ${nextChanges({
    follower: FOLLOWER,
    isUsed: 'exists (select from casesheet.rules)',
    sources: [
      {
        table: 'casesheet.readings',
        id: 'reading_id',
        columns: 'patient_uid, reading_type, least(measured_at, received_at) as at, null::uuid as rule_id',
      },
      {
        table: 'casesheet.rules',
        id: 'version_id',
        columns: `patient_uid, reading_type, changed_at - ${BEFORE_SET_SQL}, rule_id`,
      },
    ],
  })}, marked as (
    insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
    select patient_uid, reading_type, min(at), max(at)
    from (
      select patient_uid, reading_type, at
      from changed
      where rule_id is not null
        or exists (
          select
          from casesheet.rules
          where rules.patient_uid = changed.patient_uid
            and rules.reading_type = changed.reading_type
            and state = 'set'
        )
      union all
      -- A rule that was changed to another type leaves alerts of its type before.
      select changed.patient_uid, alerts.reading_type, at
      from changed
      join casesheet.alerts on alerts.patient_uid = changed.patient_uid and alerts.rule_id = changed.rule_id
      where condition in ('open', 'pending')
        and alerts.reading_type <> changed.reading_type
    ) as looked_at
    where exists (select from advanced)
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_MARKED}
  )
  ${SHOW_PAGE}`

const START_ANEW = `
  with ${movedAnew(FOLLOWER)}
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
  select patient_uid, reading_type, min(changed_at) - ${BEFORE_SET_SQL}, 'infinity'
  from casesheet.rules
  where exists (select from moved)
  group by patient_uid, reading_type
  order by patient_uid, reading_type${ON_MARKED}`
