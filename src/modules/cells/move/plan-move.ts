// `rounds cell move --dry-run`: what a move would copy, how long that takes, and what is in its way. It changes nothing and locks nothing.
import type { Client } from 'pg'
import { oldestTransaction } from '../../../db/blocking-sessions.ts'
import { CommandError } from '../../../refusal.ts'
import { isInRange, type SlotRange } from '../slot-range.ts'
import { type BothCells, withBothCells } from './both-cells.ts'
import { findObstacles, findUnwatched } from './check-cells.ts'
import { findMissingRights } from './check-rights.ts'
import { peerOf } from './move-record.ts'
import { findKnown } from './move-slots.ts'
import { LEAVES, type MovedTable, TABLES } from './moved-tables.ts'
import { mustHaveRoom } from './take-over.ts'

/** Below this the rows are counted; above, the planner's counts are taken and patients are assumed to be spread evenly. */
const MAX_COUNTED_BYTES = 1e9
/** Copied and compared, on two cores: docs/scale.md. */
const ROWS_A_SECOND = 33_000

export type MovePlan = {
  /** Host and database of the two cells. */
  from: string
  to: string
  /** Rows of the slots. */
  rows: Partial<Record<MovedTable, number>>
  isCounted: boolean
  /** Of the tables and their indexes. */
  bytes: number
  seconds: number
  /** Replication begins when the transactions have ended that are open then. */
  oldestTransaction: string | undefined
  /** The state of a move of these slots that would go on. */
  goesOnFrom: string | undefined
  /** What is in the way: obstacles and missing rights. */
  obstacles: string[]
}

type Asked = BothCells & { sourceUrlForTarget: string; range: SlotRange }

export async function planMove(asked: Asked): Promise<MovePlan> {
  return withBothCells(asked, async (source, target) => {
    const size = await sizeOf(source, asked.range)
    const oldest = await oldestTransaction(source)
    const obstacles = await findObstacles(source, target)
    // A cell of another release may lack a table that is asked for.
    const areAlike = obstacles.length === 0
    const { sourceUrlForTarget } = asked
    if (areAlike)
      obstacles.push(
        ...(await findUnwatched(source, target)),
        ...(await findMissingRights({ source, target, sourceUrlForTarget })),
      )
    const known = await asObstacle(obstacles, () => findKnown(source, target, asked))
    if (areAlike && !known) await asObstacle(obstacles, () => mustHaveRoom(target, asked.range))
    return {
      from: peerOf(asked.sourceUrl),
      to: peerOf(asked.targetUrl),
      ...size,
      seconds: Math.ceil(Object.values(size.rows).reduce((sum, count) => sum + count, 0) / ROWS_A_SECOND),
      oldestTransaction: oldest,
      goesOnFrom: known?.state,
      obstacles,
    }
  })
}

async function asObstacle<T>(obstacles: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    obstacles.push(error.message)
    return undefined
  }
}

async function sizeOf(source: Client, range: SlotRange) {
  const share = (range.last - range.first + 1) / 4_096
  const { rows: tables } = await source.query<{ moved: MovedTable; rows: number; bytes: number }>(
    `select moved, sum(greatest(reltuples, 0))::float8 as rows, sum(pg_total_relation_size(relid))::float8 as bytes
     from ${LEAVES} as leaves
     join pg_class on pg_class.oid = relid
     group by moved`,
  )
  const allBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const isCounted = allBytes < MAX_COUNTED_BYTES
  const rows: MovePlan['rows'] = isCounted
    ? await countRows(source, range)
    : Object.fromEntries(tables.map((of) => [of.moved, Math.round(of.rows * share)]))
  return { rows, isCounted, bytes: allBytes * share }
}

async function countRows(source: Client, range: SlotRange): Promise<MovePlan['rows']> {
  const counts: MovePlan['rows'] = {}
  for (const table of TABLES) {
    const { rows } = await source.query<{ count: number }>(
      `select count(*)::float8 as count from ${table} where ${isInRange(range)}`,
    )
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}
