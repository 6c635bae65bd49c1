// SQL of a follower that marks what changed: its next page of changes, and its position behind them, in one statement with the marks.
import { LOWEST_ID } from '../casesheet/reading-id.ts'
import { IS_OF_THIS_DATABASE } from '../feed/changes/feed-identity.ts'
import { advance } from '../feed/followers/advance.ts'

/** While nothing changes, it is noted this seldom that the follower has everything. */
const NOTE_EVERY = "interval '5 seconds'"

/** All sources have columns of the same names and types, among them patient_uid and reading_type. */
type Source = { table: string; id: string; columns: string }

type Followed = {
  follower: string
  /** Whether there is anything to mark changes for. Without it the follower passes over everything at once. */
  isUsed: string
  sources: readonly Source[]
}

/**
 * The CTEs `changed`, the next changes of all sources in their order, and `advanced`, which has a row if the follower was moved behind them:
 * what is written for them goes behind `where exists (select from advanced)`. $1 is the process, $2 how many changes a page has.
 */
export function nextChanges({ follower, isUsed, sources }: Followed): string {
  return `place as materialized (
    select followers.generation, xid, id, caught_up_at, pg_snapshot_xmin(pg_current_snapshot()) as horizon,
      ${isUsed} as is_used,
      feed.generation = followers.generation and ${IS_OF_THIS_DATABASE} as is_known
    from casesheet.followers
    cross join casesheet.feed
    where name = '${follower}'
      and held_by = $1::uuid
  ), changed as materialized (${sources.map(changesOf).join(`
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
    name: `'${follower}'`,
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
  )`
}

const changesOf = ({ table, id, columns }: Source) => `
    (
      select changed_xid, ${id} as id, ${columns}
      from ${table}
      where (changed_xid, ${id}) > ((select xid from place), (select id from place))
        and changed_xid < (select horizon from place)
        and (select is_known and is_used from place)
      order by changed_xid, ${id}
      limit $2::integer
    )`

/** The page as a row: how many changes it had, and whether the position is one of this history of the database. */
export type Page = { changes: number; is_known: boolean }

export const SHOW_PAGE = `select changes, is_known
  from place
  cross join seen`

/** The CTE `moved`, which has a row if the follower was moved to the end of another history of the database. $1 is the process. */
export const movedAnew = (follower: string) => `moved as (
    update casesheet.followers
    set generation = feed.generation,
      xid = pg_snapshot_xmin(pg_current_snapshot()),
      id = '${LOWEST_ID}',
      caught_up_at = now()
    from casesheet.feed
    where name = '${follower}'
      and held_by = $1::uuid
      and followers.generation <> feed.generation
      and ${IS_OF_THIS_DATABASE}
    returning name
  )`

/** SQL of an insert into a table of marks: widens the mark that is there. */
export const ON_MARKED = `
    on conflict (patient_uid, reading_type) do update
    set measured_from = least(mark.measured_from, excluded.measured_from),
      measured_to = greatest(mark.measured_to, excluded.measured_to),
      version = mark.version + 1`
