// What an erasure leaves behind in the tables it deleted from: dead rows, until a vacuum removes them; values in the
// statistics of the planner, until the tables are analyzed again; and the bytes of the removed rows in the free space of
// their pages, until the tables are written anew.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { codeOf } from '../../error-code.ts'
import { CommandError } from '../../refusal.ts'

// While a session waits for an exclusive lock, every other session that needs the table queues behind it. So it gives up soon and
// tries again.
const LOCK_TIMEOUT_MS = 2_000
const LOCK_ATTEMPTS = 30
// An autoanalyze of a large table has a snapshot for as long as it runs. No lock is held meanwhile.
const SNAPSHOT_ATTEMPTS = 60
const PAUSE_MS = 1_000

/** A table that held rows of the patient, mostly a partition. Names come from the catalogue of the database, quoted. */
export type ErasedTable = {
  name: string
  /** Of a partition. The planner keeps no values of a table that is none. */
  parent?: keyof typeof COLUMNS_OF
}

/**
 * Removes dead rows, and what the statistics know of them. Rows that an older session may still read stay for a later vacuum. Returns
 * the id of the transaction that replaced the statistics.
 */
export async function cleanUp(client: Client, tables: ErasedTable[]): Promise<string> {
  const names = [...tables, { name: ENDPOINTS }].map(({ name }) => name)
  await client.query(`vacuum (index_cleanup on, truncate off) ${names.join(', ')}`)
  return analyze(client, tables)
}

/**
 * Of a table without rows PostgreSQL would keep the old statistics. So one that is empty gets a row, which no other session sees: it
 * is deleted in the same transaction.
 */
async function analyze(client: Client, tables: ErasedTable[]): Promise<string> {
  const partitions = tables.flatMap(({ name, parent }) => (parent ? [{ name, parent }] : []))
  const analyzed = await analyzedParents(client)
  await client.query('begin')
  const placeholders: { name: string; ctid: string }[] = []
  for (const { name, parent } of partitions) {
    const { rows } = await client.query<{ ctid: string }>(
      `insert into ${name} ${COLUMNS_OF[parent]}
       select ${PLACEHOLDER_OF[parent]}
       from (select 'nobody-' || n as patient_uid from generate_series(1, 100000) as n) as candidates
       where ${await constraintOf(client, name)}
         and not exists (select from ${name})
       limit 1
       returning ctid::text as ctid`,
    )
    for (const { ctid } of rows) placeholders.push({ name, ctid })
  }
  for (const { name, parent } of partitions)
    await client.query(`analyze ${analyzed.has(parent) ? parent : name}`)
  for (const { name, ctid } of placeholders)
    await client.query(`delete from ${name} where ctid = $1::text::tid`, [ctid])
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  await client.query('commit')
  return rows[0]?.xid ?? ''
}

const COLUMNS_OF = {
  'casesheet.readings':
    '(patient_uid, measured_at, reading_id, reading_type, sent_timestamp, details, added_by)',
  'casesheet.corrections':
    '(patient_uid, correction_id, measured_at, reading_id, action, corrected_by, allowed_as)',
  'casesheet.access_log':
    '(patient_uid, request_id, page, read_by, allowed_as, operation, range_from, range_to, readings_count)',
}
const PLACEHOLDER_OF = {
  'casesheet.readings': "patient_uid, now(), gen_random_uuid(), 'placeholder', 0, '{}', 'rounds operator'",
  'casesheet.corrections':
    "patient_uid, gen_random_uuid(), now(), gen_random_uuid(), 'restore', 'rounds operator', 'staff'",
  'casesheet.access_log':
    "patient_uid, 'placeholder', 0, 'rounds operator', 'operator', 'placeholder', '-infinity', 'infinity', 0",
}
/** The expression over patient_uid that says which patients belong to a partition. */
async function constraintOf(client: Client, partition: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    'select pg_get_partition_constraintdef($1::text::regclass) as text',
    [partition],
  )
  return rows[0]?.text ?? 'true'
}

/**
 * Writes the tables, the notices of erasures and the planner's statistics into new files and removes the old ones. Meanwhile
 * adds of the patients in the partitions wait, changes of the other tables, and reads of all patients: a read has one plan for all patients,
 * and PostgreSQL locks every table and partition in that plan before it looks which of them it needs. Of the statistics PostgreSQL lets only the owner of the
 * database do so, and skips them else.
 */
export async function rewrite(client: Client, tables: ErasedTable[], analyzedBy: string) {
  await untilUnseen(client, analyzedBy)
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  // A notice whose time was over left its row with the id, and so did the endpoints that named the patient.
  const others = ['casesheet.erasure_notices', ENDPOINTS, 'pg_catalog.pg_statistic']
  for (const name of [...tables.map((table) => table.name), ...others]) await vacuumFull(client, name)
}

// Endpoints of webhooks may name the patient. Every delivery leaves a dead row here, so that some are always there.
const ENDPOINTS = 'webhooks.endpoints'

async function vacuumFull(client: Client, name: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`vacuum (full) ${name}`)
      return
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== '55P03' || attempt === LOCK_ATTEMPTS) throw error
      await pause(LOCK_TIMEOUT_MS * Math.random())
    }
  }
}

/** Rows that a transaction replaced are copied by "vacuum (full)" for as long as a snapshot may show them. */
async function untilUnseen(client: Client, xid: string) {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ is_unseen: boolean }>(IS_UNSEEN, [xid])
    if (rows[0]?.is_unseen) return
    if (attempt === SNAPSHOT_ATTEMPTS)
      throw new CommandError('A transaction, a standby or a replication slot is older than the erasure.')
    await pause(PAUSE_MS)
  }
}

// What "vacuum (full)" keeps rows for: its own snapshot, which goes back to the oldest running transaction of the whole cluster, a
// prepared one included; snapshots of other sessions of this database, also those of an autoanalyze; standbys that report
// theirs, whose sessions belong to no database (an owner who is no superuser does not see more of them); replication slots. Once
// it is so it stays so, since later snapshots begin later.
const IS_UNSEEN = `
  select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8
    and not exists (
      select
      from pg_stat_activity
      where (datid = pg_database.oid or datid is null)
        and pid <> pg_backend_pid()
        and age(backend_xmin) >= age($1::xid8::xid)
    )
    and not exists (
      select
      from pg_replication_slots
      where greatest(age(xmin), age(catalog_xmin)) >= age($1::xid8::xid)
    ) as is_unseen
  from pg_database
  where datname = current_database()`

/** The patient was erased, and a later step failed: says what to do about it. */
export function notCleanedUp(cause: Error): CommandError {
  const why = cause instanceof CommandError ? ` ${cause.message}` : ''
  return new CommandError(
    `The patient was erased, but cleaning up afterwards failed.${why} Later, run the command again with --rewrite.`,
    { cause },
  )
}

/** PostgreSQL analyzes a partitioned table only when an operator says so; its statistics are those the serving role sees. */
async function analyzedParents(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct format('%I.%I', schemaname, tablename) as name
     from pg_stats
     where schemaname = 'casesheet'
       and tablename in ('readings', 'corrections', 'access_log')`,
  )
  return new Set(rows.map(({ name }) => name))
}
