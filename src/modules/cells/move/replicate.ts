// Copying the patients of some slots by PostgreSQL's own logical replication: a publication with a row filter in the old cell, a
// subscription in the new one. Both go on sending what changes until they are dropped.
//
// Readings are published with their withdrawals, and grants, targets and rules with their changes. Alerts are published also when a
// server deletes one that was pending. Of corrections, reviews, events of alerts, the history of grants, targets and rules, and the
// access log only new rows are: these rows stay as they are, and the log has no key, so that PostgreSQL would refuse the update of an
// erasure if updates were published. Rows take transaction ids of the new cluster (trigger stamp_replicated); the triggers that
// draw the id of a grant, target, rule or event and write a history do not fire for them.
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, escapeIdentifier } from 'pg'
import { sessionsBlocking } from '../../../db/blocking-sessions.ts'
import { CommandError } from '../../../refusal.ts'
import { isInRange } from '../slot-range.ts'
import type { Watch } from './both-cells.ts'
import type { Move } from './move-record.ts'
import { LEAVES, type MovedTable } from './moved-tables.ts'
import { createSubscription, dropSubscription, isSubscribed, startSubscription } from './subscribe.ts'

const POLL_MS = 200
const POLLS_OF_WAITING = 5
/** Less than this is sent within a moment. */
const MAX_BEHIND_BYTES = 1_048_576
/** PostgreSQL tries again after each error, and some pass. */
const MAX_ERRORS = 5

export type TwoCells = { source: Client; target: Client; move: Move }

export type CopyProgress = { copied: number; expected: number }

export const nameOf = ({ moveId }: Move) => `rounds_move_${moveId.replaceAll('-', '')}`
export const publicationsOf = (move: Move) => ({
  changing: nameOf(move),
  inserted: `${nameOf(move)}_log`,
  alerts: `${nameOf(move)}_alerts`,
})

/** `sourceUrl` is the address at which the new cell's PostgreSQL reaches the old one. */
export async function startReplication({ source, target, move }: TwoCells, sourceUrl: string) {
  const name = nameOf(move)
  if (await isSubscribed(target, name)) return mustHaveSlot(source, move)
  const { changing, inserted, alerts } = publicationsOf(move)
  const rowsOf = (...tables: MovedTable[]) =>
    tables.map((table) => `${table} where (${isInRange(move.range)})`).join()
  await publish(
    source,
    changing,
    rowsOf('casesheet.readings', 'casesheet.grants', 'casesheet.targets', 'casesheet.rules'),
    'insert, update',
  )
  const onlyAdded = rowsOf(
    'casesheet.corrections',
    'casesheet.grant_changes',
    'casesheet.target_changes',
    'casesheet.reviews',
    'casesheet.rule_changes',
    'casesheet.alert_events',
    'casesheet.access_log',
  )
  await publish(source, inserted, onlyAdded, 'insert')
  await publish(source, alerts, rowsOf('casesheet.alerts'), 'insert, update, delete')
  await createSlot(source, name)
  await dropSubscription(target, name)
  const publications = [changing, inserted, alerts]
  const copySlots = await createSubscription(target, { name, publications, sourceUrl })
  // Before there are any.
  await source.query('update casesheet.cell_moves set copy_slots = $2 where move_id = $1', [
    move.moveId,
    copySlots,
  ])
  await startSubscription(target, name)
}

/** Not by the subscription: in one cluster, which has two cells in a test, it would wait for itself. */
async function createSlot(source: Client, name: string) {
  await source.query(
    `select pg_create_logical_replication_slot($1, 'pgoutput')
     where not exists (select from pg_replication_slots where slot_name = $1)`,
    [name],
  )
}

async function publish(source: Client, name: string, what: string, operations: string) {
  const { rows } = await source.query('select from pg_publication where pubname = $1', [name])
  if (rows.length > 0) return
  await source.query(
    `create publication ${escapeIdentifier(name)} for table ${what}
     with (publish = '${operations}', publish_via_partition_root = true)`,
  )
}

/** Without it changes are missing, and a new one would begin behind them. */
async function mustHaveSlot(source: Client, move: Move) {
  const { rows } = await source.query<{ wal_status: string | null }>(
    'select wal_status from pg_replication_slots where slot_name = $1',
    [nameOf(move)],
  )
  if (rows[0] && rows[0].wal_status !== 'lost') return
  throw new CommandError(
    'The old cell no longer has the replication slot of this move, after a failover or because it kept too much WAL. Run "rounds cell abort", then move again.',
  )
}

/** Waits until all that there was has been copied, and what changed since is nearly all sent. */
export async function untilCopied(
  { source, target, move }: TwoCells,
  onProgress: (progress: CopyProgress) => void,
  { mustGoOn, onWaiting }: Watch,
) {
  const expected = await estimateRows(source, move)
  for (let poll = 1; ; poll++) {
    mustGoOn()
    await mustHaveSlot(source, move)
    const { rows } = await target.query<{ left: number; copied: number; errors: number }>(COPY_STATE, [
      nameOf(move),
    ])
    const { left = 1, copied = 0, errors = 0 } = rows[0] ?? {}
    if (errors >= MAX_ERRORS)
      throw new CommandError(
        "The new cell's PostgreSQL cannot apply what it is sent; its log says why. Fix that and run the command again, or abort.",
      )
    onProgress({ copied: left === 0 ? expected : Math.min(copied, expected), expected })
    if (left === 0 && (await bytesBehind(source, move)) < MAX_BEHIND_BYTES) return
    if (poll % POLLS_OF_WAITING === 0) {
      const sessions = await sessionsBlockingCopy({ source, target, move })
      if (sessions.length > 0) onWaiting(sessions)
    }
    await pause(POLL_MS)
  }
}

