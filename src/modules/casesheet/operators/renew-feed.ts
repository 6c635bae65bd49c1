// Cursors of readings/changes name transaction ids of one database cluster. Where the tables were copied into another one
// (pg_dump, pg_upgrade), the sequence begins a new generation: cursors of the old one are refused, and consumers start again.
//
// Ids of the old cluster that the new one has not reached yet would stay hidden until it does, and then stand among new ones. So
// their rows get ids of the new cluster first, in batches, and the new generation begins last: an interrupted run is resumed by
// the next one. Erasures come before readings: a reading that was added after its patient's erasure must stay behind it.
import type { Client } from 'pg'
import { withOwnerSession } from './owner-session.ts'

const BATCH = 20_000

export type Renewal = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  /** Begin a new generation also where the cluster is the same, because it was set back without a new timeline. */
  isRestored: boolean
}

/** Whether a new generation began. */
export async function renewFeed({ databaseUrl, isRestored }: Renewal): Promise<boolean> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query(`select from casesheet.feed where ${IS_OF_OTHER_CLUSTER}`)
    if (rows.length === 0 && !isRestored) return false
    await client.query(
      'update casesheet.erasure_notices set changed_xid = pg_current_xact_id() where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())',
    )
    for (const partition of await partitionsOfReadings(client)) await stampReadings(client, partition)
    const { rowCount } = await client.query(BEGIN_GENERATION, [isRestored])
    return rowCount === 1
  })
}

async function partitionsOfReadings(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relid::regclass::text as name from pg_partition_tree('casesheet.readings') where isleaf order by name",
  )
  return rows.map(({ name }) => name)
}

/** `partition` comes from the catalogue of the database, quoted. The trigger of the table sets the new id. */
async function stampReadings(client: Client, partition: string) {
  const text = `
    update ${partition}
    set changed_xid = changed_xid
    where ctid = any (array(
      select ctid
      from ${partition}
      where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
      order by changed_xid
      limit $1::integer
    ))`
  for (;;) {
    const { rowCount } = await client.query(text, [BATCH])
    if (rowCount === 0) return
  }
}

const IS_OF_OTHER_CLUSTER = 'system_identifier <> (select system_identifier from pg_control_system())'

// Of two that run at once, one begins the generation.
const BEGIN_GENERATION = `
  with renewed as (
    update casesheet.feed
    set generation = gen_random_uuid(),
      system_identifier = (select system_identifier from pg_control_system())
    where $1::boolean
      or ${IS_OF_OTHER_CLUSTER}
    returning 1
  ), emptied as (
    delete from casesheet.feed_deliveries
    where exists (select from renewed)
  )
  select from renewed`
