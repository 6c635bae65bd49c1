// `rounds migrate`: brings the database up to date, file by file. Two migrators at once do not collide: one works, the other
// waits. A migration waits for a lock only briefly: all later statements on the table would queue behind it, so it gives up
// after two seconds, lets them pass, and tries again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { sessionHolding } from '../blocking-sessions.ts'
import { isLockTimeout } from '../database-errors.ts'
import { watchSession } from '../watch-session.ts'
import {
  compareMigrations,
  isInTransaction,
  MigrationError,
  type MigrationFile,
  readMigrationFiles,
  statementsOf,
} from './migration-files.ts'
import { appliedMigrations, LOCK_ID, withMigrationSession } from './migration-session.ts'

const LOCK_TIMEOUT_MS = 2_000
const LOCK_ATTEMPTS = 30

export type MigrationProgress =
  | { kind: 'applying'; name: string; index: number; count: number }
  /** One of the statements that a select of the migration yields, mostly one for each partition. */
  | { kind: 'statement'; text: string; index: number; count: number }
  | { kind: 'waiting'; sessions: string[] }

export type MigrateOptions = {
  /** Those that are served, of MODULES. */
  modules?: string[]
  /** Where the files are, for tests. */
  migrationsDir?: string
  lockAttempts?: number
  onProgress?: (progress: MigrationProgress) => void
  /** Cancels the statement in the server and ends the run. */
  signal?: AbortSignal
}

type Run = Required<Pick<MigrateOptions, 'modules' | 'lockAttempts' | 'onProgress'>> & { signal: AbortSignal }

/** Brings the database up to date and returns the names of the files it applied, and of those that a newer build has. */
export async function migrate(
  databaseUrl: string,
  {
    modules = [],
    migrationsDir,
    lockAttempts = LOCK_ATTEMPTS,
    onProgress = () => {},
    signal = new AbortController().signal,
  }: MigrateOptions = {},
): Promise<{ applied: string[]; newer: string[] }> {
  const files = await readMigrationFiles(migrationsDir)
  return withMigrationSession(databaseUrl, async (client) => {
    const watch = await watchSession(databaseUrl, client, {
      onWaiting: (sessions) => onProgress({ kind: 'waiting', sessions }),
      signal,
    })
    const begun: MigrationFile[] = []
    try {
      return await migrateWatched(client, files, { modules, lockAttempts, onProgress, signal, begun })
    } catch (error) {
      throw watch.isCancelled() ? interrupted(begun) : error
    } finally {
      await watch.end()
    }
  })
}

async function migrateWatched(
  client: Client,
  files: MigrationFile[],
  { begun, ...run }: Run & { begun: MigrationFile[] },
) {
  await takeLock(client, run)
  await client.query(`
      set statement_timeout = 0;
      set idle_in_transaction_session_timeout = 0;
      set lock_timeout = ${LOCK_TIMEOUT_MS};
      create schema if not exists rounds;
      create table if not exists rounds.migration_files (
        name text primary key,
        sha256 text not null
      )`)
  const { pending, newer } = compareMigrations(files, await appliedMigrations(client), run.modules)
  for (const [index, file] of pending.entries()) {
    run.onProgress({ kind: 'applying', name: file.name, index: index + 1, count: pending.length })
    begun.push(file)
    await apply(client, file, run)
  }
  return { applied: begun.map(({ name }) => name), newer }
}

function interrupted(begun: MigrationFile[]): MigrationError {
  const applied = begun.slice(0, -1).map(({ name }) => name)
  const done = applied.length > 0 ? `Applied before: ${applied.join(', ')}.` : 'Nothing was applied.'
  const current = begun.at(-1)
  const left =
    current && !isInTransaction(current)
      ? ` Of ${current.name} some statements were run. An index that was being built stays unfinished: adds maintain it, no query uses it, and the next run builds it again.`
      : ''
  return new MigrationError(`Interrupted. ${done}${left} Run "rounds migrate" again to go on.`)
}

async function apply(client: Client, file: MigrationFile, run: Run) {
  const retrying = <T>(work: () => Promise<T>) => untilLocked(file, run, work)
  if (isInTransaction(file)) {
    await retrying(() => applyInTransaction(client, file))
    return
  }
  const execute = (text: string) => retrying(() => runAlone(client, text))
  for (const { text, yieldsStatements } of statementsOf(file)) {
    const rows = await execute(text)
    const yielded = yieldsStatements ? rows.flat().map(String) : []
    for (const [index, statement] of yielded.entries()) {
      run.onProgress({ kind: 'statement', text: statement, index: index + 1, count: yielded.length })
      await execute(statement)
    }
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

async function untilLocked<T>(
  { name }: MigrationFile,
  { lockAttempts, signal }: Run,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      if (attempt === lockAttempts)
        throw new MigrationError(
          `Migration ${name} did not get its lock: another session has held the table locked for too long (see pg_stat_activity). ` +
            'Run "rounds migrate" again: what was applied before stays.',
          { cause },
        )
      await pause(LOCK_TIMEOUT_MS * Math.random(), undefined, { signal })
    }
  }
}

// Polled, not awaited in the server: a session that blocks in pg_advisory_lock() holds a snapshot and would deadlock
// with a `create index concurrently` of the one that holds the lock. The lock ends with the session.
async function takeLock(client: Client, { onProgress, signal }: Run) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK_ID,
    ])
    if (rows[0]?.taken) return
    const holder = await sessionHolding(client, LOCK_ID)
    if (holder !== undefined) onProgress({ kind: 'waiting', sessions: [holder] })
    await pause(200, undefined, { signal })
  }
}
