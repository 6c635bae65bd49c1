// `rounds migrate`: brings the database up to date, file by file. Two migrators at once do not collide: one works, the other
// waits. A migration waits for a lock only briefly: all later statements on the table would queue behind it, so it gives up
// after two seconds, lets them pass, and tries again.
import { setTimeout as pause } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { codeOf } from '../error-code.ts'
import type { Db } from './db.ts'
import {
  type AppliedMigration,
  compareMigrations,
  isInTransaction,
  MigrationError,
  type MigrationFile,
  readMigrationFiles,
  statementsOf,
} from './migration-files.ts'

const LOCK_ID = 7_069_105_000_001n
const LOCK_TIMEOUT_MS = 2_000
const LOCK_ATTEMPTS = 30

export type MigrateOptions = {
  /** Where the files are, for tests. */
  migrationsDir?: string
  lockAttempts?: number
}

/** Brings the database up to date and returns the names of the files it applied, and of those that a newer build has. */
export async function migrate(
  databaseUrl: string,
  { migrationsDir, lockAttempts = LOCK_ATTEMPTS }: MigrateOptions = {},
): Promise<{ applied: string[]; newer: string[] }> {
  const files = await readMigrationFiles(migrationsDir)
  return withClient(databaseUrl, async (client) => {
    await takeLock(client)
    await client.query(`
      set statement_timeout = 0;
      set idle_in_transaction_session_timeout = 0;
      set lock_timeout = ${LOCK_TIMEOUT_MS};
      create schema if not exists rounds;
      create table if not exists rounds.migration_files (
        name text primary key,
        sha256 text not null
      )`)
    const { pending, newer } = compareMigrations(files, await appliedMigrations(client))
    for (const file of pending) await apply(client, file, lockAttempts)
    return { applied: pending.map(({ name }) => name), newer }
  })
}

/** What `migrate` would apply, and what a newer build has applied. The serving role may call it too. */
export async function checkMigrations(databaseUrl: string): Promise<{ pending: string[]; newer: string[] }> {
  const files = await readMigrationFiles()
  return withClient(databaseUrl, async (client) => {
    const isThere = await client.query(
      "select from pg_tables where schemaname = 'rounds' and tablename = 'migration_files'",
    )
    const applied = isThere.rows.length > 0 ? await appliedMigrations(client) : []
    const { pending, newer } = compareMigrations(files, applied)
    return { pending: pending.map(({ name }) => name), newer }
  })
}

/** Whether the database accepts writes and has these migrations; later ones, of a newer build, do no harm. */
export async function canServe(db: Db, names: string[]): Promise<boolean> {
  const { rows } = await db.attempt<{ applied: number }>({
    name: 'migrations-applied',
    text: `
      select count(*)::int as applied
      from rounds.migration_files
      where name = any($1)
        and current_setting('transaction_read_only') = 'off'`,
    values: [names],
  })
  return rows[0]?.applied === names.length
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'rounds migrate' })
  // Emitted when the connection is lost between two statements; the next statement then fails.
  client.on('error', () => {})
  await client.connect().catch((cause: Error) => {
    throw new MigrationError(`The database cannot be used: ${cause.message || codeOf(cause)}.`, { cause })
  })
  try {
    return await work(client)
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== '42501') throw error
    // Where a migration knows what helps, it says so in its hint.
    const advice = error instanceof DatabaseError && error.hint ? error.hint : 'Use the owner of the database'
    throw new MigrationError(
      `The role of DATABASE_URL may not change the tables: ${error.message}. ${advice}.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, sha256 from rounds.migration_files order by name collate "C"',
  )
  return rows
}

async function apply(client: Client, file: MigrationFile, lockAttempts: number) {
  const retrying = <T>(run: () => Promise<T>) => untilLocked(file, lockAttempts, run)
  if (isInTransaction(file)) {
    await retrying(() => applyInTransaction(client, file))
    return
  }
  const run = (text: string) => retrying(() => runAlone(client, text))
  for (const { text, yieldsStatements } of statementsOf(file)) {
    const rows = await run(text)
    if (yieldsStatements) for (const statement of rows.flat()) await run(String(statement))
  }
  await recordApplied(client, file)
}

async function applyInTransaction(client: Client, file: MigrationFile) {
  await client.query('begin')
  try {
    await client.query(file.text)
    await recordApplied(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be lost, and `error` says so
    throw error
  }
}

// What works concurrently lets others read and write while it waits, so it may wait: giving up would leave a useless index.
async function runAlone(client: Client, text: string) {
  const mayWait = /\bconcurrently\b/.test(text)
  if (mayWait) await client.query('set lock_timeout = 0')
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
  if (mayWait) await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  return rows
}

async function recordApplied(client: Client, { name, sha256 }: MigrationFile) {
  await client.query('insert into rounds.migration_files (name, sha256) values ($1, $2)', [name, sha256])
}

async function untilLocked<T>({ name }: MigrationFile, attempts: number, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (cause) {
      if (!(cause instanceof Error) || codeOf(cause) !== '55P03') throw cause
      if (attempt === attempts)
        throw new MigrationError(
          `Migration ${name} did not get its lock: another session has held the table locked for too long (see pg_stat_activity). ` +
            'Run "rounds migrate" again: what was applied before stays.',
          { cause },
        )
      await pause(LOCK_TIMEOUT_MS * Math.random())
    }
  }
}

// Polled, not awaited in the server: a session that blocks in pg_advisory_lock() holds a snapshot and would deadlock
// with a `create index concurrently` of the one that holds the lock. The lock ends with the session.
async function takeLock(client: Client) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_ID,
    ])
    if (rows[0]?.taken) return
    await pause(200)
  }
}
