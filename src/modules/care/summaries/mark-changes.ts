// Marks what changed since the last look: readings by their type and time, and targets. It stands in one statement with the follower's
// position, so a change is marked once, whatever becomes of the process.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import { LOWEST_ID } from '../../casesheet/reading-id.ts'
import { IS_OF_THIS_DATABASE } from '../../feed/changes/feed-identity.ts'
import { advance } from '../../feed/followers/advance.ts'
import { OTHER_TYPES, OWN_TYPES } from './what-is-summarised.ts'

export const FOLLOWER = 'care:list'
const PAGE = 5_000
/** While nothing changes, it is noted this seldom that the follower has everything. */
const NOTE_EVERY = "interval '5 seconds'"

/** Whether there may be more; undefined where the position is one of another history of the database. */
export async function markChanges(db: Db, processId: string): Promise<boolean | undefined> {
  const [row] = await db.query<{ changes: number; is_known: boolean }>(
    { name: 'mark-changes', text: MARK_CHANGES, values: [processId, PAGE, textArray(OWN_TYPES)] },
    { on: 'follow' },
  )
  if (!row) return false
  return row.is_known ? row.changes === PAGE : undefined
}

/** Begins anew after a restore: everything is made again. */
export async function startAnew(db: Db, processId: string) {
  await db.query({ name: 'start-list-anew', text: START_ANEW, values: [processId] }, { on: 'follow' })
}

/** SQL: the next changes of a table, each with the type and the times that it marks. */
const changesOf = (table: string, id: string, columns: string) => `
    (
      select changed_xid, ${id} as id, patient_uid, ${columns}
      from ${table}
      where (changed_xid, ${id}) > ((select xid from place), (select id from place))
        and changed_xid < (select horizon from place)
        and (select is_known and is_used from place)
      order by changed_xid, ${id}
      limit $2::integer
    )`

// The marks are written in order, so that nobody who writes them too can be waited for in a circle.
const MARK_CHANGES = `
  with place as materialized (
    select followers.generation, xid, id, caught_up_at, pg_snapshot_xmin(pg_current_snapshot()) as horizon,
      exists (select from care.patients) as is_used,
      feed.generation = followers.generation and ${IS_OF_THIS_DATABASE} as is_known
    from casesheet.followers
    cross join casesheet.feed
    where name = '${FOLLOWER}'
      and held_by = $1::uuid
  ), changed as materialized (${[
    changesOf('casesheet.readings', 'reading_id', 'reading_type, measured_at, measured_at as measured_to'),
    changesOf('casesheet.targets', 'target_id', "reading_type, '-infinity', 'infinity'"),
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
    // With the last page, up to where all transactions have ended.
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
    insert into care.stale as mark (patient_uid, reading_type, measured_from, measured_to)
    select patient_uid, type, min(measured_at), max(measured_to)
    from (
      select patient_uid, case when reading_type = any ($3::text[]) then reading_type else '${OTHER_TYPES}' end as type, measured_at,
        measured_to
      from changed
    ) as typed
    where exists (select from advanced)
      and exists (select from care.patients where patients.patient_uid = typed.patient_uid)
    group by patient_uid, type
    order by patient_uid, type
    on conflict (patient_uid, reading_type) do update
    set measured_from = least(mark.measured_from, excluded.measured_from),
      measured_to = greatest(mark.measured_to, excluded.measured_to),
      version = mark.version + 1,
      -- Others may have been shown it in another zone already, and wait for what changed.
      is_first = false
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
  update care.patient_zones
  set state = 'asked'
  where exists (select from moved)`
