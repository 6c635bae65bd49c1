// `rounds cell status`: which slots a cell has, how much it holds, and where its moves stand.
import type { Client } from 'pg'
import { withOwnerSession } from '../../casesheet/owner/owner-session.ts'
import { isServed } from '../held-here.ts'
import { listMoves, type Move } from './move-record.ts'
import type { MovedTable } from './moved-tables.ts'
import { bytesBehind } from './replicate.ts'

export type CellStatus = {
  open: string
  closing: string
  incoming: string
  /** By the planner's counts. */
  readings: number
  accesses: number
  databaseBytes: number
  moves: (Move & { bytesBehind: number | undefined })[]
}

export type Counts = Record<
  | 'readings'
  | 'corrections'
  | 'grants'
  | 'grantChanges'
  | 'targets'
  | 'targetChanges'
  | 'reviews'
  | 'rules'
  | 'ruleChanges'
  | 'alerts'
  | 'alertEvents'
  | 'accessLog',
  { served: number; notServed: number }
>

/** Counting reads the tables whole. */
export async function cellStatus(
  databaseUrl: string,
  isCounted: boolean,
): Promise<CellStatus & { counts: Counts | undefined }> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<Omit<CellStatus, 'moves'>>(STATUS)
    const [status] = rows
    if (!status) throw new Error('casesheet.cell has no row.')
    const moves: CellStatus['moves'] = []
    for (const move of await listMoves(client))
      moves.push({ ...move, bytesBehind: await lagOf(client, move) })
    return { ...status, moves, counts: isCounted ? await countRows(client) : undefined }
  })
}

async function countRows(client: Client): Promise<Counts> {
  return {
    readings: await countIn(client, 'casesheet.readings'),
    corrections: await countIn(client, 'casesheet.corrections'),
    grants: await countIn(client, 'casesheet.grants'),
    grantChanges: await countIn(client, 'casesheet.grant_changes'),
    targets: await countIn(client, 'casesheet.targets'),
    targetChanges: await countIn(client, 'casesheet.target_changes'),
    reviews: await countIn(client, 'casesheet.reviews'),
    rules: await countIn(client, 'casesheet.rules'),
    ruleChanges: await countIn(client, 'casesheet.rule_changes'),
    alerts: await countIn(client, 'casesheet.alerts'),
    alertEvents: await countIn(client, 'casesheet.alert_events'),
    accessLog: await countIn(client, 'casesheet.access_log'),
  }
}

async function countIn(client: Client, table: MovedTable) {
  const { rows } = await client.query<{ served: number; all: number }>(
    `select count(*) filter (where ${isServed('patient_uid')})::float8 as served, count(*)::float8 as all
     from ${table}
     cross join casesheet.cell`,
  )
  const { served = 0, all = 0 } = rows[0] ?? {}
  return { served, notServed: all - served }
}

async function lagOf(client: Client, move: Move): Promise<number | undefined> {
  if (move.direction !== 'out' || (move.state !== 'copying' && move.state !== 'closed')) return undefined
  return bytesBehind(client, move)
}

const tuplesOf = (table: string) => `(
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8
    from pg_class
    where oid in (select relid from pg_partition_tree('${table}') where isleaf)
  )`

const STATUS = `
  select open_slots::text as open, closing_slots::text as closing, incoming_slots::text as incoming,
    ${tuplesOf('casesheet.readings')} as readings,
    ${tuplesOf('casesheet.access_log')} as accesses,
    pg_database_size(current_database())::float8 as "databaseBytes"
  from casesheet.cell`
