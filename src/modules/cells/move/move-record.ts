// What each of the two cells records of a move, and the locks that keep commands apart. Every step of a move can be found out from
// these records, so a command that was killed is carried on by running it again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { sessionHolding } from '../../../db/blocking-sessions.ts'
import { codeOf } from '../../../error-code.ts'
import { CommandError } from '../../../refusal.ts'
import { int4rangeOf, printSlotRange, type SlotRange, slotRangeOf } from '../slot-range.ts'

type MoveState = 'copying' | 'closed' | 'moved' | 'cleaned' | 'opened' | 'aborted'

export type Move = {
  moveId: string
  direction: 'out' | 'in'
  range: SlotRange
  peer: string
  state: MoveState
  changedAt: Date
  /** out: what was found equal in both cells, once that was found out. */
  compared: Compared | undefined
}

export type Compared = { readings: number; accesses: number }

type Row = {
  move_id: string
  direction: Move['direction']
  slots: string
  peer: string
  state: MoveState
  changed_at: Date
  compared_readings: number | null
  compared_accesses: number | null
}

const COLUMNS = `move_id, direction, slots::text as slots, peer, state, changed_at,
  compared_readings::float8 as compared_readings, compared_accesses::float8 as compared_accesses`

const moveFrom = ({
  move_id,
  direction,
  slots,
  peer,
  state,
  changed_at,
  compared_readings: readings,
  compared_accesses: accesses,
}: Row): Move => ({
  moveId: move_id,
  direction,
  range: slotRangeOf(slots),
  peer,
  state,
  changedAt: changed_at,
  compared: readings === null || accesses === null ? undefined : { readings, accesses },
})

/** Newest first. */
export async function listMoves(client: Client): Promise<Move[]> {
  const { rows } = await client.query<Row>(
    `select ${COLUMNS} from casesheet.cell_moves order by started_at desc, move_id`,
  )
  return rows.map(moveFrom)
}

export async function findMove(client: Client, moveId: string): Promise<Move | undefined> {
  const { rows } = await client.query<Row>(`select ${COLUMNS} from casesheet.cell_moves where move_id = $1`, [
    moveId,
  ])
  return rows.map(moveFrom)[0]
}

/** Host and database, and nothing of a user or a password. */
export function peerOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname}`
}

export const isInProgress = ({ state }: Move) => state === 'copying' || state === 'closed'

/** Records a move out of this cell, which has all of the slots open. */
export async function recordMoveOut(client: Client, move: Pick<Move, 'moveId' | 'range' | 'peer'>) {
  const { moveId, range, peer } = move
  const { rowCount } = await client
    .query(
      `insert into casesheet.cell_moves (move_id, direction, slots, peer, state)
       select $1, 'out', $2::int4range, $3, 'copying'
       from casesheet.cell
       where open_slots @> $2::int4range`,
      [moveId, int4rangeOf(range), peer],
    )
    .catch(failIfInProgress)
  if (rowCount !== 1)
    throw new CommandError(
      `This cell does not serve all of the slots ${printSlotRange(range)}: "rounds cell status" shows those it has.`,
    )
}

export async function recordCompared(client: Client, { moveId }: Move, { readings, accesses }: Compared) {
  await client.query(
    'update casesheet.cell_moves set compared_readings = $2, compared_accesses = $3 where move_id = $1',
    [moveId, readings, accesses],
  )
}

/** Whether this cell has all of the slots open. */
export async function isServing(client: Client, range: SlotRange): Promise<boolean> {
  const { rows } = await client.query('select from casesheet.cell where open_slots @> $1::int4range', [
    int4rangeOf(range),
  ])
  return rows.length > 0
}

/** The index lets one move be in progress in each cell. */
export function failIfInProgress(error: unknown): never {
  if (codeOf(error) !== '23505') throw error
  throw new CommandError(
    'Another move is in progress in one of the two cells. Finish or abort it first: "rounds cell status" shows it.',
    { cause: error },
  )
}

/** Of commands that move, abort or clean, one runs at a time. */
const COMMANDS_LOCK = 4_096_001n
const LOCK_WITHIN_MS = 20_000
const LOCK_EVERY_MS = 200
/**
 * Erasures and trims share it. A move takes it while it is recorded, so none of them is under way when the copy begins; an abort takes it
 * while it brings back what the new cell has logged.
 */
const DELETIONS_LOCK = 4_096_002n

/**
 * For the rest of the session. A run whose connection was lost holds the lock until PostgreSQL has noticed that, which it does within
 * seconds with these settings; the next run waits for it.
 */
export async function lockCommands(client: Client, mustGoOn = () => {}) {
  await client.query(
    'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 15000',
  )
  for (const giveUpAt = Date.now() + LOCK_WITHIN_MS; Date.now() < giveUpAt; ) {
    if (await takes(client, `pg_try_advisory_lock(${COMMANDS_LOCK})`)) return
    mustGoOn()
    await pause(LOCK_EVERY_MS)
  }
  throw new CommandError(
    `Another "rounds cell" command works on this cell${await holderOf(client, COMMANDS_LOCK)}. Try again when it has ended.`,
  )
}

export async function withoutDeletions<T>(client: Client, work: () => Promise<T>): Promise<T> {
  if (!(await takes(client, `pg_try_advisory_lock(${DELETIONS_LOCK})`)))
    throw new CommandError(
      `A patient is being erased, or the access log trimmed${await holderOf(client, DELETIONS_LOCK)}. Try again when that has ended.`,
    )
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${DELETIONS_LOCK})`).catch(() => {})
  }
}

/** For the rest of the session; refuses while such a move is in progress, because deletions are not copied to the other cell. */
export async function lockDeletions(client: Client, directions: Move['direction'][]) {
  const isTaken = await takes(client, `pg_try_advisory_lock_shared(${DELETIONS_LOCK})`)
  const moves = (await listMoves(client)).filter(({ direction }) => directions.includes(direction))
  if (isTaken && !moves.some(isInProgress)) return
  throw new CommandError(
    'Patients are being moved between cells, and deletions would not reach the other one. Try again when the move has ended.',
  )
}

async function holderOf(client: Client, lock: bigint): Promise<string> {
  const session = await sessionHolding(client, lock)
  return session === undefined ? '' : ` (${session})`
}

async function takes(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lock} as taken`)
  return rows[0]?.taken ?? false
}