/** The copy is made by processes of both servers: each waits for transactions of its own. */
async function sessionsBlockingCopy({ source, target, move }: TwoCells): Promise<string[]> {
  const senders = (await slotsOfMove(source, move)).flatMap(({ active_pid: pid }) => pid ?? [])
  const { rows } = await target.query<{ pid: number }>(
    'select pid from pg_stat_subscription where subname = $1 and pid is not null',
    [nameOf(move)],
  )
  return [
    ...(await sessionsBlocking(source, senders)),
    ...(await sessionsBlocking(
      target,
      rows.map(({ pid }) => pid),
    )),
  ]
}

const COPY_STATE = `
  select
    (
      select count(*)
      from pg_subscription_rel
      where srsubid = pg_subscription.oid
        and srsubstate <> 'r'
    )::integer as left,
    (
      select coalesce(sum(tuples_processed), 0)
      from pg_stat_progress_copy
      where datname = current_database()
        and relid in (select moved::regclass from ${LEAVES} as leaves)
    )::float8 as copied,
    coalesce(
      (
        select apply_error_count + sync_error_count
        from pg_stat_subscription_stats
        where subid = pg_subscription.oid
      ),
      0
    )::float8 as errors
  from pg_subscription
  where subname = $1`

export async function bytesBehind(source: Client, move: Move): Promise<number> {
  const { rows } = await source.query<{ bytes: number }>(
    `select (pg_current_wal_lsn() - confirmed_flush_lsn)::float8 as bytes
     from pg_replication_slots
     where slot_name = $1`,
    [nameOf(move)],
  )
  return rows[0]?.bytes ?? Infinity
}

/** Waits until the new cell has stored all that lies before this position in the WAL of the old one. */
export async function untilConfirmed({ source, move }: TwoCells, lsn: string, mustGoOn: () => void) {
  for (;;) {
    await mustHaveSlot(source, move)
    const { rows } = await source.query<{ is_confirmed: boolean }>(
      'select confirmed_flush_lsn >= $2::pg_lsn as is_confirmed from pg_replication_slots where slot_name = $1',
      [nameOf(move), lsn],
    )
    if (rows[0]?.is_confirmed) return
    mustGoOn()
    await pause(POLL_MS / 10)
  }
}

/** By the planner's counts, and as if patients were spread evenly. */
async function estimateRows(source: Client, { range }: Move): Promise<number> {
  const { rows } = await source.query<{ rows: number }>(
    `select coalesce(sum(greatest(reltuples, 0)), 0)::float8 * $1::float8 / 4096 as rows
     from pg_class
     where oid in (select relid from ${LEAVES} as leaves)`,
    [range.last - range.first + 1],
  )
  return Math.round(rows[0]?.rows ?? 0)
}

/** Whether anything of it was there. */
export async function stopReplication({ source, target, move }: TwoCells): Promise<boolean> {
  const wasSubscribed = await unsubscribe(target, move)
  const hadSlot = await unpublish(source, move)
  return wasSubscribed || hadSlot
}

/** In the new cell; whether it was subscribed. */
export const unsubscribe = (target: Client, move: Move): Promise<boolean> =>
  dropSubscription(target, nameOf(move))

/** In the old cell, which keeps WAL for the new one until then; whether it did. */
export async function unpublish(source: Client, move: Move): Promise<boolean> {
  const hadSlot = await dropSlots(source, move)
  for (const publication of Object.values(publicationsOf(move)))
    await source.query(`drop publication if exists ${escapeIdentifier(publication)}`)
  return hadSlot
}

/** A slot is in use until the process that sends from it has noticed that its subscription is gone. */
async function dropSlots(source: Client, move: Move): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const slots = await slotsOfMove(source, move)
    if (slots.length === 0) return attempt > 1
    for (const { slot_name, active_pid } of slots) {
      if (active_pid === null) await source.query('select pg_drop_replication_slot($1)', [slot_name])
      // A new cell that cannot be reached keeps its connection for a while.
      else if (attempt > 20) await source.query('select pg_terminate_backend($1)', [active_pid])
    }
    if (slots.some(({ active_pid }) => active_pid !== null)) await pause(POLL_MS)
  }
}

type Slot = { slot_name: string; active_pid: number | null; kept_bytes: number }

/** The replication slot of the move, and those that PostgreSQL of the new cell makes for the first copy of each table. */
export async function slotsOfMove(source: Client, move: Move): Promise<Slot[]> {
  const { rows } = await source.query<Slot>(
    `select slot_name, active_pid,
       greatest(pg_current_wal_lsn() - coalesce(restart_lsn, pg_current_wal_lsn()), 0)::float8 as kept_bytes
     from pg_replication_slots
     where slot_name = $2
       or slot_name like (select copy_slots from casesheet.cell_moves where move_id = $1)
     order by slot_name`,
    [move.moveId, nameOf(move)],
  )
  return rows
}
