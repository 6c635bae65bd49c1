// How a follower's position is written: with the follower's own writes, in one statement.
import { textArray } from '../../../db/array.ts'
import type { Db } from '../../../db/db.ts'
import type { Place } from '../changes/change-history.ts'
import { TIMELINE } from '../changes/read-changes.ts'
import type { FollowerPosition } from './hold-followers.ts'

/**
 * SQL for a CTE: moves a follower from one position to another. It has a row if this process holds the follower and its position is
 * still the one given, and none otherwise. The follower's own writes go behind `where exists (select from …)` in the same statement,
 * so that they happen exactly once.
 */
export function advance(parameters: {
  name: string
  processId: string
  from: { generation: string; xid: string; id: string }
  to: { generation: string; xid: string; id: string }
  /** When everything up to `to` was all that there was; null if there was more. */
  caughtUpAt: string
  /** What else must hold. */
  if?: string
}): string {
  const { name, processId, from, to, caughtUpAt, if: mayMove = 'true' } = parameters
  return `
    update casesheet.followers
    set generation = ${to.generation},
      xid = ${to.xid},
      id = ${to.id},
      caught_up_at = coalesce(${caughtUpAt}, caught_up_at)
    where name = ${name}
      and held_by = ${processId}
      and (generation, xid, id) = (${from.generation}, ${from.xid}, ${from.id})
      and ${mayMove}
    returning followers.name`
}

/**
 * A position that this process has seen, and on which timeline. A failover without a synchronous standby may use the ids before it
 * again, so it means nothing on another timeline.
 */
export type SeenPosition = FollowerPosition & { timeline: number }

type Idle = { name: string; position: FollowerPosition }

/**
 * Moves followers that have nothing to do to a place up to which there is nothing for them. Those that were moved otherwise
 * meanwhile stay; the names of the others come back.
 */
export async function moveIdle(
  db: Db,
  idle: Idle[],
  { processId, to }: { processId: string; to: SeenPosition },
): Promise<string[]> {
  const list = (of: (place: Place) => string) => textArray(idle.map(({ position }) => of(position)))
  const rows = await db.query<{ name: string }>(
    {
      name: 'move-idle-followers',
      text: MOVE_IDLE,
      values: [
        processId,
        textArray(idle.map(({ name }) => name)),
        list(({ xid }) => xid),
        list(({ id }) => id),
        to.generation,
        to.xid,
        to.id,
        to.timeline,
      ],
    },
    { on: 'follow', withinMs: 2_500 },
  )
  return rows.map(({ name }) => name)
}

const MOVE_IDLE = `
  update casesheet.followers
  set xid = case when (followers.xid, followers.id) < ($6::xid8, $7::uuid) then $6 else followers.xid end,
    id = case when (followers.xid, followers.id) < ($6, $7) then $7 else followers.id end,
    caught_up_at = now()
  from unnest($2::text[], $3::xid8[], $4::uuid[]) as idle (name, xid, id)
  cross join (select pg_current_wal_insert_lsn() as lsn) as now
  where followers.name = idle.name
    and held_by = $1::uuid
    and (followers.xid, followers.id) = (idle.xid, idle.id)
    and generation = $5::uuid
    and ${TIMELINE} = $8::integer
  returning followers.name`
