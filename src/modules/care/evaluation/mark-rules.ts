// Marks what changed since the last look and a rule looks at: readings by their type and time, and the rules themselves. It stands in one
// statement with the follower's position, so a change is marked once, whatever becomes of the process.
import type { Db } from '../../../db/db.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { isOurs, isStillServed, type ServedOfAll } from '../../casesheet/served-here.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'
import { advance } from '../../feed/followers/advance.ts'

export const FOLLOWER = 'alerts:rules'
const PAGE = 5_000
/** While nothing changes, it is noted this seldom that the follower has everything. */
const NOTE_EVERY = "interval '5 seconds'"

/**
 * Whether there may be more; undefined where the position is one of another history of the database. Patients who are not served here are
 * passed over: another cell evaluates them, and what it has not evaluated when they come here is marked then.
 */
export async function markRules(
  db: Db,
  processId: string,
  { version, notServed }: Pick<ServedOfAll, 'version' | 'notServed'>,
): Promise<boolean | undefined> {
  const [row] = await db.query<{ changes: number; is_known: boolean }>(
    { name: 'mark-rules', text: MARK_RULES, values: [processId, PAGE, version, notServed] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === PAGE : undefined
}

/** Begins anew after a restore: every rule is evaluated from when it was set. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-rules-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

const changesOf = (table: string, id: string, columns: string) => `
    (
      select changed_xid, ${id} as id, patient_uid, reading_type, ${columns}
      from ${table}
      where (changed_xid, ${id}) > ((select xid from place), (select id from place))
        and changed_xid < (select horizon from place)
        and (select is_known and is_used from place)
      order by changed_xid, ${id}
      limit $2::integer
    )`

/** SQL of an insert: adds to the marks that are there. */
export const ON_MARKED = `
    on conflict (patient_uid, reading_type) do update
    set measured_from = least(mark.measured_from, excluded.measured_from),
      measured_to = greatest(mark.measured_to, excluded.measured_to),
      version = mark.version + 1`

// The marks are written in order, so that nobody who writes them too can be waited for in a circle. While there are no rules, the
// follower passes over everything at once.
const MARK_RULES = `
  with place as materialized (
    select followers.generation, xid, id, caught_up_at, pg_snapshot_xmin(pg_current_snapshot()) as horizon,
      exists (select from casesheet.rules) as is_used,
      feed.generation = followers.generation and ${IS_OF_THIS_DATABASE} as is_known
    from casesheet.followers
    cross join casesheet.feed
    where name = '${FOLLOWER}'
      and held_by = $1::uuid
      and ${isStillServed('$3')}
  ), changed as materialized (${[
    changesOf(
      'casesheet.readings',
      'reading_id',
      'least(measured_at, received_at) as at, null::uuid as rule_id',
    ),
    changesOf('casesheet.rules', 'version_id', 'changed_at, rule_id'),
  ].join(`
    union all`)}
    order by changed_xid, id
    limit $2
  ), seen as materialized (
    select count(*)::integer as changes from changed
  ), last as materialized (
    select changed_xid as xid, id
    from changed
    order by changed_xid desc, id desc
    limit 1
  ), advanced as (${advance({
    name: `'${FOLLOWER}'`,
    processId: '$1',
    from: {
      generation: '(select generation from place)',
      xid: '(select xid from place)',
      id: '(select id from place)',
    },
    to: {
      generation: '(select generation from place)',
      xid: 'case when (select changes from seen) < $2 then (select horizon from place) else (select xid from last) end',
      id: `case when (select changes from seen) < $2 then '${LOWEST_ID}' else (select id from last) end`,
    },
    caughtUpAt: 'case when (select changes from seen) < $2 then now() end',
    if: `(
        select is_known and (changes > 0 or caught_up_at < now() - ${NOTE_EVERY})
        from place
        cross join seen
      )`,
  })}
  ), marked as (
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
      and ${isOurs('$4')}
    group by patient_uid, reading_type
    order by patient_uid, reading_type${ON_MARKED}
  )
  select changes, is_known
  from place
  cross join seen`

const START_ANEW = `
  with moved as (
    update casesheet.followers
    set generation = feed.generation,
      xid = pg_snapshot_xmin(pg_current_snapshot()),
      id = '${LOWEST_ID}',
      caught_up_at = now()
    from casesheet.feed
    where name = '${FOLLOWER}'
      and held_by = $1::uuid
      and followers.generation <> feed.generation
      and ${IS_OF_THIS_DATABASE}
    returning name
  )
  insert into care.alert_marks as mark (patient_uid, reading_type, measured_from, measured_to)
  select patient_uid, reading_type, min(changed_at), 'infinity'
  from casesheet.rules
  where exists (select from moved)
  group by patient_uid, reading_type
  order by patient_uid, reading_type${ON_MARKED}`
