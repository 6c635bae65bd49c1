// Cursors of readings/changes name transaction ids of one database. Where the tables were copied into another one (pg_dump,
// pg_upgrade, logical replication), the sequence begins a new generation: cursors of the old one are refused, and consumers
// start again.
//
// Ids of another cluster that this one has not reached yet would stay hidden until it does, and then stand among new ones. So
// their rows get ids of this cluster first, in batches, and the new generation begins last: an interrupted run is resumed by
// the next one.
//
// All readings of a patient that are stored must come behind the patient's erasure, or consumers would remove them: what came
// before was deleted by it. Those that do not, because the erasure got its new id later than a server added them here, move
// behind it. They are delivered again by that, so it needs no new generation.
import type { Client } from 'pg'
import { withOwnerSession } from '../casesheet/owner/owner-session.ts'
import { untilWritesHaveEnded } from '../casesheet/owner/writes-in-flight.ts'
import { HAS_IDS_OF_ANOTHER_CLUSTER, IS_OF_THIS_DATABASE } from './changes/feed-identity.ts'

const BATCH = 20_000
/** Their primary keys begin with the patient. */
const OF_PATIENTS = ['casesheet.grants', 'casesheet.looks', 'casesheet.rules', 'casesheet.alerts']

export type Renewal = {
  /** The address of a role that owns the tables. */
  databaseUrl: string
  /** Begin a new generation also where the database is the same, because its cluster was set back without a new timeline. */
  isRestored: boolean
}

/** Whether a new generation began. */
export async function renewFeed({ databaseUrl, isRestored }: Renewal): Promise<boolean> {
  return withOwnerSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ generation: string }>(
      `select generation
       from casesheet.feed
       where $1::boolean
         or not ${IS_OF_THIS_DATABASE}
         or ${HAS_IDS_OF_ANOTHER_CLUSTER}`,
      [isRestored],
    )
    const [ended] = rows
    if (ended) await stampAll(client)
    await moveBehindErasures(client)
    return ended !== undefined && (await beginGeneration(client, ended.generation))
  })
}

async function stampAll(client: Client) {
  await client.query(
    'update casesheet.erasure_notices set changed_xid = pg_current_xact_id() where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())',
  )
  // What they add may have lower ids than the erasures have now, and cannot be seen yet.
  await untilWritesHaveEnded(client)
  for (const table of [...(await partitionsOfReadings(client)), 'casesheet.targets'])
    await stamp(client, table)
  for (const table of OF_PATIENTS) await stampByPatient(client, table)
}

/** The trigger of the table sets the new id. */
async function moveBehindErasures(client: Client) {
  const { rows } = await client.query<{ patient_uid: string }>(
    `select distinct patient_uid
     from casesheet.erasure_notices
     where exists (
       select
       from casesheet.readings
       where readings.patient_uid = erasure_notices.patient_uid
         and readings.changed_xid <= erasure_notices.changed_xid
     )`,
  )
  for (const { patient_uid } of rows)
    await client.query(
      `update casesheet.readings
       set changed_xid = changed_xid
       where patient_uid = $1
         and changed_xid <= (
           select changed_xid
           from casesheet.erasure_notices
           where patient_uid = $1
           order by changed_xid desc
           limit 1
         )`,
      [patient_uid],
    )
}

async function partitionsOfReadings(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relid::regclass::text as name from pg_partition_tree('casesheet.readings') where isleaf order by name",
  )
  return rows.map(({ name }) => name)
}

/** By the index by change. `table` comes from the catalogue of the database, quoted. */
async function stamp(client: Client, table: string) {
  const text = `
    update ${table}
    set changed_xid = pg_current_xact_id()
    where ctid = any (array(
      select ctid
      from ${table}
      where changed_xid >= pg_snapshot_xmax(pg_current_snapshot())
      order by changed_xid
      limit $1::integer
    ))`
  for (;;) {
    const { rowCount } = await client.query(text, [BATCH])
    if (rowCount === 0) return
  }
}

/** For tables without an index by change: from patient to patient, so that each row is read once. */
async function stampByPatient(client: Client, table: string) {
  for (let after: string | null = ''; after !== null; ) {
    const { rows }: { rows: { patient_uid: string }[] } = await client.query(
      `select patient_uid from ${table} where patient_uid > $1 order by patient_uid offset $2::integer limit 1`,
      [after, BATCH],
    )
    const last: string | null = rows[0]?.patient_uid ?? null
    await client.query(
      `update ${table}
       set changed_xid = pg_current_xact_id()
       where patient_uid > $1
         and ($2::text is null or patient_uid <= $2)
         and changed_xid >= pg_snapshot_xmax(pg_current_snapshot())`,
      [after, last],
    )
    after = last
  }
}

/** Whether it did: of two runs at once, one begins it. */
async function beginGeneration(client: Client, ended: string): Promise<boolean> {
  const { rowCount } = await client.query(BEGIN_GENERATION, [ended])
  return rowCount === 1
}

const BEGIN_GENERATION = `
  with renewed as (
    update casesheet.feed
    set generation = gen_random_uuid(),
      system_identifier = (select system_identifier from pg_control_system()),
      database_oid = (select oid from pg_database where datname = current_database()),
      table_oid = feed.tableoid
    where generation = $1
    returning generation
  ), emptied as (
    delete from casesheet.feed_deliveries
    where exists (select from renewed)
  )
  select from renewed`
