// SQL of a follower that marks what changed: its next page of changes, and its position behind them, in one statement with the marks.
//
// The position is a snapshot and not a number, so that a transaction that stays open delays only its own changes:
//
//   done            next      (xid, id)   the follower
//   what it marked  null      lowest      has marked all that was visible in `done`
//   as before       a later   a change    has marked, of what is visible in `next` and not in `done`, all up to this change
//
// A change is visible in a snapshot exactly if its `changed_xid` is. A transaction that ends later, however low its id, is visible in the next
// snapshot. Without `next` a sweep would not end while others write.
import { LOWEST_ID } from '../casesheet/reading-id.ts'
import { IS_OF_THIS_DATABASE } from '../feed/changes/feed-identity.ts'

/** While nothing changes, it is noted this seldom that the follower has everything. */
const NOTE_EVERY = "interval '5 seconds'"

/** All sources have columns of the same names and types. Each has an index by change: (changed_xid, id). */
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
    select xid, id, done, next as began, coalesce(next, pg_current_snapshot()) as next, caught_up_at,
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
    select count(*)::integer as changes, count(*) < $2 as is_last
    from changed
  ), last as materialized (
    select changed_xid as xid, id
    from changed
    order by changed_xid desc, id desc
    limit 1
  ), advanced as (
    update casesheet.followers
    set xid = case when is_last then '0' else last.xid end,
      id = case when is_last then '${LOWEST_ID}' else last.id end,
      done = case when is_last then place.next else place.done end,
      next = case when not is_last then place.next end,
      caught_up_at = case when is_last then now() else followers.caught_up_at end
    from place
    cross join seen
    left join last on true
    where name = '${follower}'
      and held_by = $1
      and (followers.xid, followers.id, followers.done::text) = (place.xid, place.id, place.done::text)
      and followers.next::text is not distinct from place.began::text
      and is_known
      and (changes > 0 or place.began is not null or place.caught_up_at < now() - ${NOTE_EVERY})
    returning name
  )`
}

const OF_PLACE = (column: string) => `(select ${column} from place)`
const IS_BEHIND = (id: string) => `(changed_xid, ${id}) > (${OF_PLACE('xid')}, ${OF_PLACE('id')})`

// Those of transactions that were open in `done`, one index descent each, and those of transactions that began after it.
const changesOf = ({ table, id, columns }: Source) => `
    (
      select changed.*
      from pg_snapshot_xip(${OF_PLACE('done')}) as open (open_xid)
      cross join lateral (
        select changed_xid, ${id} as id, ${columns}
        from ${table}
        where changed_xid = open_xid
          and ${IS_BEHIND(id)}
        order by changed_xid, ${id}
        limit $2::integer
      ) as changed
      where pg_visible_in_snapshot(open_xid, ${OF_PLACE('next')})
        and ${OF_PLACE('is_known and is_used')}
    )
    union all
    (
      select changed_xid, ${id} as id, ${columns}
      from ${table}
      where changed_xid >= pg_snapshot_xmax(${OF_PLACE('done')})
        and changed_xid < pg_snapshot_xmax(${OF_PLACE('next')})
        and ${IS_BEHIND(id)}
        and pg_visible_in_snapshot(changed_xid, ${OF_PLACE('next')})
        and ${OF_PLACE('is_known and is_used')}
      order by changed_xid, ${id}
      limit $2
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
      xid = '0',
      id = '${LOWEST_ID}',
      done = pg_current_snapshot(),
      next = null,
      caught_up_at = now()
    from casesheet.feed
    where name = '${follower}'
      and held_by = $1::uuid
      and followers.generation <> feed.generation
      and ${IS_OF_THIS_DATABASE}
    returning name
  )`

/** SQL of an insert into care.marks: widens the mark that is there. */
export const ON_MARKED = `
    on conflict (patient_uid, reading_type) do update
    set measured_from = least(mark.measured_from, excluded.measured_from),
      measured_to = greatest(mark.measured_to, excluded.measured_to),
      version = mark.version + 1`
